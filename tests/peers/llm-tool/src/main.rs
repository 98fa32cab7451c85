//! The tool in llm-tool.

use std::process::ExitCode;

use llm_tool::{ToolContext, ToolError, ToolRegistry, llm_tool};
use peers_common::{ready, run, time_calls};
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
