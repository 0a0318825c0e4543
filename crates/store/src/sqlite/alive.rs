//! The heartbeat, outages, and deleting what has expired.

use lusoria_play::{LEAVINGS_COUNT_FOR_MS, Millis};
use rusqlite::Connection;

use super::{
    readers::Readers,
    sql::{execute, one, rows},
    text::{column, millis},
    writer::Writer,
};
use crate::{
    CLOSED_REPORTS_KEPT_MS, KEYS_KEPT_MS, Outage, PAST_SANCTIONS_KEPT_MS, REMARKS_KEPT_MS, StoreError,
    TURN_LOSSES_KEPT_MS, model::EXPIRED_KEPT_MS,
};

/// Notes that the server runs, from now on. Returns the time, which is never before one that was noted.
pub(super) async fn note(writer: &Writer, now: Millis) -> Result<Millis, StoreError> {
    let noted = writer.write_unacknowledged(move |connection| note_alive(connection, column(now)));
    millis(noted.await?)
}

/// Notes the same at the start, and the outage before it, during which seeks and challenges wait on.
pub(super) async fn begin(writer: &Writer, now: Millis) -> Result<Millis, StoreError> {
    let begin = writer.write_unacknowledged(move |connection| {
        let outage = "INSERT INTO outages (began_at, ended_at) SELECT at, ?1 FROM alive WHERE at < ?1 \
             ON CONFLICT (ended_at, began_at) DO NOTHING";
        execute(connection, outage, [column(now)])?;
        let prolong = "UPDATE seeks SET expires_at = expires_at + ?1 - alive.at FROM alive \
             WHERE match_id IS NULL AND expires_at > alive.at AND alive.at < ?1";
        execute(connection, prolong, [column(now)])?;
        let prolong = "UPDATE challenges SET expires_at = expires_at + ?1 - alive.at FROM alive \
             WHERE state = 'waiting' AND expires_at > alive.at AND alive.at < ?1";
        execute(connection, prolong, [column(now)])?;
        note_alive(connection, column(now))
    });
    millis(begin.await?)
}

fn note_alive(connection: &Connection, now: i64) -> rusqlite::Result<i64> {
    let note = "INSERT INTO alive (one, at) VALUES (1, ?1) \
         ON CONFLICT (one) DO UPDATE SET at = MAX(at, excluded.at) RETURNING at";
    let (noted,) = one(connection, note, [now])?;
    Ok(noted)
}

/// The outages that ended after `since`.
pub(super) async fn outages(readers: &Readers, since: Millis) -> Result<Vec<Outage>, StoreError> {
    let after = "SELECT began_at, ended_at FROM outages WHERE ended_at > ?1 ORDER BY ended_at, began_at";
    let found: Vec<(i64, i64)> =
        readers.read(move |connection| rows(connection, after, [column(since)])).await?;
    found.into_iter().map(|(from, until)| Ok(Outage { from: millis(from)?, until: millis(until)? })).collect()
}

/// How many rows one write forgets at most, so that turns need not wait long for it.
const SWEEP_MAX: usize = 500;

const SWEEP_KEYS: &str = "DELETE FROM used_keys WHERE (guest_id, key) IN \
     (SELECT guest_id, key FROM used_keys WHERE at < ?1 ORDER BY at LIMIT ?2)";
const SWEEP_CODES: &str = "DELETE FROM device_codes WHERE guest_id IN \
     (SELECT guest_id FROM device_codes WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)";
const SWEEP_SIGN_UP_CODES: &str = "DELETE FROM sign_up_codes WHERE hash IN \
     (SELECT hash FROM sign_up_codes WHERE expires_at <= ?1 LIMIT ?2)";
const SWEEP_INVITATIONS: &str = "DELETE FROM invitations WHERE match IN \
     (SELECT match FROM invitations WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)";
const SWEEP_SEEKS: &str = "DELETE FROM seeks WHERE id IN \
     (SELECT id FROM seeks WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)";
const SWEEP_CHALLENGES: &str = "DELETE FROM challenges WHERE id IN \
     (SELECT id FROM challenges WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)";
const SWEEP_API_TOKENS: &str = "DELETE FROM api_tokens WHERE hash IN \
     (SELECT hash FROM api_tokens WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)";
const SWEEP_SPENT_CHALLENGES: &str = "DELETE FROM spent_challenges WHERE hash IN \
     (SELECT hash FROM spent_challenges WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)";
const SWEEP_OUTAGES: &str = "DELETE FROM outages WHERE (ended_at, began_at) IN \
     (SELECT ended_at, began_at FROM outages WHERE ended_at <= ?1 ORDER BY ended_at LIMIT ?2)";

/// Those of matches that have ended, whenever that was.
const SWEEP_CONDITIONAL_TURNS: &str = "DELETE FROM conditional_turns WHERE (match, guest_id) IN \
     (SELECT match, guest_id FROM conditional_turns JOIN matches ON matches.number = conditional_turns.match \
     WHERE state = 'finished' LIMIT ?2)";

const SWEEP_REMARKS: &str = "DELETE FROM remarks WHERE id IN \
     (SELECT id FROM remarks WHERE said_at <= ?1 ORDER BY said_at LIMIT ?2)";
const SWEEP_REPORTS: &str = "DELETE FROM reports WHERE id IN \
     (SELECT id FROM reports WHERE closed_at <= ?1 ORDER BY closed_at LIMIT ?2)";
const SWEEP_SANCTIONS: &str = "DELETE FROM sanctions WHERE id IN \
     (SELECT id FROM sanctions WHERE until <= ?1 OR read_at <= ?1 LIMIT ?2)";
const SWEEP_LEAVINGS: &str = "DELETE FROM leavings WHERE match IN \
     (SELECT match FROM leavings WHERE left_at <= ?1 ORDER BY left_at LIMIT ?2)";

const SWEEP_TURN_LOSSES: &str = "DELETE FROM turn_losses WHERE (match, seat) IN \
     (SELECT match, seat FROM turn_losses WHERE ended_at <= ?1 ORDER BY ended_at LIMIT ?2)";

/// Forgets what has expired.
pub(super) async fn sweep(writer: &Writer, readers: &Readers, now: Millis) -> Result<(), StoreError> {
    // Read without the writer, because it looks at every unfinished match. That it may be
    // a little old does no harm: matches only move on, and later ones need no earlier outage.
    let oldest = "SELECT MIN(updated_at) FROM match_rows WHERE state <> 'finished'";
    let (oldest,): (Option<i64>,) = readers.read(move |connection| one(connection, oldest, [])).await?;
    let sweeps = [
        (SWEEP_KEYS, column(now.saturating_sub(KEYS_KEPT_MS))),
        (SWEEP_CODES, column(now)),
        (SWEEP_SIGN_UP_CODES, column(now)),
        (SWEEP_INVITATIONS, column(now)),
        (SWEEP_SEEKS, column(now)),
        (SWEEP_CHALLENGES, column(now)),
        (SWEEP_API_TOKENS, column(now.saturating_sub(EXPIRED_KEPT_MS))),
        (SWEEP_SPENT_CHALLENGES, column(now)),
        (SWEEP_CONDITIONAL_TURNS, 0),
        (SWEEP_REMARKS, column(now.saturating_sub(REMARKS_KEPT_MS))),
        (SWEEP_REPORTS, column(now.saturating_sub(CLOSED_REPORTS_KEPT_MS))),
        (SWEEP_SANCTIONS, column(now.saturating_sub(PAST_SANCTIONS_KEPT_MS))),
        (SWEEP_LEAVINGS, column(now.saturating_sub(LEAVINGS_COUNT_FOR_MS))),
        (SWEEP_TURN_LOSSES, column(now.saturating_sub(TURN_LOSSES_KEPT_MS))),
        (SWEEP_OUTAGES, oldest.unwrap_or(column(now))),
    ];
    for (sql, until) in sweeps {
        // As long as there may be more.
        while writer
            .write_unacknowledged(move |connection| execute(connection, sql, (until, SWEEP_MAX)))
            .await?
            == SWEEP_MAX
        {}
    }
    Ok(())
}
