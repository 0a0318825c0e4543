//! The edition of the search.

use std::sync::OnceLock;

use lusoria_rules::{Game, Variant};

use crate::games::Shipped;

/// To be raised when the same weights come to look at positions of the game in another way.
const fn search(game: Game) -> u8 {
    match game {
        // Replies pruned, so that two plies or more turns are affordable; in tavla and tabula the end of a race by
        // one-sided tables.
        Game::Tavla | Game::Tabula | Game::Scripta => 5,
        Game::Zeno | Game::Tablut => 3,
    }
}

/// A number that tells one judge of a game with its options from another: the same for the same search, the
/// same weights and the same tables. What one has worked out need not be what another would.
pub fn edition(variant: Variant) -> u64 {
    static EDITIONS: [OnceLock<u64>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
    *EDITIONS[variant.index()].get_or_init(|| {
        let shipped = Shipped::of(variant);
        sum(variant, &[shipped.endings(), shipped.pruning(), shipped.chances()])
    })
}

/// The same of the search and the weights alone: where the values of a tafl game come from, not what they mean.
pub fn edition_of_values(variant: Variant) -> u64 {
    sum(variant, &[])
}

/// The sum of the search's number, the weights and these tables.
fn sum(variant: Variant, tables: &[Option<&[u8]>]) -> u64 {
    let search = [search(variant.game())];
    let tables = tables.iter().flatten().copied().flatten();
    fnv1a(search.iter().chain(Shipped::of(variant).bytes()).chain(tables))
}

/// FNV-1a of 64 bits.
fn fnv1a<'a>(bytes: impl Iterator<Item = &'a u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use lusoria_rules::Mother;

    use super::*;

    #[test]
    fn every_game_has_its_own_and_so_has_an_option_with_weights_of_its_own() {
        let editions: HashSet<u64> = Variant::ALL.iter().copied().map(edition).collect();
        // The other options are judged by the weights of the standard games.
        let own = Variant::Tavla { mother: Mother::DoubleLoss };
        assert_ne!(edition(own), edition(Variant::standard(Game::Tavla)));
        assert_eq!(editions.len(), Game::ALL.len() + 1);
    }

    #[test]
    fn it_is_the_sum_that_everybody_computes() {
        assert_eq!(fnv1a(b"".iter()), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar".iter()), 0x8594_4171_f739_67e8);
    }
}
