//! Work that is finished even if its caller stops waiting.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Work that runs in its caller's task. If that drops it, it goes on in a task of its own.
pub(super) struct Finish<T: Send + 'static> {
    /// None once it has ended.
    work: Option<BoxFuture<'static, T>>,
    /// The server waits for it when it stops.
    counted: TaskTrackerToken,
}

impl<T: Send + 'static> Finish<T> {
    pub(super) fn new(work: BoxFuture<'static, T>, counted: TaskTrackerToken) -> Self {
        Self { work: Some(work), counted }
    }
}

impl<T: Send + 'static> Future for Finish<T> {
    /// None if it panicked.
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(mut work) = self.work.take() else { return Poll::Ready(None) };
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx))) {
            Ok(Poll::Pending) => {
                self.work = Some(work);
                Poll::Pending
            }
            Ok(Poll::Ready(done)) => Poll::Ready(Some(done)),
            Err(_) => Poll::Ready(None),
        }
    }
}

impl<T: Send + 'static> Drop for Finish<T> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take()
            && let Ok(runtime) = Handle::try_current()
        {
            self.counted.task_tracker().spawn_on(work, &runtime);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::sync::oneshot;
    use tokio_util::task::TaskTracker;

    use super::*;

    #[tokio::test]
    async fn work_goes_on_without_its_caller_and_the_server_waits_for_it() {
        let tasks = TaskTracker::new();
        let (go_on, told) = oneshot::channel::<u8>();
        let (done, hear) = oneshot::channel();
        let work = async move {
            let _ = done.send(told.await);
        };
        let mut finish = Finish::new(Box::pin(work), tasks.token());
        assert_eq!((&mut finish).now_or_never(), None);
        drop(finish);
        tasks.close();
        assert_eq!(tasks.len(), 1);
        go_on.send(7).expect("it waits for this");
        tasks.wait().await;
        assert_eq!(hear.await, Ok(Ok(7)));
    }

    #[tokio::test]
    async fn a_panic_ends_it_and_nothing_else() {
        let tasks = TaskTracker::new();
        assert_eq!(Finish::new(Box::pin(async { panic!("as planned") }), tasks.token()).await, None::<()>);
        assert_eq!(Finish::new(Box::pin(async { 7 }), tasks.token()).await, Some(7));
        assert!(tasks.is_empty());
    }
}
