//! Files that are half written, of a later format, or damaged.

use std::{
    fs, io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use repertoire::{
    Conversation,
    conversation::ConversationStore,
    durable::{DurableError, DurableStore},
    once::OnceStore,
};

use super::support::*;

/// A file whose writer is killed after so many writes.
#[derive(Debug)]
struct Killed {
    bytes: Arc<Mutex<Vec<u8>>>,
    writes_left: AtomicUsize,
}

impl Killed {
    fn write(&self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let less = |left: usize| left.checked_sub(1);
        let order = Ordering::SeqCst;
        if self.writes_left.fetch_update(order, order, less).is_err() {
            return Err(io::Error::other("killed"));
        }
        write(&mut self.bytes.lock().unwrap());
        Ok(())
    }
}

impl redb::StorageBackend for Killed {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().unwrap().len() as u64)
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let start = usize::try_from(offset).unwrap();
        Ok(self.bytes.lock().unwrap()[start..start + len].to_vec())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.write(|bytes| bytes.resize(usize::try_from(len).unwrap(), 0))
    }

    fn sync_data(&self, _eventual: bool) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap();
        self.write(|bytes| bytes[start..start + data.len()].copy_from_slice(data))
    }
}

#[tokio::test]
async fn a_file_whose_maker_was_killed_is_made_anew() {
    let folder = Folder::new("unfinished");
    for writes in 0..16 {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let file = Killed {
            bytes: Arc::clone(&bytes),
            writes_left: AtomicUsize::new(writes),
        };
        let made = redb::Database::builder()
            .create_with_file_format_v3(true)
            .create_with_backend(file);
        drop(made);
        let path = folder.0.join(format!("{writes}.store"));
        fs::write(&path, &*bytes.lock().unwrap()).unwrap();
        if let Err(error) = use_it(&path).await {
            panic!("after {writes} writes: {error}");
        }
    }
}

#[tokio::test]
async fn a_later_format_is_said_so() {
    let folder = Folder::new("later");
    use_it(&folder.store()).await.unwrap();
    let database = redb::Database::open(folder.store()).unwrap();
    let table: redb::TableDefinition<'_, &str, u64> = redb::TableDefinition::new("repertoire");
    let write = database.begin_write().unwrap();
    write
        .open_table(table)
        .unwrap()
        .insert("format", 2)
        .unwrap();
    write.commit().unwrap();
    drop(database);
    let error = DurableStore::open(folder.store()).unwrap_err();
    assert!(matches!(error, DurableError::Version(_, 2)), "{error}");
    assert!(error.to_string().contains("update repertoire"), "{error}");
}

/// A small source of numbers that look random, the same in every run.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[tokio::test]
async fn a_damaged_file_is_an_error_and_never_a_panic() {
    let folder = Folder::new("damaged");
    {
        let store = DurableStore::open(folder.store()).unwrap();
        for n in 0..200 {
            let key = format!("key {n}");
            store.begin(&key, 0, 100).await.unwrap();
            store.finish(&key, &"x".repeat(n).into()).await.unwrap();
        }
        let mut conversation = Conversation::new().with_id("c");
        conversation.push_user("hello ".repeat(1_000));
        store.save(&conversation).await.unwrap();
    }
    let whole = fs::read(folder.store()).unwrap();
    let (mut state, mut refused) = (0x9e37_79b9_7f4a_7c15, 0);
    for round in 0..120_u64 {
        let mut bytes = whole.clone();
        let at = usize::try_from(next(&mut state)).unwrap();
        match round % 4 {
            // Cut off, overwritten at the head, where everything is found, or anywhere.
            0 => bytes.truncate(at % whole.len()),
            1 => bytes[at % 512] ^= 1 << (round % 8),
            2 => bytes[at % whole.len()] ^= 0xff,
            _ => {
                let start = at % (whole.len() - 4_096);
                bytes[start..start + 4_096].fill(0xa5);
            }
        }
        fs::write(folder.store(), bytes).unwrap();
        if let Err(error) = use_it(&folder.store()).await {
            refused += 1;
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
    println!("of 120 damaged files {refused} were refused");
    assert!(refused >= 30, "at least what was cut off: {refused}");
}
