//! The spec of a tool: constants, with the schema put together by the compiler.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Path, ReturnType, Type, spanned::Spanned};

use crate::{
    json,
    tool::{
        kind::respan,
        model::{Located, Tool},
    },
};

/// The constants of `Tool` that say what is sent: the schema and the spec around its text.
pub(super) fn constants(tool: &Tool, private: &TokenStream) -> TokenStream {
    let name = &tool.name.text;
    let description = &tool.description.text;
    let schema = schema(tool, private);
    let defs = tool
        .arguments()
        .filter(|(_, argument)| !argument.schemars)
        .filter_map(|(_, argument)| argument.kind.parameter(private))
        .map(|ty| quote!(<#ty as #private::ToolSchema>::DEFS));
    let fields = fields(tool, private);
    let budget = budget(tool);
    let limits = tool
        .arguments()
        .filter(|(_, argument)| !argument.schemars)
        .filter_map(|(_, argument)| {
            let text = quote!(::core::primitive::str);
            let ty = argument.kind.parameter(private).unwrap_or(text);
            argument
                .limits
                .asserts(&ty, &argument.kind.written(), private)
        });
    let strict = tool.flags.strict_at().map(|span| {
        let private = respan(private, span);
        quote_spanned!(span=> #private::assert_strict(spec.schema);)
    });
    let output = output(tool, private);
    // `line!` with the span of the function's name is the line of the name.
    let line = quote_spanned!(tool.place=> ::core::line!());
    let type_name = super::own(&tool.type_name);
    quote! {
    const ARGUMENTS: #private::Schema = #schema;
    const SPEC: #private::ToolSpec = {
        const __REPERTOIRE_SCHEMA: #private::Schema = <#type_name as #private::Tool>::ARGUMENTS;
        const __REPERTOIRE_DEFS: #private::Defs = #private::Defs::All(&[#(#defs),*]);
        const __REPERTOIRE_BYTES: [::core::primitive::u8; #private::measure(&__REPERTOIRE_SCHEMA, &__REPERTOIRE_DEFS)] =
            #private::flatten(&__REPERTOIRE_SCHEMA, &__REPERTOIRE_DEFS);
        let mut spec =
            #private::ToolSpec::new(#name, #description, #private::to_text(&__REPERTOIRE_BYTES));
        #fields
        #output
        spec.module = ::core::module_path!();
        spec.file = ::core::file!();
        spec.line = #line;
        #budget
        #(#limits)*
        #strict
        spec
    };
    }
}

/// What differs from an empty spec.
fn fields(tool: &Tool, private: &TokenStream) -> TokenStream {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let mut fields = quote!(spec.package = #package;);
    let mut text = |field: &str, value: &Option<Located>| {
        if let Some(value) = value {
            let field = syn::Ident::new(field, Span::call_site());
            let value = &value.text;
            fields.extend(quote!(spec.#field = #private::Some(#value);));
        }
    };
    text("snippet", &tool.snippet);
    text("toolset", &tool.toolset);
    text("group", &tool.group);
    text("version", &tool.version);
    text("author", &tool.author);
    let mut list = |field: &str, values: &[Located]| {
        if !values.is_empty() {
            let field = syn::Ident::new(field, Span::call_site());
            let values = values.iter().map(|value| &value.text);
            fields.extend(quote!(spec.#field = &[#(#values),*];));
        }
    };
    list("guidelines", &tool.guidelines);
    list("tags", &tool.tags);
    for flag in tool.flags.names() {
        let flag = syn::Ident::new(flag, Span::call_site());
        fields.extend(quote!(spec.#flag = true;));
    }
    if tool.keeps_unknown.is_some() {
        fields.extend(quote!(spec.keeps_unknown = true;));
    }
    if !tool.enabled {
        fields.extend(quote!(spec.enabled = false;));
    }
    if let Some(deprecated) = &tool.deprecated {
        let note = &deprecated.note;
        let replaced_by = match &deprecated.replaced_by {
            Some(path) => {
                let (import, spec, _) = other(path, private);
                let name = named(&quote!(#import #spec.name), private);
                quote!(#private::Some(#name))
            }
            None => quote!(#private::None),
        };
        fields.extend(quote! {
            spec.deprecated = #private::Some(#private::Deprecation::new(#note, #replaced_by));
        });
    }
    if let Some(policy) = tool.policy.expand(private) {
        fields.extend(quote!(spec.policy = #policy;));
    }
    if let Some(path) = &tool.fallback {
        let (import, other_spec, arguments) = other(path, private);
        let wrong = "`fallback` does not take the same arguments";
        let assert = quote_spanned! {path.span()=>
            ::core::assert!(#arguments.accepts(&__REPERTOIRE_SCHEMA), #wrong);
        };
        let set = quote! {
            #import
            spec.fallback = #private::Some(#other_spec.name);
            #assert
        };
        fields.extend(named(&set, private));
    }
    let states: Vec<TokenStream> = tool
        .states()
        .map(|ty| {
            let name = type_text(ty);
            quote!(#private::StateType::of::<#ty>(#name))
        })
        .collect();
    if !states.is_empty() {
        // A constant of its own: behind an assertion the compiler would not keep the list.
        fields.extend(quote! {
            const __REPERTOIRE_STATES: &[#private::StateType] = &[#(#states),*];
            spec.states = __REPERTOIRE_STATES;
        });
    }
    let foreign: Vec<TokenStream> = tool
        .arguments()
        .filter(|(_, argument)| argument.schemars)
        .filter_map(|(parameter, argument)| {
            let name = &parameter.name.text;
            let ty = argument.kind.parameter(private)?;
            Some(quote!(#private::ForeignSchema::new(#name, #private::foreign::<#ty>)))
        })
        .collect();
    if !foreign.is_empty() {
        fields.extend(quote!(spec.foreign = &[#(#foreign),*];));
    }
    let secrets: Vec<&String> = tool
        .arguments()
        .filter(|(_, argument)| argument.secret)
        .map(|(parameter, _)| &parameter.name.text)
        .collect();
    if !secrets.is_empty() {
        fields.extend(quote!(spec.secrets = &[#(#secrets),*];));
    }
    fields
}

/// Another tool that is named by its path: an import, its spec and its arguments.
///
/// The import takes all that the path names. Where that is a function and no type, the name of the
/// type comes from [around it](named), and what it lacks is said in our words.
fn other(path: &Path, private: &TokenStream) -> (TokenStream, TokenStream, TokenStream) {
    let span = path.span();
    let name = Ident::new("__RepertoireOther", span);
    let import = quote! {
        #[allow(unused_imports)]
        use #path as #name;
    };
    let private = respan(private, span);
    let tool = |constant: &str| {
        let constant = Ident::new(constant, span);
        quote_spanned!(span=> <#name as #private::Tool>::#constant)
    };
    (import, tool("SPEC"), tool("ARGUMENTS"))
}

/// A block in which another tool is imported, with what stands for one around it. Beside it, it would
/// also be found where the path names nothing, which the compiler has reported then.
fn named(block: &TokenStream, private: &TokenStream) -> TokenStream {
    quote! {{
        #[allow(unused_imports)]
        use #private::no_tool::*;
        { #block }
    }}
}

/// The schema of what the tool returns, if the type has one: the compiler knows.
fn output(tool: &Tool, private: &TokenStream) -> TokenStream {
    let ty = match &tool.output {
        ReturnType::Type(_, ty) if may_have_schema(ty) => ty,
        _ => return TokenStream::new(),
    };
    quote! {
        spec.output_schema = {
            use #private::WithoutSchema as _;
            const __REPERTOIRE_OUTPUT: [::core::primitive::u8; #private::measure_output(#private::OutputOf::<#ty>::OUTPUT)] =
                #private::flatten_output(#private::OutputOf::<#ty>::OUTPUT);
            #private::output_text(&__REPERTOIRE_OUTPUT)
        };
    }
}

/// Whether a type can be named in a constant and is not plainly text or nothing.
fn may_have_schema(ty: &Type) -> bool {
    let text = quote!(#ty).to_string();
    let plain = ["String", "ToolOutput", "()", "!"];
    let unnamed = ["Self", "impl", "dyn", "_"];
    !plain.contains(&text.as_str())
        && !text.contains(['\'', '&'])
        && !text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| unnamed.contains(&word))
}

/// The check that the schema is no longer than was asked for.
fn budget(tool: &Tool) -> TokenStream {
    let Some((most, span)) = tool.max_schema else {
        return TokenStream::new();
    };
    let message = format!(
        "the schema of `{}` is longer than `max_schema = {most}` bytes",
        tool.name.text
    );
    quote_spanned!(span=> ::core::assert!(spec.schema.len() <= #most, #message);)
}

/// The schema of the arguments: an object whose members are the parameters.
fn schema(tool: &Tool, private: &TokenStream) -> TokenStream {
    let members = tool.arguments().map(|(parameter, argument)| {
        let name = json::escape(&parameter.name.text);
        let description = json::escape(&parameter.description);
        let schema = if argument.schemars {
            quote!(#private::Schema::ANY)
        } else {
            argument.kind.schema(private)
        };
        let mut member = quote!(#private::Member::new(#name, &#schema, #description));
        if argument.default.is_some() || (argument.schemars && argument.kind.is_option()) {
            member.extend(quote!(.may_omit()));
        }
        let ty = argument.kind.checked(private);
        if let Some(limits) = argument.limits.schema(&ty, private) {
            member.extend(quote!(.limit(#limits)));
        }
        member
    });
    let others = (tool.keeps_unknown.is_some()).then(|| quote!(#private::Member::OTHERS));
    let members = members.chain(others);
    quote!(#private::Schema::of(&[#private::Piece::Object(&[#(#members),*])]))
}

/// A type as a person would write it.
pub(crate) fn type_text(ty: &Type) -> String {
    let text = quote!(#ty).to_string();
    text.replace(" :: ", "::")
        .replace(" < ", "<")
        .replace(" >", ">")
        .replace(" ,", ",")
        .replace("& ", "&")
}
