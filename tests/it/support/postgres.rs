//! PostgreSQL under virtual time.
//!
//! A paused clock jumps ahead whenever all tasks wait, and would while they wait for the database. So every call is done
//! within one poll, while a runtime that knows only real time serves the connections, and takes no virtual time, as in
//! memory. So no two calls of a test overlap here: what races is tried in the store's conformance suite. The database
//! tells the time of the test.

use std::{sync::LazyLock, thread};

use lusoria_play::Millis;
use lusoria_services::postgres::Database;
use lusoria_store::{Store, postgres::PostgresOptions};
use tokio::runtime::Runtime;

/// Where the database is waited for.
static REAL_TIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("threads"));

/// Waits for the database, on a thread that may be one of a runtime.
fn wait_for<T: Send>(answer: impl Future<Output = T> + Send) -> T {
    thread::scope(|scope| scope.spawn(|| REAL_TIME.block_on(answer)).join().expect("it does not panic"))
}

/// The time that a database tells.
pub(crate) enum Clock {
    /// The machine's.
    Machine,
    /// That of the only node.
    Node,
    /// That of the test.
    Test(Box<dyn Fn() -> Millis + Send + Sync>),
}

/// A database with its clock. It is deleted with this.
pub(crate) struct Home {
    database: Database,
    clock: Clock,
}

impl Home {
    pub(crate) fn new(clock: Clock) -> Self {
        let database = match clock {
            Clock::Machine => Database::new(),
            Clock::Node | Clock::Test(_) => Database::with_own_time(),
        };
        Self { database: database.expect("PostgreSQL"), clock }
    }

    pub(crate) fn begin_new_history(&self) {
        wait_for(Store::begin_new_history(&self.database.url())).expect("it takes writes");
    }

    /// Opens the store in it, every call of which takes no virtual time.
    pub(crate) fn open(&self) -> Store {
        let options = PostgresOptions { writers: 2, readers: 4, ..PostgresOptions::default() };
        let store = wait_for(Store::open_server(&self.database.url(), options)).expect("an empty database");
        store.served_by(REAL_TIME.handle().clone())
    }

    /// Sets the time of the database, when it is `now` for a node.
    pub(crate) fn set_time(&self, now: Millis) {
        let now = match &self.clock {
            Clock::Machine => return,
            Clock::Node => now,
            Clock::Test(clock) => clock(),
        };
        self.database.set_time(now).expect("room");
    }
}
