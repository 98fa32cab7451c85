//! The keys of `#[tool(...)]` that are yes or no, and fields of the spec as they are.

use proc_macro2::Span;

use crate::diagnostics::Diagnostics;

/// What is said of a tool in one word.
#[derive(Default)]
pub(crate) struct Flags {
    pub(crate) blocking: bool,
    deferred: bool,
    strict: bool,
    read_only: bool,
    destructive: bool,
    requires_approval: bool,
    open_world: bool,
    serial: bool,
    /// Where `blocking` and `destructive` stand.
    blocking_at: Option<Span>,
    destructive_at: Option<Span>,
    strict_at: Option<Span>,
}

impl Flags {
    pub(super) fn set(&mut self, name: &str, value: bool, span: Span) {
        match name {
            "deferred" => self.deferred = value,
            "strict" => {
                self.strict = value;
                self.strict_at = Some(span);
            }
            "read_only" => self.read_only = value,
            "requires_approval" => self.requires_approval = value,
            "open_world" => self.open_world = value,
            "serial" => self.serial = value,
            "blocking" => {
                self.blocking = value;
                self.blocking_at = Some(span);
            }
            "destructive" => {
                self.destructive = value;
                self.destructive_at = Some(span);
            }
            _ => {}
        }
    }

    /// Where the tool says that the provider shall hold the model to the schema.
    pub(super) fn strict_at(&self) -> Option<Span> {
        self.strict_at.filter(|_| self.strict)
    }

    /// Reports flags that contradict each other or the function.
    pub(super) fn check(&self, is_async: bool, found: &mut Diagnostics) {
        if let (true, true, Some(span)) = (self.destructive, self.read_only, self.destructive_at) {
            found.at_span(span, "a tool cannot be both `destructive` and `read_only`");
        }
        if let (true, true, Some(span)) = (self.blocking, is_async, self.blocking_at) {
            found.at_span(
                span,
                "`blocking` is for functions that are not `async`; an `async` one must not block",
            );
        }
    }

    /// The fields of the spec that are true.
    pub(super) fn names(&self) -> Vec<&'static str> {
        [
            ("deferred", self.deferred),
            ("strict", self.strict),
            ("read_only", self.read_only),
            ("destructive", self.destructive),
            // What destroys is never done unasked.
            (
                "requires_approval",
                self.requires_approval || self.destructive,
            ),
            ("open_world", self.open_world),
            ("serial", self.serial),
            ("blocking", self.blocking),
        ]
        .into_iter()
        .filter_map(|(name, value)| value.then_some(name))
        .collect()
    }
}
