//! The function that a toolset calls: decode, run, show the result.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, ReturnType, spanned::Spanned};

use super::schema::type_text;
use crate::tool::{
    kind::{peel, result_of},
    model::{Parameter, Role, Tool},
};

/// `fn __repertoire_call`.
pub(super) fn call(tool: &Tool, private: &TokenStream) -> TokenStream {
    let invocation = Ident::new("invocation", Span::mixed_site());
    let type_name = super::own(&tool.type_name);
    let detached = Ident::new("detached", Span::mixed_site());
    let body = body(tool, private);
    let spec = quote!(<#type_name as #private::Tool>::REGISTRATION.spec());
    let decoded = decoded(tool, &invocation, &spec, private);
    let run = quote! {
        #decoded
        #body
    };
    let future = if tool.flags.blocking {
        // The thread outlives a call that is given up, so it takes all that it needs with it.
        quote! {
            let #detached = #invocation.detach();
            #private::blocking(move || {
                let #invocation = #detached.attach();
                #run
            })
            .await
        }
    } else {
        run
    };
    let deprecated = tool
        .is_deprecated_item
        .then(|| quote!(#[allow(deprecated)]));
    quote! {
        #deprecated
        fn __repertoire_call<'a>(
            #invocation: #private::Invocation<'a>,
        ) -> #private::BoxFuture<'a, #private::Result<#private::ToolOutput, #private::ToolError>> {
            #private::Box::pin(async move { #future })
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
    let wait = tool.is_async.then(|| quote!(.await));
    let (outcome, value) = returned(tool);
    quote! {
        let #output = #callee(#(#passed),*) #wait;
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
    }
}

/// The variables that hold the outcome and the value of a call. They lie where the types were
/// written that may be refused: the error type and the value type of a `Result`, as far as they can
/// be seen, else the whole type.
fn returned(tool: &Tool) -> (Ident, Ident) {
    let (error, value) = match &tool.output {
        ReturnType::Default => (tool.place, tool.place),
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
