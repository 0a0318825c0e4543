//! The pages of the releases that run beside each other, kept in the store that they share.

use lusoria_protocol::Problem;
use lusoria_store::{PageFile, StoreError};

use super::{App, problem};

impl App {
    /// Whether nodes of other releases may run on the same store.
    pub fn has_neighbours(&self) -> bool {
        self.store().is_shared()
    }

    /// Keeps the files of this release's page, which together have this hash.
    ///
    /// # Errors
    /// If the store cannot take them.
    pub async fn keep_page(&self, hash: String, files: Vec<PageFile>) -> Result<(), StoreError> {
        self.store().keep_page(hash, files).await
    }

    /// The hashes of the pages that are kept.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn kept_pages(&self) -> Result<Vec<String>, Problem> {
        self.store().pages().await.map_err(problem::store)
    }

    /// The files of a page; none if it is not kept.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn kept_page(&self, hash: String) -> Result<Vec<PageFile>, Problem> {
        self.store().page(hash).await.map_err(problem::store)
    }
}
