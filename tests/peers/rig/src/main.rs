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

/// How fast a parcel travels.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Within a week.
    Standard,
    /// Within three days.
    Express,
    /// By the next morning.
    Overnight,
}

/// Where a parcel goes.
#[derive(Deserialize, JsonSchema)]
pub struct Address {
    /// Street and number.
    pub street: String,
    /// The town.
    pub city: String,
    /// The postal code, if the country has them.
    pub postcode: Option<String>,
    /// Two letters of ISO 3166.
    pub country: String,
}

#[derive(Serialize)]
pub struct Delivery {
    sku: String,
    days: u32,
    cost_cents: u32,
    label: String,
}

fn plan(sku: &str, speed: Option<Speed>, destination: &Address) -> Delivery {
    let (days, cost_cents) = match speed.unwrap_or(Speed::Standard) {
        Speed::Standard => (7, 490),
        Speed::Express => (3, 990),
        Speed::Overnight => (1, 2490),
    };
    let Address {
        street,
        city,
        postcode,
        country,
    } = destination;
    let label = format!(
        "{street}, {} {city}, {country}",
        postcode.as_deref().unwrap_or("")
    );
    Delivery {
        sku: sku.to_owned(),
        days,
        cost_cents,
        label,
    }
}

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
