//! A long history made short without losing what the model still needs.

use super::{Conversation, Item, ToolResult, UserMessage};
use crate::tool::Part;

/// The address under which a summary stands in a message, so that it is known again.
const SUMMARY: &str = "repertoire:summary";
/// The most characters of one result, or of one call's arguments, in a transcript.
const LONGEST: usize = 2_000;

impl Conversation {
    /// Replaces all but the last items by a summary, and says how many items went.
    ///
    /// What the model needs word for word stays: the steps that loaded a tool or read a skill, and
    /// the request that is being worked on. Calls and results stay paired, so a few items more than
    /// `keep` may stay. Nothing happens where nothing can go.
    ///
    /// An agent does this by itself with a [`Compaction`](crate::agent::Compaction).
    ///
    /// ```
    /// use repertoire::Conversation;
    ///
    /// let mut conversation = Conversation::new();
    /// for question in ["one", "two", "three"] {
    ///     conversation.push_user(question);
    /// }
    /// assert_eq!(conversation.shorten(1, "The user asked twice."), 2);
    /// assert_eq!(conversation.items().len(), 2);
    /// ```
    pub fn shorten(&mut self, keep: usize, summary: impl Into<String>) -> usize {
        let cut = self.border(keep);
        let (old, recent) = self.items.split_at(cut);
        let steps = needed_steps(old);
        let gone = old.len() - steps.len();
        // One item comes in the place of those that go.
        if gone < 2 {
            return 0;
        }
        let mut message = UserMessage::default().with_resource(SUMMARY, "text/plain", summary);
        if !recent.iter().any(|item| matches!(item, Item::User(_))) {
            message = request(old).fold(message, UserMessage::with_part);
        }
        let mut items = vec![Item::User(message)];
        items.extend(steps);
        items.extend_from_slice(recent);
        self.items = items;
        gone
    }

    /// What would go, in words, for whoever writes the summary. None where nothing would.
    pub(crate) fn transcript(&self, keep: usize) -> Option<String> {
        let old = self.items.get(..self.border(keep))?;
        if old.len() - needed_steps(old).len() < 2 {
            return None;
        }
        let mut text = String::new();
        for item in old {
            match item {
                Item::User(message) => paragraph(&mut text, "user", &message.to_text()),
                Item::Model(turn) => {
                    paragraph(&mut text, "assistant", &turn.text());
                    for call in turn.calls() {
                        let call = format!("{} {}", call.name(), short(&call.shown_arguments()));
                        paragraph(&mut text, "call", &call);
                    }
                }
                Item::Results(results) => {
                    for result in results {
                        paragraph(&mut text, "result", &said(result));
                    }
                }
            }
        }
        Some(text)
    }

    /// The place before the last `keep` items, or before the response whose results are the first
    /// of them.
    fn border(&self, keep: usize) -> usize {
        let mut cut = self.items.len().saturating_sub(keep);
        while cut > 0 && matches!(self.items.get(cut), Some(Item::Results(_))) {
            cut -= 1;
        }
        // Calls that have no results yet are not for anyone to forget.
        match self.items.last() {
            Some(Item::Model(_)) => cut.min(self.items.len() - 1),
            _ => cut,
        }
    }
}

/// The steps that loaded a tool or read a skill: a response and its results each.
fn needed_steps(items: &[Item]) -> Vec<Item> {
    let mut steps = Vec::new();
    for pair in items.windows(2) {
        if let [turn @ Item::Model(_), Item::Results(results)] = pair
            && results
                .iter()
                .any(|result| !result.loads().is_empty() || result.skill().is_some())
        {
            steps.push(turn.clone());
            steps.push(Item::Results(results.clone()));
        }
    }
    steps
}

/// What the user said last, without an earlier summary.
fn request(items: &[Item]) -> impl Iterator<Item = Part> {
    let last = items.iter().rev().find_map(|item| match item {
        Item::User(message) => Some(message.parts()),
        _ => None,
    });
    let parts = last.unwrap_or_default().iter();
    parts
        .filter(|part| !matches!(part, Part::Resource { uri, .. } if uri == SUMMARY))
        .cloned()
}

fn said(result: &ToolResult) -> String {
    match result.skill() {
        Some(skill) => format!("the instructions of the skill {skill}, which are kept"),
        None => short(&result.output().to_text()),
    }
}

fn paragraph(text: &mut String, who: &str, said: &str) {
    if said.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(who);
    text.push_str(": ");
    text.push_str(said);
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} […]", &text[..end]),
        None => text.to_owned(),
    }
}
