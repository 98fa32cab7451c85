//! What is written together, and what is read.

use redb::{ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};

use super::{calls::Calls, error::Fault};

const CONVERSATIONS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("conversations");

/// One thing to be done.
#[derive(Debug)]
pub(super) enum Job {
    Begin {
        key: String,
        now_millis: u64,
        keep_until_millis: u64,
    },
    Finish {
        key: String,
        output: Vec<u8>,
    },
    Forget {
        key: String,
    },
    Save {
        id: String,
        json: String,
    },
    Remove {
        id: String,
    },
}

/// What a job came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The intent is written down.
    New,
    /// The call ran, and this came of it.
    Known(Vec<u8>),
    /// The call was begun before.
    Unfinished,
    Written,
    Removed,
    /// There was nothing to do.
    Nothing,
}

impl Answer {
    fn is_change(&self) -> bool {
        matches!(self, Self::New | Self::Written | Self::Removed)
    }
}

/// Does jobs in their order. Afterwards all of them are on the disk, or none is.
pub(super) fn carry_out(
    write: WriteTransaction,
    jobs: &[&Job],
    limit: u64,
) -> Result<Vec<Answer>, Fault> {
    let mut answers = Vec::with_capacity(jobs.len());
    {
        let mut calls = Calls::open(&write)?;
        let mut conversations = write.open_table(CONVERSATIONS)?;
        for job in jobs {
            answers.push(one(&mut calls, &mut conversations, job, limit)?);
        }
    }
    if answers.iter().any(Answer::is_change) {
        write.commit()?;
    } else {
        write.abort()?;
    }
    Ok(answers)
}

fn one(
    calls: &mut Calls<'_>,
    conversations: &mut Table<'_, &'static str, &'static [u8]>,
    job: &Job,
    limit: u64,
) -> Result<Answer, Fault> {
    match job {
        Job::Begin {
            key,
            now_millis,
            keep_until_millis,
        } => calls.begin(key, *now_millis, *keep_until_millis),
        Job::Finish { key, output } => calls.finish(key, output, limit),
        Job::Forget { key } => Ok(match calls.remove(key)? {
            true => Answer::Removed,
            false => Answer::Nothing,
        }),
        Job::Save { id, json } => {
            conversations.insert(id.as_str(), json.as_bytes())?;
            Ok(Answer::Written)
        }
        Job::Remove { id } => Ok(match conversations.remove(id.as_str())? {
            Some(_) => Answer::Removed,
            None => Answer::Nothing,
        }),
    }
}

/// Makes all tables, so that reading never meets a missing one.
pub(super) fn make_tables(write: &WriteTransaction) -> Result<(), Fault> {
    Calls::open(write)?;
    write.open_table(CONVERSATIONS)?;
    Ok(())
}

/// A conversation as it was saved.
pub(super) fn conversation(read: &ReadTransaction, id: &str) -> Result<Option<Vec<u8>>, Fault> {
    let table = read.open_table(CONVERSATIONS)?;
    Ok(table.get(id)?.map(|json| json.value().to_vec()))
}

/// The identifiers of all conversations.
pub(super) fn ids(read: &ReadTransaction) -> Result<Vec<String>, Fault> {
    let table = read.open_table(CONVERSATIONS)?;
    let ids = table.iter()?;
    ids.map(|entry| Ok(entry?.0.value().to_owned())).collect()
}
