//! Lists of matches, and which of them are due. Every query walks an index from its start
//! and stops at its limit, however many matches there are.

use lusoria_play::{Level, MatchId, Millis, PlayerId};
use lusoria_rules::Game;
use rusqlite::{Params, ToSql};

use super::{
    match_columns::card,
    readers::Readers,
    sql::{first, one, rows},
    text::{column, corrupt, first_id_of, match_id, millis, seq, state_column},
};
use crate::{Due, MatchFilter, MatchRow, MatchState, Page, Played, StoreError, Unfinished};

/// Sorts after every id: where the first page begins.
const BEFORE_ALL: [u8; 17] = [0xff; 17];

/// The columns of a [`Row`].
macro_rules! columns {
    () => {
        "id, head, updated_at, card, standing"
    };
}
pub(super) use columns;

/// Public matches that also meet `$and`.
macro_rules! listed {
    ($and:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM match_rows WHERE listed = 1 AND state = ?3 AND id < ?1 ",
            $and,
            " ORDER BY id DESC LIMIT ?2"
        )
    };
}

/// Matches in which `?3` has a seat that also meet `$and`; one branch for each seat, so
/// that each can walk the index of its seat.
macro_rules! of_player {
    ($and:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM (SELECT ",
            columns!(),
            " FROM match_rows \
             WHERE seat1 = ?3 AND id < ?1 ",
            $and,
            " ORDER BY id DESC LIMIT ?2) AS one \
             UNION ALL SELECT ",
            columns!(),
            " FROM (SELECT ",
            columns!(),
            " FROM match_rows \
             WHERE seat2 = ?3 AND seat1 <> ?3 AND id < ?1 ",
            $and,
            " ORDER BY id DESC LIMIT ?2) AS two \
             ORDER BY id DESC LIMIT ?2"
        )
    };
}

/// Matches of `?3` that `?6` may see, made since `?4`, of game `?5` or all; `$one` and `$two` say who has the other seat.
macro_rules! played {
    ($one:literal, $two:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM (SELECT ",
            columns!(),
            " FROM match_rows WHERE seat1 = ?3 AND id < ?1 AND ",
            $one,
            " AND (listed = 1 OR seat1 = ?6 OR seat2 = ?6) AND (?5 IS NULL OR game = ?5) \
             ORDER BY id DESC LIMIT ?2) AS one UNION ALL SELECT ",
            columns!(),
            " FROM (SELECT ",
            columns!(),
            " FROM match_rows WHERE seat2 = ?3 AND seat1 <> ?3 AND id < ?1 AND ",
            $two,
            " AND (listed = 1 OR seat1 = ?6 OR seat2 = ?6) AND (?5 IS NULL OR game = ?5) \
             ORDER BY id DESC LIMIT ?2) AS two ORDER BY id DESC LIMIT ?2"
        )
    };
}

const LISTED: &str = listed!("");
const LISTED_OF_GAME: &str = listed!("AND game = ?4");
const OF_PLAYER: &str = of_player!("");
const OF_PLAYER_FINISHED: &str = of_player!("AND state = 'finished'");
// The first condition is that of the indexes of unfinished matches.
const OF_PLAYER_UNFINISHED: &str = of_player!("AND state <> 'finished' AND state = ?4");
const PLAYED: &str = played!("id >= ?4 AND seat2 IS NOT NULL", "id >= ?4");
// The first condition is that of the index of both seats; the plus has SQLite take it.
const PLAYED_AGAINST: &str =
    played!("state <> 'open' AND +id >= ?4 AND seat2 = ?7", "state <> 'open' AND +id >= ?4 AND seat1 = ?7");
const ONE: &str = concat!("SELECT ", columns!(), " FROM match_rows WHERE id = ?1");

const DUE: &str = "SELECT id, at FROM deadlines JOIN matches ON matches.number = deadlines.match \
     WHERE at <= ?1 ORDER BY at, id LIMIT ?2";
const NEXT_DEADLINE: &str = "SELECT MIN(at) FROM deadlines";
const UNFINISHED: &str = "SELECT (SELECT COUNT(*) FROM matches WHERE seat1 = ?1 AND state <> 'finished') \
     + (SELECT COUNT(*) FROM matches WHERE made_by = ?1 AND state <> 'finished')";
// The plus keeps SQLite from walking all matches of the computer.
const UNFINISHED_WITH_COMPUTER: &str = "SELECT \
     (SELECT COUNT(*) FROM matches WHERE seat1 = ?1 AND +seat2 BETWEEN ?2 AND ?3 AND state <> 'finished') \
     + (SELECT COUNT(*) FROM matches WHERE seat2 = ?1 AND +seat1 BETWEEN ?2 AND ?3 AND state <> 'finished') \
     + (SELECT COUNT(*) FROM matches WHERE made_by = ?1 AND state <> 'finished')";
const BY_STATE: &str = "SELECT COUNT(*) FILTER (WHERE state = 'open'), COUNT(*) FILTER (WHERE state = 'live') \
     FROM matches WHERE state <> 'finished'";

const UNFINISHED_AGAINST_ITSELF: &str =
    "SELECT COUNT(*) FROM matches WHERE made_by IS NOT NULL AND state <> 'finished'";

pub(super) type Row = ([u8; 16], i64, i64, Vec<u8>, Option<String>);

/// A page of matches, the newest first.
pub(super) async fn list(
    readers: &Readers,
    filter: MatchFilter,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Page, StoreError> {
    let after = after.map_or_else(|| BEFORE_ALL.to_vec(), |id| id.0.into_bytes().to_vec());
    // One more than asked for tells whether there is another page.
    let more = i64::from(limit) + 1;
    let found = readers.read(move |connection| {
        let page = |sql, params: &[&dyn ToSql]| rows::<Row>(connection, sql, params);
        match filter {
            MatchFilter::Listed { state, game: None } => page(LISTED, &[&after, &more, &state_column(state)]),
            MatchFilter::Listed { state, game: Some(game) } => {
                page(LISTED_OF_GAME, &[&after, &more, &state_column(state), &game.id()])
            }
            MatchFilter::Of { player, state: None } => {
                page(OF_PLAYER, &[&after, &more, &player.0.into_bytes()])
            }
            MatchFilter::Of { player, state: Some(MatchState::Finished) } => {
                page(OF_PLAYER_FINISHED, &[&after, &more, &player.0.into_bytes()])
            }
            MatchFilter::Of { player, state: Some(state @ (MatchState::Open | MatchState::Live)) } => {
                let player = player.0.into_bytes();
                page(OF_PLAYER_UNFINISHED, &[&after, &more, &player, &state_column(state)])
            }
            MatchFilter::Played(Played { player, opponent, game, viewer, from, until }) => {
                let id_at = |at| first_id_of(at).into_bytes().to_vec();
                let before = until.map(id_at).map_or(after.clone(), |until| until.min(after));
                let since = from.map_or_else(Vec::new, id_at);
                let player = player.0.into_bytes();
                let (game, viewer) = (game.map(Game::id), viewer.map(|viewer| viewer.0.into_bytes()));
                match opponent.map(|opponent| opponent.0.into_bytes()) {
                    None => page(PLAYED, &[&before, &more, &player, &since, &game, &viewer]),
                    Some(opponent) => {
                        page(PLAYED_AGAINST, &[&before, &more, &player, &since, &game, &viewer, &opponent])
                    }
                }
            }
        }
    });
    let mut found = found.await?;
    let has_more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let last = found.last().filter(|_| has_more).map(|&(id, ..)| match_id(id));
    Ok(Page { next: last, rows: match_rows(found).await })
}

/// The row of one match.
pub(super) async fn row(readers: &Readers, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
    let found = readers.read(move |connection| first::<Row>(connection, ONE, [id.0.into_bytes()]));
    found.await?.map(match_row).transpose()
}

/// How many matches a guest has made that have not ended.
pub(super) async fn unfinished_created_by(readers: &Readers, guest: PlayerId) -> Result<u32, StoreError> {
    count(readers, UNFINISHED, [guest.0.into_bytes()]).await
}

/// How many matches that have not ended the computer plays against a guest, or in their place.
pub(super) async fn unfinished_with_computer(readers: &Readers, guest: PlayerId) -> Result<u32, StoreError> {
    let [first, .., last] = Level::ALL.map(|level| level.player_id().0.into_bytes());
    count(readers, UNFINISHED_WITH_COMPUTER, (guest.0.into_bytes(), first, last)).await
}

/// How many matches that have not ended the computer plays against itself.
pub(super) async fn unfinished_against_itself(readers: &Readers) -> Result<u32, StoreError> {
    count(readers, UNFINISHED_AGAINST_ITSELF, []).await
}

/// How many matches have not ended. One of the indexes of unfinished matches answers it.
pub(super) async fn unfinished(readers: &Readers) -> Result<Unfinished, StoreError> {
    let (open, live) = readers.read(|connection| one(connection, BY_STATE, [])).await?;
    Ok(Unfinished { open, live })
}

async fn count(
    readers: &Readers,
    sql: &'static str,
    params: impl Params + Send + 'static,
) -> Result<u32, StoreError> {
    let (count,) = readers.read(move |connection| one(connection, sql, params)).await?;
    Ok(count)
}

/// Matches whose deadline is at or before `now`.
pub(super) async fn due(readers: &Readers, now: Millis, limit: u32) -> Result<Vec<Due>, StoreError> {
    let found: Vec<([u8; 16], i64)> =
        readers.read(move |connection| rows(connection, DUE, (column(now), limit))).await?;
    found.into_iter().map(|(id, at)| Ok(Due { id: match_id(id), at: millis(at)? })).collect()
}

/// The earliest deadline.
pub(super) async fn next_deadline(readers: &Readers) -> Result<Option<Millis>, StoreError> {
    let (found,): (Option<i64>,) = readers.read(|connection| one(connection, NEXT_DEADLINE, [])).await?;
    found.map(millis).transpose()
}

/// How many rows are read before others get their turn on the thread.
const ROWS_AT_ONCE: usize = 16;

/// Reads the rows of a list. One that cannot be read is left out: the rest is still good.
pub(super) async fn match_rows(found: Vec<Row>) -> Vec<MatchRow> {
    let mut rows = Vec::with_capacity(found.len());
    for (n, row) in found.into_iter().enumerate() {
        if n % ROWS_AT_ONCE == ROWS_AT_ONCE - 1 {
            tokio::task::yield_now().await;
        }
        match match_row(row) {
            Ok(row) => rows.push(row),
            Err(error) => {
                tracing::error!(%error, "could not read the row of a match; leaving it out of a list");
            }
        }
    }
    rows
}

fn match_row((id, head, updated_at, shown, standing): Row) -> Result<MatchRow, StoreError> {
    let id = match_id(id);
    let card = card(&shown, standing.as_deref(), updated_at)
        .map_err(|error| corrupt(format_args!("the card of match {}: {error}", id.0)))?;
    Ok(MatchRow { id, head: seq(head)?, card })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, open::open, sql};

    /// The cost of a list does not depend on the number of matches.
    #[test]
    fn every_list_walks_an_index_in_its_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = open(&folder.path().join("test.db"), &SqliteOptions::default()).expect("opened");
        for (sql, expected) in [
            (LISTED, vec!["INDEX matches_listed (state=? AND id<?)"]),
            (LISTED_OF_GAME, vec!["INDEX matches_listed_game (state=? AND game=? AND id<?)"]),
            (
                OF_PLAYER,
                vec!["INDEX matches_seat1 (seat1=? AND id<?)", "INDEX matches_seat2 (seat2=? AND id<?)"],
            ),
            (
                OF_PLAYER_FINISHED,
                vec!["INDEX matches_seat1 (seat1=? AND id<?)", "INDEX matches_seat2 (seat2=? AND id<?)"],
            ),
            (
                OF_PLAYER_UNFINISHED,
                vec![
                    "INDEX matches_seat1_unfinished (seat1=? AND id<?)",
                    "INDEX matches_seat2_unfinished (seat2=? AND id<?)",
                ],
            ),
            (
                PLAYED,
                vec![
                    "INDEX matches_seat1 (seat1=? AND id>? AND id<?)",
                    "INDEX matches_seat2 (seat2=? AND id>? AND id<?)",
                ],
            ),
            (PLAYED_AGAINST, vec!["INDEX matches_pair (seat1=? AND seat2=? AND id<?)"]),
            (DUE, vec!["INDEX deadlines_at (at<?)"]),
            (NEXT_DEADLINE, vec!["COVERING INDEX deadlines_at"]),
            (
                UNFINISHED,
                vec![
                    "COVERING INDEX matches_seat1_unfinished (seat1=?)",
                    "COVERING INDEX matches_made_by_unfinished (made_by=?)",
                ],
            ),
            (
                UNFINISHED_WITH_COMPUTER,
                vec![
                    "INDEX matches_seat1_unfinished (seat1=?)",
                    "INDEX matches_seat2_unfinished (seat2=?)",
                    "COVERING INDEX matches_made_by_unfinished (made_by=?)",
                ],
            ),
            (UNFINISHED_AGAINST_ITSELF, vec!["COVERING INDEX matches_made_by_unfinished (made_by>?)"]),
        ] {
            let steps = sql::plan(&opened.writer, sql);
            for index in expected {
                assert!(steps.iter().any(|step| step.ends_with(index)), "{sql}\n{index}\n{steps:#?}");
            }
            // Sorting is right only for the two limited halves of a page, and among equal deadlines.
            let sorts = |step: &str| step.contains("TEMP B-TREE") && !step.contains("FOR LAST TERM");
            let sorted = steps.windows(2).filter(|pair| sorts(&pair[1]));
            for pair in sorted {
                assert!(matches!(pair[0].as_str(), "SCAN one" | "SCAN two"), "{sql}\n{steps:#?}");
            }
        }
    }
}
