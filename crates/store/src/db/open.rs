//! The ways to a store.

use std::{path::Path, sync::Arc};

use futures_util::future::BoxFuture;
use lusoria_play::Millis;
use uuid::Uuid;

use super::{Backend, Store, nodes::begin_new_history};
use crate::{
    postgres::{self, PostgresOptions, Server, open::Target},
    sql::Readers,
    sqlite::{self, Memory, OpenFile, SqliteOptions},
};

impl Store {
    /// Opens a file, creates it if there is none, and migrates it. Holds the lock on a file
    /// beside it, its name with `-lock` at the end, while the store is open.
    ///
    /// # Errors
    /// If another server uses the file, a newer one has written it, or durability cannot be guaranteed.
    pub fn open_file(path: &Path, options: SqliteOptions) -> BoxFuture<'_, Result<Self, sqlite::OpenError>> {
        Box::pin(async move { Ok(Self::of_file(OpenFile::open(path, options).await?)) })
    }

    /// Opens a file for reading, whether or not a server uses it, and leaves it unchanged: writes
    /// are refused as closed.
    ///
    /// # Errors
    /// If there is no file, or it is not a database of this server and version.
    pub fn open_file_to_read(path: &Path) -> BoxFuture<'_, Result<Self, sqlite::OpenError>> {
        Box::pin(async move { Ok(Self::of_file(OpenFile::open_to_read(path).await?)) })
    }

    /// Opens a file as [`Self::open_file`] does, but only if it exists and is of this version.
    ///
    /// # Errors
    /// As [`Self::open_file`]; if there is no file or it is of an earlier version.
    pub fn open_file_up_to_date(
        path: &Path,
        options: SqliteOptions,
    ) -> BoxFuture<'_, Result<Self, sqlite::OpenError>> {
        Box::pin(async move { Ok(Self::of_file(OpenFile::open_up_to_date(path, options).await?)) })
    }

    fn of_file((readers, file): (Readers, OpenFile)) -> Self {
        Self::of(readers, Backend::File(Box::new(file)))
    }

    /// Connects to the database `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, and migrates it if it is
    /// empty or of an earlier version.
    ///
    /// # Errors
    /// If it cannot be reached, is another program's or a newer version's, or does not keep what it
    /// commits. No error has the password.
    pub fn open_server(
        url: &str,
        options: PostgresOptions,
    ) -> BoxFuture<'_, Result<Self, postgres::OpenError>> {
        Box::pin(async move {
            let (readers, server) = Server::open(url, options).await?;
            Ok(Self::of(readers, Backend::Server(Box::new(server))))
        })
    }

    /// What all nodes on this store are called together, which never changes; nil if it is not on a server.
    pub const fn cluster_id(&self) -> Uuid {
        if let Backend::Server(server) = &self.backend { server.id } else { Uuid::nil() }
    }

    /// Begins another history on a server, as after a backup has been restored: clients discard what they know, and
    /// nodes that run learn of it with their next beat.
    ///
    /// # Errors
    /// As [`Self::open_server`].
    pub fn begin_new_history(url: &str) -> BoxFuture<'_, Result<(), postgres::OpenError>> {
        Box::pin(async move {
            let target = Target::parse(url, &PostgresOptions::default())?;
            target.prepare().await?;
            let place = target.place.clone();
            let begun = begin_new_history(target).await;
            begun.map_err(|error| postgres::OpenError::Failed { place, why: error.to_string() })
        })
    }

    /// An empty store in memory, for one node. It needs no runtime.
    pub fn in_memory() -> Self {
        Self::of(Readers::none(), Backend::Memory(Memory::open(None)))
    }

    /// An empty store in memory for several nodes, with a clock of its own, as a server has.
    pub fn shared_in_memory(clock: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        Self::of(Readers::none(), Backend::Memory(Memory::open(Some(Arc::new(clock)))))
    }

    /// Another store on the same memory, as another node has it, without faults.
    ///
    /// # Panics
    /// If it is not in memory.
    #[must_use]
    pub fn another_in_memory(&self) -> Self {
        Self::of(Readers::none(), Backend::Memory(self.memory().another()))
    }

    /// Begins another history in memory, as a restored backup does. Its id follows from the last one.
    ///
    /// # Panics
    /// If it is not in memory.
    pub fn begin_new_history_in_memory(&self) {
        self.memory().begin_new_history().expect("memory takes writes");
    }

    fn memory(&self) -> &Memory {
        match &self.backend {
            Backend::Memory(memory) => memory,
            Backend::File(_) | Backend::Server(_) => panic!("the store is not in memory"),
        }
    }
}
