//! Statistics of games, for research. docs/statistics.md defines every number.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Die, Game, Options, SideName, event::GameEnd};

/// The kind of players of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayersKind {
    /// Two people.
    People,
    /// At least one bot, and otherwise people.
    Bots,
    /// The computer, against a person or a bot.
    Computer,
    /// The computer, against itself.
    Computers,
}

/// The progress of the counts of each game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct StatisticsList {
    /// Each game, in the order of the catalogue.
    pub games: Vec<CountedGame>,
    /// Finished matches that are still to be counted.
    pub waiting: u64,
}

/// The progress of the counts of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CountedGame {
    /// The game.
    pub game: Game,
    /// Matches.
    pub matches: u64,
    /// Games in them that ended with a result.
    pub games: u64,
}

/// The statistics of the finished matches of a game. They contain no personal data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameStatistics {
    /// The game.
    pub game: Game,
    /// Finished matches, of all games, that are still to be counted.
    pub waiting: u64,
    /// A table for each choice of options and kind of players with a match.
    pub tables: Vec<StatisticsTable>,
}

/// Statistics of matches with the same options and the same kind of players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct StatisticsTable {
    /// The options of the game.
    pub options: Options,
    /// Whether these are the default options.
    pub standard: bool,
    /// The kind of players.
    pub players: PlayersKind,
    /// Won matches.
    pub matches_won: u64,
    /// Matches that were drawn.
    pub matches_drawn: u64,
    /// Matches that were aborted after a turn was played.
    pub matches_aborted: u64,
    /// Games that ended with a result. Everything except `throws` and `turns` concerns these games.
    pub games: u64,
    /// Aborted games.
    pub games_aborted: u64,
    /// The endings of games, the most frequent first.
    pub results: Vec<CountedResult>,
    /// Games won by each side.
    pub sides: Vec<SideWins>,
    /// Drawn games.
    pub drawn: Share,
    /// Of the won games, those won by the side with the first turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Share>,
    /// The lengths of the games that ended by the rules, in turns; none if there is no such game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Lengths>,
    /// The throws of each side; empty in games without dice.
    pub throws: Vec<SideThrows>,
    /// The first turns, the most frequent first: at most 40, each of at least 3 games.
    pub openings: Vec<Opening>,
    /// The pieces that each side took from the opponent in games that ended by the rules.
    pub taken: Vec<SideTaken>,
    /// Turns that each side played, and those that passed because nothing could be played.
    pub turns: Vec<SideTurns>,
    /// The time that people took for a turn, by kind of clock.
    pub times: Vec<ClockTimes>,
}

/// A share of cases, with the 95 % interval by Wilson's score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Share {
    /// The number of cases with the property.
    pub count: u64,
    /// The number of all cases.
    pub of: u64,
    /// The share, from 0 to 1; 0 without cases.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval; 1 without cases.
    pub high: f64,
}

/// Games that ended in the same way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CountedResult {
    /// The side that won; none for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<SideName>,
    /// The winner's score; 0 without a winner.
    pub points: u8,
    /// The reason why the game ended.
    pub reason: GameEnd,
    /// The share of all games that ended with a result.
    pub games: Share,
}

/// Games won by a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideWins {
    /// The side.
    pub side: SideName,
    /// Its share of all games that ended with a result.
    pub won: Share,
}

/// The lengths of games in turns of both sides, including passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Lengths {
    /// The number of games.
    pub games: u64,
    /// Turns on average.
    pub mean: f64,
    /// The 5th percentile.
    pub p5: u32,
    /// The 25th percentile.
    pub p25: u32,
    /// The median.
    pub median: u32,
    /// The 75th percentile.
    pub p75: u32,
    /// The 95th percentile.
    pub p95: u32,
    /// The number of games with each length, in order.
    pub histogram: Vec<CountOf>,
}

/// The frequency of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CountOf {
    /// The number.
    pub value: u32,
    /// Its frequency.
    pub count: u64,
}

/// The throws of a side for its turns, without opening throws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideThrows {
    /// The side.
    pub side: SideName,
    /// Throws in which all dice were alike.
    pub alike: Share,
    /// Their share with fair dice.
    pub alike_expected: f64,
    /// Pearson's chi-squared of `dice` against fair dice.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees: u32,
    /// The probability that fair dice are at least this uneven; none until at least five of each throw are expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Each possible throw, the highest first.
    pub dice: Vec<CountedThrow>,
}

/// The frequency of a throw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CountedThrow {
    /// The dice, the highest first.
    pub dice: Vec<Die>,
    /// Its frequency.
    pub count: u64,
    /// Its expected frequency with fair dice.
    pub expected: f64,
}

/// A first turn, or in a tafl game the first moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Opening {
    /// The side that had the first turn.
    pub first: SideName,
    /// Its throw, the highest die first; empty in a tafl game.
    pub dice: Vec<Die>,
    /// The number of moves: 1 in a dice game, 1 to 4 in a tafl game.
    pub plies: u8,
    /// The turn or moves.
    pub moves: String,
    /// The share of games, of those that began with the same throw or this number of moves.
    pub games: Share,
    /// The share of them that the side with the first turn won.
    pub won: Share,
    /// The share of them that were drawn.
    pub drawn: u64,
}

/// The ways to take pieces of the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TakenKind {
    /// They are sent back.
    Hit,
    /// They are held where they stand.
    Pin,
    /// They are taken off the board.
    Capture,
}

/// The pieces of the opponent that a side took in a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideTaken {
    /// The side.
    pub side: SideName,
    /// The way in which it took them.
    pub kind: TakenKind,
    /// The mean for a game.
    pub mean: f64,
    /// The number of games with each count, in order.
    pub histogram: Vec<CountOf>,
}

/// Turns of a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideTurns {
    /// The side.
    pub side: SideName,
    /// The share of passes.
    pub passed: Share,
}

/// The kind of clock of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockPace {
    /// None.
    None,
    /// A stock of minutes.
    Live,
    /// Days for every turn.
    Days,
}

/// The time that people took for a turn under a kind of clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ClockTimes {
    /// The kind of clock.
    pub clock: ClockPace,
    /// Turns.
    pub turns: u64,
    /// The number of turns that took at most this many seconds and more than half of it, in order; the first one
    /// counts all that took at most one second.
    pub histogram: Vec<CountOf>,
}
