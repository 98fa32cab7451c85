//! A long history made short without losing what the model still needs.

use super::{Conversation, Item, ToolResult, UserMessage};
use crate::tool::Part;

/// The address under which a summary stands in a message, so that it is known again.
const SUMMARY: &str = "repertoire:summary";
/// The same for what the agent itself reminds the model of.
const REMINDER: &str = "repertoire:reminder";
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
        if !recent.iter().any(is_request) {
            message = request(old).fold(message, UserMessage::with_part);
        }
        let mut items = vec![Item::User(message)];
        items.extend(steps);
        items.extend_from_slice(recent);
        self.items = items;
        gone
    }

    /// Adds something that the agent itself reminds the model of. It counts as no request.
    pub(crate) fn push_reminder(&mut self, text: String) {
        self.push_user(UserMessage::default().with_resource(REMINDER, "text/plain", text));
    }

    /// What would go, in words, for whoever writes the summary. None where nothing would.
    pub(crate) fn transcript(&self, keep: usize) -> Option<String> {
        let old = self.items.get(..self.border(keep))?;
        // A summary that saves little would be written again and again.
        if old.len() - needed_steps(old).len() < (keep / 2).max(2) {
            return None;
        }
        let mut text = String::new();
        for item in old {
            match item {
                Item::User(message) => {
                    paragraph(&mut text, "user", &message.to_text());
                    let image = |part: &&Part| matches!(part, Part::Image { .. });
                    if message.parts().iter().any(|part| image(&part)) {
                        paragraph(&mut text, "user", "[showed an image]");
                    }
                }
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

/// What the user said last, without what the agent itself has put there.
fn request(items: &[Item]) -> impl Iterator<Item = Part> {
    let last = items.iter().rev().find(|item| is_request(item));
    let parts = match last {
        Some(Item::User(message)) => message.parts(),
        _ => &[],
    };
    parts.iter().filter(|part| !is_own(part)).cloned()
}

/// Whether an item holds something that the user has said.
fn is_request(item: &Item) -> bool {
    matches!(item, Item::User(message) if message.parts().iter().any(|part| !is_own(part)))
}

fn is_own(part: &Part) -> bool {
    matches!(part, Part::Resource { uri, .. } if uri == SUMMARY || uri == REMINDER)
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
