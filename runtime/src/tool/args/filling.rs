//! From the text to the slots of any tool. Nothing here knows a type, so that it is compiled once and
//! not again for every tool.

use super::{
    Invocation, ToolError, ToolSpec, explain,
    kept::Kept,
    numbers, overlooked, read,
    reader::{Error, Reader},
    without_secrets,
};

/// The slots of one tool.
pub(super) trait Fill<'de> {
    /// Empties all.
    fn empty(&mut self);
    /// See [`Slots::fill`](super::Slots::fill).
    fn fill(&mut self, slot: usize, reader: &mut Reader<'de>) -> Result<(), Error>;
    /// Makes the parameters of them. Whether none is missing or beyond its limits.
    fn finish(&mut self) -> bool;
}

/// An error and the byte it was found at.
pub(super) struct At {
    pub(super) error: Error,
    pub(super) place: usize,
}

/// What reading a text into the slots comes to.
enum Outcome {
    /// They hold all of it.
    Whole,
    /// They are full, and something may have been dropped.
    Unsure(Loss),
    /// A value is missing or beyond its limits.
    Missing,
    /// The text does not fit.
    Unfit(At),
}

/// The parameters of one tool.
#[derive(Clone, Copy)]
pub(super) struct Parameters<'c> {
    pub(super) names: &'c [&'c str],
    /// Whether other keys are let through.
    pub(super) keeps_unknown: bool,
}

/// How likely it is that something was dropped.
#[derive(Clone, Copy, PartialEq)]
enum Loss {
    /// A type has read whatever came.
    Possible,
    /// A value was read and dropped.
    Certain,
}

/// Fills the slots and finishes them.
///
/// # Errors
///
/// A [`ToolError`] of kind `Invalid` that names every problem.
pub(super) fn decode<'x>(
    invocation: &Invocation<'x>,
    spec: &ToolSpec,
    kept: &'x mut Option<Kept>,
    names: &[&str],
    slots: &mut dyn Fill<'x>,
) -> Result<(), ToolError> {
    let parameters = Parameters {
        names,
        keeps_unknown: spec.keeps_unknown,
    };
    let arguments = read::text(invocation.arguments)?;
    let exact = invocation.exact || spec.strict;
    let first = outcome(arguments, parameters, slots);
    let is_done = !exact
        && match first {
            Outcome::Whole => true,
            Outcome::Unsure(Loss::Possible) => overlooked::knows_all(arguments, spec.schema),
            _ => false,
        };
    if is_done {
        return Ok(());
    }
    let again = Again {
        spec,
        exact,
        kept: kept.insert(Kept::default()),
        parameters,
    };
    again
        .decode(arguments, first, slots)
        .map_err(|error| without_secrets(error, arguments, spec.schema, exact, spec.secrets))
}

/// Decodes arguments that did not decode at once, or of which something may be lost.
struct Again<'c, 'x> {
    spec: &'c ToolSpec,
    exact: bool,
    kept: &'x Kept,
    parameters: Parameters<'c>,
}

impl<'x> Again<'_, 'x> {
    #[cold]
    fn decode(
        &self,
        arguments: &'x str,
        first: Outcome,
        slots: &mut dyn Fill<'x>,
    ) -> Result<(), ToolError> {
        let mut text = arguments;
        let mut error = match first {
            Outcome::Whole | Outcome::Unsure(_) => return self.settle(text, slots),
            Outcome::Missing => None,
            Outcome::Unfit(at) => Some(at),
        };
        if let Some(plain) = numbers::plain(text).and_then(|plain| self.kept.keep(plain)) {
            text = plain;
            error = match outcome(text, self.parameters, slots) {
                Outcome::Whole | Outcome::Unsure(_) => return self.settle(text, slots),
                Outcome::Missing => None,
                Outcome::Unfit(at) => Some(at),
            };
        }
        let (mended, problems) = explain::mend(text, self.spec.schema, error.as_ref(), self.exact)?;
        let Some(text) = self.kept.keep(mended) else {
            return Err(explain::invalid(&problems));
        };
        match outcome(text, self.parameters, slots) {
            Outcome::Whole | Outcome::Unsure(_) => self.settle(text, slots),
            _ if !problems.is_empty() => Err(explain::invalid(&problems)),
            Outcome::Missing => Err(explain::unexplained(text, None)),
            Outcome::Unfit(at) => Err(explain::unexplained(text, Some(&at))),
        }
    }

    /// Whether all of a text is allowed, whose parameters are made. What is tried for it only fills the
    /// slots, and leaves the parameters as they are.
    fn settle(&self, text: &'x str, slots: &mut dyn Fill<'x>) -> Result<(), ToolError> {
        let decodes = |text: String| {
            let text = self.kept.keep(text);
            text.is_none_or(|text| fill(text, self.parameters, slots).is_ok())
        };
        let problems = overlooked::problems(text, self.spec.schema, self.exact, decodes)?;
        if problems.is_empty() {
            Ok(())
        } else {
            Err(explain::invalid(&problems))
        }
    }
}

fn outcome<'de>(text: &'de str, parameters: Parameters<'_>, slots: &mut dyn Fill<'de>) -> Outcome {
    match fill(text, parameters, slots) {
        Err(at) => Outcome::Unfit(at),
        Ok(loss) if slots.finish() => loss.map_or(Outcome::Whole, Outcome::Unsure),
        Ok(_) => Outcome::Missing,
    }
}

fn fill<'de>(
    text: &'de str,
    parameters: Parameters<'_>,
    slots: &mut dyn Fill<'de>,
) -> Result<Option<Loss>, At> {
    slots.empty();
    let mut reader = Reader::new(text);
    match members(&mut reader, parameters, slots) {
        Ok(()) if reader.has_dropped() => Ok(Some(Loss::Certain)),
        Ok(()) if reader.is_unsure() => Ok(Some(Loss::Possible)),
        Ok(()) => Ok(None),
        Err(error) => Err(At {
            error,
            place: reader.place(),
        }),
    }
}

fn members<'de>(
    reader: &mut Reader<'de>,
    parameters: Parameters<'_>,
    slots: &mut dyn Fill<'de>,
) -> Result<(), Error> {
    let Parameters {
        names,
        keeps_unknown,
    } = parameters;
    reader.begin_arguments()?;
    let (mut first, mut filled) = (true, 0_u64);
    while reader.next_member(&mut first) {
        let key = reader.key()?;
        let slot = names.iter().position(|name| *name == key);
        reader.colon();
        match slot {
            Some(slot) => {
                slots.fill(slot, reader)?;
                filled |= bit(slot);
            }
            None if keeps_unknown => reader.pass()?,
            None => {
                reader.skip()?;
                return Err(Error::new("a key is not known"));
            }
        }
    }
    reader.end_arguments()?;
    for slot in 0..names.len() {
        if filled & bit(slot) == 0 {
            // An optional one takes this; another one stays empty, and a full one stays full.
            let _ = slots.fill(slot, &mut Reader::absent());
        }
    }
    Ok(())
}

/// The bit that stands for a slot, as far as there are bits.
fn bit(slot: usize) -> u64 {
    u32::try_from(slot)
        .ok()
        .and_then(|slot| 1_u64.checked_shl(slot))
        .unwrap_or(0)
}
