//! Futures that end within one poll.

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use tokio::task::unconstrained;

/// Unparks a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Drives a future to its end while this thread waits. Another thread must answer it, such as that of a SQLite
/// connection. No other task runs meanwhile on this thread, and paused time stands still.
pub(crate) fn at_once<F: Future>(future: F) -> F::Output {
    // Channels and locks of tokio count against the budget of the task: without this they would never be ready again.
    let mut future = pin!(unconstrained(future));
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}
