//! What the holders of accounts prefer.

use lusoria_play::{PlayerId, SessionId};
use rusqlite::Connection;

use super::{
    SqliteStore,
    guest_rows::may_ask,
    sql::{execute, exists, rows},
    writer::Writer,
};
use crate::{
    PreferenceChange, PreferenceChanges, PreferenceValues, Preferences, StoreError, StoreFuture,
    preferences::changed,
};

impl Preferences for SqliteStore {
    fn preferences(&self, guest: PlayerId) -> StoreFuture<'_, PreferenceValues> {
        let guest = guest.0.to_string();
        Box::pin(async move { self.readers.read(move |connection| of_guest(connection, &guest)).await })
    }

    fn change_preferences(
        &self,
        guest: PlayerId,
        by: SessionId,
        changes: PreferenceChanges,
    ) -> StoreFuture<'_, PreferenceChange> {
        Box::pin(change(&self.writer, guest, by, changes))
    }
}

fn of_guest(connection: &Connection, guest: &str) -> rusqlite::Result<PreferenceValues> {
    let select = "SELECT name, value FROM preferences WHERE guest_id = ?1";
    Ok(rows::<(String, String)>(connection, select, [guest])?.into_iter().collect())
}

async fn change(
    writer: &Writer,
    guest: PlayerId,
    by: SessionId,
    changes: PreferenceChanges,
) -> Result<PreferenceChange, StoreError> {
    let (guest, by) = (guest.0.to_string(), by.0.to_string());
    let change = writer.write(move |connection| {
        if !may_ask(connection, &guest, &by)? {
            return Ok(PreferenceChange::SessionEnded);
        }
        if !exists(connection, "SELECT 1 FROM accounts WHERE guest_id = ?1", [&guest])? {
            return Ok(PreferenceChange::NoAccount);
        }
        let Some((kept, changes)) = changed(of_guest(connection, &guest)?, changes.clone()) else {
            return Ok(PreferenceChange::TooMany);
        };
        for (name, value) in &changes {
            let set = "INSERT INTO preferences (guest_id, name, value) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (guest_id, name) DO UPDATE SET value = excluded.value";
            let remove = "DELETE FROM preferences WHERE guest_id = ?1 AND name = ?2";
            match value {
                Some(value) => execute(connection, set, (&guest, name, value))?,
                None => execute(connection, remove, (&guest, name))?,
            };
        }
        Ok(PreferenceChange::Changed(kept))
    });
    Ok(change.await?)
}
