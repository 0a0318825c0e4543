//! A guest: what he knows, whichever of his clients he uses.

use lusoria_play::{Bytes32, Match, PlayerId, Seat, SeatSeed};
use lusoria_protocol::Token;

/// A guest and his secrets.
pub(super) struct Guest {
    pub(super) id: PlayerId,
    pub(super) token: Token,
    /// The seeds that he has committed to.
    pub(super) seeds: Vec<String>,
}

impl Guest {
    /// A new seed of his, and its hash.
    pub(super) fn new_seed(&mut self, drawn: u64) -> (String, String) {
        let seed = format!("seed {drawn:016x}");
        let hash = Bytes32(lusoria_dice::seed_hash(&seed)).to_string();
        self.seeds.push(seed.clone());
        (seed, hash)
    }

    /// The seats that he holds.
    pub(super) fn seats(&self, of: &Match) -> Vec<Seat> {
        let his = |seat: &Seat| of.player(*seat).is_some_and(|player| player.id == self.id);
        Seat::BOTH.into_iter().filter(his).collect()
    }

    /// The seed that he has still to reveal in a match.
    pub(super) fn unrevealed(&self, of: &Match) -> Option<&str> {
        let seats = self.seats(of);
        let hash = seats.into_iter().find_map(|seat| match of.seed(seat) {
            Some(SeatSeed::Hash(hash)) => Some(hash.0),
            _ => None,
        })?;
        self.seeds.iter().map(String::as_str).find(|seed| lusoria_dice::seed_hash(seed) == hash)
    }
}
