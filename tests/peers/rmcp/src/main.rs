//! The tool in rmcp.

use std::process::ExitCode;

use peers_common::{ready, run, time_calls};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    handler::server::{router::tool::ToolRouter, tool::ToolCallContext, wrapper::Parameters},
    model::{
        CallToolRequestParams, CallToolResponse, ContentBlock, ListToolsResult, NumberOrString,
    },
    service::{RequestContext, serve_directly},
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

peers_common::delivery!(JsonSchema);

macro_rules! each {
    ($(($name:ident $type:ident $static:ident))*) => {
        $(
            #[derive(Deserialize, JsonSchema)]
            pub struct $type {
                /// Stock keeping unit, for example "A-1042".
                pub sku: String,
                /// How fast it has to be. Leave it out for standard.
                pub speed: Option<Speed>,
                /// Where it goes.
                pub destination: Address,
            }
        )*

        #[tool_router]
        impl Server {
            $(
                /// Plan the delivery of a product to an address.
                #[tool]
                async fn $name(
                    &self,
                    Parameters($type { sku, speed, destination }): Parameters<$type>,
                ) -> Result<String, ErrorData> {
                    let delivery = plan(&sku, speed, &destination);
                    serde_json::to_string(&delivery)
                        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
                }
            )*
        }
    };
}

struct Server;
impl ServerHandler for Server {}
peers_common::tools!(each);

fn dispatch() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime of one thread starts");
    let _entered = runtime.enter();
    let (here, _there) = tokio::io::duplex(64);
    // A context needs a peer, and only a running service has one.
    let service = serve_directly::<RoleServer, _, _, _, _>(Server, here, None);
    let router: ToolRouter<Server> = Server::tool_router();
    time_calls(|name, arguments| {
        let arguments = serde_json::from_str(arguments).map_err(|_| "no object")?;
        let params = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        let context = RequestContext::new(NumberOrString::Number(1), service.peer().clone());
        let called = ready(router.call(ToolCallContext::new(&Server, params, context)));
        match called {
            Ok(CallToolResponse::Complete(result)) => match result.content.into_iter().next() {
                Some(ContentBlock::Text(text)) => Ok(text.text),
                _ => Err("no text"),
            },
            _ => Err("not complete"),
        }
    });
}

fn first() -> String {
    let tools = ListToolsResult::with_all_items(Server::tool_router().list_all());
    serde_json::to_string(&tools).expect("definitions can be written")
}

fn main() -> ExitCode {
    run(dispatch, first)
}
