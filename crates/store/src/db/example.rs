//! How a feature keeps something: a table, a query, a write. Compiled and run with the tests; ARCHITECTURE.md shows it.

use lusoria_play::{MatchId, PlayerId};

use super::{Store, guests};
use crate::{StoreFuture, sql::args};

/// The table, which belongs into the next folder of `migrations`. Both databases take the types: ids are `uuid`, times
/// and counts `bigint`.
const TABLE: &str = "CREATE TABLE notes (guest uuid NOT NULL REFERENCES guests (id) ON DELETE CASCADE, \
     match uuid NOT NULL, text text NOT NULL, PRIMARY KEY (guest, match))";

impl Store {
    /// Reads what a guest has noted about a match.
    fn note(&self, guest: PlayerId, id: MatchId) -> StoreFuture<'_, Option<String>> {
        self.first("SELECT text FROM notes WHERE guest = $1 AND match = $2", args![guest, id])
    }

    /// Sets what a guest notes about a match; false if there is no such guest. What a transaction checks, it locks.
    fn set_note(&self, guest: PlayerId, id: MatchId, text: String) -> StoreFuture<'_, bool> {
        self.write(guest.0, (guest, id, text), |tx, &(guest, id, ref text)| {
            Box::pin(async move {
                if guests::lock(tx, guest).await?.is_none() {
                    return Ok(false);
                }
                let upsert = "INSERT INTO notes (guest, match, text) VALUES ($1, $2, $3) \
                     ON CONFLICT (guest, match) DO UPDATE SET text = excluded.text";
                tx.queue(upsert, args![guest, id, text]).await?;
                Ok(true)
            })
        })
    }
}

#[tokio::test]
async fn a_note_is_kept_in_either_database() {
    use lusoria_play::Level;
    use lusoria_services::postgres::Database;
    use uuid::Uuid;

    use crate::postgres::PostgresOptions;

    let database = Database::new().expect("PostgreSQL");
    let server = Store::open_server(&database.url(), PostgresOptions::default()).await.expect("it opens");
    for store in [Store::in_memory(), server] {
        let added = store.write(Uuid::nil(), (), |tx, ()| Box::pin(async { Ok(tx.script(TABLE).await?) }));
        added.await.expect("the table is new");
        let (guest, id) = (Level::ALL[0].player_id(), MatchId(Uuid::from_u128(1)));
        assert_eq!(store.note(guest, id).await.expect("read"), None);
        for text in ["a good throw", "a better one"] {
            assert!(store.set_note(guest, id, text.to_owned()).await.expect("written"));
            assert_eq!(store.note(guest, id).await.expect("read").as_deref(), Some(text));
        }
        assert!(!store.set_note(PlayerId(Uuid::nil()), id, String::new()).await.expect("asked"));
        store.close().await;
    }
}
