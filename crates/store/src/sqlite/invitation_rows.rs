//! Rows of `invitations`, as a match that is made or joined writes and deletes them.

use lusoria_play::MatchId;
use rusqlite::Connection;

use super::sql::{execute, exists};

/// Whether the invitation can be spent on that match at that time.
pub(super) fn is_good(connection: &Connection, hash: &str, id: MatchId, now: i64) -> rusqlite::Result<bool> {
    let good = "SELECT 1 FROM invitations WHERE hash = ?1 AND expires_at > ?3 \
         AND match = (SELECT number FROM matches WHERE id = ?2)";
    exists(connection, good, (hash, id.0.into_bytes(), now))
}

pub(super) fn insert(
    connection: &Connection,
    number: i64,
    hash: &str,
    expires_at: i64,
) -> rusqlite::Result<()> {
    let insert = "INSERT INTO invitations (match, hash, expires_at) VALUES (?1, ?2, ?3)";
    execute(connection, insert, (number, hash, expires_at)).map(drop)
}

pub(super) fn delete(connection: &Connection, hash: &str) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM invitations WHERE hash = ?1", [hash]).map(drop)
}
