//! The files of the page of each release that ran lately.

use uuid::Uuid;

use super::{Store, matters::clock};
use crate::{PageFile, StoreFuture, sql::args};

/// How many pages are kept: nodes of two releases run at once, and browsers may be a little behind.
const KEPT: u32 = 5;

impl Store {
    /// Keeps the files of the page of this release, which together have this hash, for nodes of other
    /// releases, and forgets pages of much older ones. A store that is not shared keeps none.
    pub fn keep_page(&self, hash: String, files: Vec<PageFile>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if !self.is_shared() {
                return Ok(());
            }
            self.write(Uuid::nil(), (hash, files), |tx, (hash, files)| {
                Box::pin(async move {
                    let now = clock(tx, 0).await?;
                    let is_there = "UPDATE pages SET used_at = $2 WHERE hash = $1";
                    if tx.execute(is_there, args![hash, now]).await? > 0 {
                        return Ok(());
                    }
                    // Another node of the same release may be adding it.
                    let add = "INSERT INTO pages (hash, used_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
                    if tx.execute(add, args![hash, now]).await? == 0 {
                        return Ok(());
                    }
                    for (name, content) in files {
                        let add_file = "INSERT INTO page_files (page, name, content) VALUES ($1, $2, $3)";
                        tx.queue(add_file, args![hash, name, content.as_slice()]).await?;
                    }
                    let forget = "DELETE FROM pages WHERE hash NOT IN \
                     (SELECT hash FROM pages ORDER BY used_at DESC, hash LIMIT $1)";
                    tx.queue(forget, args![KEPT]).await?;
                    Ok(())
                })
            })
            .await
        })
    }

    /// Lists the hashes of the pages that are kept.
    pub fn pages(&self) -> StoreFuture<'_, Vec<String>> {
        self.all("SELECT hash FROM pages", args![])
    }

    /// Reads the files of a page; none if it is not kept.
    pub fn page(&self, hash: String) -> StoreFuture<'_, Vec<PageFile>> {
        self.all("SELECT name, content FROM page_files WHERE page = $1 ORDER BY name", args![hash])
    }
}
