//! The thread that writes. It takes all jobs that wait and writes them through to the disk at once.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

use futures_channel::oneshot;
use redb::{Database, ReadTransaction};

use super::{
    batch::{self, Answer, Job},
    error::{DurableError, Fault},
    file::{self, database_error, guarded},
};

/// The most jobs that are written together.
const BATCH: usize = 256;

type Reply = oneshot::Sender<Result<Answer, DurableError>>;

/// An open file and the thread that writes it. Both end when this is dropped.
pub(super) struct Worker {
    shared: Arc<Shared>,
    /// None only while it is dropped.
    jobs: Option<Sender<(Job, Reply)>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    path: PathBuf,
    /// None only while it is dropped.
    database: Option<Database>,
    limit: u64,
    /// Whether damage was found. Then nothing is read or written any more.
    broken: AtomicBool,
}

impl Worker {
    pub(super) fn start(path: PathBuf, limit: u64) -> Result<Self, DurableError> {
        let shared = Arc::new(Shared {
            database: Some(file::open(&path)?),
            path,
            limit,
            broken: AtomicBool::new(false),
        });
        let (jobs, waiting) = channel();
        let its_own = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("durable store".to_owned())
            .spawn(move || its_own.work(&waiting))
            .map_err(|error| file::io_error(&shared.path, error))?;
        Ok(Self {
            shared,
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Has a job done, and waits until that is on the disk.
    pub(super) async fn ask(&self, job: Job) -> Result<Answer, DurableError> {
        let (reply, answer) = oneshot::channel();
        let gone = || self.broken("its thread has ended".to_owned());
        let jobs = self.jobs.as_ref().ok_or_else(gone)?;
        jobs.send((job, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Reads what is on the disk.
    pub(super) fn read<T>(
        &self,
        what: impl FnOnce(&ReadTransaction) -> Result<T, Fault>,
    ) -> Result<T, DurableError> {
        self.shared.with_database(|database| {
            let read = database.begin_read()?;
            what(&read)
        })
    }

    /// Damage that the caller found.
    pub(super) fn broken(&self, why: String) -> DurableError {
        file::broken(&self.shared.path, why)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without a sender the thread ends after the jobs that still wait.
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn work(&self, waiting: &Receiver<(Job, Reply)>) {
        while let Ok(first) = waiting.recv() {
            let mut batch = vec![first];
            batch.extend(waiting.try_iter().take(BATCH - 1));
            // Whoever no longer waits for an intent will not act on it.
            batch.retain(|(job, reply)| !(matches!(job, Job::Begin { .. }) && reply.is_canceled()));
            let jobs: Vec<&Job> = batch.iter().map(|(job, _)| job).collect();
            let mut together = match self.carry_out(&jobs) {
                Ok(answers) => answers.into_iter().map(Some).collect(),
                // One of them may be at fault, and the others need not suffer for it.
                Err(_) => Vec::new(),
            };
            together.resize_with(batch.len(), || None);
            for ((job, reply), answer) in batch.into_iter().zip(together) {
                let answer = match answer {
                    Some(answer) => Ok(answer),
                    None => self.alone(&job),
                };
                // A receiver that is gone has no use for it.
                let _ = reply.send(answer);
            }
        }
    }

    fn alone(&self, job: &Job) -> Result<Answer, DurableError> {
        let mut answers = self.carry_out(&[job])?;
        answers
            .pop()
            .ok_or_else(|| file::broken(&self.path, "there is no answer"))
    }

    fn carry_out(&self, jobs: &[&Job]) -> Result<Vec<Answer>, DurableError> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        self.with_database(|database| batch::carry_out(database.begin_write()?, jobs, self.limit))
    }

    fn with_database<T>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, Fault>,
    ) -> Result<T, DurableError> {
        let path: &Path = &self.path;
        if self.broken.load(Ordering::Acquire) {
            return Err(file::broken(path, "it was found so before"));
        }
        let Some(database) = &self.database else {
            return Err(file::broken(path, "it is closed"));
        };
        let done = guarded(path, || {
            work(database).map_err(|error| database_error(path, error))
        });
        if matches!(done, Err(DurableError::Broken(..))) {
            self.broken.store(true, Ordering::Release);
        }
        done
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let database = self.database.take();
        // Closing writes once more, which a damaged file may not survive.
        let _ = guarded(&self.path, || {
            drop(database);
            Ok(())
        });
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("path", &self.shared.path)
            .finish_non_exhaustive()
    }
}
