//! The tool in repertoire.

use std::{collections::HashMap, process::ExitCode};

use peers_common::{ready, run, time_calls};
use repertoire::{
    Agent, BoxFuture, Context, Conversation, Responses, Tool, ToolError, ToolSchema, Toolset,
    conversation::ModelTurn,
    model::{Model, ModelError},
    protocol::{Capabilities, Protocol, Request},
    testing, tool,
    tool::{CallFn, Invocation, States},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

peers_common::delivery!(ToolSchema);

macro_rules! each {
    ($(($name:ident $type:ident $static:ident))*) => {
        $(
            /// Plan the delivery of a product to an address.
            #[tool]
            pub async fn $name(
                /// Stock keeping unit, for example "A-1042".
                sku: &str,
                /// How fast it has to be. Leave it out for standard.
                speed: Option<Speed>,
                /// Where it goes.
                destination: Address,
            ) -> Result<Delivery, ToolError> {
                Ok(plan(sku, speed, &destination))
            }
        )*

        fn toolset() -> Toolset {
            Toolset::new()$(.with::<$name>())*
        }

        fn calls() -> HashMap<&'static str, CallFn> {
            HashMap::from([$(($name::SPEC.name, $name::REGISTRATION.call())),*])
        }
    };
}
peers_common::tools!(each);

/// Makes the calls from within an agent, so that each goes through the agent's whole pipeline.
#[tool]
async fn call_all(#[context] cx: &Context) -> u32 {
    time_calls(|name, arguments| {
        let arguments: &RawValue = serde_json::from_str(arguments).map_err(ToolError::failed)?;
        ready(cx.call(name, arguments)).map(|output| output.to_text())
    });
    0
}

/// A model that is never asked.
struct Nobody;

impl Model for Nobody {
    fn capabilities(&self) -> Capabilities {
        Responses::new("m").capabilities()
    }

    fn respond<'a>(&'a self, _: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async { Err(ModelError::other("nobody is asked")) })
    }
}

fn dispatch() {
    let (calls, states) = (calls(), States::new());
    time_calls(|name, arguments| match calls.get(name) {
        Some(call) => {
            ready(call(Invocation::new(arguments, &states))).map(|output| output.to_text())
        }
        None => Err(ToolError::failed("no such tool")),
    });
}

fn first() -> String {
    let agent = Agent::builder(Nobody).repertoire(toolset()).build();
    let agent = agent.expect("the tools of this file are right");
    let mut conversation = Conversation::new();
    conversation.push_user("hello");
    let body = Responses::new("m").encode(&agent.request(&conversation));
    body.expect("there is nothing that cannot be written")
        .json()
        .to_owned()
}

fn pipeline() {
    ready(
        testing::call::<call_all>("{}")
            .repertoire(toolset())
            .into_future(),
    );
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("pipeline") {
        pipeline();
        return ExitCode::SUCCESS;
    }
    run(dispatch, first)
}
