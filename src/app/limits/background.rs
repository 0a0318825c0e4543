//! The background pool: threads of low priority for slow work.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

/// The priority of the pool's threads: the lowest, so that no costly request delays a turn.
#[cfg(unix)]
const NICENESS: i32 = 19;

/// Runs work that takes milliseconds.
pub enum BackgroundPool {
    /// On the caller's thread, which blocks meanwhile. For runs that must be reproducible from a seed.
    Inline,
    /// On threads of low priority, so that request threads never block on it.
    Threads(Threads),
}

/// The threads of a pool. They end when this is dropped.
pub struct Threads(Arc<JobQueue>);

/// The waiting jobs, and a signal when one is added.
#[derive(Default)]
struct JobQueue {
    jobs: Mutex<Jobs>,
    job_added: Condvar,
}

#[derive(Default)]
struct Jobs {
    normal: VecDeque<Job>,
    /// Jobs that run when no normal job waits.
    when_idle: VecDeque<Job>,
    /// No more jobs will be added.
    is_closed: bool,
}

type Job = Box<dyn FnOnce() + Send>;

/// When a job runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Priority {
    /// In order of arrival.
    Normal,
    /// When no normal job waits.
    WhenIdle,
}

impl JobQueue {
    fn push(&self, job: Job, priority: Priority) {
        let mut jobs = self.jobs.lock();
        match priority {
            Priority::Normal => jobs.normal.push_back(job),
            Priority::WhenIdle => jobs.when_idle.push_back(job),
        }
        drop(jobs);
        self.job_added.notify_one();
    }

    /// Waits for the next job; none once the queue is closed and empty.
    fn next(&self) -> Option<Job> {
        let mut jobs = self.jobs.lock();
        loop {
            let next = jobs.normal.pop_front().or_else(|| jobs.when_idle.pop_front());
            if next.is_some() || jobs.is_closed {
                return next;
            }
            self.job_added.wait(&mut jobs);
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.jobs.lock().is_closed = true;
        self.0.job_added.notify_all();
    }
}

impl BackgroundPool {
    /// Starts a pool of `count` threads.
    pub fn with_threads(count: usize) -> Self {
        let queue = Arc::new(JobQueue::default());
        for _ in 0..count {
            let queue = Arc::clone(&queue);
            std::thread::spawn(move || {
                lower_priority();
                while let Some(job) = queue.next() {
                    // The caller notices a panic because it gets no result.
                    catch_panic(job);
                }
            });
        }
        Self::Threads(Threads(queue))
    }

    /// A pool of the same kind with `count` threads of its own.
    pub(in crate::app) fn another(&self, count: usize) -> Self {
        match self {
            Self::Inline => Self::Inline,
            Self::Threads(_) => Self::with_threads(count),
        }
    }

    /// Runs slow work on the pool and quick work at once; none if it panicked. Serialising a long page takes
    /// a millisecond, and no turn should wait for it.
    pub(in crate::app) async fn run_if_long<T: Send + 'static>(
        &self,
        is_long: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        if is_long { self.run(work).await } else { Some(work()) }
    }

    /// Runs the work; none if it panicked.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.run_with(Priority::Normal, work).await
    }

    /// Runs the work when no other job waits; none if it panicked.
    pub(in crate::app) async fn run_when_idle<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        self.run_with(Priority::WhenIdle, work).await
    }

    async fn run_with<T: Send + 'static>(
        &self,
        priority: Priority,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let Self::Threads(threads) = self else { return catch_panic(work) };
        let (sender, result) = oneshot::channel();
        let job = Box::new(move || {
            // The caller may have gone.
            if !sender.is_closed() {
                let _ = sender.send(work());
            }
        });
        threads.0.push(job, priority);
        result.await.ok()
    }
}

fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
}

#[cfg(unix)]
fn lower_priority() {
    // Changes only this thread. If it fails, everything still works, only less fairly.
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "could not lower the priority of a background thread");
    }
}

#[cfg(not(unix))]
fn lower_priority() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_does_not_end_the_thread() {
        let pool = BackgroundPool::with_threads(1);
        assert_eq!(pool.run(|| 1).await, Some(1));
        assert_eq!(pool.run(|| -> i32 { panic!("on purpose") }).await, None);
        assert_eq!(pool.run(|| 2).await, Some(2));
    }

    #[tokio::test]
    async fn idle_work_runs_after_normal_work() {
        let pool = BackgroundPool::with_threads(1);
        let (go_on, told) = std::sync::mpsc::channel::<()>();
        let order = Arc::new(Mutex::new(Vec::new()));
        let note = |what: &'static str| {
            let order = Arc::clone(&order);
            move || order.lock().push(what)
        };
        let busy = pool.run(move || told.recv());
        let (later, first) = (pool.run_when_idle(note("later")), pool.run(note("first")));
        let (_, later, first, ()) = tokio::join!(busy, later, first, async {
            go_on.send(()).expect("the thread waits");
        });
        assert_eq!((later, first), (Some(()), Some(())));
        assert_eq!(*order.lock(), ["first", "later"]);
    }

    #[test]
    fn the_threads_end_when_the_pool_is_dropped() {
        let pool = BackgroundPool::with_threads(2);
        let BackgroundPool::Threads(Threads(queue)) = &pool else { unreachable!("it has threads") };
        let queue = Arc::downgrade(queue);
        drop(pool);
        while queue.strong_count() > 0 {
            std::thread::yield_now();
        }
    }
}
