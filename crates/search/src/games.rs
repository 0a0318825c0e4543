//! The data in the program for each game: the trained weights, and the strength of its levels in a dice game.

use lusoria_rules::{Mother, Throne, Variant, tafl::Kind};

/// The tafl game whose board the search is built for: another board needs another search.
pub const TAFL: Kind = Kind::Tablut { throne: Throne::King };

/// Its weights.
pub(crate) const TAFL_WEIGHTS: &str = include_str!("../weights/tablut.txt");
/// Its curve of chances.
pub(crate) const TAFL_CHANCES: &str = include_str!("../weights/tablut.chances");

/// The data for a game with its options: an option that changes the best play has its own weights
/// (docs/training.md, "The options").
pub(crate) enum Shipped {
    /// For a dice game.
    Tables {
        /// The file of weights.
        weights: &'static [u8],
        /// The pruning network; none if the game has none yet (docs/training.md, "Which replies are judged").
        pruning: Option<&'static [u8]>,
        /// The table of the last pieces; none where these cannot meet.
        endings: Option<&'static [u8]>,
        /// The average loss of a turn at each level except the highest, measured in the arena
        /// (docs/strength.md).
        eases: [f32; 4],
    },
    /// For a tafl game.
    Tafl {
        /// The file of weights.
        weights: &'static str,
        /// The curve of chances (docs/training.md, "How sure tablut's chances are").
        chances: &'static str,
    },
}

impl Shipped {
    pub(crate) fn of(variant: Variant) -> Self {
        match variant {
            Variant::Zeno { .. } => Self::Tables {
                weights: include_bytes!("../weights/zeno.bin"),
                pruning: None,
                endings: Some(include_bytes!("../weights/zeno.endings")),
                eases: [0.2, 0.115, 0.065, 0.03],
            },
            Variant::Tavla { mother } => Self::Tables {
                weights: match mother {
                    Mother::PlayOn => include_bytes!("../weights/tavla.bin"),
                    Mother::DoubleLoss => include_bytes!("../weights/tavla-mother-double_loss.bin"),
                },
                pruning: Some(include_bytes!("../weights/tavla.pruning")),
                endings: None,
                eases: [0.2, 0.11, 0.06, 0.025],
            },
            Variant::Scripta { .. } => Self::Tables {
                weights: include_bytes!("../weights/scripta.bin"),
                pruning: Some(include_bytes!("../weights/scripta.pruning")),
                endings: Some(include_bytes!("../weights/scripta.endings")),
                eases: [0.03, 0.018, 0.011, 0.006],
            },
            Variant::Tabula => Self::Tables {
                weights: include_bytes!("../weights/tabula.bin"),
                pruning: Some(include_bytes!("../weights/tabula.pruning")),
                endings: Some(include_bytes!("../weights/tabula.endings")),
                eases: [0.115, 0.08, 0.055, 0.03],
            },
            Variant::Tablut { .. } => Self::Tafl { weights: TAFL_WEIGHTS, chances: TAFL_CHANCES },
        }
    }

    /// The weights of the pruning network.
    pub(crate) const fn pruning(&self) -> Option<&'static [u8]> {
        match self {
            Self::Tables { pruning, .. } => *pruning,
            Self::Tafl { .. } => None,
        }
    }

    /// The table of endings, packed.
    pub(crate) const fn endings(&self) -> Option<&'static [u8]> {
        match self {
            Self::Tables { endings, .. } => *endings,
            Self::Tafl { .. } => None,
        }
    }

    /// The curve that converts a tafl game's values to chances; none for a dice game, whose network gives
    /// chances.
    pub(crate) const fn chances(&self) -> Option<&'static [u8]> {
        match self {
            Self::Tables { .. } => None,
            Self::Tafl { chances, .. } => Some(chances.as_bytes()),
        }
    }

    /// The file of weights.
    pub(crate) const fn bytes(&self) -> &'static [u8] {
        match self {
            Self::Tables { weights, .. } => weights,
            Self::Tafl { weights, .. } => weights.as_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Weights;

    #[test]
    fn an_option_is_played_with_its_own_weights_or_with_those_of_its_game() {
        let own = Variant::Tavla { mother: Mother::DoubleLoss };
        for &variant in Variant::ALL.iter().filter(|variant| variant.game().dice() > 0) {
            let weights = Weights::read(Shipped::of(variant).bytes()).unwrap();
            let of = if variant == own { own } else { Variant::standard(variant.game()) };
            assert_eq!(weights.variant, of);
        }
    }
}
