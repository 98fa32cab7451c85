//! Calls that tools make: of other tools, and of the model.

use std::sync::Arc;

use super::{
    Inner, Stop,
    dispatch::Target,
    hook, observe,
    pipeline::{self, Call},
};
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
/// Words around a number that make it no less a choice.
const FRAME: [&str; 14] = [
    "answer", "choice", "choose", "i", "is", "my", "number", "option", "pick", "select", "the",
    "i'd", "would", "take",
];

/// Carries out a call of a tool within a call.
pub(crate) fn nested<'a>(
    agent: &'a Arc<Inner>,
    context: &'a Context,
    tool: &'a str,
    arguments: &'a str,
) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
    Box::pin(async move {
        context.going_on()?;
        if context.depth() >= DEEPEST {
            let message = format!("`{tool}` was not run: {DEEPEST} calls stand within each other");
            return Err(ToolError::new(ErrorKind::Denied, message).with_code(code::DENIED));
        }
        if agent.is_for_the_model(tool) {
            let message = format!("`{tool}` is for the model alone");
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
                let called = hook::nested(agent, call).await;
                called.tell(&call);
                let outcome = called.outcome;
                if !entry.read_only {
                    context.note_effect(&outcome);
                    context.note_effect_within(&deeper);
                }
                outcome
            }
            Target::Refused(error) => Err(error),
            // `user_tool` never comes to one of the SDK's.
            Target::Builtin(_) => Err(ToolError::failed("no such tool")),
        }
    })
}

/// Carries a call of another tool out so many times in the pipeline alone, without metrics, spans and
/// events, so that what the pipeline costs can be measured.
///
/// # Errors
/// The tool may not be called, or it fails.
pub async fn repeated(
    context: &Context,
    tool: &str,
    arguments: &str,
    times: u64,
) -> Result<(), ToolError> {
    let agent = &context.step().agent;
    let loaded = |name: &str| context.step().loaded.contains(name);
    let (entry, arguments) = match agent.user_tool(tool, arguments, loaded) {
        Target::Tool(entry, arguments) => (entry, arguments),
        Target::Refused(error) => return Err(error),
        Target::Builtin(_) => return Err(ToolError::failed("only tools can be measured")),
    };
    let deeper = context.deeper();
    for _ in 0..times {
        let call = Call {
            entry,
            arguments: &arguments,
            context: &deeper,
        };
        std::hint::black_box(pipeline::run(agent, call).await?);
    }
    Ok(())
}

/// Asks the model to choose one of some options.
pub(crate) async fn choose(
    context: &Context,
    question: &str,
    options: &[&str],
) -> Result<usize, ToolError> {
    let step = context.going_on()?;
    let agent = &step.agent;
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
        context.going_on()?;
        if matches!(step.spent.limit(), Some(Stop::TokenLimit | Stop::TimeLimit)) {
            let message = agent.texts.question_limit.as_ref();
            return Err(ToolError::new(ErrorKind::Denied, message).with_code(code::DENIED));
        }
        let request = Request::new(&items).with_options(&agent.choose_options);
        let turn = observe::response(agent, agent.model.respond(request))
            .await
            .map_err(ToolError::failed)?;
        step.spent.add_usage(turn.usage());
        if let Some(index) = chosen(&turn.text(), options) {
            return Ok(index);
        }
        // A call that nobody will answer must not stand in the history.
        if turn.calls().next().is_none() {
            items.push(Item::Model(turn));
        }
        items.push(Item::User(agent.texts.choose_again.as_ref().into()));
    }
    Err(ToolError::failed("the model chose none of the options"))
}

/// The options of a question: the answer is a number, so neither much thought nor much text.
pub(super) fn choose_options(options: &RequestOptions) -> RequestOptions {
    let most = options.max_output_tokens.unwrap_or(ANSWER_TOKENS);
    aside(options, most.min(ANSWER_TOKENS))
}

/// The options of a request beside the conversation: free of demands, and with little thought.
pub(super) fn aside(options: &RequestOptions, most: u32) -> RequestOptions {
    let mut few = options.clone();
    few.max_output_tokens = Some(most);
    few.tool_choice = ToolChoice::Auto;
    few.reasoning = few.reasoning.map(|effort| match effort {
        Effort::None => Effort::None,
        _ => Effort::Low,
    });
    few
}

/// The option that an answer names: by its number, or by its own words.
fn chosen(answer: &str, options: &[&str]) -> Option<usize> {
    let at = |number: usize| number.checked_sub(1).filter(|index| *index < options.len());
    let answer = plain(answer);
    if answer.is_empty() {
        return None;
    }
    // The number was asked for, so it comes first where options are numbers themselves.
    if let Ok(number) = answer.parse() {
        return at(number);
    }
    let words = |text: &str| options.iter().position(|option| plain(option) == text);
    if let Some(index) = words(&answer) {
        return Some(index);
    }
    // `2. no` names both, and `option 2` only the number.
    let mut parts = answer
        .split_whitespace()
        .map(plain)
        .filter(|part| !part.is_empty());
    let first = parts.next()?;
    if let Ok(number) = first.parse() {
        let rest = plain(answer.trim_start_matches(first.as_str()));
        let index = at(number)?;
        return (words(&rest) == Some(index)).then_some(index);
    }
    let mut number = None;
    for part in parts.chain([first]) {
        match part.parse() {
            Ok(found) if number.is_none() => number = Some(found),
            // More is said than a choice: perhaps the opposite of one.
            _ if !FRAME.contains(&part.as_str()) => return None,
            _ => {}
        }
    }
    at(number?)
}

/// A text without what models put around an answer, in lower case.
fn plain(text: &str) -> String {
    let around = |c: char| c.is_whitespace() || "*_\"'`()[].,:;!".contains(c);
    text.trim_matches(around).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn an_answer_is_a_number_or_an_option() {
        let options = ["yes", "no", "3 euros", "Äpfel"];
        for (answer, index) in [
            (" 2. no", Some(1)),
            ("NO", Some(1)),
            ("No.", Some(1)),
            ("\"no\"", Some(1)),
            ("**2**", Some(1)),
            ("(2)", Some(1)),
            ("Option 2", Some(1)),
            ("I choose 2.", Some(1)),
            ("3 euros", Some(2)),
            ("äpfel", Some(3)),
            ("5", None),
            ("0", None),
            ("2.5", None),
            ("The answer is **2**.", Some(1)),
            ("2) no", Some(1)),
            ("Neither of the 2 options fits", None),
            ("not 2", None),
            ("Do not take 1", None),
            ("I need 2 more facts", None),
            ("-1", None),
            ("option 1 2", None),
            ("option", None),
            ("1 or 2, hard to say", None),
            ("2. yes", None),
            ("99999999999999999999999", None),
            ("perhaps", None),
            ("", None),
        ] {
            assert_eq!(chosen(answer, &options), index, "{answer}");
        }
    }

    #[test]
    fn the_number_comes_first_where_options_are_numbers() {
        assert_eq!(chosen("1", &["10", "5", "1"]), Some(0));
        assert_eq!(chosen("10", &["10", "5", "1"]), None);
        assert_eq!(chosen("", &["", "b"]), None, "a cut answer chooses nothing");
    }
}
