//! What takes long is done by threads of its own, of low priority.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

/// The priority of the threads that work aside: the lowest. Whatever else is to be done is
/// done first, so that no question delays a turn.
#[cfg(unix)]
const NICENESS: i32 = 19;

/// Where what takes milliseconds is done.
pub enum Aside {
    /// By whoever asks: nobody goes on meanwhile. For a run that a seed must make again.
    AtOnce,
    /// By threads of low priority: those that answer everybody else never wait for it.
    Threads(Threads),
}

/// Threads that do one thing after the other. They end when this is dropped.
pub struct Threads(Arc<Desk>);

/// What there is to do.
#[derive(Default)]
struct Desk {
    piles: Mutex<Piles>,
    arrived: Condvar,
}

#[derive(Default)]
struct Piles {
    first: VecDeque<Work>,
    /// What is done when there is nothing else to do.
    later: VecDeque<Work>,
    /// Nothing more will come.
    is_closed: bool,
}

type Work = Box<dyn FnOnce() + Send>;

/// When something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// In the order in which it comes.
    First,
    /// When there is nothing of the first class to do.
    Later,
}

impl Desk {
    fn put(&self, work: Work, class: Class) {
        let mut piles = self.piles.lock();
        match class {
            Class::First => piles.first.push_back(work),
            Class::Later => piles.later.push_back(work),
        }
        drop(piles);
        self.arrived.notify_one();
    }

    /// Waits for the next thing to do; none if nothing more will come.
    fn next(&self) -> Option<Work> {
        let mut piles = self.piles.lock();
        loop {
            let next = piles.first.pop_front().or_else(|| piles.later.pop_front());
            if next.is_some() || piles.is_closed {
                return next;
            }
            self.arrived.wait(&mut piles);
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.piles.lock().is_closed = true;
        self.0.arrived.notify_all();
    }
}

impl Aside {
    /// Starts so many threads for it.
    pub fn on_threads(count: usize) -> Self {
        let desk = Arc::new(Desk::default());
        for _ in 0..count {
            let desk = Arc::clone(&desk);
            std::thread::spawn(move || {
                step_back();
                while let Some(next) = desk.next() {
                    // Whoever waits for it learns of a panic by its answer missing.
                    caught(next);
                }
            });
        }
        Self::Threads(Threads(desk))
    }

    /// Another place of the same kind, with so many threads of its own.
    pub(super) fn beside(&self, count: usize) -> Self {
        match self {
            Self::AtOnce => Self::AtOnce,
            Self::Threads(_) => Self::on_threads(count),
        }
    }

    /// Does at once what is short: a long page takes a millisecond, and nobody's turn waits for it.
    pub(super) async fn unless_short<T: Send + 'static>(
        &self,
        is_long: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        if is_long { self.run(work).await } else { Some(work()) }
    }

    /// Does it; none if it panicked.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.run_as(Class::First, work).await
    }

    /// Does it when there is nothing else to do; none if it panicked.
    pub(super) async fn run_later<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        self.run_as(Class::Later, work).await
    }

    async fn run_as<T: Send + 'static>(
        &self,
        class: Class,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let Self::Threads(threads) = self else { return caught(work) };
        let (answer, answered) = oneshot::channel();
        let work = Box::new(move || {
            // Nobody may be waiting any more.
            let _ = answer.send(work());
        });
        threads.0.put(work, class);
        answered.await.ok()
    }
}

fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
}

#[cfg(unix)]
fn step_back() {
    // Of this thread alone. Without it all works as well, only not as fairly.
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

#[cfg(not(unix))]
fn step_back() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_panics_aside_leaves_the_thread_at_work() {
        let aside = Aside::on_threads(1);
        assert_eq!(aside.run(|| 1).await, Some(1));
        assert_eq!(aside.run(|| -> i32 { panic!("on purpose") }).await, None);
        assert_eq!(aside.run(|| 2).await, Some(2));
    }

    #[tokio::test]
    async fn what_can_wait_is_done_when_there_is_nothing_else_to_do() {
        let aside = Aside::on_threads(1);
        let (go_on, told) = std::sync::mpsc::channel::<()>();
        let order = Arc::new(Mutex::new(Vec::new()));
        let note = |what: &'static str| {
            let order = Arc::clone(&order);
            move || order.lock().push(what)
        };
        let busy = aside.run(move || told.recv());
        let (later, first) = (aside.run_later(note("later")), aside.run(note("first")));
        let (_, later, first, ()) = tokio::join!(busy, later, first, async {
            go_on.send(()).expect("the thread waits");
        });
        assert_eq!((later, first), (Some(()), Some(())));
        assert_eq!(*order.lock(), ["first", "later"]);
    }

    #[test]
    fn the_threads_end_when_nothing_more_can_come() {
        let aside = Aside::on_threads(2);
        let Aside::Threads(Threads(desk)) = &aside else { unreachable!("it has threads") };
        let desk = Arc::downgrade(desk);
        drop(aside);
        while desk.strong_count() > 0 {
            std::thread::yield_now();
        }
    }
}
