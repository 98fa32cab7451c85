//! The model behind a call.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    conversation::ModelTurn,
    maybe_send::BoxFuture,
    model::{Model, ModelError},
    protocol::{Capabilities, Deferral, Request},
};

/// The model behind a call, which only a tool that asks something ever needs.
#[derive(Default)]
pub(super) struct Answers {
    model: Mutex<Option<Arc<dyn Model>>>,
}

impl Answers {
    pub(super) fn set(&self, model: Arc<dyn Model>) {
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = Some(model);
    }

    fn get(&self) -> Option<Arc<dyn Model>> {
        let model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        model.clone()
    }
}

impl Model for Answers {
    fn capabilities(&self) -> Capabilities {
        // Deferred tools stay deferred whatever the model can do.
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async move {
            match self.get() {
                Some(model) => model.respond(request).await,
                None => Err(ModelError::other(
                    "the call under test has no model; give it one with `.model(...)`",
                )),
            }
        })
    }
}
