//! Rows of `guests`, as several modules read and check them.

use lusoria_play::PlayerId;
use sqlx::SqliteConnection;

use super::text::{millis, player_id, player_kind};
use crate::{Guest, StoreError};

/// A row of `guests`.
pub(super) type GuestRow = (String, String, String, i64, Option<i64>);

/// The guest of a row.
pub(super) fn guest((id, name, kind, created_at, blocked_at): GuestRow) -> Result<Guest, StoreError> {
    let id = player_id(&id)?;
    let (kind, created_at) = (player_kind(id, &kind)?, millis(created_at)?);
    Ok(Guest { id, name, kind, created_at, blocked_at: blocked_at.map(millis).transpose()? })
}

/// Finds the first of them that is not a guest, or is blocked.
pub(super) async fn first_gone(
    connection: &mut SqliteConnection,
    ids: &[PlayerId],
) -> sqlx::Result<Option<PlayerId>> {
    for id in ids {
        let there: Option<i64> =
            sqlx::query_scalar("SELECT 1 FROM guests WHERE id = $1 AND blocked_at IS NULL")
                .bind(id.0.to_string())
                .fetch_optional(&mut *connection)
                .await?;
        if there.is_none() {
            return Ok(Some(*id));
        }
    }
    Ok(None)
}

/// Deletes the device code of a guest, if they have one.
pub(super) async fn forget_code(connection: &mut SqliteConnection, guest: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM device_codes WHERE guest_id = $1").bind(guest).execute(connection).await?;
    Ok(())
}
