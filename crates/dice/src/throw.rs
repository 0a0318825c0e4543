//! Throws and lots, read from bytes of HMAC-SHA256.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use crate::Secret;

const THROW_LABEL: &str = "lusoria-dice-v1";
const LOT_LABEL: &str = "lusoria-lot-v1";

/// The public data on which the dice of one game depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game<'a> {
    /// The id of the match.
    pub match_id: Uuid,
    /// The number of the game in the match, from 1.
    pub number: u16,
    /// The seeds of seats 1 and 2.
    pub seeds: (&'a str, &'a str),
}

/// Throw `index` (from 0) of a game: `dice` numbers from 1 to 6, in the order
/// drawn. `secret` is the game's.
pub fn throw(secret: &Secret, game: Game<'_>, index: u32, dice: usize) -> Vec<u8> {
    bytes(secret, THROW_LABEL, game, index).filter_map(die).take(dice).collect()
}

/// The lot for colours: the seat, 1 or 2, that takes White (in a tafl game the king).
pub fn lot(secret: &Secret, game: Game<'_>) -> u8 {
    let first = bytes(secret, LOT_LABEL, game, 0).next().expect("the bytes have no end");
    if first.is_multiple_of(2) { 1 } else { 2 }
}

/// The die of a byte. 252 is the greatest multiple of six in a byte: bytes from 252 on are skipped, because
/// otherwise low numbers would be more frequent.
fn die(byte: u8) -> Option<u8> {
    (byte < 252).then_some(byte % 6 + 1)
}

/// The endless sequence of bytes for a label: block 0, block 1, …
fn bytes(secret: &Secret, label: &'static str, game: Game<'_>, index: u32) -> impl Iterator<Item = u8> {
    let Game { match_id, number, seeds: (one, two) } = game;
    // Uuid's Display is lower-case with hyphens.
    let prefix = format!("{label}|{match_id}|{number}|{one}|{two}|{index}|");
    let keyed = Hmac::<Sha256>::new_from_slice(secret.reveal()).expect("HMAC takes keys of any length");
    (0_u32..).flat_map(move |block| {
        let mut mac = keyed.clone();
        mac.update(prefix.as_bytes());
        mac.update(block.to_string().as_bytes());
        <[u8; 32]>::from(mac.finalize().into_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_252_and_above_are_skipped_and_the_rest_is_fair() {
        let mut counts = [0; 6];
        for byte in 0..=u8::MAX {
            match die(byte) {
                Some(value) => {
                    assert_eq!(value, byte % 6 + 1);
                    counts[usize::from(value) - 1] += 1;
                }
                None => assert!(byte >= 252),
            }
        }
        assert_eq!(counts, [42; 6]);
    }

    #[test]
    fn a_skipped_byte_is_replaced_by_the_next_one() {
        let secret = Secret::new([7; 32]);
        let game = Game { match_id: Uuid::from_u128(1), number: 1, seeds: ("a", "b") };
        let skipping = (0..1000)
            .find(|&i| bytes(&secret, THROW_LABEL, game, i).next().is_some_and(|byte| byte >= 252))
            .expect("four of 256 bytes are skipped");
        let drawn: Vec<u8> = bytes(&secret, THROW_LABEL, game, skipping).skip(1).take(2).collect();
        assert!(drawn.iter().all(|&byte| byte < 252), "choose another secret");
        assert_eq!(throw(&secret, game, skipping, 2), [drawn[0] % 6 + 1, drawn[1] % 6 + 1]);
    }
}
