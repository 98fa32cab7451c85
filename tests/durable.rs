//! What is on the disk stays true: calls that must not run twice, conversations, and files that are
//! damaged or somebody else's.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime},
};

use repertoire::{
    Agent, Anthropic, Conversation, Toolset,
    conversation::{ConversationStore, FileStore, Item},
    durable::{DurableError, DurableStore},
    once::{Begun, MemoryOnce, OnceStore},
    testing::{Act, Rule, Script},
    tool::{Once, Policy},
};
use repertoire_tests::counting;
use serde_json::json;

/// A folder of a test's own, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("repertoire-durable-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn store(&self) -> PathBuf {
        self.0.join("agent.store")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What every memory of calls promises.
async fn remembers(store: &impl OnceStore) {
    assert_eq!(store.begin("a", 0, 100).await.unwrap(), Begun::New);
    assert_eq!(store.begin("a", 1, 101).await.unwrap(), Begun::Unfinished);
    store.finish("a", &"paid".into()).await.unwrap();
    let done = Begun::Done("paid".into());
    assert_eq!(store.begin("a", 99, 199).await.unwrap(), done);
    assert_eq!(
        store.begin("a", 100, 200).await.unwrap(),
        Begun::New,
        "its time is over"
    );
    store.forget("a").await.unwrap();
    assert_eq!(store.begin("a", 101, 200).await.unwrap(), Begun::New);
    // Nothing is known of these, which is no error.
    store.finish("unknown", &"x".into()).await.unwrap();
    store.forget("unknown").await.unwrap();
    assert_eq!(store.begin("unknown", 0, 100).await.unwrap(), Begun::New);
}

#[tokio::test]
async fn both_memories_keep_the_same_promise() {
    remembers(&MemoryOnce::new()).await;
    let folder = Folder::new("promise");
    remembers(&DurableStore::open(folder.store()).unwrap()).await;
}

#[tokio::test]
async fn calls_outlive_the_process() {
    let folder = Folder::new("outlive");
    let large = "x".repeat(1 << 20);
    {
        let store = DurableStore::open(folder.store()).unwrap();
        store.begin("intent", 0, 1_000).await.unwrap();
        store.begin("done", 0, 1_000).await.unwrap();
        store.finish("done", &"paid".into()).await.unwrap();
        // Keys hold arguments, which may be long; so may results.
        store.begin(&large, 0, 1_000).await.unwrap();
        store.finish(&large, &large.as_str().into()).await.unwrap();
    }
    let store = DurableStore::open(folder.store()).unwrap();
    assert_eq!(
        store.begin("intent", 999, 2_000).await.unwrap(),
        Begun::Unfinished
    );
    assert_eq!(
        store.begin("done", 999, 2_000).await.unwrap(),
        Begun::Done("paid".into())
    );
    assert_eq!(
        store.begin(&large, 999, 2_000).await.unwrap(),
        Begun::Done(large.as_str().into())
    );
    assert_eq!(
        store.begin("intent", 1_000, 2_000).await.unwrap(),
        Begun::New
    );
}

#[tokio::test]
async fn the_memory_is_bounded_and_forgets_no_intent() {
    let folder = Folder::new("bounded");
    let store = DurableStore::open_with_limit(folder.store(), 2).unwrap();
    assert_eq!(store.begin("intent", 0, 50).await.unwrap(), Begun::New);
    for (key, until) in [("a", 100), ("b", 101), ("c", 102)] {
        store.begin(key, 0, until).await.unwrap();
        store.finish(key, &"x".into()).await.unwrap();
    }
    assert_eq!(
        store.begin("intent", 0, 100).await.unwrap(),
        Begun::Unfinished
    );
    assert_eq!(
        store.begin("c", 0, 100).await.unwrap(),
        Begun::Done("x".into())
    );
    assert_eq!(
        store.begin("b", 0, 100).await.unwrap(),
        Begun::Done("x".into())
    );
    assert_eq!(store.begin("a", 0, 100).await.unwrap(), Begun::New);
}

#[tokio::test]
async fn of_many_at_once_one_alone_runs() {
    let folder = Folder::new("many");
    let store = DurableStore::open(folder.store()).unwrap();
    let tasks: Vec<_> = (0..300)
        .map(|n| {
            let store = store.clone();
            let key = format!("key {}", n % 3);
            tokio::spawn(async move { store.begin(&key, 0, 100).await.unwrap() })
        })
        .collect();
    let mut new = 0;
    for task in tasks {
        new += usize::from(task.await.unwrap() == Begun::New);
    }
    assert_eq!(new, 3);
}

#[tokio::test]
async fn one_process_at_a_time_has_the_file() {
    let folder = Folder::new("in-use");
    let store = DurableStore::open(folder.store()).unwrap();
    let error = DurableStore::open(folder.store()).unwrap_err();
    assert!(matches!(error, DurableError::InUse(_)), "{error}");
    assert!(
        error.to_string().contains("clone the open store"),
        "{error}"
    );
    let clone = store.clone();
    drop(store);
    assert!(
        DurableStore::open(folder.store()).is_err(),
        "a clone has it"
    );
    drop(clone);
    DurableStore::open(folder.store()).unwrap();
}

/// Opens the file and does a little of everything.
async fn use_it(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let store = DurableStore::open(path)?;
    for key in ["a", "b", "new"] {
        store.begin(key, 0, 100).await?;
        store.finish(key, &"x".into()).await?;
    }
    for id in store.ids()? {
        store.load(&id)?;
    }
    store
        .save(&Conversation::new().with_id("another"))
        .await
        .map_err(Into::into)
}

#[tokio::test]
async fn a_file_of_somebody_else_is_refused_and_left_as_it_is() {
    let folder = Folder::new("foreign");
    let mut files: Vec<(&str, Vec<u8>)> = vec![
        ("a text", b"hello".to_vec()),
        ("a longer text", b"hello\n".repeat(100_000)),
        ("a database of another kind", {
            let mut bytes = b"SQLite format 3\0".to_vec();
            bytes.resize(8_192, 0);
            bytes
        }),
        ("zeros", vec![0; 3 << 20]),
        ("few zeros", vec![0; 4]),
    ];
    let other = folder.0.join("other.redb");
    let database = redb::Database::builder()
        .create_with_file_format_v3(true)
        .create(&other)
        .unwrap();
    let table: redb::TableDefinition<'_, u64, u64> = redb::TableDefinition::new("theirs");
    let write = database.begin_write().unwrap();
    write.open_table(table).unwrap().insert(1, 2).unwrap();
    write.commit().unwrap();
    drop(database);
    files.push(("a database of the same kind", fs::read(&other).unwrap()));
    for (what, bytes) in files {
        fs::write(folder.store(), &bytes).unwrap();
        let error = DurableStore::open(folder.store()).unwrap_err();
        assert!(matches!(error, DurableError::Foreign(_)), "{what}: {error}");
        assert!(error.to_string().contains("agent.store"), "{error}");
        assert_eq!(fs::read(folder.store()).unwrap().len(), bytes.len());
        if !what.contains("same kind") {
            assert_eq!(fs::read(folder.store()).unwrap(), bytes, "{what}");
        }
    }
    let error = DurableStore::open(&folder.0).unwrap_err();
    assert!(matches!(error, DurableError::Io(..)), "a folder: {error}");
    let error = DurableStore::open(folder.0.join("no/such/folder")).unwrap_err();
    assert!(matches!(error, DurableError::Io(..)), "{error}");
    // An empty file is nobody's, and neither is one whose maker was killed while making it.
    fs::write(folder.store(), "").unwrap();
    use_it(&folder.store()).await.unwrap();
}

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

#[tokio::test]
async fn conversations_outlive_the_process() {
    let folder = Folder::new("conversations");
    {
        let store = DurableStore::open(folder.store()).unwrap();
        for id in ["b", "../a", ""] {
            let mut conversation = Conversation::new().with_id(id);
            conversation.push_user(format!("I am {id}"));
            store.save(&conversation).await.unwrap();
            conversation.push_user("later");
            store.save(&conversation).await.unwrap();
        }
    }
    let store = DurableStore::open(folder.store()).unwrap();
    assert_eq!(store.ids().unwrap(), ["", "../a", "b"]);
    let conversation = store.load("../a").unwrap().unwrap();
    assert_eq!(conversation.items().len(), 2);
    assert_eq!(conversation.id(), "../a");
    assert!(store.load("none").unwrap().is_none());
    assert!(store.remove("b").await.unwrap());
    assert!(!store.remove("b").await.unwrap());
    assert!(store.load("b").unwrap().is_none());
}

/// A script that makes the same call in every run, and then ends.
fn paying() -> Script<Anthropic> {
    Script::new(Anthropic::new("m")).rule(Rule::new("pay", |seen| {
        if seen.calls().is_empty() {
            Act::call("pay", json!({"sku": "A"}))
        } else {
            Act::Say("done".to_owned())
        }
    }))
}

async fn pay(store: &DurableStore, count: &Arc<AtomicUsize>) -> String {
    let policy = Policy::new().once(Once::new().key(&["sku"]));
    let tool = counting("pay", "Pays.", count).policy(policy);
    let agent = Agent::builder(paying())
        .repertoire(Toolset::new().with_tool(tool))
        .once_store(store.clone())
        .store(store.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new().with_id("the one");
    agent.run_in(&mut conversation, "go").await.unwrap();
    let saved = store.load("the one").unwrap().unwrap();
    assert_eq!(saved.to_json(), conversation.to_json());
    match &saved.items()[2] {
        Item::Results(results) => results[0].output().to_text(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_agent_in_another_process_does_not_pay_twice() {
    let folder = Folder::new("agent");
    let count = Arc::new(AtomicUsize::new(0));
    let first = pay(&DurableStore::open(folder.store()).unwrap(), &count).await;
    let second = pay(&DurableStore::open(folder.store()).unwrap(), &count).await;
    assert_eq!(first, second);
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn after_a_crash_between_effect_and_record_the_call_may_have_run() {
    let folder = Folder::new("between");
    let count = Arc::new(AtomicUsize::new(0));
    {
        // What a process leaves that is killed then: the intent, under the key of the pipeline.
        let store = DurableStore::open(folder.store()).unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = u64::try_from(now.unwrap().as_millis()).unwrap();
        store
            .begin("pay\n\"A\"\n", now, now + 60_000)
            .await
            .unwrap();
    }
    let store = DurableStore::open(folder.store()).unwrap();
    let text = pay(&store, &count).await;
    assert!(
        text.starts_with("R0009") && text.contains("may have run"),
        "{text}"
    );
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_killed_writer_leaves_nothing_for_long() {
    let folder = Folder::new("leftovers");
    let old = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    let names = ["a.json.7-0.new", "b.json.8-3.new", "note.new", "c.json"];
    for name in names {
        let file = fs::File::create(folder.0.join(name)).unwrap();
        if name != "b.json.8-3.new" {
            file.set_modified(old).unwrap();
        }
    }
    let store = FileStore::new(&folder.0);
    store.save(&Conversation::new().with_id("d")).await.unwrap();
    let mut left: Vec<String> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(
        left,
        ["b.json.8-3.new", "c.json", "d.json", "note.new"],
        "only what is ours and old is removed"
    );
}

#[test]
fn many_writers_of_one_conversation_leave_it_whole() {
    let folder = Folder::new("writers");
    let inner = folder.0.join("not/there/yet");
    let threads: Vec<_> = (0..8)
        .map(|n: usize| {
            let inner = inner.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .build()
                    .unwrap();
                let store = FileStore::new(&inner);
                let mut conversation = Conversation::new().with_id("shared");
                conversation.push_user("x".repeat(n * 10_000));
                for _ in 0..20 {
                    runtime.block_on(store.save(&conversation)).unwrap();
                    store.load("shared").unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
}

#[tokio::test]
async fn identifiers_stay_in_the_folder() {
    let folder = Folder::new("names");
    let store = FileStore::new(folder.0.join("inner"));
    for id in ["../up", "/etc/x", "A", "a", "\u{e9a}", "éa", "", "con", "."] {
        let mut conversation = Conversation::new().with_id(id);
        conversation.push_user(id);
        store.save(&conversation).await.unwrap();
    }
    for id in ["../up", "/etc/x", "A", "a", "\u{e9a}", "éa", "", "con", "."] {
        assert_eq!(store.load(id).unwrap().id(), id);
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(fs::read_dir(folder.0.join("inner")).unwrap().count(), 9);
    let long = Conversation::new().with_id("x".repeat(1_000));
    let error = store.save(&long).await.unwrap_err();
    assert!(error.to_string().contains("shorter"), "{error}");
}
