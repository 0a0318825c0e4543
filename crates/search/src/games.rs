//! What the program brings along for each game: the weights that training made, and how its
//! levels play a dice game.

use lusoria_rules::{Game, Throne, tafl::Kind};

/// The tafl game on whose board the search is built: another board needs another search.
pub const TAFL: Kind = Kind::Tablut { throne: Throne::King };

/// Its file of weights.
pub(crate) const TAFL_WEIGHTS: &str = include_str!("../weights/tablut.txt");

/// What there is for a game.
pub(crate) enum Shipped {
    /// For a dice game.
    Tables {
        /// The file of weights.
        weights: &'static [u8],
        /// The chances of the last pieces; none where they cannot meet.
        endings: Option<&'static [u8]>,
        /// What a turn loses on average at each level but the highest, found in the arena
        /// (docs/strength.md).
        eases: [f32; 4],
    },
    /// For a tafl game.
    Tafl {
        /// The file of weights.
        weights: &'static str,
    },
}

impl Shipped {
    pub(crate) fn of(game: Game) -> Self {
        match game {
            Game::Zeno => Self::Tables {
                weights: include_bytes!("../weights/zeno.bin"),
                endings: Some(include_bytes!("../weights/zeno.endings")),
                eases: [0.2, 0.115, 0.065, 0.03],
            },
            Game::Tavla => Self::Tables {
                weights: include_bytes!("../weights/tavla.bin"),
                endings: None,
                eases: [0.2, 0.11, 0.06, 0.025],
            },
            Game::Scripta => Self::Tables {
                weights: include_bytes!("../weights/scripta.bin"),
                endings: Some(include_bytes!("../weights/scripta.endings")),
                eases: [0.03, 0.018, 0.011, 0.006],
            },
            Game::Tabula => Self::Tables {
                weights: include_bytes!("../weights/tabula.bin"),
                endings: Some(include_bytes!("../weights/tabula.endings")),
                eases: [0.115, 0.08, 0.055, 0.03],
            },
            Game::Tablut => Self::Tafl { weights: TAFL_WEIGHTS },
        }
    }

    /// The table of endings, packed.
    pub(crate) const fn endings(&self) -> Option<&'static [u8]> {
        match self {
            Self::Tables { endings, .. } => *endings,
            Self::Tafl { .. } => None,
        }
    }

    /// The file of weights.
    pub(crate) const fn bytes(&self) -> &'static [u8] {
        match self {
            Self::Tables { weights, .. } => weights,
            Self::Tafl { weights } => weights.as_bytes(),
        }
    }
}
