//! When matches must be looked at again.

use rusqlite::Connection;

use super::sql::execute;

/// Sets the deadline of a match.
pub(super) fn set(connection: &Connection, number: i64, deadline: Option<i64>) -> rusqlite::Result<()> {
    let set = match deadline {
        Some(at) => {
            let upsert = "INSERT INTO deadlines (match, at) VALUES (?1, ?2) \
                 ON CONFLICT (match) DO UPDATE SET at = excluded.at";
            execute(connection, upsert, (number, at))
        }
        None => execute(connection, "DELETE FROM deadlines WHERE match = ?1", [number]),
    };
    set.map(drop)
}
