//! The code beside the function. Nothing here can fail: what is wrong was reported before.
//!
//! Only `::repertoire::__private` and the language itself are named, so that the code works whatever
//! the user has renamed, shadowed or forbidden. Generated names have spans of the macro call, which
//! keeps the user's lints away from them; types keep the spans they were written with, which brings
//! errors about them to the right place.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, ReturnType, Type, spanned::Spanned};

use super::{
    function::Function,
    kind::{Kind, Owned, peel, result_of},
    model::{Parameter, Role, Tool},
};
use crate::json;

/// The function and the tool beside it.
pub(crate) fn expand(tool: &Tool, function: &Function) -> TokenStream {
    let Tool {
        krate,
        cfgs,
        type_name,
        ..
    } = tool;
    let private = quote!(#krate::__private);
    let type_name = own(type_name);
    let marker = marker(tool, function);
    let slots = slots(tool, &private);
    let spec = spec(tool, function, &private);
    let call = call(tool, function, &private);
    let guard = guard(tool);
    let submit = (!tool.unlinked).then(|| {
        quote! {
            #private::submit! {
                #private::Registration::new(&<#type_name as #private::Tool>::SPEC, __repertoire_call)
            }
        }
    });
    quote! {
        #function
        #marker
        #(#cfgs)*
        const _: () = {
            #guard
            #slots
            #call
            #[automatically_derived]
            impl #private::Tool for #type_name {
                const SPEC: #private::ToolSpec = #spec;
                const REGISTRATION: &'static #private::Registration =
                    &#private::Registration::new(&<#type_name as #private::Tool>::SPEC, __repertoire_call);
            }
            #submit
        };
    }
}

/// The type beside the function.
pub(crate) fn marker(tool: &Tool, function: &Function) -> TokenStream {
    let Tool { krate, cfgs, .. } = tool;
    let visibility = &function.visibility;
    let name = own(&tool.type_name);
    let doc = format!("What is known of the tool `{}`.", tool.name.text);
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[doc(hidden)]
        #visibility struct #name {}

        #(#cfgs)*
        #[automatically_derived]
        impl #name {
            #[doc = #doc]
            #visibility const SPEC: #krate::__private::ToolSpec =
                <#name as #krate::__private::Tool>::SPEC;
        }
    }
}

/// A name where the user wrote it, but of this macro: its looks are no business of the user's lints.
fn own(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::call_site().located_at(name.span()));
    name
}

/// An exported macro, which is always an item of the crate's root: two of one name are an error
/// wherever in the crate they stand, and its text says what is wrong.
fn guard(tool: &Tool) -> TokenStream {
    if tool.unlinked {
        return TokenStream::new();
    }
    let owner = tool
        .toolset
        .as_ref()
        .map(|toolset| format!("_of_{}", toolset.text))
        .unwrap_or_default();
    // A dash cannot stand in an identifier; the middle dot can, and in no tool's name.
    let name = format!("two_tools{owner}_are_called_{}", tool.name.text).replace('-', "\u{b7}");
    // All of it lies on the tool's name, which is what the compiler underlines.
    let span = tool.name.span;
    let name = Ident::new(&name, span);
    quote_spanned! {span=>
        #[allow(non_local_definitions)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #name {
            () => {};
        }
    }
}

fn spec(tool: &Tool, function: &Function, private: &TokenStream) -> TokenStream {
    let name = &tool.name.text;
    let description = &tool.description.text;
    let schema = schema(tool, private);
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let mut fields = TokenStream::new();
    if let Some(snippet) = &tool.snippet {
        let snippet = &snippet.text;
        fields.extend(quote!(spec.snippet = #private::Some(#snippet);));
    }
    if !tool.guidelines.is_empty() {
        let guidelines = tool.guidelines.iter().map(|rule| &rule.text);
        fields.extend(quote!(spec.guidelines = &[#(#guidelines),*];));
    }
    if tool.deferred {
        fields.extend(quote!(spec.deferred = true;));
    }
    if let Some(toolset) = &tool.toolset {
        let toolset = &toolset.text;
        fields.extend(quote!(spec.toolset = #private::Some(#toolset);));
    }
    let states: Vec<_> = tool
        .states()
        .map(|ty| {
            let name = type_text(ty);
            quote!(#private::StateType::of::<#ty>(#name))
        })
        .collect();
    if !states.is_empty() {
        fields.extend(quote!(spec.states = &[#(#states),*];));
    }
    // `line!` with the span of the function's name is the line of the name.
    let line = quote_spanned!(function.ident.span()=> ::core::line!());
    quote! {{
        const __REPERTOIRE_SCHEMA: #private::Schema = #schema;
        const __REPERTOIRE_BYTES: [u8; #private::measure(&__REPERTOIRE_SCHEMA)] =
            #private::flatten(&__REPERTOIRE_SCHEMA);
        let mut spec = #private::ToolSpec::new(#name, #description, #private::to_text(&__REPERTOIRE_BYTES));
        #fields
        spec.package = #package;
        spec.module = ::core::module_path!();
        spec.file = ::core::file!();
        spec.line = #line;
        spec
    }}
}

/// The schema of the arguments, as pieces: `{"type":"object","properties":{…},…}`.
fn schema(tool: &Tool, private: &TokenStream) -> TokenStream {
    let mut pieces = TokenStream::new();
    let mut required = TokenStream::new();
    let mut text = r#""type":"object","properties":{"#.to_owned();
    for (index, (parameter, kind)) in tool.arguments().enumerate() {
        let name = json::escape(&parameter.name.text);
        let description = json::escape(&parameter.description);
        if index > 0 {
            text.push(',');
        }
        text.push_str(&format!("\"{name}\":"));
        let schema = kind.schema(private);
        pieces.extend(quote! {
            #private::Piece::Text(#text),
            #private::Piece::Member(&#schema, #description),
        });
        required.extend(quote!(#private::Required::new(#name, &#schema),));
        text.clear();
    }
    text.push('}');
    quote! {
        #private::Schema::of(&[
            #pieces
            #private::Piece::Text(#text),
            #private::Piece::Required(&[#required]),
            #private::Piece::Text(",\"additionalProperties\":false"),
        ])
    }
}

/// The struct that decoding fills.
fn slots(tool: &Tool, private: &TokenStream) -> TokenStream {
    let arguments: Vec<_> = tool.arguments().collect();
    let names = arguments.iter().map(|(parameter, _)| &parameter.name.text);
    let fields: Vec<Ident> = (0..arguments.len())
        .map(|i| format_ident!("a{i}"))
        .collect();
    let types: Vec<_> = arguments
        .iter()
        .map(|(_, kind)| kind.slot(private))
        .collect();
    let fills = arguments
        .iter()
        .enumerate()
        .map(|(index, (parameter, kind))| {
            let field = &fields[index];
            let name = &parameter.name.text;
            match kind.parameter(private) {
                Some(ty) => quote! {
                    #index => <#ty as #private::Parameter>::fill(&mut self.#field, object, #name),
                },
                None => quote!(#index => #private::fill(&mut self.#field, object, #name),),
            }
        });
    let finished = arguments.iter().enumerate().map(|(index, (_, kind))| {
        let field = &fields[index];
        match kind.parameter(private) {
            Some(ty) => quote!(<#ty as #private::Parameter>::or_absent(self.#field)?),
            None if kind.is_optional() => quote!(#private::Option::flatten(self.#field)),
            None => quote!(self.#field?),
        }
    });
    quote! {
        struct __RepertoireSlots<'de> {
            #(#fields: #private::Option<#types>,)*
            lifetime: #private::PhantomData<&'de ()>,
        }

        #[automatically_derived]
        impl<'de> #private::Slots<'de> for __RepertoireSlots<'de> {
            const NAMES: &'static [&'static str] = &[#(#names),*];
            type Values = (#(#types,)*);

            fn empty() -> Self {
                Self {
                    #(#fields: #private::None,)*
                    lifetime: #private::PhantomData,
                }
            }

            fn fill<__RepertoireObject: #private::MapAccess<'de>>(
                &mut self,
                slot: usize,
                object: &mut __RepertoireObject,
            ) -> #private::Result<(), __RepertoireObject::Error> {
                match slot {
                    #(#fills)*
                    _ => #private::Ok(()),
                }
            }

            fn finish(self) -> #private::Option<Self::Values> {
                #private::Some((#(#finished,)*))
            }
        }
    }
}

/// The function that a toolset calls.
fn call(tool: &Tool, function: &Function, private: &TokenStream) -> TokenStream {
    let type_name = own(&tool.type_name);
    let name = &function.ident;
    let invocation = Ident::new("invocation", Span::mixed_site());
    let mut values = Vec::new();
    let mut states = TokenStream::new();
    let mut passed = Vec::new();
    for (index, Parameter { role, .. }) in tool.parameters.iter().enumerate() {
        let value = Ident::new(&format!("p{index}"), Span::mixed_site());
        match role {
            Role::Argument(kind) => {
                passed.push(kind.pass(&value, private));
                values.push(value);
            }
            Role::State(ty) => {
                let text = type_text(ty);
                states.extend(quote! {
                    let #value = #private::state::<#ty>(#invocation.states, #text)?;
                });
                passed.push(value.into_token_stream());
            }
        }
    }
    let output = Ident::new("output", Span::mixed_site());
    let wait = function.asyncness.is_some().then(|| quote!(.await));
    let (outcome, value) = returned(function);
    quote! {
        fn __repertoire_call<'a>(
            #invocation: #private::Invocation<'a>,
        ) -> #private::BoxFuture<'a, #private::Result<#private::ToolOutput, #private::ToolError>> {
            #private::Box::pin(async move {
                #states
                let (#(#values,)*) = #private::decode::<__RepertoireSlots<'a>>(
                    #invocation.arguments,
                    <#type_name as #private::Tool>::SPEC.schema,
                )?;
                let #output = #name(#(#passed),*) #wait;
                let #outcome = {
                    use #private::returns::{
                        IsBare as _, IsCoded as _, IsFallible as _, IsOpaque as _, IsPrintable as _,
                    };
                    (&&&&&#private::returns::Probe::of(&#output)).repertoire_outcome().hold(#output)
                };
                let #output = #outcome.split()?;
                let #value = {
                    use #private::returns::{IsJson as _, IsOther as _, IsOutput as _, IsUnit as _};
                    (&&&&#private::returns::Probe::of(&#output)).repertoire_value().hold(#output)
                };
                #value.show()
            })
        }
    }
}

/// The variables that hold the outcome and the value of a call. They lie where the types were
/// written that may be refused: the error type and the value type of a `Result`, as far as they can
/// be seen, else the whole type.
fn returned(function: &Function) -> (Ident, Ident) {
    let (error, value) = match &function.output {
        ReturnType::Default => (function.ident.span(), function.ident.span()),
        ReturnType::Type(_, ty) => match result_of(peel(ty)) {
            Some((value, error)) => (error.map_or(ty.span(), Spanned::span), value.span()),
            None => (ty.span(), ty.span()),
        },
    };
    (
        Ident::new("__repertoire_outcome", error),
        Ident::new("__repertoire_value", value),
    )
}

fn type_text(ty: &Type) -> String {
    let text = quote!(#ty).to_string();
    text.replace(" :: ", "::")
        .replace(" < ", "<")
        .replace(" > ", ">")
        .replace(" >", ">")
        .replace(" ,", ",")
        .replace("& ", "&")
}

impl Kind {
    /// The type as a `Parameter`, or `None` for the text types, which borrow.
    fn parameter(&self, private: &TokenStream) -> Option<TokenStream> {
        match self {
            Kind::Owned(ty) => Some(ty.to_token_stream()),
            Kind::Ref(owned) => Some(owned.tokens(private)),
            Kind::OptionRef(owned) => {
                let inner = owned.tokens(private);
                let private = respan(private, inner.span());
                Some(quote_spanned!(inner.span()=> #private::Option<#inner>))
            }
            Kind::Str | Kind::OptionStr => None,
        }
    }

    /// What a slot holds when it is full.
    fn slot(&self, private: &TokenStream) -> TokenStream {
        match self {
            Kind::Str => quote!(#private::Text<'de>),
            Kind::OptionStr => quote!(#private::Option<#private::Text<'de>>),
            other => other.parameter(private).unwrap_or_default(),
        }
    }

    fn is_optional(&self) -> bool {
        matches!(self, Kind::OptionStr)
    }

    fn schema(&self, private: &TokenStream) -> TokenStream {
        match self.parameter(private) {
            Some(ty) => quote!(<#ty as #private::Parameter>::SCHEMA),
            None if self.is_optional() => {
                quote!(<#private::Option<&str> as #private::ToolSchema>::SCHEMA)
            }
            None => quote!(<str as #private::ToolSchema>::SCHEMA),
        }
    }

    /// The value in a slot as the function takes it.
    fn pass(&self, value: &Ident, private: &TokenStream) -> TokenStream {
        match self {
            Kind::Owned(_) => quote!(#value),
            Kind::Str | Kind::Ref(Owned::Slice(..) | Owned::Path(_)) => quote!(&*#value),
            Kind::Ref(Owned::Same(_)) => quote!(&#value),
            Kind::OptionStr | Kind::OptionRef(Owned::Slice(..) | Owned::Path(_)) => {
                quote!(#private::Option::as_deref(&#value))
            }
            Kind::OptionRef(Owned::Same(_)) => quote!(#private::Option::as_ref(&#value)),
        }
    }
}

impl Owned {
    fn tokens(&self, private: &TokenStream) -> TokenStream {
        match self {
            Owned::Same(ty) => ty.to_token_stream(),
            Owned::Slice(ty, span) => {
                let private = respan(private, *span);
                quote_spanned!(*span=> #private::Vec<#ty>)
            }
            Owned::Path(span) => {
                let private = respan(private, *span);
                quote_spanned!(*span=> #private::PathBuf)
            }
        }
    }
}

/// The same path, lying where a type was written.
fn respan(path: &TokenStream, span: Span) -> TokenStream {
    path.clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}
