//! The real dice, from one chain of secrets that is public.

use std::sync::LazyLock;

use lusoria_dice::{GAMES_MAX, Game, Secret, lot, seed_hash, throw};
use lusoria_play::{Bytes32, Chance, MatchId, Seat, Seed, Throw};
use lusoria_rules::Die;

/// `s[0]` to `s[1024]`.
static CHAIN: LazyLock<Vec<[u8; 32]>> = LazyLock::new(|| {
    let chain = Secret::new([7; 32]).chain();
    let secret = |game| *chain.secret(game).expect("a game of the chain").reveal();
    (0..=GAMES_MAX).map(secret).collect()
});

/// The dice of one match, which depend only on its id and the players' seeds.
#[derive(Debug, Clone)]
pub struct SeededDice {
    id: MatchId,
}

impl SeededDice {
    /// The dice of that match.
    pub const fn of(id: MatchId) -> Self {
        Self { id }
    }

    /// The commitment, published before the first throw.
    pub fn commitment() -> Bytes32 {
        Bytes32(CHAIN[0])
    }

    fn public<'a>(&self, number: u16, seeds: (&'a Seed, &'a Seed)) -> Game<'a> {
        Game { match_id: self.id.0, number, seeds: (seeds.0.as_str(), seeds.1.as_str()) }
    }
}

/// A tampered journal may name games beyond the chain.
fn secret_of(game: u16) -> [u8; 32] {
    CHAIN.get(usize::from(game)).copied().unwrap_or_default()
}

impl Chance for SeededDice {
    fn throw(&mut self, which: Throw<'_>, dice: usize) -> Vec<Die> {
        let public = self.public(which.game, which.seeds);
        throw(&Secret::new(secret_of(which.game)), public, which.index, dice)
            .into_iter()
            .map(|value| Die::new(value).expect("the scheme throws 1 to 6"))
            .collect()
    }

    fn lot(&mut self, game: u16, seeds: (&Seed, &Seed)) -> Seat {
        let lot = lot(&Secret::new(secret_of(game)), self.public(game, seeds));
        Seat::try_from(lot).expect("the lot is 1 or 2")
    }

    fn secret(&mut self, game: u16) -> Bytes32 {
        Bytes32(secret_of(game))
    }

    fn seed(&mut self) -> Seed {
        Seed::try_from("drawn by the server".to_owned()).expect("printable characters are a seed")
    }

    fn seed_hash(&mut self, seed: &Seed) -> Bytes32 {
        Bytes32(seed_hash(seed.as_str()))
    }
}
