//! The head, the secret and the deadline of a match, and rewriting its events.

use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, Recorded};
use sqlx::Error;

use super::{
    Db, Tx, Undo,
    value::{AnyRow, Ids, Row, args},
};
use crate::{Card, HEADS_MAX, Head, StoreError, Version, postgres::journal::replace};

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

/// Deletes the events of a match.
pub(super) async fn delete(tx: &mut Tx, id: MatchId) -> Result<(), Error> {
    let deletions: &[&'static str] = match tx {
        // Each append tells which one it follows.
        Tx::Sqlite(_) => &[
            "WITH RECURSIVE appends (arrival, earlier) AS (\
                 SELECT journal.arrival, journal.before FROM newest JOIN journal ON journal.arrival = newest.arrival \
                 WHERE newest.match = (SELECT number FROM matches WHERE id = $1) \
                 UNION SELECT journal.arrival, journal.before FROM appends JOIN journal ON journal.arrival = earlier\
             ) DELETE FROM journal WHERE arrival IN (SELECT arrival FROM appends)",
            "DELETE FROM newest WHERE match = (SELECT number FROM matches WHERE id = $1)",
            "DELETE FROM packed WHERE match = (SELECT number FROM matches WHERE id = $1)",
            "DELETE FROM settling WHERE match = (SELECT number FROM matches WHERE id = $1)",
        ],
        Tx::Postgres(_) => &["DELETE FROM journal WHERE match = $1"],
    };
    for &sql in deletions {
        tx.execute(sql, args![id]).await?;
    }
    Ok(())
}

impl Db {
    /// Reads the head of a match; none if there is no such match.
    pub(crate) async fn head(&self, id: MatchId) -> Result<Option<Head>, StoreError> {
        self.first(HEAD, args![id]).await
    }

    /// Reads the heads of those of some matches that exist, at most [`HEADS_MAX`], in any order.
    pub(crate) async fn heads(&self, ids: Vec<MatchId>) -> Result<Vec<(MatchId, Head)>, StoreError> {
        let ids = Ids::of(ids.into_iter().take(HEADS_MAX).map(|id| id.0));
        let found: Vec<(MatchId, u32, u32, Option<Millis>)> = self.all(HEADS, args![ids]).await?;
        let head =
            |(id, head, edition, deadline)| (id, Head { version: Version { head, edition }, deadline });
        Ok(found.into_iter().map(head).collect())
    }

    /// Corrects the deadline of a match whose head is `head`.
    pub(crate) async fn set_deadline(
        &self,
        id: MatchId,
        head: u32,
        deadline: Option<Millis>,
    ) -> Result<(), StoreError> {
        self.write(id.0, (id, head, deadline), |tx, &(id, head, deadline)| {
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
        .await
    }

    /// Reads the secret `s[1024]` of a match.
    pub(crate) async fn secret(&self, id: MatchId) -> Result<Option<Secret>, StoreError> {
        let select = "SELECT secret FROM secrets WHERE match = $1 AND secret IS NOT NULL";
        Ok(self.first(select, args![id]).await?.map(Secret::new))
    }

    /// Replaces events of a match and its card: another edition; false if its version is another than `of`.
    pub(crate) async fn rewrite(
        &self,
        id: MatchId,
        of: Version,
        events: Vec<Recorded>,
        card: Card,
    ) -> Result<bool, StoreError> {
        self.write(id.0, (id, of, events, card), |tx, (id, of, events, card)| {
            Box::pin(async move {
                if !has_version(tx, *id, *of).await? {
                    return Ok(Ok(false));
                }
                match replace(tx, *id, events, card).await? {
                    Ok(()) => Ok(Ok(true)),
                    Err(error) => Err(Undo::With(Err(error))),
                }
            })
        })
        .await?
    }
}
