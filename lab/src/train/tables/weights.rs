//! Writes networks as the files that `search` reads.

use lusoria_rules::Variant;
use lusoria_search::network::{Head, Layers, Phase, Weights};

/// The file of a network; [`Weights::read`] describes its format.
pub(super) fn write(weights: &Weights) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(Head::LEN + 4 * Phase::COUNT * Layers::LEN);
    bytes.extend(Head::MAGIC);
    bytes.extend(Head::VERSION.to_le_bytes());
    bytes.extend(Head::shape().into_iter().flat_map(u16::to_le_bytes));
    let game = weights.variant.game();
    let option = weights.variant.index() - Variant::standard(game).index();
    let numbers = [game as usize, option].map(|number| u16::try_from(number).expect("there are few"));
    bytes.extend(numbers.into_iter().flat_map(u16::to_le_bytes));
    bytes.extend([0; 2]);
    bytes.extend(weights.seed.to_le_bytes());
    bytes.extend(weights.games.to_le_bytes());
    debug_assert_eq!(bytes.len(), Head::LEN);
    bytes.extend(weights.phases.iter().flat_map(Layers::numbers).flat_map(|number| number.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::files;

    #[test]
    fn the_shipped_networks_are_written_as_they_were_read() {
        let dice = Variant::ALL.iter().copied().filter(|variant| variant.game().dice() > 0);
        let shipped: Vec<_> =
            dice.filter_map(|of| Some((of, files::read(&files::weights(of)).unwrap()?))).collect();
        assert_eq!(shipped.len(), 5, "four games, and an option");
        for (variant, bytes) in shipped {
            let weights = Weights::read(&bytes).unwrap();
            assert_eq!(weights.variant, variant);
            assert!(write(&weights) == bytes, "{}", files::name(variant));
        }
    }
}
