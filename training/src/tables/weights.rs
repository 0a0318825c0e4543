//! Writes networks as the files that `search` reads.

use lusoria_rules::Game;
use lusoria_search::network::{Head, Layers, Phase, Weights};

/// The file of a network; [`Weights::read`] says what stands in it.
pub(super) fn write(weights: &Weights) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(Head::LEN + 4 * Phase::COUNT * Layers::LEN);
    bytes.extend(Head::MAGIC);
    bytes.extend(Head::VERSION.to_le_bytes());
    bytes.extend(Head::shape().into_iter().flat_map(u16::to_le_bytes));
    let game = Game::ALL.iter().position(|&game| game == weights.game).expect("it is one of them");
    bytes.extend(u16::try_from(game).expect("there are five").to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(weights.seed.to_le_bytes());
    bytes.extend(weights.games.to_le_bytes());
    debug_assert_eq!(bytes.len(), Head::LEN);
    bytes.extend(weights.phases.iter().flat_map(Layers::numbers).flat_map(|number| number.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_networks_are_written_as_they_were_read() {
        for game in ["zeno", "tavla", "scripta", "tabula"] {
            let path = format!("{}/../crates/search/weights/{game}.bin", env!("CARGO_MANIFEST_DIR"));
            let bytes = std::fs::read(path).unwrap();
            assert!(write(&Weights::read(&bytes).unwrap()) == bytes, "{game}");
        }
    }
}
