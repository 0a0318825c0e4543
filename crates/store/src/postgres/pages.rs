//! The files of the page of each release that ran lately.

use sqlx_core::{query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;
use uuid::Uuid;

use super::{readers::Readers, writer::Writer};
use crate::{PageFile, StoreError};

/// How many pages are kept: nodes of two releases run at once, and browsers may be a little behind.
const KEPT: i64 = 5;

const IS_THERE: &str = "UPDATE pages SET used_at = clock_timestamp() WHERE hash = $1";
const ADD: &str = "INSERT INTO pages (hash, used_at) VALUES ($1, clock_timestamp()) ON CONFLICT DO NOTHING";
const ADD_FILES: &str = "INSERT INTO page_files (page, name, content) \
     SELECT $1, name, content FROM unnest($2::text[], $3::bytea[]) AS file (name, content)";
const FORGET: &str =
    "DELETE FROM pages WHERE hash NOT IN (SELECT hash FROM pages ORDER BY used_at DESC, hash LIMIT $1)";
const HASHES: &str = "SELECT hash FROM pages";
const FILES: &str = "SELECT name, content FROM page_files WHERE page = $1 ORDER BY name";

/// Keeps a page, and forgets those that were used longest ago.
pub(super) async fn keep(writer: &Writer, hash: String, files: Vec<PageFile>) -> Result<(), StoreError> {
    let (names, contents): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let keep = writer.write(Uuid::nil(), move |connection| {
        let (hash, names, contents) = (hash.clone(), names.clone(), contents.clone());
        Box::pin(async move {
            let known = query::<Postgres>(IS_THERE).bind(&hash).execute(&mut *connection).await?;
            if known.rows_affected() > 0 {
                return Ok(());
            }
            // Another node of the same release may be adding it.
            let added = query::<Postgres>(ADD).bind(&hash).execute(&mut *connection).await?;
            if added.rows_affected() > 0 {
                let add = query::<Postgres>(ADD_FILES).bind(&hash).bind(names).bind(contents);
                add.execute(&mut *connection).await?;
                query::<Postgres>(FORGET).bind(KEPT).execute(connection).await?;
            }
            Ok(())
        })
    });
    Ok(keep.await?)
}

/// The hashes of the pages that are kept.
pub(super) async fn hashes(readers: &Readers) -> Result<Vec<String>, StoreError> {
    readers.read(|connection| Box::pin(query_scalar::<Postgres, _>(HASHES).fetch_all(connection))).await
}

/// The files of a page.
pub(super) async fn files(readers: &Readers, hash: String) -> Result<Vec<PageFile>, StoreError> {
    readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(FILES).bind(hash.clone()).fetch_all(connection)))
        .await
}
