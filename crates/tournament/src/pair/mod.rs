//! Who plays whom.

mod arena;
mod knockout;
mod matching;
mod round_robin;
mod swiss;

use std::collections::{HashMap, HashSet};

pub(crate) use arena::arena;
pub(crate) use knockout::{first_round_seeds, knockout};
pub(crate) use round_robin::round_robin;
pub(crate) use swiss::swiss;

use crate::{Bye, ByeWhy, Chance, Entrant, EntrantStatus, Event, Paired, PairingNo, Place, Tournament};

/// Two entrants, the one who plays White first, and their place in a knock-out.
pub(crate) type Couple = ((Entrant, Entrant), Option<Place>);

/// A round that comes next.
pub(crate) fn round(
    tournament: &Tournament,
    couples: Vec<Couple>,
    byes: Vec<Bye>,
    by_hand: bool,
    chance: &mut dyn Chance,
) -> Event {
    let (round, first) = (tournament.rounds.len(), tournament.pairings.len());
    numbered(tournament, (round, first), couples, byes, by_hand, chance)
}

/// A round after so many rounds and pairings.
fn numbered(
    tournament: &Tournament,
    (rounds, pairings): (usize, usize),
    couples: Vec<Couple>,
    byes: Vec<Bye>,
    by_hand: bool,
    chance: &mut dyn Chance,
) -> Event {
    let seated = tournament.is_arena() || !tournament.is_live();
    let paired = couples.into_iter().zip(1..).map(|(((first, second), place), board)| Paired {
        pairing: PairingNo(u32::try_from(pairings).expect("pairings are limited") + u32::from(board)),
        board,
        first,
        second,
        match_id: chance.match_id(),
        place,
        seated,
    });
    let pairings = paired.collect();
    Event::RoundPaired {
        round: u16::try_from(rounds + 1).expect("rounds are limited"),
        pairings,
        byes,
        by_hand,
    }
}

/// The entrants of a Swiss who miss the next round because they are not there, or have asked for a bye.
pub(crate) fn absences(tournament: &Tournament) -> Vec<Bye> {
    let round = tournament.rounds.len() + 1;
    let away = tournament.entrants.iter().filter_map(|state| {
        let (half_points, why) = match state.status {
            EntrantStatus::Withdrawn | EntrantStatus::Excluded => return None,
            _ if tournament.has_asked(state, round) => (1, ByeWhy::Asked),
            EntrantStatus::Absent | EntrantStatus::Paused => (0, ByeWhy::Absent),
            EntrantStatus::Active => return None,
        };
        Some(Bye { entrant: state.entrant, half_points, why })
    });
    away.collect()
}

impl Tournament {
    /// Whether an entrant has asked for a bye in this round, which must not be the last.
    pub(crate) fn has_asked(&self, state: &crate::EntrantState, round: usize) -> bool {
        round < usize::from(self.rounds_planned)
            && state.byes_asked.iter().any(|&asked| usize::from(asked) == round)
    }
}

/// What an entrant has played, for the next pairing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Past {
    /// Whom they were paired with, and how often.
    pub(crate) met: HashMap<Entrant, u16>,
    /// The opponent of their last pairing.
    pub(crate) last: Option<Entrant>,
    /// Whether they played White in their matches, in order; forfeited ones do not count.
    pub(crate) whites: Vec<bool>,
    /// Whether they have had a point without playing: a bye, or a forfeit.
    pub(crate) was_given_a_point: bool,
}

impl Past {
    /// How many more matches they have played with White than with Black.
    pub(crate) fn surplus(&self) -> i32 {
        self.whites.iter().map(|&white| if white { 1 } else { -1 }).sum()
    }

    /// The side of both of their last two matches, if it was the same.
    pub(crate) fn twice(&self) -> Option<bool> {
        match self.whites[..] {
            [.., one, two] if one == two => Some(two),
            _ => None,
        }
    }
}

/// What all entrants have played; entrant n is at n - 1.
pub(crate) fn pasts(tournament: &Tournament) -> Vec<Past> {
    let mut pasts = vec![Past::default(); tournament.entrants.len()];
    let index = |entrant: Entrant| usize::from(entrant.0) - 1;
    for pairing in &tournament.pairings {
        for entrant in pairing.entrants() {
            let past = &mut pasts[index(entrant)];
            let opponent = pairing.opponent(entrant);
            *past.met.entry(opponent).or_default() += 1;
            past.last = Some(opponent);
            if !pairing.is_forfeit() {
                past.whites.push(pairing.first == entrant);
            } else if pairing.winner() == Some(entrant) {
                past.was_given_a_point = true;
            }
        }
    }
    for bye in tournament.rounds.iter().flat_map(|round| &round.byes) {
        pasts[index(bye.entrant)].was_given_a_point |= bye.half_points == 2;
    }
    pasts
}

/// Puts the one first who should play White: who had it less often; then who did not have it in the last
/// round in which they differ; then the first one named, if `first_is_white`.
pub(crate) fn sides(
    (one, past): (Entrant, &Past),
    (other, other_past): (Entrant, &Past),
    first_is_white: bool,
) -> (Entrant, Entrant) {
    let last_difference = || {
        let both = past.whites.iter().rev().zip(other_past.whites.iter().rev());
        both.into_iter().find(|(mine, theirs)| mine != theirs).map(|(&mine, _)| !mine)
    };
    // Nobody has the same side three times in a row while the other does not.
    let one_is_white = match (past.surplus() - other_past.surplus(), past.twice(), other_past.twice()) {
        (difference, ..) if difference.abs() > 1 => difference < 0,
        (_, Some(mine), theirs) if theirs != Some(mine) => !mine,
        (_, None, Some(theirs)) => theirs,
        (0, ..) => last_difference().unwrap_or(first_is_white),
        (difference, ..) => difference < 0,
    };
    if one_is_white { (one, other) } else { (other, one) }
}

/// Those who are in none of the pairs.
fn unpaired(n: usize, pairs: &[(usize, usize)]) -> impl Iterator<Item = usize> {
    let paired: HashSet<usize> = pairs.iter().flat_map(|&(one, other)| [one, other]).collect();
    (0..n).filter(move |index| !paired.contains(index))
}
