//! What the holders of accounts prefer.

use std::sync::Arc;

use lusoria_play::{PlayerId, SessionId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{PostgresStore, guests::may_ask, writer::Writer};
use crate::{
    PreferenceChange, PreferenceChanges, PreferenceValues, Preferences, StoreError, StoreFuture,
    preferences::changed,
};

impl Preferences for PostgresStore {
    fn preferences(&self, guest: PlayerId) -> StoreFuture<'_, PreferenceValues> {
        Box::pin(async move { self.readers.read(|connection| Box::pin(of_guest(connection, guest.0))).await })
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

async fn of_guest(connection: &mut PgConnection, guest: Uuid) -> Result<PreferenceValues, Error> {
    let select =
        query_as::<Postgres, (String, String)>("SELECT name, value FROM preferences WHERE guest = $1");
    Ok(select.bind(guest).fetch_all(connection).await?.into_iter().collect())
}

async fn change(
    writer: &Writer,
    guest: PlayerId,
    by: SessionId,
    changes: PreferenceChanges,
) -> Result<PreferenceChange, StoreError> {
    let changes = Arc::new(changes);
    let change = writer.write(guest.0, move |connection| {
        let changes = Arc::clone(&changes);
        Box::pin(async move {
            // It locks the guest, so that of two changes at once the second sees the first.
            if !may_ask(connection, guest, by).await? {
                return Ok(PreferenceChange::SessionEnded);
            }
            let has = query_scalar::<Postgres, bool>("SELECT EXISTS (SELECT FROM accounts WHERE guest = $1)");
            if !has.bind(guest.0).fetch_one(&mut *connection).await? {
                return Ok(PreferenceChange::NoAccount);
            }
            let kept = of_guest(connection, guest.0).await?;
            let Some((kept, changes)) = changed(kept, PreferenceChanges::clone(&changes)) else {
                return Ok(PreferenceChange::TooMany);
            };
            if changes.is_empty() {
                return Ok(PreferenceChange::Changed(kept));
            }
            let (set, removed): (Vec<_>, Vec<_>) = changes.iter().partition(|(_, value)| value.is_some());
            let names =
                |of: &[(&String, &Option<String>)]| of.iter().map(|(name, _)| (*name).clone()).collect();
            let (set_names, removed): (Vec<String>, Vec<String>) = (names(&set), names(&removed));
            let values: Vec<String> = set.iter().filter_map(|(_, value)| (*value).clone()).collect();
            let remove = "DELETE FROM preferences WHERE guest = $1 AND name = ANY($2)";
            query::<Postgres>(remove).bind(guest.0).bind(removed).execute(&mut *connection).await?;
            let set = "INSERT INTO preferences (guest, name, value) \
                 SELECT $1, name, value FROM unnest($2::text[], $3::text[]) AS changed (name, value) \
                 ON CONFLICT (guest, name) DO UPDATE SET value = excluded.value";
            query::<Postgres>(set).bind(guest.0).bind(set_names).bind(values).execute(connection).await?;
            Ok(PreferenceChange::Changed(kept))
        })
    });
    Ok(change.await?)
}
