//! `#[tool]`: attr -> model -> check -> expand. Expansion cannot fail.

mod around;
pub(crate) mod attr;
pub(crate) mod check;
pub(crate) mod conditional;
pub(crate) mod expand;
mod fallback;
mod flags;
pub(crate) mod function;
pub(crate) mod kind;
pub(crate) mod model;
mod param_attr;
mod parameter;
mod policy;

use proc_macro2::TokenStream;

use crate::diagnostics::Diagnostics;
use function::Function;

/// The whole macro. One mistake gives one error: where something is wrong, the function and a type
/// beside it are still there, so that nothing else that names them fails.
pub(crate) fn entry(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => {
            if let Some(both) = conditional::split_function(&attribute, &function) {
                return both;
            }
            function
        }
        Err(error) => {
            let error = error.into_compile_error();
            return quote::quote!(#item #error);
        }
    };
    let mut found = Diagnostics::default();
    let attr = attr::Attr::parse(attribute, &mut found);
    let tool = model::Tool::lower(attr, &mut function, None, &mut found);
    check::check(&tool, &mut found);
    let room = around::look(&tool, &function, &mut found);
    if found.is_empty() {
        expand::expand(&tool, &function)
    } else {
        fallback::expand(&tool, &function, room, found)
    }
}
