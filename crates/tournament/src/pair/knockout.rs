//! Knock-outs: a main bracket after the seeds, and a consolation of those who have lost.

use super::{Couple, matching, pasts, round, sides, unpaired};
use crate::{Bracket, Bye, ByeWhy, Chance, Entrant, EntrantStatus, Event, Format, Place, Tournament};

/// The next round; none if nothing is left to play.
pub(crate) fn knockout(tournament: &Tournament, chance: &mut dyn Chance) -> Option<Event> {
    let mut byes = Vec::new();
    let mut couples = main(tournament, &mut byes, chance);
    if matches!(tournament.settings.format, Format::Knockout { consolation: true, .. }) {
        couples.extend(consolation(tournament, &mut byes, chance));
    }
    (!couples.is_empty()).then(|| round(tournament, couples, byes, false, chance))
}

/// The seeds (from 0) at the places of the first round: the best two meet in the final, the best four in the
/// semi-finals, and so on.
pub(crate) fn first_round_seeds(rounds: u16) -> Vec<usize> {
    (0..rounds).fold(vec![0], |seeds, _| {
        let last = 2 * seeds.len() - 1;
        seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect()
    })
}

fn main(tournament: &Tournament, byes: &mut Vec<Bye>, chance: &mut dyn Chance) -> Vec<Couple> {
    let number = tournament.rounds.len() + 1;
    let brackets = tournament.brackets().expect("this is a knock-out that has begun");
    let Some(slots) = brackets.main.get(number - 1) else { return Vec::new() };
    let pasts = pasts(tournament);
    let mut couples = Vec::new();
    for (slot, view) in (0..).zip(slots) {
        match view.entrants {
            [Some(one), Some(other)] => {
                let past = |entrant: Entrant| (entrant, &pasts[usize::from(entrant.0) - 1]);
                let pair = sides(past(one), past(other), chance.lot() & 1 == 0);
                couples.push((pair, Some(Place { bracket: Bracket::Main, slot })));
            }
            [Some(entrant), None] | [None, Some(entrant)] => {
                byes.push(Bye { entrant, half_points: 0, why: ByeWhy::Top });
            }
            [None, None] => {}
        }
    }
    couples
}

/// Pairs those who have lost in the main bracket, before its final, and not yet in this one. They avoid whom
/// they have met; then the best meet the worst.
fn consolation(tournament: &Tournament, byes: &mut Vec<Bye>, chance: &mut dyn Chance) -> Vec<Couple> {
    let pasts = pasts(tournament);
    let past = |entrant: Entrant| (entrant, &pasts[usize::from(entrant.0) - 1]);
    let mut pool: Vec<_> =
        tournament.order.iter().copied().filter(|&entrant| is_in_pool(tournament, entrant)).collect();
    if pool.len() < 2 {
        return Vec::new();
    }
    if pool.len() % 2 == 1 {
        let had = |entrant| {
            let byes = tournament.rounds.iter().flat_map(|round| &round.byes);
            byes.filter(|bye| bye.entrant == entrant && bye.why == ByeWhy::Odd).count()
        };
        let entered = |entrant| tournament.lost_in(entrant, Bracket::Main);
        let least = |&entrant: &Entrant| (had(entrant), std::cmp::Reverse(entered(entrant)));
        let spared = pool.iter().copied().min_by_key(least).expect("the pool is odd");
        pool.retain(|&entrant| entrant != spared);
        byes.push(Bye { entrant: spared, half_points: 0, why: ByeWhy::Odd });
    }
    let n = pool.len();
    let mut edges = Vec::new();
    for one in 0..n {
        for other in one + 1..n {
            let met = past(pool[one]).1.met.get(&pool[other]).copied().unwrap_or(0).min(50);
            let off = i32::try_from((one + other).abs_diff(n - 1)).expect("at most 64 are in it");
            edges.push((one, other, -100_000 * i32::from(met) - off * off));
        }
    }
    let pairs = matching::pairs(edges);
    debug_assert_eq!(unpaired(n, &pairs).count(), 0);
    let couples = pairs.into_iter().zip(0..).map(|((one, other), slot)| {
        let pair = sides(past(pool[one]), past(pool[other]), chance.lot() & 1 == 0);
        (pair, Some(Place { bracket: Bracket::Consolation, slot }))
    });
    couples.collect()
}

fn is_in_pool(tournament: &Tournament, entrant: Entrant) -> bool {
    let lost = tournament.lost_in(entrant, Bracket::Main);
    tournament.known(entrant).status == EntrantStatus::Active
        && lost.is_some_and(|round| round < tournament.rounds_planned)
        && tournament.lost_in(entrant, Bracket::Consolation).is_none()
}
