//! A model that makes the planned calls.

use repertoire::{
    BoxFuture,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    model::{Model, ModelError},
    protocol::{Capabilities, Deferral, Request},
};
use serde_json::json;

use super::tools::*;
use super::world::*;

/// A model that makes the planned calls, step by step, and then ends.
pub(crate) struct Planner(pub(crate) World);

impl Planner {
    pub(crate) fn call(&self, id: String, (index, key): (usize, u8)) -> ToolCall {
        let key = json!({"key": format!("k{key}")}).to_string();
        match index.checked_sub(self.0.plans.len()) {
            None => ToolCall::new(id, name(index), key),
            Some(0) => ToolCall::new(id, "no_such_tool", key),
            Some(1) => ToolCall::new(id, unwritable::SPEC.name, key),
            Some(_) => ToolCall::new(id, name(0), r#"{"kye": "#),
        }
    }
}

impl Model for Planner {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let turns = request.items().iter();
        let step = turns.filter(|item| matches!(item, Item::Model(_))).count();
        let turn = match self.0.steps.get(step) {
            Some(calls) => {
                let calls = calls.iter().enumerate();
                let parts = calls.map(|(index, call)| {
                    ModelPart::Call(self.call(format!("call_{step}_{index}"), *call))
                });
                ModelTurn::new(parts.collect(), StopReason::ToolCalls, Usage::default())
            }
            None => ModelTurn::new(
                vec![ModelPart::Text("done".to_owned())],
                StopReason::End,
                Usage::default(),
            ),
        };
        Box::pin(std::future::ready(Ok(turn)))
    }
}
