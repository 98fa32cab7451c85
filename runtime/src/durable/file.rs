//! The file of a store: opened or made, and told from the files of others.

use std::{
    fs::OpenOptions,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use redb::{
    Database, DatabaseError, StorageBackend, StorageError, TableDefinition, TableError,
    TableHandle, backends::FileBackend,
};

use super::{
    batch,
    error::{DurableError, Fault},
};
use crate::conversation::{private, sync_folder};

/// The format that is written.
const FORMAT: u64 = 1;
/// The format of files that are not ours.
const NONE: u64 = 0;
/// What marks a file as ours, and how it is laid out.
const MARK: TableDefinition<'_, &str, u64> = TableDefinition::new("repertoire");
/// The database writes its own mark, so long, when everything else of an empty file is on the disk.
const MAGIC_BYTES: usize = 9;
/// How large the database makes a file before it writes anything into it.
const EMPTY_BYTES: u64 = 1_589_248;
/// Memory for pages. The database's own default is meant for a database that is a program's heart.
const CACHE_BYTES: usize = 16 << 20;

/// Opens the file, or makes it.
pub(super) fn open(path: &Path) -> Result<Database, DurableError> {
    let opened = guarded(path, || {
        let database = database(path)?;
        check(path, &database)?;
        Ok(database)
    })?;
    // A file that is new has to be there after a crash.
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new("."))).map_err(|error| io_error(path, error))?;
    Ok(opened)
}

/// Runs what the database does. It trusts its file and panics where that is damaged, which is an
/// error here.
pub(super) fn guarded<T>(
    path: &Path,
    work: impl FnOnce() -> Result<T, DurableError>,
) -> Result<T, DurableError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done,
        Err(panic) => {
            let why = panic.downcast_ref::<&str>().copied();
            let why = why.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            let why = why.unwrap_or("its parts do not fit together");
            Err(broken(path, why.lines().next().unwrap_or_default()))
        }
    }
}

/// What an error of the database means.
pub(super) fn database_error(path: &Path, error: impl Into<Fault>) -> DurableError {
    let Fault(error) = error.into();
    match *error {
        redb::Error::DatabaseAlreadyOpen => DurableError::InUse(shown(path)),
        redb::Error::Io(error) => io_error(path, error),
        // The file is as it was; only this handle of it is of no use any more.
        redb::Error::PreviousIo => {
            let what = "an earlier write failed; see to the disk and open the store again";
            io_error(path, io::Error::other(what))
        }
        redb::Error::ValueTooLarge(size) => {
            let what = format!("a value of {size} bytes is more than the store takes");
            io_error(path, io::Error::new(io::ErrorKind::InvalidInput, what))
        }
        error => broken(path, error),
    }
}

pub(super) fn broken(path: &Path, why: impl ToString) -> DurableError {
    DurableError::Broken(shown(path), why.to_string())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

pub(super) fn io_error(path: &Path, error: io::Error) -> DurableError {
    DurableError::Io(shown(path), error)
}

fn database(path: &Path) -> Result<Database, DurableError> {
    let file = private(
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false),
    )
    .open(path)
    .map_err(|error| io_error(path, error))?;
    // From here on nobody else has the file.
    let file = FileBackend::new(file).map_err(|error| database_error(path, error))?;
    let bytes = file.len().map_err(|error| io_error(path, error))?;
    if is_unfinished(&file, bytes).map_err(|error| io_error(path, error))? {
        file.set_len(0).map_err(|error| io_error(path, error))?;
    }
    let made = Database::builder()
        .create_with_file_format_v3(true)
        .set_cache_size(CACHE_BYTES)
        .create_with_backend(file);
    made.map_err(|error| match error {
        DatabaseError::Storage(StorageError::Io(error))
            if error.kind() == io::ErrorKind::InvalidData =>
        {
            DurableError::Foreign(shown(path))
        }
        DatabaseError::UpgradeRequired(_) => DurableError::Foreign(shown(path)),
        error => database_error(path, error),
    })
}

/// Whether whoever made the file ended before it held anything: the database writes its mark last.
fn is_unfinished(file: &FileBackend, bytes: u64) -> io::Result<bool> {
    Ok(bytes == EMPTY_BYTES && file.read(0, MAGIC_BYTES)?.iter().all(|byte| *byte == 0))
}

/// Marks a new file as ours, and refuses one that is not.
fn check(path: &Path, database: &Database) -> Result<(), DurableError> {
    let wrong = |error: Fault| database_error(path, error);
    match format(database).map_err(wrong)? {
        None => mark(database).map_err(wrong),
        Some(FORMAT) => Ok(()),
        Some(NONE) => Err(DurableError::Foreign(shown(path))),
        Some(later) => Err(DurableError::Version(shown(path), later)),
    }
}

/// The format of a file, [`NONE`] where it is not ours, nothing where it is new.
fn format(database: &Database) -> Result<Option<u64>, Fault> {
    let read = database.begin_read()?;
    let tables: Vec<String> = read
        .list_tables()?
        .map(|table| table.name().to_owned())
        .collect();
    if tables.is_empty() {
        return Ok(None);
    }
    if !tables.iter().any(|table| table == MARK.name()) {
        return Ok(Some(NONE));
    }
    let mark = match read.open_table(MARK) {
        Err(TableError::TableTypeMismatch { .. }) => return Ok(Some(NONE)),
        mark => mark?,
    };
    let format = mark.get("format")?;
    Ok(Some(format.map_or(NONE, |format| format.value())))
}

fn mark(database: &Database) -> Result<(), Fault> {
    let write = database.begin_write()?;
    write.open_table(MARK)?.insert("format", FORMAT)?;
    batch::make_tables(&write)?;
    write.commit()?;
    Ok(())
}
