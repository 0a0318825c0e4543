//! Network files: a header that says what they are, then the numbers.

use lusoria_rules::{Game, Variant};

use super::{
    features::{INPUTS, Phase},
    net::{HIDDEN, Layers, OUTPUTS},
};

/// The header of a file of weights.
#[derive(Debug)]
pub struct Head;

impl Head {
    /// The first bytes.
    pub const MAGIC: &[u8; 8] = b"lusoria\n";
    /// Changes whenever the inputs or the shape change their meaning.
    pub const VERSION: u16 = 1;
    /// Its length in bytes.
    pub const LEN: usize = 40;

    /// Inputs, hidden units, outputs and phases.
    pub fn shape() -> [u16; 4] {
        [INPUTS, HIDDEN, OUTPUTS, Phase::COUNT].map(|size| u16::try_from(size).expect("the network is small"))
    }
}

/// A network, and its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// The game that it plays, with its options.
    pub variant: Variant,
    /// The seed of the games that it was trained on.
    pub seed: u64,
    /// The number of these games.
    pub games: u64,
    /// One set of layers for each phase.
    pub phases: Vec<Layers>,
}

/// The bytes are not the weights of a network that this program knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The file is something else.
    #[error("this is no file of weights")]
    Magic,
    /// The file is of another version or shape.
    #[error("the weights are made for another network: version {version}, shape {shape:?}")]
    Shape {
        /// The version found.
        version: u16,
        /// Inputs, hidden units, outputs and phases found.
        shape: [u16; 4],
    },
    /// The file is for a game or an option that does not exist.
    #[error("the weights are for no game of ours")]
    Game,
    /// The file is too short, too long, or contains NaN.
    #[error("the weights are damaged")]
    Damaged,
}

impl Weights {
    /// Reads a file: 8 bytes of magic, version, shape, game, which of its options, two bytes of 0, seed, number of
    /// games, then every weight as a 32-bit number, all little-endian.
    ///
    /// # Errors
    ///
    /// The bytes are not the weights of a network of this program.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (head, body) = bytes.split_at_checked(Head::LEN).ok_or(WeightsError::Damaged)?;
        if !head.starts_with(Head::MAGIC) {
            return Err(WeightsError::Magic);
        }
        let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| head[at + index]));
        let (version, found) = (short(8), [short(10), short(12), short(14), short(16)]);
        if version != Head::VERSION || found != Head::shape() {
            return Err(WeightsError::Shape { version, shape: found });
        }
        let game = *Game::ALL.get(usize::from(short(18))).ok_or(WeightsError::Game)?;
        let mut variants = Variant::ALL.iter().filter(|variant| variant.game() == game);
        let variant = *variants.nth(usize::from(short(20))).ok_or(WeightsError::Game)?;
        if body.len() != 4 * Phase::COUNT * Layers::LEN {
            return Err(WeightsError::Damaged);
        }
        let mut phases = vec![Layers::zero(); Phase::COUNT];
        let numbers = phases.iter_mut().flat_map(Layers::numbers_mut);
        for (number, bytes) in numbers.zip(body.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*bytes);
            if !number.is_finite() {
                return Err(WeightsError::Damaged);
            }
        }
        Ok(Self { variant, seed: long(24), games: long(32), phases })
    }
}
