//! One thread for work that no player waits for. It runs when the processor has nothing else to do.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use tokio::sync::oneshot;

/// How many pieces of work can wait.
const JOBS_MOST: usize = 16;

type Job = Box<dyn FnOnce() + Send>;

/// A thread with the lowest scheduling priority, which does one piece of work after the other. It
/// ends when this is dropped and all work is done.
pub(crate) struct Background {
    jobs: SyncSender<Job>,
}

/// Why there is no result.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotDone {
    /// It cannot be done like this.
    #[error("the work panicked, see the log above")]
    Panicked,
    /// Too much waits already.
    #[error("the background thread has more to do than it can keep waiting, try again later")]
    Busy,
}

impl Background {
    /// Starts the thread.
    pub(crate) fn start() -> io::Result<Self> {
        let (jobs, waiting) = mpsc::sync_channel::<Job>(JOBS_MOST);
        thread::Builder::new().name("background".to_owned()).spawn(move || {
            lower_priority();
            for job in waiting {
                job();
            }
        })?;
        Ok(Self { jobs })
    }

    /// Does something on the thread. A panic ends only this piece of work.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let (answer, answered) = oneshot::channel();
        let job = move || {
            if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
                let _no_caller_waits_any_more = answer.send(done);
            }
        };
        self.jobs.try_send(Box::new(job)).map_err(|_full| NotDone::Busy)?;
        answered.await.map_err(|_dropped| NotDone::Panicked)
    }
}

/// On Linux a priority belongs to a thread. Elsewhere it would be that of the whole server.
#[cfg(target_os = "linux")]
fn lower_priority() {
    if let Err(error) = rustix::process::nice(19) {
        tracing::warn!(%error, "work in the background has the same priority as all other");
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_ends_one_piece_of_work() {
        let background = Background::start().unwrap();
        let panicked = background.run(|| assert_eq!(1, 2, "this test panics")).await;
        assert_eq!(panicked, Err(NotDone::Panicked));
        assert_eq!(background.run(|| 7).await, Ok(7));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_the_background_has_the_lowest_priority() {
        let nice = || rustix::process::getpriority_process(None);
        let before = nice().unwrap();
        let background = Background::start().unwrap();
        assert_eq!(background.run(nice).await, Ok(Ok(19)));
        assert_eq!(nice(), Ok(before));
    }
}
