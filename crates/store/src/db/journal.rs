//! The head, the secret and the deadline of a match, and rewriting its events.

use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, Recorded};
use sqlx::Error;

use super::{Backend, Store};
use crate::{
    Call, Card, HEADS_MAX, Head, Journal, StoreError, StoreFuture, Version, postgres,
    sql::{
        Tx, Undo, args,
        value::{AnyRow, Ids, Row},
    },
    sqlite,
};

const HEAD: &str =
    "SELECT head, edition, (SELECT at FROM deadlines WHERE match = $1) FROM match_rows WHERE id = $1";
pub(super) const HEADS: &str = "SELECT id, head, edition, deadlines.at \
     FROM match_rows LEFT JOIN deadlines ON deadlines.match = match_rows.id \
     WHERE id IN (SELECT unhex(value) FROM json_each($1))";

/// `head`, `edition`, the deadline.
impl Row for Head {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { version: Version { head: row.get(0)?, edition: row.get(1)? }, deadline: row.get(2)? })
    }
}

/// Locks a match. Tells whether that is its version.
pub(super) async fn has_version(tx: &mut Tx, id: MatchId, of: Version) -> Result<bool, Error> {
    let lock = "SELECT head, edition FROM match_rows WHERE id = $1";
    let found: Option<(u32, u32)> = tx.lock_first(lock, args![id]).await?;
    Ok(found == Some((of.head, of.edition)))
}

/// Replaces the card and events of a match that is locked: another edition. An error that is not the database's tells
/// what is wrong with the events.
pub(super) async fn replace(
    tx: &mut Tx,
    id: MatchId,
    events: &[Recorded],
    card: &Card,
) -> Result<Result<(), StoreError>, Error> {
    match tx {
        Tx::Sqlite(_) => sqlite::journal::replace(tx, id, events, card).await,
        Tx::Postgres(_) => postgres::journal::replace(tx, id, events, card).await,
    }
}

/// Deletes the events of a match.
pub(super) async fn delete(tx: &mut Tx, id: MatchId) -> Result<(), Error> {
    match tx {
        Tx::Sqlite(_) => sqlite::journal::forget(tx, id).await,
        Tx::Postgres(_) => tx.queue("DELETE FROM journal WHERE match = $1", args![id]).await,
    }
}

impl Store {
    /// Reads the head of a match; none if there is no such match.
    pub fn head(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        self.first(HEAD, args![id])
    }

    /// Reads the heads of some matches, at most [`HEADS_MAX`], in any order. Those that do not exist
    /// are left out.
    pub fn heads(&self, ids: Vec<MatchId>) -> StoreFuture<'_, Vec<(MatchId, Head)>> {
        Box::pin(async move {
            let ids = Ids::of(ids.into_iter().take(HEADS_MAX).map(|id| id.0));
            let found: Vec<(MatchId, u32, u32, Option<Millis>)> = self.all(HEADS, args![ids]).await?;
            let head =
                |(id, head, edition, deadline)| (id, Head { version: Version { head, edition }, deadline });
            Ok(found.into_iter().map(head).collect())
        })
    }

    /// To be called when the outcome of a write to a match is unknown, be it an append or its creation:
    /// waits until it is decided, and reads the head; none if there is no such match. What had not
    /// been committed by then never will be.
    pub fn settle(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        Box::pin(async move {
            match self.backend {
                // Once the writer has answered, it has rolled back what it could not commit.
                Backend::File(_) | Backend::Memory(_) => {
                    self.read_as(Call::Settle(id), move |tx| Box::pin(tx.first(HEAD, args![id]))).await
                }
                Backend::Server(_) => {
                    let settled =
                        self.transact(id.0, true, id, |tx, &id| Box::pin(postgres::journal::settle(tx, id)));
                    self.through(Some(Call::Settle(id)), async { Ok(settled.await?) }).await
                }
            }
        })
    }

    /// Reads at most `limit` events with numbers greater than `since`, in order.
    pub fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Journal> {
        Box::pin(async move {
            let read = self.read_as(Call::Events(id, since), move |tx| match tx {
                Tx::Sqlite(_) => Box::pin(sqlite::journal::appends(tx, id, since, limit)),
                Tx::Postgres(_) => Box::pin(postgres::journal::appends(tx, id, since, limit)),
            });
            let (edition, appends) = read.await?;
            let mut events = Vec::new();
            for append in appends {
                if events.len() >= limit as usize {
                    break;
                }
                events.extend(append.recorded(id)?.into_iter().filter(|event| event.seq > since));
            }
            events.truncate(limit as usize);
            Ok(Journal { edition, events })
        })
    }

    /// Corrects the deadline of a match whose head is `head`, without an event.
    pub fn set_deadline(&self, id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()> {
        self.write_unacknowledged(id.0, (id, head, deadline), |tx, &(id, head, deadline)| {
            Box::pin(async move {
                let lock = "SELECT head FROM match_rows WHERE id = $1";
                let found: Option<u32> = tx.lock_first(lock, args![id]).await?;
                if found == Some(head) {
                    let upsert = "INSERT INTO deadlines (match, at) VALUES ($1, $2) \
                         ON CONFLICT (match) DO UPDATE SET at = excluded.at";
                    match deadline {
                        Some(at) => tx.execute(upsert, args![id, at]).await?,
                        None => tx.execute("DELETE FROM deadlines WHERE match = $1", args![id]).await?,
                    };
                }
                Ok(())
            })
        })
    }

    /// Reads the secret `s[1024]` of a match.
    pub fn secret(&self, id: MatchId) -> StoreFuture<'_, Option<Secret>> {
        Box::pin(async move {
            let select = "SELECT secret FROM secrets WHERE match = $1 AND secret IS NOT NULL";
            let secret = self.read_as(Call::Secret, move |tx| Box::pin(tx.first(select, args![id]))).await?;
            Ok(secret.map(Secret::new))
        })
    }

    /// Replaces events of a match by others with the same numbers, and its card: another edition.
    /// Only for removing a person's name. False if its head or edition is another than `of`.
    pub fn rewrite(
        &self,
        id: MatchId,
        of: Version,
        events: Vec<Recorded>,
        card: Card,
    ) -> StoreFuture<'_, bool> {
        let call = self.call(|| Call::Rewrite(id, events.clone()));
        let rewritten = self.transact(id.0, true, (id, of, events, card), |tx, (id, of, events, card)| {
            Box::pin(async move {
                if !has_version(tx, *id, *of).await? {
                    return Ok(Ok(false));
                }
                match replace(tx, *id, events, card).await? {
                    Ok(()) => Ok(Ok(true)),
                    Err(error) => Err(Undo::With(Err(error))),
                }
            })
        });
        Box::pin(self.through(call, async { rewritten.await? }))
    }
}
