//! Invitations: at most one for each match.

use lusoria_play::{MatchId, Millis};

use super::{
    creation, invitation_rows,
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
    let good = "SELECT match_id FROM invitations WHERE hash = ?1 AND expires_at > ?2";
    let found: Option<(String,)> =
        readers.read(move |connection| first(connection, good, (hex(code.0), column(now)))).await?;
    found.map(|(id,)| match_id(&id)).transpose()
}

/// Replaces or withdraws the invitation of a match; false if there is no such match.
pub(super) async fn set(
    writer: &Writer,
    id: MatchId,
    invitation: Option<Invitation>,
) -> Result<bool, StoreError> {
    let id = id.0.to_string();
    let set = writer.write(move |connection| {
        if !creation::is_there(connection, &id)? {
            return Ok(false);
        }
        execute(connection, "DELETE FROM invitations WHERE match_id = ?1", [&id])?;
        if let Some(new) = &invitation {
            invitation_rows::insert(connection, &id, &hex(new.hash.0), column(new.expires_at))?;
        }
        Ok(true)
    });
    Ok(set.await?)
}
