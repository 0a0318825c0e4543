//! Where the servers of tests keep everything: in memory or a file, or in PostgreSQL if
//! `LUSORIA_TEST_DATABASE=postgres` asks for it (`cargo xtask postgres`).

use std::{fs, path::PathBuf, sync::Arc};

use lusoria_play::Millis;
use lusoria_services::{postgres::Database, sqlite::File};
use lusoria_store::{Store, memory::MemoryStore};
use tempfile::TempDir;

use super::postgres::{Clock, DatabaseStore, Home};

fn is_postgres() -> bool {
    match std::env::var("LUSORIA_TEST_DATABASE").as_deref() {
        Ok("postgres") => true,
        Err(std::env::VarError::NotPresent) => false,
        other => panic!("LUSORIA_TEST_DATABASE is postgres or not set, not {other:?}"),
    }
}

/// An empty store for one server, by whose time it goes.
pub(crate) fn store() -> Arc<dyn Store> {
    store_by(Clock::Node)
}

/// The same for a server whose time is the machine's.
pub(crate) fn store_in_real_time() -> Arc<dyn Store> {
    store_by(Clock::Machine)
}

fn store_by(clock: Clock) -> Arc<dyn Store> {
    if is_postgres() {
        Arc::new(DatabaseStore::open(Arc::new(Home::new(clock))))
    } else {
        Arc::new(MemoryStore::new())
    }
}

/// An empty store that several nodes share, with a clock of its own.
pub(crate) enum SharedStore {
    Memory(Arc<MemoryStore>),
    Postgres(Arc<Home>),
}

impl SharedStore {
    pub(crate) fn new(clock: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        if is_postgres() {
            Self::Postgres(Arc::new(Home::new(Clock::Test(Box::new(clock)))))
        } else {
            Self::Memory(Arc::new(MemoryStore::shared(clock)))
        }
    }

    /// The store as one node has it.
    pub(crate) fn connect(&self) -> Arc<dyn Store> {
        match self {
            Self::Memory(store) => store.clone(),
            Self::Postgres(home) => Arc::new(DatabaseStore::open(Arc::clone(home))),
        }
    }

    /// Begins another history, as after a backup has been restored.
    pub(crate) fn begin_new_history(&self) {
        match self {
            Self::Memory(store) => store.begin_new_history(),
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
