//! A ranker of the program's own in the search for tools.

use std::{fmt, pin::pin, sync::Arc, time::Duration};

use futures_util::future::{Either, select};

use super::panics::{caught, caught_async};
use crate::{
    clock::Clock,
    maybe_send::{MaybeSend, MaybeSync},
    search::{Document, Hit, Ranker},
};

/// How long a ranker may take for one query.
const LONGEST: Duration = Duration::from_secs(30);

/// Makes the ranker of a catalog.
#[derive(Clone)]
pub(super) struct Maker(Arc<dyn Make>);

/// A function that makes rankers, under a name of its own since a type may not be `dyn Fn + MaybeSend`.
trait Make: MaybeSend + MaybeSync {
    fn make(&self, tools: &[Document]) -> Arc<dyn Ranker>;
}

impl<F, R> Make for F
where
    F: Fn(&[Document]) -> R + MaybeSend + MaybeSync,
    R: Ranker + 'static,
{
    fn make(&self, tools: &[Document]) -> Arc<dyn Ranker> {
        Arc::new(self(tools))
    }
}

impl Maker {
    pub(super) fn new<R: Ranker + 'static>(
        make: impl Fn(&[Document]) -> R + MaybeSend + MaybeSync + 'static,
    ) -> Self {
        Self(Arc::new(make))
    }

    /// The ranker of these tools, or what the program panicked with.
    pub(super) fn make(&self, tools: &[Document]) -> Result<Arc<dyn Ranker>, String> {
        caught(|| self.0.make(tools))
    }
}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Maker")
    }
}

/// Asks a ranker. What it panics with is an error, and so is being late.
pub(super) async fn ask(
    ranker: &dyn Ranker,
    query: &str,
    limit: usize,
    clock: Option<&dyn Clock>,
) -> Result<Vec<Hit>, String> {
    let asked = pin!(caught_async(|| ranker.rank(query, limit)));
    let answer = match clock {
        None => asked.await,
        Some(clock) => match select(asked, clock.sleep(LONGEST)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(((), _)) => {
                return Err(format!("no answer within {} s", LONGEST.as_secs()));
            }
        },
    };
    match answer {
        Ok(Ok(hits)) => Ok(hits),
        Ok(Err(error)) => Err(error.to_string()),
        Err(panic) => Err(format!("the ranker panicked: {panic}")),
    }
}
