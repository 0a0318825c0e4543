//! The bits of ratings never change, so that stored ratings can be reproduced.

use std::time::Duration;

use lusoria_rating::{Advantage, Kind, Player, RatedMatch, Slope, System, Verdict};

use crate::chance::Chance;

const PLAYERS: u32 = 20;

/// The result of 20,000 matches of all kinds, folded into one number (FNV-1a over words). A failure on only
/// one machine says that it computes differently; a failure everywhere says that the formulas, `libm` or the
/// constants have changed, and with them every rating. Then all must be computed again, and that is a
/// decision.
#[test]
fn twenty_thousand_matches() {
    let mut chance = Chance(19);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for system in [System::WITH_DICE, System::WITHOUT_DICE] {
        let mut ratings = vec![system.start(); PLAYERS as usize];
        for _ in 0..10_000 {
            let one = chance.below(PLAYERS) as usize;
            let two = (one + 1 + chance.below(PLAYERS - 1) as usize) % PLAYERS as usize;
            let advantage = Advantage::new(f64::from(chance.below(40)) / 3.0).unwrap();
            let slope = Slope::of_points(u16::try_from(1 + chance.below(15)).unwrap());
            let verdict = match chance.below(3) {
                0 => Verdict::Pair {
                    outcomes: [chance.outcome(), chance.outcome()],
                    advantage,
                    slope: Slope::ONE,
                },
                _ => Verdict::Match { outcome: chance.outcome(), advantage, slope },
            };
            let mut player = |index: usize| Player {
                rating: ratings[index],
                idle: Duration::from_millis(u64::from(chance.below(1_000_000_000))),
                kind: if index < 3 { Kind::Bot } else { Kind::Person },
            };
            let players = [player(one), player(two)];
            let earlier_today = chance.below(7);
            [ratings[one], ratings[two]] = system.rate(&RatedMatch { players, verdict, earlier_today });
            for rating in [ratings[one], ratings[two]] {
                for number in [rating.points(), rating.deviation(), rating.volatility()] {
                    hash = (hash ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
    }
    assert_eq!(hash, 0x84a9_d2a7_291b_2656, "{hash:#018x}");
}
