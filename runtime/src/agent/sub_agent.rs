//! An agent as a tool of another.

use serde::Deserialize;
use serde_json::json;

use super::{Agent, Reply, Stop, once::fingerprint, trace};
use crate::{
    context::Context,
    conversation::Conversation,
    error::Error,
    model::ModelError,
    texts::fill,
    tool::{ErrorKind, ToolError, ToolOutput, code},
    toolset::RuntimeTool,
};

#[derive(Deserialize)]
struct Arguments {
    task: String,
}

impl Agent {
    /// This agent as a tool of another, which hands it a task and gets its answer.
    ///
    /// Each call is a conversation of its own: neither agent sees what the other was told, which skills
    /// it read or which tools it loaded. What the run within uses counts for the run around it, whose
    /// limits on tokens, time and calls hold as well as its own; cancelling the one cancels the other.
    /// Its events are told as [`Event::Within`](crate::agent::Event::Within), its spans lie within the span of the call. It is this
    /// agent that asks for approval; a call that would have to wait for it is refused.
    ///
    /// ```
    /// use repertoire::{Agent, Responses, Toolset, testing::{Rule, Script}};
    /// use serde_json::json;
    ///
    /// # async fn run() -> repertoire::Result<()> {
    /// let reader = Agent::builder(Script::new(Responses::new("m")).rule(Rule::say("42 pages"))).build()?;
    /// let model = Script::new(Responses::new("m"))
    ///     .rule(Rule::call("read_report", json!({"task": "How long is it?"})))
    ///     .rule(Rule::answer("read_report", |answer| format!("It has {answer}.")));
    /// let agent = Agent::builder(model)
    ///     .repertoire(Toolset::new().with_tool(reader.as_tool("read_report", "Reads the report.")))
    ///     .build()?;
    /// assert_eq!(agent.run("How long is the report?").await?.text(), "It has 42 pages.");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    pub fn as_tool(&self, name: impl Into<String>, description: impl Into<String>) -> RuntimeTool {
        let name = name.into();
        let schema = json!({
            "type": "object",
            "properties": {"task": {
                "type": "string",
                "description": self.inner.texts.sub_agent_task,
            }},
            "required": ["task"],
            "additionalProperties": false,
        });
        let (agent, tool) = (self.clone(), name.clone());
        RuntimeTool::with_context(name, description, schema, move |arguments, context| {
            let (agent, tool) = (agent.clone(), tool.clone());
            async move {
                // The arguments fit the schema.
                let arguments: Arguments =
                    serde_json::from_value(arguments).map_err(ToolError::failed)?;
                agent.answer(&tool, arguments.task, &context).await
            }
        })
    }

    /// Answers within a call of another agent.
    async fn answer(
        &self,
        tool: &str,
        task: String,
        context: &Context,
    ) -> Result<ToolOutput, ToolError> {
        // The same task in the same conversation is the same conversation within, so that what may
        // happen once happens once also where the model repeats the call.
        let outer = context.conversation();
        let mut conversation = Conversation::new().with_id(within(outer, tool, &task));
        let run = self
            .start(&mut conversation, task)
            .cancelled_by(context.cancel())
            .within(context, tool);
        let reply = run.finish().await.map_err(tool_error)?;
        self.outcome(&reply)
    }

    /// What the run comes to as the result of a call.
    fn outcome(&self, reply: &Reply) -> Result<ToolOutput, ToolError> {
        let texts = &self.inner.texts;
        match reply.stop() {
            Stop::Done => Ok(match &reply.output {
                Some(output) => output.to_string().into(),
                None => reply.text().into(),
            }),
            Stop::Cancelled => Err(
                ToolError::new(ErrorKind::Cancelled, texts.cancelled.as_ref())
                    .with_code(code::CANCELLED),
            ),
            stop => {
                let why = trace::stop(stop).replace('_', " ");
                let note = fill(&texts.sub_agent_stopped, &[("why", &why)]);
                // What was said until then may be of use.
                if reply.text().trim().is_empty() || stop == Stop::AwaitingApproval {
                    return Err(ToolError::failed(note));
                }
                Ok(format!("{}\n{note}", reply.text()).into())
            }
        }
    }
}

/// The identifier of a conversation within another: short, whatever the task.
fn within(outer: &str, tool: &str, task: &str) -> String {
    format!("{tool}-{}", fingerprint(&format!("{outer}\n{task}")))
}

/// A run that ended without a reply, as the failure of a call. What passes may be tried again; what the
/// tools within have done until then is done.
fn tool_error(error: Error) -> ToolError {
    let passes = matches!(&error, Error::Model(ModelError::Call(error)) if error.passes());
    let kind = if passes {
        ErrorKind::Transient
    } else {
        ErrorKind::Failed
    };
    ToolError::new(kind, error.to_string()).uncertain()
}
