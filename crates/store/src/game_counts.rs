//! The part of the store for statistics of the games: counts that finished matches add up to.

use lusoria_play::MatchId;
use lusoria_rules::Game;

use crate::StoreFuture;

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

/// Counts of the games. The promises of [`Store`](crate::Store) hold. A store that is moved to another database takes no
/// counts along: its matches are counted again there.
pub trait GameCounts: Send + Sync + 'static {
    /// The round in which matches are counted by these definitions. If they were counted by earlier ones, another round
    /// begins, without counts. None if later definitions are in use, of another release: leave counting to it.
    fn counting_round(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;

    /// Begins another round, without counts, by these definitions. None, and nothing changes, if later ones are in use.
    fn count_again(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;

    /// Finds at most `limit` finished matches that are not counted in that round.
    fn uncounted(&self, round: CountingRound, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;

    /// Counts a finished match: adds what it comes to, each of `counts` once, to the counts of its game. False, and
    /// nothing changes, if it is counted already, has not ended or is gone, or another round has begun.
    fn count_match(
        &self,
        round: CountingRound,
        id: MatchId,
        game: Game,
        counts: Vec<CountRow>,
    ) -> StoreFuture<'_, bool>;

    /// Reads the counts of a game.
    fn game_counts(&self, game: Game) -> StoreFuture<'_, GameCountRows>;
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
