//! Round robins after the Berger tables (FIDE Handbook C.05, annex 1).

use super::numbered;
use crate::{Bye, ByeWhy, Chance, Event, Tournament};

/// The next `count` rounds.
pub(crate) fn round_robin(tournament: &Tournament, count: u16, chance: &mut dyn Chance) -> Vec<Event> {
    let order = &tournament.order;
    let (rounds, mut pairings) = (tournament.rounds.len(), tournament.pairings.len());
    let paired = (rounds..rounds + usize::from(count)).map(|round| {
        let (mut couples, mut byes) = (Vec::new(), Vec::new());
        for (white, black) in berger(order.len(), round) {
            match (order.get(white), order.get(black)) {
                (Some(&white), Some(&black)) => couples.push(((white, black), None)),
                (Some(&entrant), None) | (None, Some(&entrant)) => {
                    byes.push(Bye { entrant, half_points: 0, why: ByeWhy::Odd });
                }
                (None, None) => {}
            }
        }
        let boards = couples.len();
        let event = numbered(tournament, (round, pairings), couples, byes, false, chance);
        pairings += boards;
        event
    });
    paired.collect()
}

/// The boards of a round (from 0) of the Berger table for `n` players (from 0), White first. Of an odd number
/// the last number of the table is nobody.
fn berger(n: usize, round: usize) -> Vec<(usize, usize)> {
    let even = n + n % 2;
    let others = even - 1;
    // The last number sits at the first board, and changes sides from round to round. Every round begins
    // where the one before left off: 1, n/2 + 1, 2, n/2 + 2 …
    let start = round * (even / 2) % others;
    let first = if round.is_multiple_of(2) { (start, others) } else { (others, start) };
    let rest = (1..even / 2).map(|board| ((start + board) % others, (start + others - board) % others));
    [first].into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_six_is_that_of_the_handbook() {
        // FIDE Handbook C.05, annex 1: 5 or 6 players.
        let printed = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"];
        for (round, printed) in printed.into_iter().enumerate() {
            let boards =
                berger(6, round).into_iter().map(|(white, black)| format!("{}-{}", white + 1, black + 1));
            assert_eq!(boards.collect::<Vec<_>>().join(" "), printed);
        }
    }
}
