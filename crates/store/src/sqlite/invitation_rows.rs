//! Rows of `invitations`, as a match that is made or joined writes and deletes them.

use rusqlite::Connection;

use super::sql::{execute, exists};

/// Whether the invitation can be spent on that match at that time.
pub(super) fn is_good(connection: &Connection, hash: &str, id: &str, now: i64) -> rusqlite::Result<bool> {
    let good = "SELECT 1 FROM invitations WHERE hash = ?1 AND match_id = ?2 AND expires_at > ?3";
    exists(connection, good, (hash, id, now))
}

pub(super) fn insert(
    connection: &Connection,
    id: &str,
    hash: &str,
    expires_at: i64,
) -> rusqlite::Result<()> {
    let insert = "INSERT INTO invitations (match_id, hash, expires_at) VALUES (?1, ?2, ?3)";
    execute(connection, insert, (id, hash, expires_at)).map(drop)
}

pub(super) fn delete(connection: &Connection, hash: &str) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM invitations WHERE hash = ?1", [hash]).map(drop)
}
