//! A database in the memory of the process, for tests: one connection, on which every call is done within one poll, so
//! that virtual time stands still and one seed decides everything.

use std::{
    mem::replace,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use sqlx::Error;
use uuid::Uuid;

use super::{
    connect::in_memory,
    migrations::{self, STEPS},
    open::begin_history,
    writer::{Outcome, Request, run_alone},
};
use crate::{
    failure::Failure,
    match_rows::PlainAppend,
    sql::{Done, SharedClock, Tx, args, at_once},
};

/// No call takes so long: it must have called the store from within itself.
const CALL_WITHIN: Duration = Duration::from_secs(30);

/// A handle on the database, as each node has one.
pub(crate) struct Memory {
    shared: Arc<Mutex<Connected>>,
    is_shared: bool,
    is_closed: AtomicBool,
}

struct Connected {
    tx: Tx,
    /// Set while a call runs. A call that panics leaves it set, and perhaps a transaction open.
    is_in_call: bool,
}

impl Memory {
    /// Makes an empty database. `clock` is that of the database, if nodes share it.
    pub(crate) fn open(clock: Option<SharedClock>) -> Self {
        let is_shared = clock.is_some();
        let opened = at_once(async {
            let mut tx = in_memory(clock).await?;
            migrations::apply(&mut tx, &STEPS).await?;
            // Always the same ids, so that a seed makes the same run again.
            begin_history(&mut tx, Uuid::nil(), Uuid::nil()).await?;
            Ok::<_, Error>(tx)
        });
        let tx = opened.expect("a database in memory needs nothing but memory");
        let connected = Connected { tx, is_in_call: false };
        Self { shared: Arc::new(Mutex::new(connected)), is_shared, is_closed: AtomicBool::new(false) }
    }

    /// Another handle on the same database.
    pub(crate) fn another(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            is_shared: self.is_shared,
            is_closed: AtomicBool::new(false),
        }
    }

    /// Refuses all later calls through this handle.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Relaxed);
    }

    /// Reads.
    pub(crate) fn read<T>(
        &self,
        queries: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, Error>>,
    ) -> Result<T, Failure> {
        self.call(|tx| at_once(queries(tx)))?.map_err(|error| Failure::before_commit(&error))
    }

    /// Runs a transaction.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Done<T>> + Send + Sync + 'static,
    ) -> Result<T, Failure> {
        let (request, mut reply) = Request::write(false, work);
        self.call(|tx| at_once(run_alone(tx, request)))?;
        reply.try_recv().expect("the request has run")
    }

    /// Appends to a match what is plain.
    pub(crate) fn append(&self, append: Box<PlainAppend>) -> Outcome {
        let (request, mut reply) = Request::append(append);
        self.call(|tx| at_once(run_alone(tx, request)))?;
        reply.try_recv().expect("the request has run")
    }

    /// Whether nodes share it.
    pub(crate) const fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Begins another history. Its id follows from the last one.
    pub(crate) fn begin_new_history(&self) -> Result<(), Failure> {
        self.write(|tx| {
            Box::pin(async move {
                let last: Uuid = tx.one("SELECT history FROM cluster", args![]).await?;
                let next = Uuid::from_u128(last.as_u128().wrapping_add(1));
                Ok(tx.queue("UPDATE cluster SET history = $1, era = era + 1", args![next]).await?)
            })
        })
    }

    fn call<T>(&self, of: impl FnOnce(&mut Tx) -> T) -> Result<T, Failure> {
        if self.is_closed.load(Relaxed) {
            return Err(Failure::Closed);
        }
        let mut connected = self.shared.try_lock_for(CALL_WITHIN).expect("no call calls the store again");
        if replace(&mut connected.is_in_call, true) {
            // An error says that no transaction was open.
            let _ = at_once(connected.tx.roll_back());
        }
        let done = of(&mut connected.tx);
        connected.is_in_call = false;
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        time::Duration,
    };

    use tokio::time::{Instant, sleep};

    use super::*;

    const COUNT: &str = "SELECT count(*) FROM guests";

    fn guests(memory: &Memory) -> i64 {
        memory.read(|tx| Box::pin(tx.one(COUNT, args![]))).expect("read")
    }

    #[tokio::test(start_paused = true)]
    async fn paused_time_stands_still_while_it_is_read() {
        let memory = Memory::open(None);
        let before = Instant::now();
        let timer = tokio::spawn(sleep(Duration::from_millis(1)));
        for _ in 0..500 {
            assert_eq!(guests(&memory), 5);
        }
        assert_eq!(before.elapsed(), Duration::ZERO);
        timer.await.expect("it fires");
    }

    #[test]
    fn a_call_that_panics_leaves_nothing_behind() {
        let memory = Memory::open(None);
        let panics = || {
            memory.write::<()>(|tx| {
                Box::pin(async move {
                    tx.execute("DELETE FROM guests", args![]).await?;
                    panic!("in the middle");
                })
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert_eq!(guests(&memory), 5);
    }

    #[test]
    fn handles_share_the_database_and_close_apart() {
        let memory = Memory::open(None);
        let another = memory.another();
        memory
            .write(|tx| Box::pin(async move { Ok(tx.execute("DELETE FROM guests", args![]).await?) }))
            .expect("written");
        memory.close();
        assert!(matches!(memory.read(|tx| Box::pin(tx.one::<i64>(COUNT, args![]))), Err(Failure::Closed)));
        assert_eq!(guests(&another), 0);
    }
}
