//! The known answers of `lusoria-dice-v1`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use lusoria_dice::{
    Chain, Game, Secret, lot, seed_hash, throw,
    verify::{Claim, Mismatch, secret_fits, seed_fits},
};
use serde_json::Value;

fn vector() -> Value {
    serde_json::from_str(include_str!("dice-v1.json")).unwrap()
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

fn dice(value: &Value) -> Vec<u8> {
    serde_json::from_value(value.clone()).unwrap()
}

fn unhex(hex: &str) -> [u8; 32] {
    std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
}

fn chain(vector: &Value) -> Chain {
    Secret::new(unhex(text(vector, "s1024"))).chain()
}

fn game(vector: &Value, number: u16) -> Game<'_> {
    Game {
        match_id: text(vector, "match").parse().unwrap(),
        number,
        seeds: (text(vector, "seed1"), text(vector, "seed2")),
    }
}

/// The throws of game `number`, which the file lists from 0 without gaps.
fn throws(vector: &Value, number: u16) -> Vec<(u32, Vec<u8>)> {
    let throws = vector["throws"].as_array().unwrap().iter().filter(|throw| throw["game"] == number);
    (0..).zip(throws).map(|(index, throw)| (index, dice(&throw["dice"]))).collect()
}

#[test]
fn the_chain_of_secrets() {
    let vector = vector();
    let chain = chain(&vector);
    assert_eq!(chain.commitment(), unhex(text(&vector, "s0")));
    for (game, name) in [(0, "s0"), (1, "s1"), (2, "s2"), (1024, "s1024")] {
        assert_eq!(chain.secret(game).unwrap().reveal(), &unhex(text(&vector, name)), "{name}");
    }
    assert!(chain.secret(1025).is_none());
}

#[test]
fn the_throws_of_two_games() {
    let vector = vector();
    let chain = chain(&vector);
    let listed = vector["throws"].as_array().unwrap();
    assert_eq!(listed.len(), 16);
    for entry in listed.iter().chain([&vector["long_throw"]]) {
        let number_of_game = u16::try_from(number(&entry["game"])).unwrap();
        let expected = dice(&entry["dice"]);
        let secret = chain.secret(number_of_game).unwrap();
        let drawn = throw(&secret, game(&vector, number_of_game), number(&entry["i"]), expected.len());
        assert_eq!(drawn, expected, "{entry}");
    }
}

#[test]
fn fewer_dice_are_the_beginning_of_more() {
    let vector = vector();
    let secret = chain(&vector).secret(1).unwrap();
    let long = throw(&secret, game(&vector, 1), 100, 80);
    for n in 0..80 {
        assert_eq!(throw(&secret, game(&vector, 1), 100, n), long[..n]);
    }
}

#[test]
fn the_lot_and_the_hash_of_a_seed() {
    let vector = vector();
    let secret = chain(&vector).secret(1).unwrap();
    assert_eq!(text(&vector["lot_game_1"], "white"), "seat 2");
    assert_eq!(lot(&secret, game(&vector, 1)), 2);
    let hash = unhex(text(&vector, "seed1_hash"));
    assert_eq!(seed_hash(text(&vector, "seed1")), hash);
    assert!(seed_fits(text(&vector, "seed1"), &hash));
    assert!(!seed_fits(text(&vector, "seed2"), &hash));
}

#[test]
fn a_secret_fits_its_own_game_only() {
    let vector = vector();
    let chain = chain(&vector);
    let commitment = chain.commitment();
    for of in [1, 2, 3, 512, 1024] {
        let secret = *chain.secret(of).unwrap().reveal();
        assert!(secret_fits(of, &secret, &commitment), "{of}");
        assert!(!secret_fits(of - 1, &secret, &commitment), "{of}");
        assert!(!secret_fits(of + 1, &secret, &commitment), "{of}");
    }
    assert!(!secret_fits(0, &commitment, &commitment), "the commitment is no game's secret");
}

#[test]
fn a_true_claim_holds_and_every_change_is_found() {
    let vector = vector();
    let chain = chain(&vector);
    let throws = throws(&vector, 1);
    let claim = Claim {
        game: game(&vector, 1),
        commitment: chain.commitment(),
        secret: *chain.secret(1).unwrap().reveal(),
        throws: &throws,
        lot: Some(2),
    };
    assert_eq!(claim.mismatches(), []);
    assert_eq!(Claim { lot: None, ..claim }.mismatches(), []);
    let lot = Claim { lot: Some(1), ..claim }.mismatches();
    assert_eq!(lot, [Mismatch::Lot { expected: 2, recorded: 1 }]);
    let of_another_game = *chain.secret(2).unwrap().reveal();
    assert_eq!(Claim { secret: of_another_game, ..claim }.mismatches(), [Mismatch::Secret]);
    let other_seeds = Game { seeds: ("other", claim.game.seeds.1), ..claim.game };
    let found = Claim { game: other_seeds, lot: None, ..claim }.mismatches();
    assert_eq!(found, [Mismatch::Seeds { wrong: throws.len(), throws: throws.len() }]);
    for index in 0..throws.len() {
        let mut changed = throws.clone();
        changed[index].1[0] = changed[index].1[0] % 6 + 1;
        let found = Claim { throws: &changed, ..claim }.mismatches();
        assert!(
            matches!(found[..], [Mismatch::Throw { index: at, .. }] if at as usize == index),
            "{found:?}"
        );
    }
}

/// Throws with their numbers, as a record has them.
type Throws = Vec<(u32, Vec<u8>)>;

#[test]
fn a_changed_order_is_distinguished_from_changed_dice() {
    let vector = vector();
    let chain = chain(&vector);
    let game = game(&vector, 1);
    let secret = chain.secret(1).unwrap();
    let throws: Throws = (0..20).map(|index| (index, throw(&secret, game, index, 3))).collect();
    let found = |change: &dyn Fn(&mut Throws)| {
        let mut throws = throws.clone();
        change(&mut throws);
        let commitment = chain.commitment();
        Claim { game, commitment, secret: *secret.reveal(), throws: &throws, lot: None }.mismatches()
    };
    let renumber = |throws: &mut Throws| {
        for (index, throw) in (0..).zip(throws) {
            throw.0 = index;
        }
    };
    assert_eq!(found(&|_| {}), []);
    let swapped = |throws: &mut Throws| throws.swap(4, 9);
    assert_eq!(found(&swapped), [Mismatch::Numbered { expected: 4, found: 9 }]);
    let quietly_swapped = |throws: &mut Vec<_>| {
        swapped(throws);
        renumber(throws);
    };
    assert_eq!(found(&quietly_swapped), [Mismatch::Moved { indices: vec![4, 9] }]);
    let dropped = |throws: &mut Throws| drop(throws.remove(6));
    assert_eq!(found(&dropped), [Mismatch::Numbered { expected: 6, found: 7 }]);
    let quietly_dropped = |throws: &mut Vec<_>| {
        dropped(throws);
        renumber(throws);
    };
    assert_eq!(found(&quietly_dropped), [Mismatch::Missing { index: 6 }]);
    let quietly_put_in = |throws: &mut Throws| {
        throws.insert(6, (6, vec![throws[6].1[0] % 6 + 1, 1, 1]));
        renumber(throws);
    };
    assert_eq!(found(&quietly_put_in), [Mismatch::PutIn { index: 6 }]);
    let renumbered = |throws: &mut Throws| throws[3].0 = 30;
    assert_eq!(found(&renumbered), [Mismatch::Numbered { expected: 3, found: 30 }]);
}
