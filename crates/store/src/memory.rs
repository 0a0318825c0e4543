//! The store in the memory of the process, for tests under virtual time: SQLite without a file.

use lusoria_play::Millis;
use tokio::sync::Mutex;

use crate::{
    db::{Db, SharedClock, Writer},
    readers::Readers,
    sqlite::memory::Memory,
};

/// The store in memory. Each call is done when its future is first polled.
pub struct MemoryStore {
    pub(crate) db: Db,
    pub(crate) is_shared: bool,
}

impl MemoryStore {
    /// An empty store for one node.
    pub fn new() -> Self {
        Self::of(Memory::open(None), false)
    }

    /// An empty store for several nodes, with a clock of its own, as a database has.
    pub fn shared(clock: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        let clock: SharedClock = std::sync::Arc::new(clock);
        Self::of(Memory::open(Some(clock)), true)
    }

    /// Begins another history, as a restored backup does.
    pub fn begin_new_history(&self) {
        if let Writer::Memory(memory) = &self.db.writer {
            memory.begin_new_history().expect("a database in memory takes writes");
        }
    }

    pub(crate) async fn close_all(&self) {
        if let Writer::Memory(memory) = &self.db.writer {
            memory.close();
        }
    }

    fn of(memory: Memory, is_shared: bool) -> Self {
        let db = Db { readers: Readers::none(), writer: Writer::Memory(memory), pulse: Mutex::default() };
        Self { db, is_shared }
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}
