//! Fairness of the dice. Everything is fixed, so the results never vary; fair dice exceed the bounds once in
//! a thousand times.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use lusoria_dice::{Game, Secret, lot, throw};
use uuid::Uuid;

/// The chi-square statistic of counts that should all be equal.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / f64::from(u32::try_from(counts.len()).unwrap());
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// The lower and upper 0.1 % points of chi-square: too even is as suspicious as too uneven.
const FIVE_DEGREES: std::ops::Range<f64> = 0.210..20.515;
const THIRTY_FIVE_DEGREES: std::ops::Range<f64> = 14.688..66.619;

/// `n` throws of three dice in each of four games, all with different secrets and seeds.
fn sample(n: u32) -> Vec<Vec<u8>> {
    let mut throws = Vec::new();
    for number in 1..=4_u16 {
        let secret = Secret::new([0x5a ^ number.to_le_bytes()[0]; 32]);
        let seeds = (format!("one {number}"), format!("two {number}"));
        let game = Game { match_id: Uuid::from_u128(77), number, seeds: (&seeds.0, &seeds.1) };
        throws.extend((0..n).map(|index| throw(&secret, game, index, 3)));
    }
    throws
}

#[test]
fn every_number_comes_equally_often_on_every_die_of_a_throw() {
    let throws = sample(20_000);
    for place in 0..3 {
        let mut counts = [0; 6];
        for throw in &throws {
            counts[usize::from(throw[place]) - 1] += 1;
        }
        let statistic = chi_square(&counts);
        assert!(FIVE_DEGREES.contains(&statistic), "die {place}: {statistic} of {counts:?}");
    }
}

#[test]
fn pairs_within_a_throw_and_from_throw_to_throw_are_independent() {
    let throws = sample(20_000);
    let within = throws.iter().map(|throw| (throw[0], throw[1])).collect::<Vec<_>>();
    let outer = throws.iter().map(|throw| (throw[0], throw[2])).collect::<Vec<_>>();
    let across = throws.windows(2).map(|pair| (pair[0][2], pair[1][0])).collect::<Vec<_>>();
    let same = throws.windows(2).map(|pair| (pair[0][0], pair[1][0])).collect::<Vec<_>>();
    for (name, pairs) in [("within", within), ("outer", outer), ("across", across), ("same", same)] {
        let mut counts = [0; 36];
        for (a, b) in pairs {
            counts[usize::from(a - 1) * 6 + usize::from(b - 1)] += 1;
        }
        let statistic = chi_square(&counts);
        assert!(THIRTY_FIVE_DEGREES.contains(&statistic), "{name}: {statistic}");
    }
}

#[test]
fn the_lot_falls_on_both_seats_equally_often() {
    let ones = (0..20_000)
        .filter(|&id| {
            let game = Game { match_id: Uuid::from_u128(id), number: 1, seeds: ("a", "b") };
            lot(&Secret::new([9; 32]), game) == 1
        })
        .count();
    // 3.29 standard deviations of √20000 / 2.
    assert!((9_768..=10_232).contains(&ones), "{ones}");
}
