//! Where this request has the tool of a call.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{encode::Writer, wire::Input};
use crate::{
    conversation::{CallKind, ModelTurn, ToolCall},
    protocol::{
        Definition, ProtocolError,
        raw::{RawObject, raw},
    },
};

/// Where a loaded tool lives: in its group, or in a namespace of its own name.
pub(super) fn namespace(tool: &Definition) -> &str {
    tool.group().unwrap_or(tool.name())
}

impl<'a> Writer<'a> {
    /// What is to be done with the namespace of a call, so that the provider finds the tool where
    /// this request has it: nothing, or another one, or none.
    pub(super) fn rehome(
        &self,
        name: &str,
        namespace_now: Option<&str>,
    ) -> Option<Option<&'a str>> {
        if !self.native {
            return None;
        }
        if let Some(tool) = self.request.find_deferred(name) {
            let home = namespace(tool);
            return (namespace_now != Some(home)).then_some(Some(home));
        }
        // A tool that is always shown now stands in the default namespace.
        let is_shown = self.request.tools().iter().any(|tool| tool.name() == name);
        (is_shown && namespace_now.is_some()).then_some(None)
    }

    /// An item that this provider wrote. It goes back as it came, but for a call of a tool that is
    /// elsewhere now: always shown then and deferred today, or the other way round, or in another
    /// group. The provider would look for it where it was and refuse the request, for ever.
    pub(super) fn own_item(
        &self,
        item: &'a RawValue,
        turn: &ModelTurn,
    ) -> Result<Input<'a>, ProtocolError> {
        let suspect = |call: &ToolCall| {
            call.kind() == CallKind::Function
                && self.rehome(call.name(), call.namespace()).is_some()
        };
        if !turn.calls().any(suspect) {
            return Ok(Input::Verbatim(item));
        }
        #[derive(Deserialize)]
        struct Called {
            r#type: String,
            #[serde(default)]
            name: String,
            #[serde(default)]
            namespace: Option<String>,
        }
        let called: Result<Called, _> = serde_json::from_str(item.get());
        let home = match called {
            Ok(called) if called.r#type == "function_call" => {
                self.rehome(&called.name, called.namespace.as_deref())
            }
            _ => None,
        };
        let Some(home) = home else {
            return Ok(Input::Verbatim(item));
        };
        let patched = RawObject::parse(item.get()).and_then(|mut object| {
            match home {
                Some(home) => object.set("namespace", raw(home)?),
                None => object.remove("namespace"),
            }
            object.to_raw()
        });
        Ok(Input::Patched(patched.map_err(ProtocolError::Encode)?))
    }
}
