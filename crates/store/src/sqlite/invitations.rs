//! Invitations: at most one for each match.

use lusoria_play::{MatchId, Millis};

use super::{
    creation::number_of,
    invitation_rows,
    readers::Readers,
    sql::{execute, first},
    text::{column, hex, match_id},
    writer::Writer,
};
use crate::{Invitation, SecretHash, StoreError};

/// The match of an invitation that is still good.
pub(super) async fn invited_to(
    readers: &Readers,
    code: SecretHash,
    now: Millis,
) -> Result<Option<MatchId>, StoreError> {
    let good = "SELECT id FROM invitations JOIN matches ON matches.number = invitations.match \
         WHERE hash = ?1 AND expires_at > ?2";
    let found: Option<([u8; 16],)> =
        readers.read(move |connection| first(connection, good, (hex(code.0), column(now)))).await?;
    Ok(found.map(|(id,)| match_id(id)))
}

/// Replaces or withdraws the invitation of a match; false if there is no such match.
pub(super) async fn set(
    writer: &Writer,
    id: MatchId,
    invitation: Option<Invitation>,
) -> Result<bool, StoreError> {
    let set = writer.write(move |connection| {
        let Some(number) = number_of(connection, id)? else { return Ok(false) };
        execute(connection, "DELETE FROM invitations WHERE match = ?1", [number])?;
        if let Some(new) = &invitation {
            invitation_rows::insert(connection, number, &hex(new.hash.0), column(new.expires_at))?;
        }
        Ok(true)
    });
    Ok(set.await?)
}
