//! A guest: what they know on all their clients.

use lusoria_play::{Bytes32, Match, PlayerId, Seat, SeatSeed};
use lusoria_protocol::Token;

/// A guest and their secrets.
pub(super) struct Guest {
    pub(super) id: PlayerId,
    pub(super) token: Token,
    /// The seeds that they have committed to.
    pub(super) seeds: Vec<String>,
}

impl Guest {
    /// Draws a new seed. Returns it with its hash.
    pub(super) fn new_seed(&mut self, drawn: u64) -> (String, String) {
        let seed = format!("seed {drawn:016x}");
        let hash = Bytes32(lusoria_dice::seed_hash(&seed)).to_string();
        self.seeds.push(seed.clone());
        (seed, hash)
    }

    /// The seats that they hold.
    pub(super) fn seats(&self, of: &Match) -> Vec<Seat> {
        let own = |seat: &Seat| of.player(*seat).is_some_and(|player| player.id == self.id);
        Seat::BOTH.into_iter().filter(own).collect()
    }

    /// The seed that they have not yet revealed in a match.
    pub(super) fn unrevealed(&self, of: &Match) -> Option<&str> {
        let seats = self.seats(of);
        let hash = seats.into_iter().find_map(|seat| match of.seed(seat) {
            Some(SeatSeed::Hash(hash)) => Some(hash.0),
            _ => None,
        })?;
        self.seeds.iter().map(String::as_str).find(|seed| lusoria_dice::seed_hash(seed) == hash)
    }
}
