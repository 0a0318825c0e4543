//! The edition of the search.

use std::sync::OnceLock;

use lusoria_rules::Game;

use crate::games::Shipped;

/// To be raised when the same weights come to look at positions of the game in another way.
const fn search(game: Game) -> u8 {
    match game {
        // The end of a race by one-sided tables.
        Game::Tavla | Game::Tabula => 4,
        Game::Zeno | Game::Scripta | Game::Tablut => 3,
    }
}

/// A number that tells one judge of a game from another: the same for the same search, the
/// same weights and the same table of endings. What one has worked out need not be what another would.
pub fn edition(game: Game) -> u64 {
    static EDITIONS: [OnceLock<u64>; Game::ALL.len()] = [const { OnceLock::new() }; Game::ALL.len()];
    *EDITIONS[game as usize].get_or_init(|| {
        let shipped = Shipped::of(game);
        fnv1a([search(game)].iter().chain(shipped.bytes()).chain(shipped.endings().unwrap_or_default()))
    })
}

/// FNV-1a of 64 bits.
fn fnv1a<'a>(bytes: impl Iterator<Item = &'a u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_game_has_its_own() {
        let editions: HashSet<u64> = Game::ALL.into_iter().map(edition).collect();
        assert_eq!(editions.len(), Game::ALL.len());
    }

    #[test]
    fn it_is_the_sum_that_everybody_computes() {
        assert_eq!(fnv1a(b"".iter()), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar".iter()), 0x8594_4171_f739_67e8);
    }
}
