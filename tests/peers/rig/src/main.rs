//! The tool in rig-core.

use std::{collections::HashMap, process::ExitCode};

use peers_common::{ready, run, time_calls};
use rig_core::{
    providers::openai::responses_api::ResponsesToolDefinition,
    rig_tool,
    tool::{ErasedTool, Tool, ToolContext, ToolExecutionError, tool_definition},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

peers_common::delivery!(JsonSchema);

macro_rules! each {
    ($(($name:ident $type:ident $static:ident))*) => {
        $(
            /// Plan the delivery of a product to an address.
            #[rig_tool(params(
                sku = "Stock keeping unit, for example \"A-1042\".",
                speed = "How fast it has to be. Leave it out for standard.",
                destination = "Where it goes."
            ))]
            pub async fn $name(
                sku: String,
                speed: Option<Speed>,
                destination: Address,
            ) -> Result<Delivery, ToolExecutionError> {
                Ok(plan(&sku, speed, &destination))
            }
        )*

        fn tools() -> HashMap<&'static str, Box<dyn ErasedTool>> {
            HashMap::from([$((<$type as Tool>::NAME, Box::new($type) as Box<dyn ErasedTool>)),*])
        }

        fn definitions() -> Vec<ResponsesToolDefinition> {
            vec![$(ResponsesToolDefinition::from(tool_definition(&$type))),*]
        }
    };
}
peers_common::tools!(each);

fn dispatch() {
    let tools = tools();
    time_calls(|name, arguments| {
        let tool = tools.get(name).ok_or(())?;
        let mut context = ToolContext::new();
        let result = ready(tool.execute(arguments.to_owned(), &mut context));
        result
            .into_result()
            .map(|output| output.render())
            .map_err(|_| ())
    });
}

/// The tools alone, as they stand in a request to the Responses API.
fn first() -> String {
    let request = serde_json::json!({"model": "m", "input": "hello", "tools": definitions()});
    request.to_string()
}

fn main() -> ExitCode {
    run(dispatch, first)
}
