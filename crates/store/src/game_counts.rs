//! The part of the store for statistics of the games: counts that finished matches add up to.

/// What is counted, and how often it was.
pub type CountRow = (String, u64);

/// A round of counting: within one, each finished match is counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountingRound(pub u32);

/// The counts of a game, as they are in one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameCountRows {
    /// In the order of what is counted.
    pub rows: Vec<CountRow>,
    /// Finished matches, of all games, that are not counted yet.
    pub waiting: u64,
}

/// What to do about counting by some definitions where others may be in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    GoOn(CountingRound),
    Begin(CountingRound),
    LeaveIt,
}

impl Counting {
    /// Where `round` goes on by the definitions `kept`, and all is to be counted again or not.
    pub(crate) const fn by(definitions: u32, kept: u32, round: u32, again: bool) -> Self {
        if kept > definitions {
            Self::LeaveIt
        } else if again || kept < definitions {
            Self::Begin(CountingRound(round + 1))
        } else {
            Self::GoOn(CountingRound(round))
        }
    }
}
