//! The pairings.

use lusoria_search::Level;

/// The matches of the same two players on a day that count in full (docs/ratings.md).
const IN_FULL: u32 = 4;

/// An account of a level; each level's are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Entrant {
    pub(super) level: Level,
    pub(super) number: u32,
}

/// The players in seats 1 and 2 of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pairing(pub(super) [Entrant; 2]);

/// The number of accounts that each level needs, so that that many matches between each two levels count in
/// full.
pub(super) fn accounts_of_level(matches: u32) -> u32 {
    let pairs = matches.div_ceil(IN_FULL);
    let root = pairs.isqrt();
    if root * root < pairs { root + 1 } else { root }
}

/// That many matches between each two levels, spread evenly over their accounts.
pub(super) fn plan(matches: u32) -> Vec<Pairing> {
    let accounts = accounts_of_level(matches);
    let mut plan = Vec::new();
    for (above, &two) in Level::ALL.iter().enumerate() {
        for &one in &Level::ALL[..above] {
            for number in 0..matches {
                let (row, column) = (number / accounts, number % accounts);
                let pairing = [
                    Entrant { level: one, number: column },
                    Entrant { level: two, number: (column + row) % accounts },
                ];
                let [first, second] = pairing;
                plan.push(Pairing(if row % 2 == 0 { [first, second] } else { [second, first] }));
            }
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_match_counts_in_full() {
        for (matches, accounts) in [(1, 1), (4, 1), (5, 2), (16, 2), (17, 3), (64, 4), (65, 5), (400, 10)] {
            assert_eq!(accounts_of_level(matches), accounts, "{matches}");
            let plan = plan(matches);
            assert_eq!(plan.len(), 10 * matches as usize);
            let mut met: HashMap<[Entrant; 2], u32> = HashMap::new();
            for Pairing(mut two) in plan {
                two.sort_unstable_by_key(|entrant| entrant.level);
                assert!(two[0].level < two[1].level);
                assert!(two.iter().all(|entrant| entrant.number < accounts));
                *met.entry(two).or_default() += 1;
            }
            assert!(met.values().all(|&times| times <= IN_FULL), "{matches}");
        }
    }

    #[test]
    fn the_accounts_of_a_level_play_equally_often_and_in_both_seats() {
        let mut played: HashMap<Entrant, [u32; 2]> = HashMap::new();
        for Pairing(two) in plan(64) {
            for (seat, entrant) in two.into_iter().enumerate() {
                played.entry(entrant).or_default()[seat] += 1;
            }
        }
        assert_eq!(played.len(), 20);
        assert!(played.values().all(|&seats| seats == [32, 32]), "{played:?}");
    }
}
