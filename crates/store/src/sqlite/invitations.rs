//! Invitations: at most one for each match.

use futures_util::future::BoxFuture;
use lusoria_play::{MatchId, Millis};
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    creation, failure, invitation_rows,
    text::{column, hex, match_id},
    write::Write,
    writer::Writer,
};
use crate::{Invitation, SecretHash, StoreError};

/// The match of an invitation that is still good.
pub(super) async fn invited_to(
    readers: &SqlitePool,
    code: SecretHash,
    now: Millis,
) -> Result<Option<MatchId>, StoreError> {
    let found: Option<String> =
        sqlx::query_scalar("SELECT match_id FROM invitations WHERE hash = $1 AND expires_at > $2")
            .bind(hex(code.0))
            .bind(column(now))
            .fetch_optional(readers)
            .await
            .map_err(failure::of_read)?;
    found.as_deref().map(match_id).transpose()
}

/// Replaces or withdraws the invitation of a match; false if there is no such match.
pub(super) async fn set(
    writer: &Writer,
    id: MatchId,
    invitation: Option<Invitation>,
) -> Result<bool, StoreError> {
    let set = Set {
        id: id.0.to_string(),
        invitation: invitation.map(|new| (hex(new.hash.0), column(new.expires_at))),
    };
    Ok(writer.write(set).await?)
}

struct Set {
    id: String,
    invitation: Option<(String, i64)>,
}

impl Write for Set {
    type Outcome = bool;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<bool>> {
        Box::pin(async {
            if !creation::is_there(connection, &self.id).await? {
                return Ok(false);
            }
            sqlx::query("DELETE FROM invitations WHERE match_id = $1")
                .bind(&self.id)
                .execute(&mut *connection)
                .await?;
            if let Some((hash, expires_at)) = &self.invitation {
                invitation_rows::insert(connection, &self.id, hash, *expires_at).await?;
            }
            Ok(true)
        })
    }
}
