//! Swiss pairing after FIDE Handbook C.04.3 (Dutch system), with maximum-weight matching.
//!
//! Score groups are paired from the top. One matching pairs a group as far as it can, and shows at the same
//! time that those below can still be paired; then the pairs within the group stand, and the rest floats
//! down.

use super::{Past, absences, matching, pasts, round, sides, unpaired};
use crate::{Bye, ByeWhy, Chance, Entrant, Event, Tournament};

/// So many below a group show that those below can be paired.
const BELOW: usize = 60;
/// An entrant is compared with so many around the ideal opponent, at first.
const NEAR: usize = 10;
/// A pair within the group: worth more than everything else together.
const PAIR: i32 = 1 << 26;
/// A float across one group.
const FLOAT: i32 = 1 << 18;

/// More meetings of two count as so many.
const MET_MAX: u16 = 15;

/// An entrant to be paired, or nobody, to whom the last of an odd number floats down: a bye is a pair with
/// nobody, and having had a point without playing is having met nobody.
#[derive(Debug, Clone, Copy)]
struct Player<'a> {
    entrant: Option<Entrant>,
    /// Nobody stands below all others.
    score: i32,
    past: &'a Past,
}

/// What may be waived when no pairing keeps every rule, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waived {
    Nothing,
    /// Only candidates near the ideal were looked at: look at all.
    Nearness,
    /// Sides three times in a row, or three more of one than of the other.
    Sides,
    /// Two may meet again.
    Repeats,
}

/// The next round.
pub(crate) fn swiss(tournament: &Tournament, chance: &mut dyn Chance) -> Event {
    let number = tournament.rounds.len() + 1;
    let pasts = pasts(tournament);
    let scores = tournament.scores();
    let index = |entrant: Entrant| usize::from(entrant.0) - 1;
    let paired = tournament.pairable().filter(|state| !tournament.has_asked(state, number));
    let mut ranked: Vec<_> = paired.collect();
    ranked.sort_by_key(|state| {
        (
            std::cmp::Reverse((scores[index(state.entrant)], state.rating)),
            tournament.seed(state.entrant),
            state.entrant,
        )
    });
    let (nobody, mut byes) = (Past::default(), absences(tournament));
    let mut players: Vec<_> = ranked
        .iter()
        .map(|state| Player {
            entrant: Some(state.entrant),
            score: scores[index(state.entrant)].into(),
            past: &pasts[index(state.entrant)],
        })
        .collect();
    if players.len() % 2 == 1 {
        players.push(Player { entrant: None, score: -1, past: &nobody });
    }
    let white_first = chance.lot() & 1 == 0;
    let mut couples = Vec::new();
    let mut rest = players;
    while !rest.is_empty() {
        let pairs = group(&rest);
        for &(one, other) in &pairs {
            let (one, other) = (rest[one], rest[other]);
            let (Some(upper), Some(lower)) = (one.entrant, other.entrant) else {
                let spared = one.entrant.or(other.entrant);
                byes.extend(spared.map(|entrant| Bye { entrant, half_points: 2, why: ByeWhy::Odd }));
                continue;
            };
            // The highest boards alternate in the first round.
            let first_is_white = white_first == (couples.len() % 2 == 0);
            couples.push((sides((upper, one.past), (lower, other.past), first_is_white), None));
        }
        rest = unpaired(rest.len(), &pairs).map(|left| rest[left]).collect();
    }
    round(tournament, couples, byes, false, chance)
}

/// The pairs within the highest score group and those who floated into it. At least one pair.
fn group(rest: &[Player<'_>]) -> Vec<(usize, usize)> {
    let mut sizes = sizes(rest);
    let size = sizes.next().unwrap_or(rest.len());
    // An odd number of all is left below if the end is not in sight.
    let seen = (size + BELOW + size % 2).min(rest.len());
    for waived in [Waived::Nothing, Waived::Nearness, Waived::Sides, Waived::Repeats] {
        // In a group of those who have all met, nobody is paired: it floats as a whole.
        for size in [size].into_iter().chain(sizes.clone()).filter(|&size| size <= seen) {
            let pairs = matching::pairs(edges(&rest[..seen], size, waived));
            let inside: Vec<_> = pairs.iter().copied().filter(|&(_, other)| other < size).collect();
            if is_perfect(seen, &pairs) && !inside.is_empty() {
                // Near candidates alone must not make more float than need be.
                if waived == Waived::Nothing && 2 * inside.len() + size % 2 < size {
                    break;
                }
                return inside;
            }
            if !is_perfect(seen, &pairs) {
                break;
            }
        }
    }
    // Everybody may meet everybody now, so this is never reached with two or more.
    vec![(0, 1)]
}

/// The sizes of what can be paired together: down to the end of each score group. Those above the first two
/// of equal score have floated down, and belong to the group below them.
fn sizes<'a>(rest: &'a [Player<'_>]) -> impl Iterator<Item = usize> + Clone + 'a {
    (2..=rest.len()).filter(|&size| {
        let ends = rest.get(size).is_none_or(|next| next.score < rest[size - 1].score);
        let is_group = rest[size - 2].score == rest[size - 1].score || rest[0].score != rest[size - 1].score;
        ends && is_group
    })
}

fn is_perfect(n: usize, pairs: &[(usize, usize)]) -> bool {
    pairs.len() * 2 == n
}

/// The pairs that are possible, with the first `size` as the group.
fn edges(rest: &[Player<'_>], size: usize, waived: Waived) -> Vec<(usize, usize, i32)> {
    let lowest = rest[size - 1].score;
    // Those who floated down meet the first of the group; of the others the upper half meets the lower.
    let floated = rest[..size].iter().filter(|player| player.score > lowest).count();
    let half = (size.saturating_sub(2 * floated) / 2).max(1);
    let ideal = |one: usize| if one < floated { one + floated } else { one + half };
    let mut edges = Vec::new();
    for (one, player) in rest.iter().enumerate() {
        let mut near = 0;
        for (other, opponent) in rest.iter().enumerate().skip(one + 1) {
            let is_inside = other < size;
            let off = if is_inside { other.abs_diff(ideal(one)) } else { near };
            if waived == Waived::Nothing && off > NEAR && (is_inside || near > 2 * NEAR) && other - one > NEAR
            {
                if is_inside {
                    continue;
                }
                break;
            }
            let met = match opponent.entrant {
                Some(opponent) => player.past.met.get(&opponent).copied().unwrap_or(0),
                None => u16::from(player.past.was_given_a_point) * MET_MAX,
            };
            if met > 0 && waived < Waived::Repeats {
                continue;
            }
            let sides = sides_cost(player.past, opponent.past);
            if sides == FORBIDDEN && waived < Waived::Sides {
                continue;
            }
            near += usize::from(!is_inside);
            let off = i32::try_from(off.min(60)).expect("at most 60");
            let penalty = sides.min(8) * (1 << 13) + i32::from(met.min(MET_MAX)) * (FLOAT * 16);
            let distance = (player.score - opponent.score).min(12);
            let weight = if is_inside {
                // The further somebody has floated, the more they are to be paired now.
                PAIR + distance * FLOAT - off * 16
            } else if one < size {
                // The lower one floats, and only as far as need be.
                -distance * distance * FLOAT / 16 + i32::try_from(one.min(500)).expect("small") - off
            } else {
                0
            };
            edges.push((one, other, weight - penalty));
        }
    }
    edges
}

/// Both must have the same side (FIDE Handbook C.04.1, 6 and 7: the difference is never more than two, and
/// nobody has a side three times in a row).
const FORBIDDEN: i32 = 64;

/// How badly two fit by their sides.
fn sides_cost(one: &Past, other: &Past) -> i32 {
    let must = |past: &Past| match past.surplus() {
        2.. => Some(false),
        ..=-2 => Some(true),
        _ => past.twice().map(|white| !white),
    };
    if must(one).is_some() && must(one) == must(other) {
        return FORBIDDEN;
    }
    let wish = |past: &Past| -past.surplus().signum();
    i32::from(wish(one) != 0 && wish(one) == wish(other)) * 6
        + i32::from(wish(one) == 0 && one.whites.last().is_some() && one.whites.last() == other.whites.last())
}
