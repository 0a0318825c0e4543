//! Networks as files: a head that says what they are, then the numbers.

use lusoria_rules::Game;

use super::{
    features::{INPUTS, Phase},
    net::{HIDDEN, Layers, OUTPUTS},
};

const MAGIC: &[u8; 8] = b"lusoria\n";
/// Changes whenever the inputs or the shape change their meaning.
const VERSION: u16 = 1;
const HEAD: usize = 40;

/// A network with what is told of its making.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weights {
    pub(crate) game: Game,
    /// The seed of the games that it learnt from.
    pub(crate) seed: u64,
    /// How many games that were.
    pub(crate) games: u64,
    pub(crate) phases: Vec<Layers>,
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
    /// The file says that it is for a game that there is not.
    #[error("the weights are for no game of ours")]
    Game,
    /// The file is too short, too long, or holds what is no number.
    #[error("the weights are damaged")]
    Damaged,
}

fn shape() -> [u16; 4] {
    [INPUTS, HIDDEN, OUTPUTS, Phase::COUNT].map(|size| u16::try_from(size).expect("the network is small"))
}

impl Weights {
    /// Writes them: 8 bytes of magic, version, shape, game, seed, number of games, then every
    /// weight as a 32-bit number, all little-endian.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 4 * Phase::COUNT * Layers::LEN);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(shape().into_iter().flat_map(u16::to_le_bytes));
        let game = Game::ALL.iter().position(|&game| game == self.game).expect("it is one of them");
        bytes.extend(u16::try_from(game).expect("there are five").to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
        debug_assert_eq!(bytes.len(), HEAD);
        bytes.extend(self.phases.iter().flat_map(Layers::numbers).flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Reads what [`Weights::write`] wrote.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (head, body) = bytes.split_at_checked(HEAD).ok_or(WeightsError::Damaged)?;
        if !head.starts_with(MAGIC) {
            return Err(WeightsError::Magic);
        }
        let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| head[at + index]));
        let (version, found) = (short(8), [short(10), short(12), short(14), short(16)]);
        if version != VERSION || found != shape() {
            return Err(WeightsError::Shape { version, shape: found });
        }
        let game = *Game::ALL.get(usize::from(short(18))).ok_or(WeightsError::Game)?;
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
        Ok(Self { game, seed: long(24), games: long(32), phases })
    }
}
