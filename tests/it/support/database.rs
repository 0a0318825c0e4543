//! Where the servers of tests keep everything: in memory or a file, or in PostgreSQL if
//! `LUSORIA_TEST_DATABASE=postgres` asks for it (`cargo xtask postgres`).

use std::{fs, path::PathBuf, sync::Arc};

use lusoria_play::Millis;
use lusoria_services::{postgres::Database, sqlite::File};
use lusoria_store::Store;
use tempfile::TempDir;

use super::{
    postgres::{Clock, Home},
    store::FailingStore,
};

fn is_postgres() -> bool {
    match std::env::var("LUSORIA_TEST_DATABASE").as_deref() {
        Ok("postgres") => true,
        Err(std::env::VarError::NotPresent) => false,
        other => panic!("LUSORIA_TEST_DATABASE is postgres or not set, not {other:?}"),
    }
}

/// An empty store for one server, by whose time it goes.
pub(crate) fn store() -> Arc<Store> {
    store_by(Clock::Node)
}

/// The same for a server whose time is the machine's.
pub(crate) fn store_in_real_time() -> Arc<Store> {
    store_by(Clock::Machine)
}

/// The same store that [`store`] is, which can be told to fail.
pub(crate) fn failing_store() -> FailingStore {
    opened(Clock::Node)
}

fn store_by(clock: Clock) -> Arc<Store> {
    opened(clock).store()
}

fn opened(clock: Clock) -> FailingStore {
    if is_postgres() { on(&Arc::new(Home::new(clock))) } else { FailingStore::over(Store::in_memory(), None) }
}

fn on(home: &Arc<Home>) -> FailingStore {
    FailingStore::over(home.open(), Some(Arc::clone(home)))
}

/// An empty store that several nodes share, with a clock of its own.
pub(crate) enum SharedStore {
    Memory(Arc<Store>),
    Postgres(Arc<Home>),
}

impl SharedStore {
    pub(crate) fn new(clock: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        if is_postgres() {
            Self::Postgres(Arc::new(Home::new(Clock::Test(Box::new(clock)))))
        } else {
            Self::Memory(Arc::new(Store::shared_in_memory(clock)))
        }
    }

    /// The store as one node has it.
    pub(crate) fn connect(&self) -> Arc<Store> {
        self.connect_failing().store()
    }

    /// The same, which can be told to fail.
    pub(crate) fn connect_failing(&self) -> FailingStore {
        match self {
            Self::Memory(store) => FailingStore::over(store.another_in_memory(), None),
            Self::Postgres(home) => on(home),
        }
    }

    /// Begins another history, as after a backup has been restored.
    pub(crate) fn begin_new_history(&self) {
        match self {
            Self::Memory(store) => store.begin_new_history_in_memory(),
            Self::Postgres(home) => home.begin_new_history(),
        }
    }
}

/// What `--database` names for a server that is a process of its own. It goes with this.
pub(crate) enum DatabasePlace {
    Folder(TempDir),
    Postgres(Database),
}

impl DatabasePlace {
    /// An empty one.
    pub(crate) fn new() -> Self {
        if is_postgres() {
            Self::Postgres(Database::new().expect("PostgreSQL"))
        } else {
            Self::Folder(TempDir::new().expect("a temporary folder"))
        }
    }

    /// As `--database` names it.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.path().join("lusoria.db"),
            Self::Postgres(database) => database.tcp_url().into(),
        }
    }

    /// Runs SQL that all databases understand, beside the server or while none runs.
    pub(crate) fn run(&self, sql: &str) {
        self.found(sql);
    }

    /// How many rows a table has, beside the server or while none runs.
    pub(crate) fn count(&self, table: &str) -> u64 {
        self.found(&format!("SELECT count(*) FROM {table}")).parse().expect("a number")
    }

    fn found(&self, sql: &str) -> String {
        let found = match self {
            Self::Folder(_) => File::open(&self.path()).and_then(|file| file.run(sql)),
            Self::Postgres(database) => database.run(sql),
        };
        found.expect("good SQL")
    }

    /// Whether a text is anywhere in the files of the database, unused parts and all; or in a row of what is
    /// kept of guests, accounts and matches, whatever the files of PostgreSQL hold.
    pub(crate) fn holds(&self, text: &str) -> bool {
        match self {
            Self::Folder(folder) => ["lusoria.db", "lusoria.db-wal"].iter().any(|name| {
                let bytes = fs::read(folder.path().join(name)).expect("a file");
                bytes.windows(text.len()).any(|window| window == text.as_bytes())
            }),
            Self::Postgres(_) => {
                let rows = [
                    "guests",
                    "tokens",
                    "accounts",
                    "api_tokens",
                    "preferences",
                    "conditional_turns",
                    "push_subscriptions",
                    "matches",
                    "journal",
                ]
                .map(|table| format!("SELECT {table}::text AS line FROM {table}"))
                .join(" UNION ALL ");
                let found = format!("SELECT count(*) FROM ({rows}) AS lines WHERE line LIKE '%{text}%'");
                self.found(&found) != "0"
            }
        }
    }
}
