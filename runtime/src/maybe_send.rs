//! `Send` and `Sync` where threads exist, nothing where they do not.
//!
//! On `wasm32` a future that touches JavaScript is never `Send`. The traits of this crate ask for
//! [`MaybeSend`] and [`MaybeSync`], so the same tool compiles for a server and for a browser.

use std::{future::Future, pin::Pin};

/// `Send`, except on `wasm32`, where every type has it.
#[cfg(not(target_arch = "wasm32"))]
pub trait MaybeSend: Send {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: ?Sized + Send> MaybeSend for T {}

/// `Send`, except on `wasm32`, where every type has it.
#[cfg(target_arch = "wasm32")]
pub trait MaybeSend {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> MaybeSend for T {}

/// `Sync`, except on `wasm32`, where every type has it.
#[cfg(not(target_arch = "wasm32"))]
pub trait MaybeSync: Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: ?Sized + Sync> MaybeSync for T {}

/// `Sync`, except on `wasm32`, where every type has it.
#[cfg(target_arch = "wasm32")]
pub trait MaybeSync {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> MaybeSync for T {}

/// A boxed future that is `Send` except on `wasm32`.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed future that is `Send` except on `wasm32`.
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A future that may go on on another thread.
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the future of a tool must be `Send`, and this one is not",
    label = "holds something over an `.await` that may not go to another thread",
    note = "drop it before the `.await`, in a block of its own, or take what may: `Arc` for `Rc`, `Mutex` for `RefCell`, the guard of an asynchronous mutex for that of a blocking one"
)]
pub trait AnyThread: Send {}
#[cfg(not(target_arch = "wasm32"))]
#[diagnostic::do_not_recommend]
impl<T: Send> AnyThread for T {}

/// Any future: there is one thread.
#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub trait AnyThread {}
#[cfg(target_arch = "wasm32")]
impl<T> AnyThread for T {}

/// A future as it is, for generated code.
pub fn any_thread<F: AnyThread>(future: F) -> F {
    future
}
