//! Futures that end within one poll.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use tokio::task::unconstrained;

/// Unparks a thread, and notes that it did, in case something within the poll takes its park.
struct Unpark {
    thread: Thread,
    is_woken: AtomicBool,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// Drives a future to its end while this thread waits. Another thread must answer it, such as that of a SQLite
/// connection. No other task runs meanwhile on this thread, and paused time stands still.
pub(crate) fn at_once<F: Future>(future: F) -> F::Output {
    // Channels and locks of tokio count against the budget of the task: without this they would never be ready again.
    let mut future = pin!(unconstrained(future));
    let unpark = Arc::new(Unpark { thread: thread::current(), is_woken: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&unpark));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => {
                while !unpark.is_woken.swap(false, Ordering::Acquire) {
                    thread::park();
                }
            }
        }
    }
}
