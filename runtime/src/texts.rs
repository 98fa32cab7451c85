//! Every sentence that the SDK itself says to a model.

use std::borrow::Cow;

/// Every sentence and name that the SDK itself says to a model, replaceable one by one.
///
/// Change them for an application in another language. `{name}` and the like stand for what the SDK
/// fills in; a placeholder may be left out.
///
/// ```
/// let mut texts = repertoire::Texts::default();
/// texts.skills_heading = "Fertigkeiten".into();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Texts {
    /// The name of the tool that finds deferred tools.
    pub search_tool: Cow<'static, str>,
    /// What that tool does.
    pub search_description: Cow<'static, str>,
    /// What its argument `queries` is.
    pub search_queries: Cow<'static, str>,
    /// Its line of usage. `{name}`: the tool's name.
    pub search_snippet: Cow<'static, str>,
    /// Its rule of use. `{name}`: the tool's name.
    pub search_guideline: Cow<'static, str>,
    /// The line before the catalog in the description of the search tool.
    pub catalog_lead: Cow<'static, str>,
    /// The same where the catalog lists groups.
    pub catalog_groups_lead: Cow<'static, str>,
    /// The heading of the catalog in the system prompt.
    pub catalog_heading: Cow<'static, str>,
    /// The sentence below that heading. `{name}`: the search tool's name.
    pub catalog_intro: Cow<'static, str>,
    /// The same where the catalog lists groups. `{name}`.
    pub catalog_groups_intro: Cow<'static, str>,
    /// A search found nothing. `{query}`: what was asked.
    pub no_match: Cow<'static, str>,
    /// Several searches in a row loaded nothing. `{count}`: how many.
    pub search_in_vain: Cow<'static, str>,
    /// A search found a tool that is loaded. `{query}`, `{tools}`.
    pub already_loaded: Cow<'static, str>,
    /// A search found a tool that is always shown. `{query}`, `{tools}`.
    pub already_visible: Cow<'static, str>,
    /// A search loaded tools, said where the provider has no form of its own. `{tools}`.
    pub found: Cow<'static, str>,
    /// A search loaded tools that no longer exist. `{tools}`.
    pub gone: Cow<'static, str>,
    /// Tools were found where they are called through another one. `{tools}`, `{call_tool}`.
    pub found_for_dispatch: Cow<'static, str>,
    /// A deferred tool was called before it was loaded. `{tool}`, `{search}`.
    pub not_loaded: Cow<'static, str>,
    /// A tool was called that is switched off. `{tool}`.
    pub switched_off: Cow<'static, str>,
    /// A search was for a tool that is switched off. `{query}`, `{tools}`.
    pub found_switched_off: Cow<'static, str>,
    /// What a deprecated tool says of itself, before its description. `{tool}`, `{note}`.
    pub deprecated: Cow<'static, str>,
    /// What follows the sentence before where another tool has taken its place. `{tool}`: that one.
    pub use_instead: Cow<'static, str>,
    /// What stands below the result of a deprecated tool. `{tool}`, `{deprecated}`: the sentences
    /// before.
    pub deprecated_result: Cow<'static, str>,
    /// What the argument `task` of an agent that is a tool is.
    pub sub_agent_task: Cow<'static, str>,
    /// An agent that is a tool ended before it was done. `{why}`: a word for it.
    pub sub_agent_stopped: Cow<'static, str>,
    /// A tool was called that does not exist. `{tool}`.
    pub unknown_tool: Cow<'static, str>,
    /// What follows the sentence before where tools can be searched. `{search}`.
    pub unknown_tool_search: Cow<'static, str>,
    /// A skill was called as if it were a tool. `{skill}`, `{read_skill}`.
    pub skill_is_no_tool: Cow<'static, str>,
    /// The name of the tool through which the answer is given in a form that the program names.
    pub final_answer: Cow<'static, str>,
    /// What that tool does.
    pub final_answer_description: Cow<'static, str>,
    /// The model answered in words instead. `{tool}`.
    pub final_answer_missing: Cow<'static, str>,
    /// A tool called another one, and the run has no calls left. `{tool}`.
    pub call_limit: Cow<'static, str>,
    /// What a model is told that summarizes a conversation.
    pub summarize: Cow<'static, str>,
    /// What stands for items that were removed without a summary.
    pub forgotten: Cow<'static, str>,
    /// A tool asked the model a question, and the run has used up what it may.
    pub question_limit: Cow<'static, str>,
    /// A call was not approved. `{tool}`.
    pub not_approved: Cow<'static, str>,
    /// The model's output was cut off in this call.
    pub cut_off: Cow<'static, str>,
    /// A result was too long. `{shown}`, `{size}`: bytes.
    pub output_cut: Cow<'static, str>,
    /// The model is asked to choose. `{question}`, `{options}`.
    pub choose: Cow<'static, str>,
    /// The model chose none of the options.
    pub choose_again: Cow<'static, str>,
    /// The run was cancelled before this call had a result.
    pub cancelled: Cow<'static, str>,
    /// The name of the tool that calls a loaded tool where [`Reveal::Dispatch`] is used.
    ///
    /// [`Reveal::Dispatch`]: crate::protocol::Reveal::Dispatch
    pub call_tool: Cow<'static, str>,
    /// What that tool does. `{search}`: the search tool's name.
    pub call_tool_description: Cow<'static, str>,
    /// A tool of the SDK was called through that one. `{tool}`, `{call_tool}`.
    pub call_directly: Cow<'static, str>,
    /// The name of the tool that reads a skill.
    pub read_skill: Cow<'static, str>,
    /// What that tool does.
    pub read_skill_description: Cow<'static, str>,
    /// What its argument `name` is.
    pub read_skill_name: Cow<'static, str>,
    /// What its argument `file` is.
    pub read_skill_file: Cow<'static, str>,
    /// What its argument `offset` is.
    pub read_skill_offset: Cow<'static, str>,
    /// Its line of usage. `{name}`: the tool's name.
    pub read_skill_snippet: Cow<'static, str>,
    /// Its rule of use. `{name}`: the tool's name.
    pub read_skill_guideline: Cow<'static, str>,
    /// The heading of the skill catalog.
    pub skills_heading: Cow<'static, str>,
    /// The sentence below that heading. `{name}`: the name of the tool that reads a skill.
    pub skills_intro: Cow<'static, str>,
    /// The same where groups of skills are listed. `{find}`: the name of the tool that finds
    /// skills.
    pub skill_groups_intro: Cow<'static, str>,
    /// The same where skills are not listed. `{find}`, `{count}`.
    pub skill_search_intro: Cow<'static, str>,
    /// The name of the tool that finds skills.
    pub find_skill: Cow<'static, str>,
    /// What that tool does.
    pub find_skill_description: Cow<'static, str>,
    /// What its argument `queries` is.
    pub find_skill_queries: Cow<'static, str>,
    /// No skill was found. `{query}`.
    pub no_skill_match: Cow<'static, str>,
    /// A skill was asked for that does not exist. `{skill}`, `{known}`.
    pub unknown_skill: Cow<'static, str>,
    /// A file was asked for that the skill does not have. `{skill}`, `{file}`, `{known}`.
    pub unknown_file: Cow<'static, str>,
    /// A file of a skill is not text. `{file}`, `{what}`, `{size}` in bytes.
    pub not_text: Cow<'static, str>,
    /// A text was cut. `{next}`: the offset to read on from, `{size}`: the whole size in bytes.
    pub read_on: Cow<'static, str>,
    /// An offset is beyond the end of a text. `{offset}`, `{size}`: the whole size in bytes.
    pub past_end: Cow<'static, str>,
    /// A text has nothing in it.
    pub empty_text: Cow<'static, str>,
    /// A skill was asked for whose text is in the conversation already. `{skill}`.
    pub already_read: Cow<'static, str>,
    /// The line before the list of a skill's files. `{read_skill}`, `{skill}`.
    pub skill_files: Cow<'static, str>,
    /// A skill names deferred tools that have to be searched for. `{tools}`, `{search}`.
    pub skill_needs_tools: Cow<'static, str>,
    /// The heading of the rules of use.
    pub guidelines_heading: Cow<'static, str>,
    /// The word before a line of usage.
    pub usage_label: Cow<'static, str>,
    /// The word before a list of rules.
    pub guidelines_label: Cow<'static, str>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            search_tool: "tool_search".into(),
            search_description: "Finds tools that are available but not shown yet, and loads \
                their definitions so that they can be called."
                .into(),
            search_queries: "One entry for each capability that is needed: a tool's name, or a \
                few keywords in the language of the catalog."
                .into(),
            search_snippet: "{name}(queries=[\"keywords for one capability\"])".into(),
            search_guideline: "Search before saying that something cannot be done. A tool found \
                this way can be called in the next step."
                .into(),
            catalog_lead: "Tools that can be loaded (search for one before calling it):".into(),
            catalog_groups_lead: "Groups of tools that can be loaded (search for keywords, or for \
                a group's name to get all of it, before calling):"
                .into(),
            catalog_heading: "Searchable tools".into(),
            catalog_intro: "These tools exist but are not loaded. Call `{name}` to load one \
                before calling it."
                .into(),
            catalog_groups_intro: "These groups of tools exist but are not loaded. Call `{name}` \
                with keywords, or with a group's name to get all of it."
                .into(),
            no_match: "`{query}`: no tool matches. Try other keywords or the exact name of a tool \
                in the catalog."
                .into(),
            search_in_vain: "{count} searches in a row have loaded nothing. Stop searching: go on \
                with the tools you have, or say what is missing."
                .into(),
            already_loaded: "`{query}`: already loaded, call it: {tools}.".into(),
            already_visible: "`{query}`: always available, call it without searching: {tools}."
                .into(),
            found: "Loaded, call from the next step on: {tools}.".into(),
            gone: "no longer available: {tools}".into(),
            found_for_dispatch: "Found. Call through `{call_tool}`:\n{tools}".into(),
            not_loaded:
                "`{tool}` is not loaded yet and was not run. Call `{search}` with its name \
                first, then call it again with the arguments its definition asks for."
                    .into(),
            switched_off: "`{tool}` is switched off at present and was not run. Go on without it."
                .into(),
            found_switched_off: "`{query}`: switched off at present, cannot be called: {tools}."
                .into(),
            deprecated: "Deprecated ({note}).".into(),
            use_instead: "Use `{tool}` instead.".into(),
            deprecated_result: "[`{tool}`: {deprecated}]".into(),
            sub_agent_task: "What is to be done, with everything that has to be known for it: \
                nothing of this conversation is seen there."
                .into(),
            sub_agent_stopped: "[ended before it was done: {why}]".into(),
            unknown_tool: "there is no tool `{tool}`; nothing was run.".into(),
            unknown_tool_search: "`{search}` finds the tools that exist.".into(),
            skill_is_no_tool: "`{skill}` is a skill, not a tool. Read it with `{read_skill}`, \
                argument name=\"{skill}\"."
                .into(),
            final_answer: "final_answer".into(),
            final_answer_description: "Gives the answer to the user's request. Call it once, when \
                the work is done, instead of answering in words."
                .into(),
            final_answer_missing: "Give your answer by calling `{tool}`.".into(),
            call_limit: "`{tool}` was not run: the run has made all the calls it may make.".into(),
            summarize: "You are given the beginning of a conversation between a user and an \
                assistant that calls tools. Write a summary from which the assistant can go on: \
                what is wanted, what was done and found with names, numbers and identifiers as \
                they are, what was decided, what is still open. Write nothing else."
                .into(),
            forgotten: "[The conversation before this was removed because it had become too long.]"
                .into(),
            question_limit: "nothing was asked: the run has used up what it may use.".into(),
            not_approved: "`{tool}` needs approval, which was not given; it was not run.".into(),
            cut_off: "the output limit cut this call off; it was not run. Call again with shorter \
                arguments."
                .into(),
            output_cut:
                "[cut after {shown} of {size} bytes; ask for a smaller part to see the rest]".into(),
            choose: "{question}\n\n{options}\n\nAnswer with the number of one option and nothing \
                else."
                .into(),
            choose_again: "Answer with the number of one of the options and nothing else.".into(),
            cancelled: "the run was stopped before this call had a result.".into(),
            call_tool: "call_tool".into(),
            call_tool_description: "Calls a tool that `{search}` has found.".into(),
            call_directly: "`{tool}` is always available and is not called through `{call_tool}`; \
                nothing was run. Call it directly."
                .into(),
            read_skill: "read_skill".into(),
            read_skill_description: "Returns the instructions of a skill, or one of its files."
                .into(),
            read_skill_name: "The name of the skill as the catalog gives it.".into(),
            read_skill_file: "A file from the skill's own list. Leave it out for the instructions."
                .into(),
            read_skill_offset: "Where to read on in a text that was cut. Leave it out at first."
                .into(),
            read_skill_snippet: "{name}(name=\"skill-name\")".into(),
            read_skill_guideline: "When a task matches a skill, read the skill before starting."
                .into(),
            skills_heading: "Skills".into(),
            skills_intro: "Instructions for particular tasks. When a task matches one, read it \
                with `{name}` before starting."
                .into(),
            skill_groups_intro: "Instructions for particular tasks, in groups. When a task may \
                match one, list the skills of a group or search with `{find}`, then read the \
                skill with `{name}` before starting."
                .into(),
            skill_search_intro: "There are {count} skills: instructions for particular tasks. \
                Before starting a task, look for one with `{find}` and read it with `{name}`."
                .into(),
            find_skill: "find_skill".into(),
            find_skill_description: "Finds skills by keywords, or lists those of a group.".into(),
            find_skill_queries: "One entry for each task: a few keywords, or the name of a group."
                .into(),
            no_skill_match: "`{query}`: no skill matches. Try other keywords.".into(),
            unknown_skill: "there is no skill `{skill}`. Skills: {known}.".into(),
            unknown_file: "skill `{skill}` has no file `{file}`. Files: {known}.".into(),
            not_text: "`{file}` is {what} of {size} bytes, not text, and is not shown.".into(),
            read_on: "[cut here; read on with offset={next}, the whole has {size} bytes]".into(),
            past_end:
                "[nothing at offset={offset}: the whole has {size} bytes, and you have read it]"
                    .into(),
            empty_text: "[empty]".into(),
            already_read: "The instructions of `{skill}` are in this conversation already, see \
                above."
                .into(),
            skill_files: "Files of this skill (`{read_skill}` with name=\"{skill}\" and file):"
                .into(),
            skill_needs_tools: "This skill uses tools that are not loaded. Search for them with \
                `{search}`: {tools}."
                .into(),
            guidelines_heading: "Tool guidelines".into(),
            usage_label: "Usage".into(),
            guidelines_label: "Guidelines".into(),
        }
    }
}

/// Puts values in the place of `{placeholders}`. What a value itself holds is never filled again.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        rest = &rest[open..];
        let value = values.iter().find_map(|(key, value)| {
            let inner = rest.strip_prefix('{')?.strip_prefix(key)?;
            Some((value, inner.strip_prefix('}')?))
        });
        match value {
            Some((value, after)) => {
                text.push_str(value);
                rest = after;
            }
            None => {
                text.push('{');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn a_value_is_never_filled_again() {
        let values = [("tool", "{search}"), ("search", "x")];
        assert_eq!(
            fill("{tool} {search} {else} {", &values),
            "{search} x {else} {"
        );
        assert_eq!(fill("ключ {tool}", &[("tool", "é")]), "ключ é");
    }
}
