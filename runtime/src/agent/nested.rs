//! Calls that tools make: of other tools, and of the model.

use std::sync::Arc;

use super::{Event, Inner, dispatch::Target, observe, pipeline::Call};
use crate::{
    context::Context,
    conversation::Item,
    maybe_send::BoxFuture,
    protocol::{Effort, Request, RequestOptions, ToolChoice},
    texts::fill,
    tool::{ErrorKind, ToolError, ToolOutput, code},
};

/// How many calls may stand within each other.
const DEEPEST: usize = 8;
/// How often the model is asked to choose before it counts as undecided.
const QUESTIONS: usize = 2;
/// The most tokens of an answer to such a question; thinking counts.
const ANSWER_TOKENS: u32 = 2048;

/// Carries out a call of a tool within a call.
pub(crate) fn nested<'a>(
    agent: &'a Arc<Inner>,
    context: &'a Context,
    tool: &'a str,
    arguments: &'a str,
) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
    Box::pin(async move {
        if context.depth() >= DEEPEST {
            let message = format!("`{tool}` was not run: {DEEPEST} calls stand within each other");
            return Err(ToolError::new(ErrorKind::Denied, message).with_code(code::DENIED));
        }
        let loaded = |name: &str| context.step().loaded.contains(name);
        match agent.user_tool(tool, arguments, loaded) {
            Target::Tool(entry, arguments) => {
                if !context.step().spent.take_call() {
                    let message = fill(&agent.texts.call_limit, &[("tool", tool)]);
                    let error = ToolError::new(ErrorKind::Denied, message);
                    return Err(error.with_code(code::DENIED));
                }
                let deeper = context.deeper();
                let call = Call {
                    entry,
                    arguments: &arguments,
                    context: &deeper,
                };
                let outcome = observe::call(agent, call).await;
                context.event(Event::ToolCalled {
                    tool: tool.to_owned(),
                    failed: outcome.is_err(),
                });
                outcome
            }
            Target::Refused(error) => Err(error),
            Target::Builtin(_) => Err(ToolError::new(
                ErrorKind::Denied,
                format!("`{tool}` is for the model alone"),
            )
            .with_code(code::DENIED)),
        }
    })
}

/// Asks the model to choose one of some options.
pub(crate) async fn choose(
    context: &Context,
    question: &str,
    options: &[&str],
) -> Result<usize, ToolError> {
    let agent = &context.step().agent;
    if options.is_empty() {
        return Err(ToolError::failed("there is nothing to choose from"));
    }
    let list: Vec<String> = options
        .iter()
        .enumerate()
        .map(|(index, option)| format!("{}. {option}", index + 1))
        .collect();
    let list = list.join("\n");
    let text = fill(
        &agent.texts.choose,
        &[("question", question), ("options", &list)],
    );
    let mut items = vec![Item::User(text.into())];
    for _ in 0..QUESTIONS {
        let request = Request::new(&items).with_options(&agent.choose_options);
        let turn = observe::response(agent, agent.model.respond(request))
            .await
            .map_err(ToolError::failed)?;
        context.step().spent.add_usage(turn.usage());
        if let Some(index) = chosen(&turn.text(), options) {
            return Ok(index);
        }
        items.push(Item::Model(turn));
        items.push(Item::User(agent.texts.choose_again.as_ref().into()));
    }
    Err(ToolError::failed("the model chose none of the options"))
}

/// The options of a question: the answer is a number, so neither much thought nor much text.
pub(super) fn choose_options(options: &RequestOptions) -> RequestOptions {
    let most = options.max_output_tokens.unwrap_or(ANSWER_TOKENS);
    let mut few = options.clone();
    few.max_output_tokens = Some(most.min(ANSWER_TOKENS));
    few.tool_choice = ToolChoice::Auto;
    few.reasoning = few.reasoning.map(|effort| match effort {
        Effort::None => Effort::None,
        _ => Effort::Low,
    });
    few
}

/// The option that an answer names: by its number, or by its own words.
fn chosen(answer: &str, options: &[&str]) -> Option<usize> {
    let answer = answer.trim();
    let digits: String = answer.chars().take_while(char::is_ascii_digit).collect();
    let number = digits
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    // `3 euros` is an answer in words where an option says so.
    let words = options
        .iter()
        .position(|option| option.trim().eq_ignore_ascii_case(answer));
    words.or(number).filter(|index| *index < options.len())
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn an_answer_is_a_number_or_an_option() {
        let options = ["yes", "no", "3 euros"];
        assert_eq!(chosen(" 2. no", &options), Some(1));
        assert_eq!(chosen("NO", &options), Some(1));
        assert_eq!(chosen("3 euros", &options), Some(2));
        assert_eq!(chosen("4", &options), None);
        assert_eq!(chosen("0", &options), None);
        assert_eq!(chosen("99999999999999999999999", &options), None);
        assert_eq!(chosen("perhaps", &options), None);
    }
}
