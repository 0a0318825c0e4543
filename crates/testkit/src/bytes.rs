//! Random bytes that are the same in every run.

use std::sync::atomic::{AtomicU64, Ordering};

/// Thirty-two bytes for each call, which depend only on the seed and the number of earlier calls.
pub fn seeded_bytes(seed: u64) -> impl Fn() -> [u8; 32] + Send + Sync + 'static {
    let calls = AtomicU64::new(0);
    move || lusoria_dice::seed_hash(&format!("{seed}/{}", calls.fetch_add(1, Ordering::Relaxed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let (one, again, other) = (seeded_bytes(1), seeded_bytes(1), seeded_bytes(2));
        let first = one();
        assert_eq!(again(), first);
        assert_ne!(other(), first);
        assert_ne!(one(), first, "no two calls are alike");
    }
}
