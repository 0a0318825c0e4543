//! The journal in a file: a turn adds a row at its end, and a trigger keeps which is the newest of each match, and the
//! deadlines.

use std::{ops::Range, sync::LazyLock};

use lusoria_play::{MatchId, Recorded};
use sqlx::Error;

use super::{
    match_columns::standing,
    packed::{self, note_settling},
};
use crate::{
    Card, MatchState, StoreError,
    append_row::AppendRow,
    error::Refused,
    match_rows::{NewRow, PlainAppend},
    sql::{
        Done, Statement, Tx, Undo, args, first_refused,
        value::{AnyRow, Column, Value, undecodable},
    },
};

/// How many rows the statements of appends have. A batch takes the next one that is large enough, and fills it up with
/// rows of nothing: so few texts stay prepared, and a batch is one statement, whose way to the thread of the connection
/// and back costs more than empty rows.
const ROWS: [usize; 13] = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256];

/// The columns of a row.
const COLUMNS: usize = 12;

/// For each number of rows its statement. Plain `?` take no search for their names, which `$1` would.
static APPEND: LazyLock<[&'static str; ROWS.len()]> = LazyLock::new(|| {
    ROWS.map(|rows| {
        let values = ["(?,?,?,?,?,?,?,?,?,?,?,?)"].repeat(rows).join(",");
        let is_turn = "m.state = a.state AND m.listed = a.listed AND NOT (m.seat2 IS DISTINCT FROM a.seat2)";
        let sql = format!(
            "WITH a (id, head, edition, state, listed, seat2, last, at, events, standing, deadline, counts) \
             AS (VALUES {values}) \
             INSERT INTO journal (match, before, first, last, at, events, standing, deadline, counts) \
             SELECT m.number, n.arrival, a.head + 1, a.last, a.at, a.events, \
                 CASE WHEN {is_turn} THEN a.standing END, a.deadline, a.counts \
             FROM a CROSS JOIN matches AS m LEFT JOIN newest AS n ON n.match = m.number \
             WHERE m.id = a.id AND COALESCE(n.last, m.packed) = a.head AND m.edition = a.edition \
             AND (a.state = 'finished' OR {is_turn}) AND (SELECT era FROM cluster) = ?"
        );
        &*sql.leak()
    })
});

/// Which of the rows of a statement were added, by where they are.
const ADDED: &str =
    "SELECT matches.id FROM journal JOIN matches ON number = match WHERE arrival > $1 AND arrival <= $2";

/// Whether an append can change more than the journal.
pub(super) fn can_end_match(entry: &PlainAppend) -> bool {
    entry.shown.state == MatchState::Finished
}

/// Writes those of some plain appends, to different matches and of one era, that are to a match with the expected
/// version, and are turns or end it. Returns for each whether it was written. The last one, if it is a turn, can set the
/// number of the commit.
pub(super) async fn append_plain(
    tx: &mut Tx,
    entries: &[&PlainAppend],
    commit: Option<u64>,
) -> Result<Vec<bool>, Error> {
    let Some(first) = entries.first() else { return Ok(Vec::new()) };
    let form = ROWS.iter().position(|rows| *rows >= entries.len()).expect("a batch has no more");
    let mut values = Vec::with_capacity(ROWS[form] * COLUMNS + 1);
    for (n, entry) in entries.iter().enumerate() {
        let (shown, events) = (&entry.shown, &entry.events);
        values.extend(args![
            entry.id,
            entry.of.head,
            entry.of.edition,
            shown.state,
            shown.listed,
            shown.seat2,
            events.last,
            events.at,
            &events.events,
            standing(&shown.card),
            shown.deadline,
            commit.filter(|_| n + 1 == entries.len()),
        ]);
    }
    values.resize(ROWS[form] * COLUMNS, Value::Integer(None));
    values.extend(args![first.era.0]);
    let done = tx.run_all(vec![Statement::new(APPEND[form], values)]).await?;
    let (count, newest) = done.first().map_or((0, None), |append| (append.changed(), append.last_number()));
    let written = if count == entries.len() as u64 {
        vec![true; entries.len()]
    } else {
        let newest = newest.unwrap_or(0);
        let since = newest - i64::try_from(count).unwrap_or(0);
        match (which_are_added(tx, entries, since..newest, commit).await, commit) {
            (Ok(written), _) => written,
            (Err(error), None) => return Err(error),
            // Those that were written are committed.
            (Err(error), Some(_)) => {
                return Err(Error::Protocol(format!("which turns are committed is unknown: {error}")));
            }
        }
    };
    if commit.is_none() {
        for (entry, _) in entries.iter().zip(&written).filter(|(_, is_written)| **is_written) {
            if can_end_match(entry) {
                change_row(tx, entry).await?;
            }
        }
    }
    Ok(written)
}

/// Tells which appends were added, after one arrival and up to another. If the one that was to count the commit is not
/// among them, counts it.
async fn which_are_added(
    tx: &mut Tx,
    entries: &[&PlainAppend],
    arrivals: Range<i64>,
    commit: Option<u64>,
) -> Result<Vec<bool>, Error> {
    if arrivals.is_empty() {
        return Ok(vec![false; entries.len()]);
    }
    let added: Vec<MatchId> = tx.all(ADDED, args![arrivals.start, arrivals.end]).await?;
    let written: Vec<bool> = entries.iter().map(|entry| added.contains(&entry.id)).collect();
    if let Some(commit) = commit
        && written.last() == Some(&false)
    {
        tx.execute(COUNT_COMMIT, args![commit]).await?;
    }
    Ok(written)
}

/// Sets the number of the last commit.
pub(super) const COUNT_COMMIT: &str = "UPDATE commits SET number = $1";

/// Writes a plain append for itself, in a transaction that must be undone if it is refused.
pub(super) async fn append_alone(tx: &mut Tx, append: &PlainAppend) -> Done<Result<(), Refused>> {
    if let Some(refused) = first_refused(tx, append.checks()).await? {
        return Err(Undo::With(Err(refused)));
    }
    write(tx, append).await?;
    Ok(Ok(()))
}

/// Writes an append to a match that has its version.
pub(crate) async fn write(tx: &mut Tx, entry: &PlainAppend) -> Result<(), Error> {
    let (shown, events) = (&entry.shown, &entry.events);
    let insert = "INSERT INTO journal (match, before, first, last, at, events, standing, deadline) \
         SELECT number, arrival, $2, $3, $4, $5, \
         CASE WHEN state = $6 AND listed = $7 AND NOT (seat2 IS DISTINCT FROM $8) THEN $9 END, $10 \
         FROM matches LEFT JOIN newest ON match = number WHERE id = $1";
    let args = args![
        entry.id,
        events.first,
        events.last,
        events.at,
        &events.events,
        shown.state,
        shown.listed,
        shown.seat2,
        standing(&shown.card),
        shown.deadline,
    ];
    tx.queue(insert, args).await?;
    change_row(tx, entry).await
}

/// Writes what an append changes of the row of its match: nothing if it is a turn. Tells the packer of its end.
async fn change_row(tx: &mut Tx, entry: &PlainAppend) -> Result<(), Error> {
    let (shown, at) = (&entry.shown, entry.events.at);
    let update = "UPDATE matches SET state = $2, listed = $3, seat2 = $4, updated_at = $5, card = $6 \
         WHERE id = $1 AND (state <> $2 OR listed <> $3 OR seat2 IS DISTINCT FROM $4)";
    let card = shown.card.to_json().into_bytes();
    tx.queue(update, args![entry.id, shown.state, shown.listed, shown.seat2, at, card]).await?;
    note_settling(tx, entry.id, shown.state == MatchState::Finished, at).await
}

/// Stores the row and the events of a new match.
pub(crate) async fn create(tx: &mut Tx, new: &NewRow) -> Result<(), Error> {
    let (shown, events) = (&new.shown, &new.events);
    let insert_row = "INSERT INTO matches (id, game, state, listed, seat1, seat2, made_by, updated_at, card) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let row = args![
        new.id,
        shown.card.game(),
        shown.state,
        shown.listed,
        shown.seat1,
        shown.seat2,
        new.made_by,
        events.at,
        shown.card.to_json().into_bytes(),
    ];
    tx.queue(insert_row, row).await?;
    insert(tx, new.id, events, None, shown.deadline).await?;
    if shown.state == MatchState::Finished {
        note_settling(tx, new.id, true, events.at).await?;
    }
    Ok(())
}

/// Adds an append to the journal of a match, behind its newest one, with what lists show of it if the row of the match
/// does not say so.
pub(super) async fn insert(
    tx: &mut Tx,
    id: MatchId,
    append: &AppendRow,
    standing: Option<&str>,
    deadline: Option<u64>,
) -> Result<(), Error> {
    let insert = "INSERT INTO journal (match, before, first, last, at, events, standing, deadline) \
         SELECT number, arrival, $2, $3, $4, $5, $6, $7 FROM matches LEFT JOIN newest ON match = number \
         WHERE id = $1";
    let AppendRow { first, last, at, events } = append;
    tx.queue(insert, args![id, *first, *last, *at, events, standing, deadline]).await
}

/// Appends in order. A row costs more than what is in it, so they come as one text, a line for each: `first`, `last`,
/// `at` and `events`, in which there is no end of a line, because they are JSON.
struct Lines(Vec<AppendRow>);

impl Column for Lines {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        let text: Option<String> = row.get(index)?;
        let append = |line: &str| {
            let mut parts = line.splitn(4, ' ');
            let mut number = || parts.next()?.parse().ok();
            let (first, last, at) = (number()?, number()?, number()?);
            Some(AppendRow { first, last, at, events: parts.next()?.to_owned() })
        };
        let appends: Option<Vec<AppendRow>> = text.unwrap_or_default().lines().map(append).collect();
        appends.map(Self).ok_or_else(|| undecodable("the journal has a line that is no append"))
    }
}

/// The appends of a match with events after number `$2`, by their numbers: each names the one before it, which came
/// earlier.
macro_rules! back_from_newest {
    ($number:literal) => {
        concat!(
            "WITH RECURSIVE back (arrival, before, last) AS (\
                 SELECT j.arrival, j.before, j.last FROM newest JOIN journal AS j ON j.arrival = newest.arrival \
                 WHERE newest.match = ",
            $number,
            " AND j.last > $2 \
                 UNION ALL SELECT j.arrival, j.before, j.last FROM back JOIN journal AS j ON j.arrival = back.before \
                 WHERE j.last > $2 AND j.arrival < back.arrival\
             ) "
        )
    };
}

/// At most `$3` of them, as [`Lines`].
macro_rules! lines {
    () => {
        "SELECT group_concat(first || ' ' || last || ' ' || at || ' ' || events, char(10) ORDER BY last) \
         FROM (SELECT arrival FROM back ORDER BY last LIMIT $3) AS b JOIN journal AS j ON j.arrival = b.arrival"
    };
}

const AFTER: &str = concat!(back_from_newest!("$1"), lines!());
/// The same with the packed part and the edition of the match: one statement, so all is of one state of the database.
const OF_MATCH: &str = concat!(
    back_from_newest!("(SELECT number FROM matches WHERE id = $1)"),
    "SELECT number, packed, edition, (",
    lines!(),
    ") FROM matches WHERE id = $1"
);

/// Reads at most `limit` appends of a match that are not packed, with events after number `since`, in order.
pub(crate) async fn appends_after(
    tx: &mut Tx,
    number: i64,
    since: u32,
    limit: u32,
) -> Result<Vec<AppendRow>, Error> {
    let Lines(found) = tx.one(AFTER, args![number, since, limit]).await?;
    if has_gap(&found, since) {
        return Err(undecodable(format!("the journal of match number {number} has a gap")));
    }
    Ok(found)
}

/// Whether some of the appends after number `since` are missing.
fn has_gap(appends: &[AppendRow], since: u32) -> bool {
    appends.windows(2).any(|two| two[0].last + 1 != two[1].first)
        || appends.first().is_some_and(|first| first.first > i64::from(since) + 1)
}

/// Reads at most `limit` appends with events after number `since`, in order, and the edition of the match.
pub(crate) async fn appends(
    tx: &mut Tx,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<(u32, Vec<AppendRow>), Error> {
    let found = tx.first(OF_MATCH, args![id, since, limit]).await?;
    let Some((number, packed_until, edition, Lines(appends))) = found else { return Ok((0, Vec::new())) };
    let packed_until: u32 = packed_until;
    if since >= packed_until {
        if has_gap(&appends, since) {
            return Err(undecodable(format!("the journal of match {} has a gap", id.0)));
        }
        return Ok((edition, appends));
    }
    // One state of the database: between two queries a match could be packed.
    tx.queue("BEGIN", args![]).await?;
    let read = all_appends_after(tx, number, since, limit).await;
    tx.end_reading(read).await
}

/// As [`appends`], packed ones too, in the present transaction.
async fn all_appends_after(
    tx: &mut Tx,
    number: i64,
    since: u32,
    limit: u32,
) -> Result<(u32, Vec<AppendRow>), Error> {
    let edition = tx.one("SELECT edition FROM matches WHERE number = $1", args![number]).await?;
    let mut appends = packed::read(tx, number).await?;
    let packed_until = appends.last().map_or(0, |append| append.last);
    appends.retain(|append| append.last > i64::from(since));
    let since = since.max(u32::try_from(packed_until).unwrap_or(u32::MAX));
    appends.extend(appends_after(tx, number, since, limit).await?);
    Ok((edition, appends))
}

/// Deletes all events of a match.
///
/// # Errors
/// If some are not where they should be: they would stay.
pub(crate) async fn forget(tx: &mut Tx, id: MatchId) -> Result<(), Error> {
    let select = "SELECT number, packed FROM matches WHERE id = $1";
    let (number, packed): (i64, u32) = tx.one(select, args![id]).await?;
    appends_after(tx, number, packed, u32::MAX).await?;
    delete(tx, number).await?;
    for sql in ["DELETE FROM packed WHERE match = $1", "DELETE FROM settling WHERE match = $1"] {
        tx.queue(sql, args![number]).await?;
    }
    Ok(())
}

/// Deletes the journal of a match; not what is packed of it.
pub(crate) async fn delete(tx: &mut Tx, number: i64) -> Result<(), Error> {
    let delete =
        concat!(back_from_newest!("$1"), "DELETE FROM journal WHERE arrival IN (SELECT arrival FROM back)");
    tx.queue(delete, args![number, 0_u32]).await?;
    tx.queue("DELETE FROM newest WHERE match = $1", args![number]).await
}

/// Replaces the card and events of a match that has its version: another edition. An error that is not the
/// database's tells what is wrong with the events.
pub(crate) async fn replace(
    tx: &mut Tx,
    id: MatchId,
    events: &[Recorded],
    card: &Card,
) -> Result<Result<(), StoreError>, Error> {
    let number: i64 = tx.one("SELECT number FROM matches WHERE id = $1", args![id]).await?;
    put_back(tx, number).await?;
    for event in events {
        let found = appends_after(tx, number, event.seq.saturating_sub(1), 1).await?;
        let Some(append) = found.into_iter().next() else {
            return Ok(Err(StoreError::Failed(format!("match {} has no event {}", id.0, event.seq))));
        };
        let last = append.last;
        let AppendRow { events, .. } = match append.replaced(id, event) {
            Ok(replaced) => replaced,
            Err(error) => return Ok(Err(error)),
        };
        let update = concat!(
            back_from_newest!("$1"),
            "UPDATE journal SET events = $4 WHERE arrival = (SELECT arrival FROM back WHERE last = $3)"
        );
        tx.queue(update, args![number, event.seq.saturating_sub(1), last, events]).await?;
    }
    let update = "UPDATE matches SET card = $2, edition = edition + 1 WHERE number = $1";
    tx.queue(update, args![number, card.to_json().into_bytes()]).await?;
    Ok(Ok(()))
}

/// Puts the events of a packed match back into the journal, so that they can be changed.
async fn put_back(tx: &mut Tx, number: i64) -> Result<(), Error> {
    let mut appends = packed::read(tx, number).await?;
    let Some(newest) = appends.last() else { return Ok(()) };
    let since = u32::try_from(newest.last).unwrap_or(u32::MAX);
    let now = "SELECT id, standing, state = 'finished', updated_at, \
         (SELECT at FROM deadlines WHERE match = id) FROM match_rows WHERE number = $1";
    let (id, standing, has_ended, at, deadline): (_, Option<String>, bool, i64, Option<u64>) =
        tx.one(now, args![number]).await?;
    appends.extend(appends_after(tx, number, since, u32::MAX).await?);
    delete(tx, number).await?;
    for append in &appends {
        insert(tx, id, append, standing.as_deref(), deadline).await?;
    }
    tx.queue("DELETE FROM packed WHERE match = $1", args![number]).await?;
    tx.queue("UPDATE matches SET packed = 0 WHERE number = $1", args![number]).await?;
    note_settling(tx, id, has_ended, at).await
}
