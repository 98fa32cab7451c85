//! One process has the file, and a file of somebody else stays as it is.

use std::fs;

use repertoire::durable::{DurableError, DurableStore};

use super::support::*;

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

#[cfg(unix)]
#[test]
fn nobody_else_can_read_a_store() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new("private");
    let _store = DurableStore::open(folder.store()).unwrap();
    let mode = fs::metadata(folder.store()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
