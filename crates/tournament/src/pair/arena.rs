//! Arenas: entrants who are free are paired.

use lusoria_play::Millis;

use super::{matching, pasts, round, sides};
use crate::{Chance, Entrant, EntrantState, Event, Tournament};

/// How long the first free entrants wait for others: so much, and so much more for each entrant who takes
/// part.
const WAIT_MS: Millis = 2_000;
const WAIT_EACH_MS: Millis = 25;
/// How long two who have just met wait for somebody else.
const WAIT_REPEAT_MS: Millis = 15_000;
/// An entrant is compared with so many who stand near.
const NEAR: usize = 24;

/// The next wave; none if no two of the free ones may meet.
pub(crate) fn arena(tournament: &Tournament, now: Millis, chance: &mut dyn Chance) -> Option<Event> {
    let pasts = pasts(tournament);
    let points = points(tournament);
    let mut free = tournament.free();
    let rank = |state: &&EntrantState| (points[index(state.entrant)], state.rating);
    free.sort_by_key(|state| std::cmp::Reverse(rank(state)));
    // 500 entrants are paired at once; a limit on pairings is kept by its caller, with room for one wave.
    let mut edges = Vec::new();
    for (one, state) in free.iter().enumerate() {
        for (other, opponent) in free.iter().enumerate().skip(one + 1).take(NEAR.max(free.len() / 16)) {
            let past = &pasts[index(state.entrant)];
            let both_free = state.free_since.max(opponent.free_since);
            let is_repeat = past.last == Some(opponent.entrant)
                || pasts[index(opponent.entrant)].last == Some(state.entrant);
            if (is_repeat && both_free + WAIT_REPEAT_MS > now) || chance.avoids(state.player, opponent.player)
            {
                continue;
            }
            let met = i32::from(past.met.get(&opponent.entrant).copied().unwrap_or(0).min(1_000));
            let distance = i32::try_from(other - one).expect("at most 500 are free");
            let ratings = i32::from(state.rating.abs_diff(opponent.rating).min(2_000));
            let gap =
                i32::from(points[index(state.entrant)].abs_diff(points[index(opponent.entrant)]).min(100));
            edges.push((one, other, -met * 50_000 - gap * 100 - distance * 20 - ratings / 10));
        }
    }
    let mut pairs = matching::pairs(edges);
    pairs.sort_unstable();
    let couples: Vec<_> = pairs
        .into_iter()
        .map(|(one, other)| {
            let past = |at: usize| (free[at].entrant, &pasts[index(free[at].entrant)]);
            (sides(past(one), past(other), chance.lot() & 1 == 0), None)
        })
        .collect();
    (!couples.is_empty()).then(|| round(tournament, couples, Vec::new(), false, chance))
}

impl Tournament {
    /// Entrants of an arena who wait for an opponent.
    fn free(&self) -> Vec<&EntrantState> {
        let playing = self.playing();
        self.pairable().filter(|state| !playing.contains(&state.entrant)).collect()
    }

    /// When the next wave of an arena may be paired, as far as the blocks among its entrants admit.
    pub(crate) fn wave_at(&self) -> Option<Millis> {
        let mut free = self.free();
        free.sort_by_key(|state| state.free_since);
        let [one, other, ..] = free[..] else { return None };
        // With three, two have not just met each other, unless all three have: only pairs repeat at once.
        let last = |state: &EntrantState| self.last_opponent(state.entrant);
        let fresh = free.iter().enumerate().find_map(|(at, opponent)| {
            let earlier = free[..at].iter();
            let meets = |state: &&&EntrantState| {
                last(state) != Some(opponent.entrant) && last(opponent) != Some(state.entrant)
            };
            earlier.clone().any(|state| meets(&state)).then_some(opponent.free_since + self.wave_wait())
        });
        let repeat = one.free_since.max(other.free_since) + WAIT_REPEAT_MS;
        Some(fresh.map_or(repeat, |at| at.min(repeat)))
    }

    fn wave_wait(&self) -> Millis {
        WAIT_MS + WAIT_EACH_MS * self.pairable().count() as Millis
    }

    fn last_opponent(&self, entrant: Entrant) -> Option<Entrant> {
        let last = self.pairings.iter().rev().find(|pairing| pairing.entrants().contains(&entrant))?;
        Some(last.opponent(entrant))
    }
}

/// The points of all entrants; entrant n is at n - 1.
fn points(tournament: &Tournament) -> Vec<u16> {
    let mut points = vec![0; tournament.entrants.len()];
    for pairing in &tournament.pairings {
        for entrant in pairing.entrants() {
            points[index(entrant)] += u16::from(pairing.points(entrant).unwrap_or(0));
        }
    }
    points
}

fn index(entrant: Entrant) -> usize {
    usize::from(entrant.0) - 1
}
