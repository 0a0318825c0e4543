//! The edition of the search.

use std::sync::OnceLock;

use lusoria_rules::{Game, Variant};

use crate::games::Shipped;

/// Raise this when the same weights lead to other evaluations of the game.
const fn search(game: Game) -> u8 {
    match game {
        // Replies are pruned, so that two plies or more turns are affordable; in tavla and tabula one-sided
        // tables give the end of a race.
        Game::Tavla | Game::Tabula | Game::Scripta => 5,
        Game::Zeno | Game::Tablut => 3,
    }
}

/// Identifies the evaluation of a game with its options: equal for the same search, weights and tables.
/// Results of one edition may differ from those of another.
pub fn edition(variant: Variant) -> u64 {
    static EDITIONS: [OnceLock<u64>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
    *EDITIONS[variant.index()].get_or_init(|| {
        let shipped = Shipped::of(variant);
        sum(variant, &[shipped.endings(), shipped.pruning(), shipped.chances()])
    })
}

/// The same without the tables: identifies the values of a tafl game, not the chances derived from them.
pub fn edition_of_values(variant: Variant) -> u64 {
    sum(variant, &[])
}

/// The hash of the search's number, the weights and these tables.
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
        // The other options use the weights of the standard games.
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
