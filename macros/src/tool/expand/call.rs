//! The function that a toolset calls: decode, run, show the result.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, ReturnType, Type};

use super::schema::type_text;
use crate::tool::{
    kind::{peel, result_of},
    model::{Parameter, Role, Tool},
};

/// `fn __repertoire_call`. A tool that is not async is one function, which code of the runtime calls, so
/// that no future has to be compiled for it.
pub(super) fn call(tool: &Tool, private: &TokenStream) -> TokenStream {
    let invocation = Ident::new("invocation", Span::mixed_site());
    let type_name = super::own(&tool.type_name);
    let body = body(tool, private);
    let spec = quote!(<#type_name as #private::Tool>::REGISTRATION.spec());
    let decoded = decoded(tool, &invocation, &spec, private);
    let result = quote!(#private::Result<#private::ToolOutput, #private::ToolError>);
    let deprecated = tool
        .is_deprecated_item
        .then(|| quote!(#[allow(deprecated)]));
    if tool.is_async && !tool.flags.blocking {
        return quote! {
            #deprecated
            fn __repertoire_call<'a>(
                #invocation: #private::Invocation<'a>,
            ) -> #private::BoxFuture<'a, #result> {
                #private::Box::pin(async move {
                    #decoded
                    #body
                })
            }
        };
    }
    let caller = if tool.flags.blocking {
        quote!(on_a_thread)
    } else {
        quote!(at_once)
    };
    quote! {
        #deprecated
        fn __repertoire_run(#invocation: #private::Invocation<'_>) -> #result {
            #decoded
            #body
        }

        fn __repertoire_call<'a>(
            #invocation: #private::Invocation<'a>,
        ) -> #private::BoxFuture<'a, #result> {
            #private::#caller(__repertoire_run, #invocation)
        }
    }
}

fn variable(index: usize) -> Ident {
    Ident::new(&format!("p{index}"), Span::mixed_site())
}

/// The statements that bring the parameters into variables.
fn decoded(
    tool: &Tool,
    invocation: &Ident,
    spec: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let mended = Ident::new("mended", Span::mixed_site());
    let mut statements = TokenStream::new();
    let mut values = Vec::new();
    for (index, Parameter { role, .. }) in tool.parameters.iter().enumerate() {
        let value = variable(index);
        match role {
            Role::Argument(_) => values.push(value),
            Role::State(ty) => {
                let text = type_text(ty);
                statements.extend(quote! {
                    let #value = #private::state::<#ty>(#invocation.states, #text)?;
                });
            }
            Role::Context(ty) => statements.extend(quote! {
                let #value = #private::context::<#ty>(&#invocation)?;
            }),
        }
    }
    quote! {
        #statements
        let mut #mended = #private::None;
        let (#(#values,)*) = #private::decode::<__RepertoireSlots<'_>>(
            &#invocation,
            #spec,
            &mut #mended,
        )?;
    }
}

/// The call itself, and what becomes of its result.
fn body(tool: &Tool, private: &TokenStream) -> TokenStream {
    let passed = tool
        .parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            let value = variable(index);
            match &parameter.role {
                Role::Argument(argument) => argument.kind.pass(&value, private),
                Role::State(_) | Role::Context(_) => value.into_token_stream(),
            }
        });
    let output = Ident::new("output", Span::mixed_site());
    let callee = &tool.callee;
    let call = quote!(#callee(#(#passed),*));
    let called = if tool.is_async {
        // Where the future cannot go to another thread, the function's name is underlined.
        let future = Ident::new("__repertoire_future", tool.place);
        quote! {
            let #future = #call;
            let #output = #private::any_thread(#future).await;
        }
    } else {
        quote!(let #output = #call;)
    };
    let (outcome, value) = returned(tool);
    let (outcome_variable, outcome) = outcome.variable("__repertoire_outcome");
    let (value_variable, value) = value.variable("__repertoire_value");
    quote! {
        #called
        let #outcome_variable = #private::returns::Spot({
            use #private::returns::{
                IsBare as _, IsCoded as _, IsFallible as _, IsOpaque as _, IsPrintable as _,
            };
            (&&&&&#private::returns::Probe::of(&#output)).repertoire_outcome().hold(#output)
        });
        let #output = #outcome.split()?;
        let #value_variable = #private::returns::Spot({
            use #private::returns::{IsJson as _, IsOther as _, IsOutput as _, IsUnit as _};
            (&&&&#private::returns::Probe::of(&#output)).repertoire_value().hold(#output)
        });
        #value.show()
    }
}

/// From the first to the last token of a type.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) first: Span,
    pub(super) last: Span,
}

impl Reach {
    fn at(span: Span) -> Reach {
        Reach {
            first: span,
            last: span,
        }
    }

    fn of(ty: &Type) -> Reach {
        Reach::over(ty.to_token_stream())
    }

    /// From the first to the last of some tokens.
    pub(super) fn over(tokens: TokenStream) -> Reach {
        let mut tokens = tokens.into_iter();
        let Some(first) = tokens.next() else {
            return Reach::at(Span::call_site());
        };
        Reach {
            first: first.span(),
            last: tokens.last().map_or(first.span(), |last| last.span()),
        }
    }

    /// A variable and what is in it. A macro cannot make one span of two; what lies in a field has the
    /// span from the variable's name to the field's.
    fn variable(self, name: &str) -> (Ident, TokenStream) {
        let variable = Ident::new(name, self.first);
        let mut field = Literal::usize_unsuffixed(0);
        field.set_span(self.last);
        (variable.clone(), quote!(#variable.#field))
    }
}

/// Where the types were written that may be refused: the error type and the value type of a `Result`,
/// as far as they can be seen, else the whole type.
fn returned(tool: &Tool) -> (Reach, Reach) {
    match &tool.output {
        ReturnType::Default => (Reach::at(tool.place), Reach::at(tool.place)),
        ReturnType::Type(_, ty) => match result_of(peel(ty)) {
            Some((value, error)) => (
                error.map_or_else(|| Reach::of(ty), Reach::of),
                Reach::of(value),
            ),
            None => (Reach::of(ty), Reach::of(ty)),
        },
    }
}
