//! What the operator asks for: guests by name, blocking, deleting, statistics.
//! Deleting goes through the writer like every other write.

use lusoria_play::{MatchId, Millis, PlayerId, Recorded};
use rusqlite::Connection;

use super::{
    events,
    guest_rows::{GuestRow, forget_code, guest},
    lists::{Row, columns, match_rows},
    match_columns::card_column,
    packing,
    readers::Readers,
    sql::{execute, exists, first, one, rows},
    text::{column, corrupt, first_id_of, match_id, state},
    writer::Writer,
};
use crate::{
    Card, Guest, KeyPurpose, MatchesOfGame, Page, Recent, SecretKey, Statistics, StoreError, Version,
};

/// Sorts before every id.
const BEFORE_ALL: [u8; 0] = [];

const NAMED: &str = "SELECT id, name, kind, created_at, blocked_at FROM guests WHERE name = ?1 \
     ORDER BY created_at DESC, id DESC LIMIT ?2";

const MATCHES_OF: &str = "SELECT id FROM (\
     SELECT id FROM (SELECT id FROM matches WHERE seat1 = ?1 AND id > ?2 ORDER BY id LIMIT ?3) AS one \
     UNION SELECT id FROM (SELECT id FROM matches WHERE seat2 = ?1 AND id > ?2 ORDER BY id LIMIT ?3) AS two \
     UNION SELECT id FROM (SELECT id FROM matches WHERE made_by = ?1 AND id > ?2 ORDER BY id LIMIT ?3) AS made\
     ) AS theirs ORDER BY id LIMIT ?3";

const STALE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM match_rows WHERE state <> 'finished' AND updated_at < ?1 AND id > ?2 ORDER BY id LIMIT ?3"
);

/// Finds at most `limit` guests with that name.
pub(super) async fn guests_named(
    readers: &Readers,
    name: String,
    limit: u32,
) -> Result<Vec<Guest>, StoreError> {
    let found = readers.read(move |connection| rows::<GuestRow>(connection, NAMED, (name, limit)));
    found.await?.into_iter().map(guest).collect()
}

/// Matches in which a guest has a seat or which they made.
pub(super) async fn matches_of(
    readers: &Readers,
    guest: PlayerId,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    let range = (guest.0.into_bytes(), begin_after(after), limit);
    let ids: Vec<([u8; 16],)> = readers.read(move |connection| rows(connection, MATCHES_OF, range)).await?;
    Ok(ids.into_iter().map(|(id,)| match_id(id)).collect())
}

/// Unfinished matches that have not changed since `before`.
pub(super) async fn stale(
    readers: &Readers,
    before: Millis,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Page, StoreError> {
    let range = (column(before), begin_after(after), limit);
    let found: Vec<Row> = readers.read(move |connection| rows(connection, STALE, range)).await?;
    let last = found.last().filter(|_| found.len() == limit as usize).map(|&(id, ..)| match_id(id));
    Ok(Page { next: last, rows: match_rows(found).await })
}

fn begin_after(after: Option<MatchId>) -> Vec<u8> {
    after.map_or_else(|| BEFORE_ALL.to_vec(), |id| id.0.into_bytes().to_vec())
}

const GUESTS: &str = "SELECT COUNT(*) FILTER (WHERE kind = 'person'), COUNT(*) FILTER (WHERE kind = 'bot'), \
     COUNT(blocked_at) FROM guests";
const BY_GAME: &str = "SELECT game, state, COUNT(*), SUM(head) FROM match_rows GROUP BY game, state";
const RECENT: &str = "SELECT (SELECT COUNT(*) FROM guests WHERE created_at >= ?1 AND kind <> 'computer'), \
     (SELECT COUNT(*) FROM matches WHERE id >= ?2), (SELECT COUNT(*) FROM match_rows WHERE updated_at >= ?1)";
const BYTES: &str = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";

/// How much there is of everything. It reads every row of `matches` and `guests`.
pub(super) async fn statistics(readers: &Readers, since: Vec<Millis>) -> Result<Statistics, StoreError> {
    // Only one connection: the others stay free for players.
    let counts = readers.read(move |connection| {
        let guests: (u64, u64, u64) = one(connection, GUESTS, [])?;
        let matches: Vec<(String, String, u64, u64)> = rows(connection, BY_GAME, [])?;
        let recent = |since| {
            let newer = (column(since), first_id_of(since).into_bytes());
            let (guests, made, touched) = one(connection, RECENT, newer)?;
            Ok(Recent { since, guests, made, touched })
        };
        let recent = since.into_iter().map(recent).collect::<rusqlite::Result<Vec<_>>>()?;
        let (bytes,): (u64,) = one(connection, BYTES, [])?;
        Ok((guests, matches, recent, bytes))
    });
    let ((people, bots, blocked), matches, recent, bytes) = counts.await?;
    let of_game = |(game, name, matches, events): (String, String, u64, u64)| {
        let game = game.parse().map_err(|error: lusoria_rules::UnknownGame| corrupt(error))?;
        Ok(MatchesOfGame { game, state: state(&name)?, matches, events })
    };
    let mut matches = matches.into_iter().map(of_game).collect::<Result<Vec<_>, StoreError>>()?;
    matches.sort_by_key(|of| (of.game.id(), of.state));
    Ok(Statistics { people, bots, blocked, matches, bytes, recent })
}

/// Notes since when a guest is blocked; false if there is none or they leave.
pub(super) async fn set_blocked(
    writer: &Writer,
    id: PlayerId,
    since: Option<Millis>,
) -> Result<bool, StoreError> {
    let id = id.0.to_string();
    let set = writer.write(move |connection| {
        let set = "UPDATE guests SET blocked_at = ?1 WHERE id = ?2 \
             AND NOT EXISTS (SELECT 1 FROM departures WHERE guest_id = ?2)";
        let is_set = execute(connection, set, (since.map(column), &id))? == 1;
        if since.is_some() {
            forget_code(connection, &id)?;
        }
        Ok(is_set)
    });
    Ok(set.await?)
}

/// Deletes a guest with everything that is theirs alone; false if there is none.
pub(super) async fn forget_guest(writer: &Writer, id: PlayerId) -> Result<bool, StoreError> {
    let id = id.0.to_string();
    let forget = writer.write(move |connection| {
        for sql in [
            "DELETE FROM push_subscriptions WHERE guest_id = ?1",
            "DELETE FROM tokens WHERE guest_id = ?1",
            "DELETE FROM device_codes WHERE guest_id = ?1",
            "DELETE FROM used_keys WHERE guest_id = ?1",
            "DELETE FROM seeks WHERE guest_id = ?1",
            "DELETE FROM blocks WHERE guest_id = ?1 OR blocked_id = ?1",
            "DELETE FROM follows WHERE guest_id = ?1 OR followed_id = ?1",
            "DELETE FROM challenges WHERE challenger_id = ?1 OR challenged_id = ?1",
            "DELETE FROM challenge_settings WHERE guest_id = ?1",
            "DELETE FROM recovery_codes WHERE guest_id = ?1",
            "DELETE FROM api_tokens WHERE guest_id = ?1",
            "DELETE FROM passkeys WHERE guest_id = ?1",
            "DELETE FROM accounts WHERE guest_id = ?1",
        ] {
            execute(connection, sql, [&id])?;
        }
        Ok(execute(connection, "DELETE FROM guests WHERE id = ?1 AND kind <> 'computer'", [&id])? == 1)
    });
    Ok(forget.await?)
}

/// Replaces events of a match and its card; false if its version is another.
pub(super) async fn rewrite(
    writer: &Writer,
    id: MatchId,
    of: Version,
    events: Vec<Recorded>,
    card: &Card,
) -> Result<bool, StoreError> {
    let card = card_column(card);
    let rewrite = writer.write(move |connection| {
        let with_version = "SELECT number FROM match_rows WHERE id = ?1 AND head = ?2 AND rewritten = ?3";
        let found = first(connection, with_version, (id.0.into_bytes(), of.head, of.edition))?;
        let Some((number,)) = found else { return Ok(false) };
        packing::put_back(connection, number)?;
        let update = "UPDATE matches SET card = ?1, rewritten = rewritten + 1 WHERE number = ?2";
        execute(connection, update, (card.as_bytes(), number))?;
        for event in &events {
            events::replace(connection, id, number, event)?;
        }
        Ok(true)
    });
    Ok(rewrite.await?)
}

/// Forgets a match that has ended, with all that belongs to it; false if there is none.
pub(super) async fn forget_match(writer: &Writer, id: MatchId, head: u32) -> Result<bool, StoreError> {
    let forget = writer.write(move |connection| {
        let Some(number) = with_head(connection, id, head)? else { return Ok(false) };
        let ended = "SELECT 1 FROM matches WHERE number = ?1 AND state = 'finished'";
        if !exists(connection, ended, [number])? {
            return Ok(false);
        }
        events::delete(connection, number)?;
        for sql in [
            "DELETE FROM used_keys WHERE match = ?1",
            "DELETE FROM invitations WHERE match = ?1",
            "DELETE FROM analyses WHERE match = ?1",
            "DELETE FROM secrets WHERE match = ?1",
            "DELETE FROM deadlines WHERE match = ?1",
            "DELETE FROM settling WHERE match = ?1",
            "DELETE FROM packed WHERE match = ?1",
            "DELETE FROM matches WHERE number = ?1",
        ] {
            execute(connection, sql, [number])?;
        }
        Ok(true)
    });
    Ok(forget.await?)
}

/// The number of a match that has that head.
fn with_head(connection: &Connection, id: MatchId, head: u32) -> rusqlite::Result<Option<i64>> {
    let select = "SELECT number FROM match_rows WHERE id = ?1 AND head = ?2";
    Ok(first(connection, select, (id.0.into_bytes(), head))?.map(|(number,)| number))
}

/// The server's key for a purpose: `made` if there was none.
pub(super) async fn server_key(
    writer: &Writer,
    purpose: KeyPurpose,
    made: SecretKey,
) -> Result<SecretKey, StoreError> {
    let key = writer.write(move |connection| {
        let insert =
            "INSERT INTO server_keys (purpose, key) VALUES (?1, ?2) ON CONFLICT (purpose) DO NOTHING";
        execute(connection, insert, (purpose.name(), &made.0))?;
        let (key,): (Vec<u8>,) =
            one(connection, "SELECT key FROM server_keys WHERE purpose = ?1", [purpose.name()])?;
        Ok(key)
    });
    Ok(SecretKey(key.await?))
}
