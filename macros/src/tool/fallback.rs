//! What is emitted beside the errors, so that they stay the only ones.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::{around::Room, expand, function::Function, model::Tool};
use crate::diagnostics::Diagnostics;

/// The function, a type of the right name that is a tool, and the errors.
pub(super) fn expand(
    tool: &Tool,
    function: &Function,
    room: Room,
    found: Diagnostics,
) -> TokenStream {
    let Tool { krate, cfgs, .. } = tool;
    let errors = found.into_tokens();
    match room {
        Room::All => {}
        Room::Function => return quote!(#function #errors),
        Room::Nothing => return errors,
    }
    let private = quote!(#krate::__private);
    let marker = expand::marker(tool, &function.visibility);
    let name = tool.type_name.clone();
    let at = Span::call_site();
    let call = quote::quote_spanned! {at=>
        const _: () = {
            fn call<'a>(
                _: #private::Invocation<'a>,
            ) -> #private::BoxFuture<'a, #private::Result<#private::ToolOutput, #private::ToolError>> {
                ::core::unreachable!()
            }
            #[automatically_derived]
            impl #private::Tool for #name {
                const ARGUMENTS: #private::Schema = #private::Schema::ANY;
                const SPEC: #private::ToolSpec = #private::ToolSpec::new("", "", "{}");
                const REGISTRATION: &'static #private::Registration =
                    &#private::Registration::new(&<#name as #private::Tool>::SPEC, call);
            }
        };
    };
    quote! {
        #function
        #errors
        #marker
        #(#cfgs)*
        #call
    }
}
