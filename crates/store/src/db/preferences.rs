//! What the holders of accounts prefer.

use lusoria_play::{PlayerId, SessionId};
use sqlx::Error;

use super::{Store, accounts, guests::may_ask};
use crate::{
    PreferenceChange, PreferenceChanges, PreferenceValues, StoreFuture,
    preferences::changed,
    sql::{Tx, args},
};

async fn of_guest(tx: &mut Tx, guest: PlayerId) -> Result<PreferenceValues, Error> {
    let select = "SELECT name, value FROM preferences WHERE guest = $1";
    Ok(tx.all::<(String, String)>(select, args![guest]).await?.into_iter().collect())
}

impl Store {
    /// Reads what a guest prefers: nothing if they have no account.
    pub fn preferences(&self, guest: PlayerId) -> StoreFuture<'_, PreferenceValues> {
        self.read(move |tx| Box::pin(of_guest(tx, guest)))
    }

    /// Changes some preferences of a guest, requested by the session `by`; the others stay.
    pub fn change_preferences(
        &self,
        guest: PlayerId,
        by: SessionId,
        changes: PreferenceChanges,
    ) -> StoreFuture<'_, PreferenceChange> {
        self.write(guest.0, (guest, by, changes), |tx, &(guest, by, ref changes)| {
            Box::pin(async move {
                // It locks the guest, so that of two changes at once the second sees the first.
                if !may_ask(tx, guest, by).await? {
                    return Ok(PreferenceChange::SessionEnded);
                }
                if !accounts::exists(tx, guest).await? {
                    return Ok(PreferenceChange::NoAccount);
                }
                let Some((kept, changes)) = changed(of_guest(tx, guest).await?, changes.clone()) else {
                    return Ok(PreferenceChange::TooMany);
                };
                for (name, value) in changes {
                    if let Some(value) = value {
                        let upsert = "INSERT INTO preferences (guest, name, value) VALUES ($1, $2, $3) \
                             ON CONFLICT (guest, name) DO UPDATE SET value = excluded.value";
                        tx.queue(upsert, args![guest, name, value]).await?;
                    } else {
                        let delete = "DELETE FROM preferences WHERE guest = $1 AND name = $2";
                        tx.queue(delete, args![guest, name]).await?;
                    }
                }
                Ok(PreferenceChange::Changed(kept))
            })
        })
    }
}
