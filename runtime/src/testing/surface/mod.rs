//! What a model is shown, compared with a file.

mod changes;

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use changes::changes;

use crate::Agent;

/// The variable that has the file written anew.
const UPDATE: &str = "REPERTOIRE_UPDATE";

/// Compares what an agent's model is shown with a file that was written before: names, descriptions
/// and schemas of all tools, the catalog, the system text.
///
/// A file that does not say the same, or does not exist, fails the test with the differences.
/// `REPERTOIRE_UPDATE=1 cargo test` writes it anew, and a review sees the change as a diff of that
/// file. Without a name it is `repertoire.lock`; paths start at the folder of the package's
/// `Cargo.toml`. [`Agent::surface`] says what is in it.
///
/// ```no_run
/// use repertoire::{Agent, Responses, testing::Script};
///
/// #[test]
/// # fn not_here() {}
/// fn the_model_is_shown_what_was_reviewed() -> repertoire::Result<()> {
///     let agent = Agent::builder(Script::new(Responses::new("m")))
///         .repertoire(repertoire::linked!())
///         .build()?;
///     repertoire::assert_surface!(agent);
///     repertoire::assert_surface!(agent, "tests/shop.surface");
///     Ok(())
/// }
/// ```
///
/// # Panics
/// They differ, or the file cannot be read or written.
#[macro_export]
macro_rules! assert_surface {
    ($agent:expr $(,)?) => {
        $crate::assert_surface!($agent, "repertoire.lock")
    };
    ($agent:expr, $file:expr $(,)?) => {
        $crate::testing::assert_surface_at(&$agent, ::core::env!("CARGO_MANIFEST_DIR"), $file)
    };
}

/// Compares what an agent's model is shown with a file, as [`assert_surface!`](crate::assert_surface)
/// does.
///
/// # Errors
/// The file cannot be read, or says something else.
pub fn check_surface(agent: &Agent, file: impl AsRef<Path>) -> Result<(), SurfaceError> {
    let file = file.as_ref();
    let known = match fs::read_to_string(file) {
        Ok(known) => known,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(SurfaceError::Missing(file.to_owned()));
        }
        Err(error) => return Err(SurfaceError::Unreadable(file.to_owned(), error)),
    };
    // Git may have checked the file out with the line ends of the system.
    let known = known.replace("\r\n", "\n");
    let shown = agent.surface();
    if known == shown {
        return Ok(());
    }
    let changes = changes(&known, &shown);
    Err(SurfaceError::Changed(file.to_owned(), changes))
}

/// Writes what an agent's model is shown into a file, where it does not say so already.
///
/// # Errors
/// The file cannot be written.
pub fn write_surface(agent: &Agent, file: impl AsRef<Path>) -> io::Result<()> {
    let file = file.as_ref();
    if check_surface(agent, file).is_ok() {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, agent.surface())
}

/// For [`assert_surface!`](crate::assert_surface).
#[doc(hidden)]
#[track_caller]
pub fn assert_surface_at(agent: &Agent, package: &str, file: impl AsRef<Path>) {
    let path = Path::new(package).join(file.as_ref());
    let update = std::env::var(UPDATE).is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
    if update {
        if let Err(error) = write_surface(agent, &path) {
            panic!("`{}` cannot be written: {error}", file.as_ref().display());
        }
    } else if let Err(error) = check_surface(agent, &path) {
        panic!("{}", error.shown_as(file.as_ref()));
    }
}

/// Why a file does not say what the model is shown.
#[derive(Debug)]
#[non_exhaustive]
pub enum SurfaceError {
    /// There is no such file.
    Missing(PathBuf),
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The file says something else: the differences, as `Display` shows them.
    Changed(PathBuf, String),
}

impl SurfaceError {
    /// The same error with another name for the file.
    fn shown_as(self, file: &Path) -> Self {
        let file = file.to_owned();
        match self {
            Self::Missing(_) => Self::Missing(file),
            Self::Unreadable(_, error) => Self::Unreadable(file, error),
            Self::Changed(_, changes) => Self::Changed(file, changes),
        }
    }
}

impl fmt::Display for SurfaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(file) => write!(
                f,
                "there is no `{}` to compare with what the model is shown; run the test with \
                 {UPDATE}=1 to write it, then commit it",
                file.display()
            ),
            Self::Unreadable(file, error) => write!(
                f,
                "`{}`, which says what the model is shown, cannot be read: {error}",
                file.display()
            ),
            Self::Changed(file, changes) => write!(
                f,
                "the model is shown something else than `{}` says (`-`) now (`+`):\n\n{changes}\n\
                 if that is meant, run the test with {UPDATE}=1 and commit the file",
                file.display()
            ),
        }
    }
}

impl std::error::Error for SurfaceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(_, error) => Some(error),
            Self::Missing(_) | Self::Changed(..) => None,
        }
    }
}
