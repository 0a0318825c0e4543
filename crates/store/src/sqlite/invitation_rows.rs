//! Rows of `invitations`, as a match that is made or joined writes and deletes them.

use sqlx::SqliteConnection;

/// Whether the invitation can be spent on that match at that time.
pub(super) async fn is_good(
    connection: &mut SqliteConnection,
    hash: &str,
    id: &str,
    now: i64,
) -> sqlx::Result<bool> {
    let found: Option<String> = sqlx::query_scalar(
        "SELECT match_id FROM invitations WHERE hash = $1 AND match_id = $2 AND expires_at > $3",
    )
    .bind(hash)
    .bind(id)
    .bind(now)
    .fetch_optional(connection)
    .await?;
    Ok(found.is_some())
}

pub(super) async fn insert(
    connection: &mut SqliteConnection,
    id: &str,
    hash: &str,
    expires_at: i64,
) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO invitations (match_id, hash, expires_at) VALUES ($1, $2, $3)")
        .bind(id)
        .bind(hash)
        .bind(expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn delete(connection: &mut SqliteConnection, hash: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM invitations WHERE hash = $1").bind(hash).execute(connection).await?;
    Ok(())
}
