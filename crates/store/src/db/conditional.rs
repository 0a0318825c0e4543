//! Conditional turns: what players have laid down to be played for them.

use lusoria_play::{ConditionalTurns, MatchId, Millis, PlayerId};
use sqlx::Error;
use uuid::Uuid;

use super::Store;
use crate::{
    Call, StoreFuture,
    sql::{
        args,
        value::{AnyRow, Argument, Column, Value, undecodable},
    },
};

impl Argument for &ConditionalTurns {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.map(|turns| serde_json::to_string(turns).expect("plain data")))
    }
}

impl Column for ConditionalTurns {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        serde_json::from_str(&row.get::<String>(index)?).map_err(undecodable)
    }
}

impl Store {
    /// Stores what a guest has laid down for a match in the place of what they had; none if it is empty. False if
    /// there is no such match or guest.
    pub fn set_conditional_turns(
        &self,
        id: MatchId,
        guest: PlayerId,
        turns: ConditionalTurns,
    ) -> StoreFuture<'_, bool> {
        self.write(id.0, (id, guest, turns), |tx, (id, guest, turns)| {
            Box::pin(async move {
                // Held, so that neither goes meanwhile.
                let of_match = "SELECT id FROM matches WHERE id = $1";
                let of_guest = "SELECT id FROM guests WHERE id = $1";
                for (select, of) in [(of_match, id.0), (of_guest, guest.0)] {
                    if tx.hold_all::<Uuid>(select, args![of]).await?.is_empty() {
                        return Ok(false);
                    }
                }
                if turns.is_empty() {
                    let delete = "DELETE FROM conditional_turns WHERE match = $1 AND guest = $2";
                    tx.queue(delete, args![*id, *guest]).await?;
                } else {
                    let upsert = "INSERT INTO conditional_turns (match, guest, turns) VALUES ($1, $2, $3) \
                         ON CONFLICT (match, guest) DO UPDATE SET turns = excluded.turns";
                    tx.queue(upsert, args![*id, *guest, turns]).await?;
                }
                Ok(true)
            })
        })
    }

    /// Reads what a guest has laid down for a match.
    pub fn conditional_turns(
        &self,
        id: MatchId,
        guest: PlayerId,
    ) -> StoreFuture<'_, Option<ConditionalTurns>> {
        let select = "SELECT turns FROM conditional_turns WHERE match = $1 AND guest = $2";
        self.first(select, args![id, guest])
    }

    /// Lists all that a guest has laid down, by the ids of the matches.
    pub fn conditional_turns_of(&self, guest: PlayerId) -> StoreFuture<'_, Vec<(MatchId, ConditionalTurns)>> {
        let select = "SELECT match, turns FROM conditional_turns WHERE guest = $1 ORDER BY match";
        self.all(select, args![guest])
    }

    /// Lists at most `limit` matches after `after`, in the order of their ids, for which somebody has laid down turns,
    /// that have not ended and have changed at `since` or later.
    pub fn conditional_matches(
        &self,
        since: Millis,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        let select = "SELECT DISTINCT match_rows.id FROM conditional_turns \
         JOIN match_rows ON match_rows.id = conditional_turns.match \
         WHERE state <> 'finished' AND updated_at >= $1 AND match_rows.id > $2 \
         ORDER BY match_rows.id LIMIT $3";
        let call = Call::ConditionalMatches { after, limit };
        let after = after.unwrap_or(MatchId(Uuid::nil()));
        self.read_as(call, move |tx| Box::pin(tx.all(select, args![since, after, limit])))
    }
}
