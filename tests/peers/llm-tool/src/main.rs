//! The tool in llm-tool.

use std::process::ExitCode;

use llm_tool::{ToolContext, ToolError, ToolRegistry, llm_tool};
use peers_common::{ready, run, time_calls};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

peers_common::delivery!(JsonSchema);

macro_rules! each {
    ($(($name:ident $type:ident $static:ident))*) => {
        $(
            /// Plan the delivery of a product to an address.
            #[llm_tool]
            pub async fn $name(
                /// Stock keeping unit, for example "A-1042".
                sku: String,
                /// How fast it has to be. Leave it out for standard.
                speed: Option<Speed>,
                /// Where it goes.
                destination: Address,
            ) -> Result<Delivery, ToolError> {
                Ok(plan(&sku, speed, &destination))
            }
        )*

        fn registry() -> ToolRegistry {
            ToolRegistry::new()$(.with_tool($type))*
        }
    };
}
peers_common::tools!(each);

fn dispatch() {
    let (registry, context) = (registry(), ToolContext::new());
    time_calls(|name, arguments| {
        ready(registry.dispatch_str(name, arguments, &context))
            .map(|output| output.content().to_owned())
    });
}

fn first() -> String {
    serde_json::to_string(&registry().definitions()).expect("definitions can be written")
}

fn main() -> ExitCode {
    run(dispatch, first)
}
