//! The memory of calls, as tables.

use redb::{ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction};

use super::{batch::Answer, error::Fault};

/// Until when a call is remembered, and what came of it.
type Known = (u64, Option<&'static [u8]>);
/// Calls by the time at which they are forgotten.
type ByEnd = (u64, &'static str);

const CALLS: TableDefinition<'_, &str, Known> = TableDefinition::new("calls");
const OPEN: TableDefinition<'_, ByEnd, ()> = TableDefinition::new("open_calls");
const FINISHED: TableDefinition<'_, ByEnd, ()> = TableDefinition::new("finished_calls");

/// How many calls whose time is over are cleared away with one new call.
const CLEARED_AT_ONCE: usize = 64;

/// The memory of calls in one transaction.
pub(super) struct Calls<'t> {
    /// All calls.
    known: Table<'t, &'static str, Known>,
    /// Those without a result.
    open: Table<'t, ByEnd, ()>,
    /// Those with one.
    finished: Table<'t, ByEnd, ()>,
}

impl<'t> Calls<'t> {
    pub(super) fn open(write: &'t WriteTransaction) -> Result<Self, Fault> {
        Ok(Self {
            known: write.open_table(CALLS)?,
            open: write.open_table(OPEN)?,
            finished: write.open_table(FINISHED)?,
        })
    }

    /// Writes an intent down, unless the call is known.
    pub(super) fn begin(
        &mut self,
        key: &str,
        now_millis: u64,
        keep_until_millis: u64,
    ) -> Result<Answer, Fault> {
        self.clear(now_millis)?;
        let known = self.known.get(key)?.map(|known| {
            let (keep_until, output) = known.value();
            (keep_until, output.map(<[u8]>::to_vec))
        });
        match known {
            Some((keep_until, Some(output))) if keep_until > now_millis => {
                return Ok(Answer::Known(output));
            }
            Some((keep_until, None)) if keep_until > now_millis => return Ok(Answer::Unfinished),
            Some(_) => self.remove(key)?,
            None => false,
        };
        self.known.insert(key, (keep_until_millis, None))?;
        self.open.insert((keep_until_millis, key), ())?;
        Ok(Answer::New)
    }

    /// Writes down what a call came to, and makes room.
    pub(super) fn finish(&mut self, key: &str, output: &[u8], limit: u64) -> Result<Answer, Fault> {
        let Some(keep_until) = self.known.get(key)?.map(|known| known.value().0) else {
            return Ok(Answer::Nothing);
        };
        self.known.insert(key, (keep_until, Some(output)))?;
        self.open.remove((keep_until, key))?;
        self.finished.insert((keep_until, key), ())?;
        while self.finished.len()? > limit {
            let first = self.finished.pop_first()?;
            let Some(first) = first.map(|(end, _)| end.value().1.to_owned()) else {
                break;
            };
            self.known.remove(first.as_str())?;
        }
        Ok(Answer::Written)
    }

    /// Forgets a call, and says whether it was known.
    pub(super) fn remove(&mut self, key: &str) -> Result<bool, Fault> {
        let Some(keep_until) = self.known.remove(key)?.map(|known| known.value().0) else {
            return Ok(false);
        };
        self.open.remove((keep_until, key))?;
        self.finished.remove((keep_until, key))?;
        Ok(true)
    }

    /// Clears away some of the calls whose time is over.
    fn clear(&mut self, now_millis: u64) -> Result<(), Fault> {
        // The empty text is the first of all keys, so this ends with the present millisecond.
        let over = (0, "")..(now_millis.saturating_add(1), "");
        let mut keys = Vec::new();
        for table in [&self.open, &self.finished] {
            for entry in table.range(over.clone())?.take(CLEARED_AT_ONCE) {
                keys.push(entry?.0.value().1.to_owned());
            }
        }
        for key in keys {
            self.remove(&key)?;
        }
        Ok(())
    }
}
