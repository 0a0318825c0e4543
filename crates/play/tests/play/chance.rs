//! A predictable source of chance.

use std::collections::VecDeque;

use lusoria_play::{Bytes32, Chance, Seat, Seed, Throw};
use lusoria_rules::Die;

/// Dice that follow a script as long as it lasts, and then a number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Foretold {
    pub(crate) number: u64,
    pub(crate) script: VecDeque<Vec<u8>>,
    pub(crate) throws: Vec<(u16, u32)>,
    pub(crate) drawn: u32,
}

impl Foretold {
    pub(crate) fn from(number: u64) -> Self {
        Self { number, ..Self::default() }
    }
}

/// `SplitMix64`: a well-mixed number for every number.
pub(crate) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Chance for Foretold {
    fn throw(&mut self, throw: Throw<'_>, dice: usize) -> Vec<Die> {
        self.throws.push((throw.game, throw.index));
        if let Some(dice) = self.script.pop_front() {
            return dice.into_iter().map(|value| Die::new(value).unwrap()).collect();
        }
        let of_throw = mix(self.number ^ u64::from(throw.game) << 32 ^ u64::from(throw.index));
        (0..dice as u64).map(|i| Die::ALL[usize::try_from(mix(of_throw ^ i) % 6).unwrap()]).collect()
    }

    fn lot(&mut self, game: u16, _seeds: (&Seed, &Seed)) -> Seat {
        if mix(self.number ^ u64::from(game)).is_multiple_of(2) { Seat::One } else { Seat::Two }
    }

    fn secret(&mut self, game: u16) -> Bytes32 {
        Bytes32([game.to_le_bytes()[0]; 32])
    }

    fn seed(&mut self) -> Seed {
        self.drawn += 1;
        Seed::try_from(format!("drawn {}", self.drawn)).unwrap()
    }

    fn seed_hash(&mut self, seed: &Seed) -> Bytes32 {
        hash(seed)
    }
}

/// Not a real hash, but different for different short seeds.
pub(crate) fn hash(seed: &Seed) -> Bytes32 {
    let mut bytes = [0; 32];
    for (i, byte) in seed.as_str().bytes().enumerate() {
        bytes[i % 32] ^= byte;
    }
    Bytes32(bytes)
}
