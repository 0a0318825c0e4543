//! A fast hasher for packed positions. It does not resist chosen keys; the sets that use it are bounded and
//! live only for one query.

use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies and rotates word by word, as Firefox's hash does.
#[derive(Default)]
pub(super) struct WordHasher(u64);

/// Builds [`WordHasher`]s.
pub(super) type BuildWordHasher = BuildHasherDefault<WordHasher>;

impl Hasher for WordHasher {
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn finish(&self) -> u64 {
        // A multiplication mixes only upwards, and the table takes its buckets from the low bits.
        self.0.rotate_left(26)
    }
}
