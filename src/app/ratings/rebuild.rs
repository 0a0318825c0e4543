//! Computes all ratings of a game and pace again from the journals.
//!
//! Each rated match says its number among each player's rated matches: the first, the second and so on. In
//! any order that respects these two chains every match starts from the same ratings as when it ended, so the
//! result has the same bits. A match that was taken back keeps its number and changes no rating.

use std::collections::{BTreeMap, HashMap, VecDeque};

use lusoria_play::{BySeat, Clock, Event, Match, MatchId, Millis, PlayerId, Seat};
use lusoria_store::{RatingKey, RatingTables, RatingsBefore, Store, StoreError, StoredChange, StoredRating};

use crate::live::{Constants, Rateable};

/// How many matches are listed at once.
const PAGE: u32 = 500;

/// Why ratings cannot be computed again. Nothing is changed.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A journal cannot be read.
    #[error("the journal of match {} cannot be read: {why}", .id.0)]
    Corrupt {
        /// The match.
        id: MatchId,
        /// The reason.
        why: String,
    },
    /// A match was rated with constants that this release does not have.
    #[error("match {} was rated with constants {constants}, which only a later release knows", .id.0)]
    Constants {
        /// The match.
        id: MatchId,
        /// Their number.
        constants: u16,
    },
    /// The matches of a player are not numbered 1, 2, 3 …
    #[error("match {} should be number {expected} of player {}, and is number {number}", .id.0, .player.0)]
    Chain {
        /// The first match with a wrong number.
        id: MatchId,
        /// The player.
        player: PlayerId,
        /// Its number.
        number: u32,
        /// The expected number.
        expected: u32,
    },
    /// The order of these matches is circular.
    #[error("{matches} matches, such as {}, come after each other in a circle", .id.0)]
    Circle {
        /// One of them.
        id: MatchId,
        /// How many there are.
        matches: usize,
    },
}

/// A rated match, as read from its journal.
struct Rated {
    id: MatchId,
    rateable: Rateable,
    numbers: BySeat<u32>,
    taken_back_at: Option<Millis>,
}

/// Computes all ratings of a game and pace. The versions in the result have no meaning.
///
/// # Errors
/// If the journals contradict each other or cannot be read.
pub(super) async fn rebuild(store: &Store, key: RatingKey) -> Result<RatingTables, RebuildError> {
    let mut matches = Vec::new();
    let mut after = None;
    loop {
        let page = store.rated_matches(key.game, after, PAGE).await?;
        for id in &page {
            matches.extend(read(store, *id).await?.filter(|rated| rated.rateable.key() == key));
        }
        if page.len() < PAGE as usize {
            return compute(&matches);
        }
        after = page.last().copied();
    }
}

/// A match, if it was rated.
async fn read(store: &Store, id: MatchId) -> Result<Option<Rated>, RebuildError> {
    let events = store.events(id, 0, u32::MAX).await?.events;
    let taken_back = events.iter().rev().find(|recorded| matches!(recorded.event, Event::Unrated { .. }));
    let taken_back_at = taken_back.map(|recorded| recorded.at);
    let corrupt = |why: String| RebuildError::Corrupt { id, why };
    let state = Match::from_journal(id, events).map_err(|why| corrupt(why.to_string()))?;
    let Some(rated) = state.rated() else { return Ok(None) };
    let constants = Constants::numbered(rated.constants)
        .ok_or(RebuildError::Constants { id, constants: rated.constants })?;
    let rateable = Rateable::of(&state, constants)
        .ok_or_else(|| corrupt("it is rated, and changes no rating".to_owned()))?;
    let BySeat(one, two) = &rated.seats;
    Ok(Some(Rated { id, rateable, numbers: BySeat(one.number, two.number), taken_back_at }))
}

/// The matches of a player, in the order of their numbers.
type Chains = HashMap<PlayerId, VecDeque<usize>>;

fn compute(matches: &[Rated]) -> Result<RatingTables, RebuildError> {
    let mut chains = chains(matches)?;
    let mut tables = RatingTables::default();
    // How many matches two players have had rated on a day.
    let mut days: HashMap<(PlayerId, PlayerId, Millis), u32> = HashMap::new();
    let mut left = matches.len();
    // Players whose next match may be their opponent's next too.
    let mut waiting: Vec<PlayerId> = chains.keys().copied().collect();
    while let Some(player) = waiting.pop() {
        let Some(&next) = chains.get(&player).and_then(VecDeque::front) else { continue };
        let rated = &matches[next];
        let BySeat(one, two) = rated.rateable.players;
        let is_next = |of| chains.get(&of).and_then(VecDeque::front) == Some(&next);
        if !(is_next(one) && is_next(two)) {
            continue;
        }
        for of in [one, two] {
            chains.entry(of).and_modify(|chain| {
                chain.pop_front();
            });
            waiting.push(of);
        }
        left -= 1;
        let day = rated.rateable.ended_at() / Clock::DAY_MS;
        let earlier_today = days.entry((one.min(two), one.max(two), day)).or_default();
        rated.add_to(&mut tables, *earlier_today);
        *earlier_today += u32::from(rated.taken_back_at.is_none());
    }
    if left > 0 {
        let stuck = chains.values().find_map(|chain| chain.front()).map_or(0, |first| *first);
        return Err(RebuildError::Circle { id: matches[stuck].id, matches: left });
    }
    tables.changes.sort_unstable_by_key(|change| (change.id, change.seat.number()));
    Ok(tables)
}

/// The matches of each player, checked to be numbered without gaps.
fn chains(matches: &[Rated]) -> Result<Chains, RebuildError> {
    let mut numbered: BTreeMap<PlayerId, Vec<(u32, usize)>> = BTreeMap::new();
    for (place, rated) in matches.iter().enumerate() {
        for seat in Seat::BOTH {
            let (player, number) = (*rated.rateable.players.get(seat), *rated.numbers.get(seat));
            numbered.entry(player).or_default().push((number, place));
        }
    }
    let mut chains = Chains::new();
    for (player, mut theirs) in numbered {
        theirs.sort_unstable();
        let wrong = (1..).zip(&theirs).find(|(expected, (number, _))| expected != number);
        if let Some((expected, &(number, place))) = wrong {
            return Err(RebuildError::Chain { id: matches[place].id, player, number, expected });
        }
        chains.insert(player, theirs.into_iter().map(|(_, place)| place).collect());
    }
    Ok(chains)
}

impl Rated {
    fn add_to(&self, tables: &mut RatingTables, earlier_today: u32) {
        let stored = |seat| tables.ratings.get(self.rateable.players.get(seat)).copied();
        let before = RatingsBefore { stored: BySeat(stored(Seat::One), stored(Seat::Two)), earlier_today };
        let change = self.rateable.change(&before);
        for seat in Seat::BOTH {
            let (of, other) = (change.seats.get(seat), change.seats.get(seat.other()));
            let was = before.stored.get(seat).unwrap_or_else(|| StoredRating::none_of(change.key.game));
            let number = *self.numbers.get(seat);
            let after = match self.taken_back_at {
                Some(_) => StoredRating { number, version: of.after.version, ..was },
                None => StoredRating { number, ..of.after },
            };
            tables.ratings.insert(of.player, after);
            tables.changes.push(StoredChange {
                id: self.id,
                seat,
                player: of.player,
                opponent: other.player,
                number,
                at: change.at,
                constants: change.constants,
                before: was.rating,
                after: after.rating,
                taken_back_at: self.taken_back_at,
            });
        }
    }
}
