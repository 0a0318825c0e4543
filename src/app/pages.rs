//! The page files of releases that run at the same time during an upgrade, stored in the database that they
//! share.

use lusoria_protocol::Problem;
use lusoria_store::{PageFile, StoreError};

use crate::app::{App, problem};

impl App {
    /// Whether nodes of other releases may run on the same store.
    pub fn has_neighbours(&self) -> bool {
        self.store().is_shared()
    }

    /// Stores the files of this release's page; `hash` is their common hash.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn keep_page(&self, hash: String, files: Vec<PageFile>) -> Result<(), StoreError> {
        self.store().keep_page(hash, files).await
    }

    /// The hashes of the stored pages.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn kept_pages(&self) -> Result<Vec<String>, Problem> {
        self.store().pages().await.map_err(problem::store)
    }

    /// The files of a page; none if it is not stored.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn kept_page(&self, hash: String) -> Result<Vec<PageFile>, Problem> {
        self.store().page(hash).await.map_err(problem::store)
    }
}
