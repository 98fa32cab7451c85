//! Plans: which tools there are, what each try of them does, who calls them.

use proptest::prelude::*;
use repertoire::tool::ErrorKind;

/// What one try of a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Succeed,
    SucceedAfter(u64),
    Fail(ErrorKind),
    FailAfter(u64, ErrorKind),
    Hang,
    /// Panics before there is a future.
    PanicAtOnce,
    PanicAfter(u64),
    Huge,
    /// Characters that break lines, terminals and careless JSON.
    Odd,
    Nothing,
}

impl Deed {
    /// Whether the tool says that nothing has happened.
    pub(crate) fn is_harmless(self) -> bool {
        let (Self::Fail(kind) | Self::FailAfter(_, kind)) = self else {
            return false;
        };
        matches!(
            kind,
            ErrorKind::Transient | ErrorKind::Invalid | ErrorKind::Denied | ErrorKind::NotFound
        )
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What the tries of the tool do, over and over.
    pub(crate) deeds: Vec<Deed>,
    pub(crate) timeout: Option<u64>,
    pub(crate) deadline: Option<u64>,
    pub(crate) retries: u32,
    pub(crate) repeatable: bool,
    pub(crate) once: bool,
    pub(crate) serial: bool,
    /// Whether the next tool stands in.
    pub(crate) fallback: bool,
    /// 0: none, 1: one that works, 2: one that panics.
    pub(crate) post_process: u8,
    pub(crate) max_output: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) plans: Vec<Plan>,
    /// The calls of each step: a tool, and the argument. One past the last tool is a tool that does
    /// not exist, the next one a tool whose output cannot be written, then one with wrong arguments.
    pub(crate) steps: Vec<Vec<(usize, u8)>>,
    pub(crate) cancel_after: u64,
    pub(crate) concurrency: usize,
}

pub(crate) fn kinds() -> impl Strategy<Value = ErrorKind> {
    prop_oneof![
        3 => Just(ErrorKind::Transient),
        1 => Just(ErrorKind::Invalid),
        1 => Just(ErrorKind::Denied),
        1 => Just(ErrorKind::NotFound),
        1 => Just(ErrorKind::Timeout),
        1 => Just(ErrorKind::Cancelled),
        1 => Just(ErrorKind::Unknown),
        2 => Just(ErrorKind::Failed),
    ]
}

pub(crate) fn deeds() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => Just(Deed::Succeed),
        2 => (1_u64..20).prop_map(Deed::SucceedAfter),
        3 => kinds().prop_map(Deed::Fail),
        2 => ((1_u64..20), kinds()).prop_map(|(after, kind)| Deed::FailAfter(after, kind)),
        2 => Just(Deed::Hang),
        1 => Just(Deed::PanicAtOnce),
        1 => (1_u64..20).prop_map(Deed::PanicAfter),
        1 => Just(Deed::Huge),
        1 => Just(Deed::Odd),
        1 => Just(Deed::Nothing),
    ]
}

pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    (
        prop::collection::vec(deeds(), 1..4),
        prop::option::of(1_u64..10),
        prop::option::of(1_u64..30),
        (0_u32..4, any::<bool>()),
        any::<bool>(),
        prop::bool::weighted(0.3),
        any::<bool>(),
        0_u8..3,
        prop_oneof![Just(0_usize), Just(7), Just(100), Just(100_000)],
    )
        .prop_map(
            |(
                deeds,
                timeout,
                deadline,
                (retries, repeatable),
                once,
                serial,
                fallback,
                post,
                max,
            )| {
                Plan {
                    deeds,
                    timeout,
                    deadline,
                    retries,
                    repeatable,
                    once,
                    serial,
                    fallback,
                    post_process: post,
                    max_output: max,
                }
            },
        )
}

pub(crate) fn worlds() -> impl Strategy<Value = World> {
    prop::collection::vec(plans(), 1..4)
        .prop_flat_map(|plans| {
            let call = (0..plans.len() + 3, 0_u8..3);
            let steps = prop::collection::vec(prop::collection::vec(call, 1..6), 1..5);
            (Just(plans), steps, 0_u64..120, 1_usize..5)
        })
        .prop_map(|(plans, steps, cancel_after, concurrency)| World {
            plans,
            steps,
            cancel_after,
            concurrency,
        })
}
