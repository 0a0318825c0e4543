//! Erasing what remains of rows in the files of PostgreSQL.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use sqlx::Error;
use tokio::time::{sleep, timeout};

use super::open::Target;
use crate::{StoreError, failure::Failure, moved_rows::TABLES, sql::args};

/// How long to wait for transactions that may still read the old rows.
const READERS_PATIENCE: Duration = Duration::from_secs(2);
/// How long to clean all tables.
const VACUUM_TIMEOUT: Duration = Duration::from_mins(30);

/// Cleans every table that lasts: something of a person may stand in any of them.
static VACUUM: LazyLock<String> = LazyLock::new(|| format!("VACUUM {TABLES}"));

/// Whether a connection may read rows that were deleted before a transaction.
const ARE_NEEDED: &str = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
     AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND age(backend_xmin) > age($1::text::xid)";

/// Has PostgreSQL take rows that were replaced or deleted out of its pages, so that no query finds them.
/// False if a transaction may still need them. Their bytes may remain in the free space of a page until
/// it is filled, and in the WAL and its archives.
pub(crate) async fn erase_remains(target: &Target) -> Result<bool, StoreError> {
    let failed = |error: Error| StoreError::from(Failure::before_commit(&error));
    let mut tx = target.connect().await.map_err(failed)?;
    let erase = async {
        tx.script("SET statement_timeout = 0").await?;
        let now: String = tx.one("SELECT pg_current_xact_id()::xid::text", args![]).await?;
        let until = Instant::now() + READERS_PATIENCE;
        let mut are_needed = true;
        while are_needed && Instant::now() < until {
            are_needed = tx.exists(ARE_NEEDED, args![&now]).await?;
            if are_needed {
                sleep(Duration::from_millis(50)).await;
            }
        }
        tx.script(&VACUUM).await?;
        Ok(!are_needed)
    };
    let erased = timeout(VACUUM_TIMEOUT, erase).await;
    let erased = erased
        .map_err(|_| StoreError::Busy("cleaning the tables takes too long".to_owned()))?
        .map_err(failed);
    // The server notices its end in any case.
    let _ = timeout(target.connect_timeout, tx.close()).await;
    erased
}
