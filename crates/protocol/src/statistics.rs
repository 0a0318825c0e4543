//! Statistics of games, for scholars. docs/statistics.md defines every number.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Die, Game, Options, SideName, event::GameEnd};

/// Who played a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayersKind {
    /// Two people.
    People,
    /// At least one bot, and nobody else but people.
    Bots,
    /// The computer, against a person or a bot.
    Computer,
    /// The computer, against itself.
    Computers,
}

/// How much has been counted of each game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct StatisticsList {
    /// Each game, in the order of the catalogue.
    pub games: Vec<CountedGame>,
    /// Finished matches that are still to be counted.
    pub waiting: u64,
}

/// How much has been counted of a game.
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

/// What the finished matches of a game come to. Nothing in it is about a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameStatistics {
    /// The game.
    pub game: Game,
    /// Finished matches, of all games, that are still to be counted.
    pub waiting: u64,
    /// One for each choice of options and kind of players of which there is a match.
    pub tables: Vec<StatisticsTable>,
}

/// Statistics of matches with the same options and the same kind of players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct StatisticsTable {
    /// The options of the game.
    pub options: Options,
    /// Whether these are the options by default.
    pub standard: bool,
    /// Who played.
    pub players: PlayersKind,
    /// Matches that somebody won.
    pub matches_won: u64,
    /// Matches that were drawn.
    pub matches_drawn: u64,
    /// Matches that were broken off after a turn was played.
    pub matches_aborted: u64,
    /// Games that ended with a result. All but `throws` and `turns` is about them.
    pub games: u64,
    /// Games that were broken off.
    pub games_aborted: u64,
    /// How games ended, the most frequent first.
    pub results: Vec<CountedResult>,
    /// Games won by each side.
    pub sides: Vec<SideWins>,
    /// Games that nobody won.
    pub drawn: Share,
    /// Of the games that somebody won, those won by the side that had the first turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Share>,
    /// How many turns the games had that ended by the rules of the game; none if there is no such game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Lengths>,
    /// What each side threw; empty in games without dice.
    pub throws: Vec<SideThrows>,
    /// The first turns, the most frequent first: at most 40, each of at least 3 games.
    pub openings: Vec<Opening>,
    /// What each side took of the opponent's pieces in games that ended by the rules of the game.
    pub taken: Vec<SideTaken>,
    /// Turns that each side played, and those that passed because nothing could be played.
    pub turns: Vec<SideTurns>,
    /// How long people took for a turn, by the kind of clock.
    pub times: Vec<ClockTimes>,
}

/// A part of some cases, with the 95 % interval by Wilson's score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Share {
    /// In how many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// The part, from 0 to 1; 0 of none.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval; 1 if there is no case.
    pub high: f64,
}

/// Games that ended in the same way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CountedResult {
    /// The side that won; none for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<SideName>,
    /// What the winner scored; 0 without one.
    pub points: u8,
    /// Why the game ended.
    pub reason: GameEnd,
    /// How many games, of all that ended with a result.
    pub games: Share,
}

/// Games won by a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideWins {
    /// The side.
    pub side: SideName,
    /// How many games it won, of all that ended with a result.
    pub won: Share,
}

/// How many turns games had, those of both sides together, passes too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Lengths {
    /// How many games.
    pub games: u64,
    /// Turns on average.
    pub mean: f64,
    /// The fifth part of a hundred of the games had at most so many turns.
    pub p5: u32,
    /// A quarter of the games had at most so many turns.
    pub p25: u32,
    /// Half of the games had at most so many turns.
    pub median: u32,
    /// Three quarters of the games had at most so many turns.
    pub p75: u32,
    /// All but a twentieth of the games had at most so many turns.
    pub p95: u32,
    /// How many games had each number of turns, in order.
    pub histogram: Vec<CountOf>,
}

/// How often a number came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CountOf {
    /// The number.
    pub value: u32,
    /// How often.
    pub count: u64,
}

/// What a side threw for its turns. Throws for who begins are not among them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideThrows {
    /// The side.
    pub side: SideName,
    /// Throws in which all dice were alike.
    pub alike: Share,
    /// The part of them that fair dice have.
    pub alike_expected: f64,
    /// Pearson's chi-squared of `dice` against what fair dice show.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees: u32,
    /// How likely fair dice are to be at least so uneven; none before there are five expected of each throw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Each throw that there is, the highest first.
    pub dice: Vec<CountedThrow>,
}

/// How often dice were thrown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CountedThrow {
    /// The dice, the highest first.
    pub dice: Vec<Die>,
    /// How often.
    pub count: u64,
    /// How often fair dice show it in so many throws.
    pub expected: f64,
}

/// A first turn, or in a tafl game the first moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Opening {
    /// The side that had the first turn.
    pub first: SideName,
    /// What it had thrown, the highest die first; empty in a tafl game.
    pub dice: Vec<Die>,
    /// How many moves it is: 1 in a dice game, 1 to 4 in a tafl game.
    pub plies: u8,
    /// What was played.
    pub moves: String,
    /// In how many games, of those that began with the same throw, or with so many moves.
    pub games: Share,
    /// How many of them the side that had the first turn won.
    pub won: Share,
    /// How many of them nobody won.
    pub drawn: u64,
}

/// What is done with pieces of the opponent in a game.
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

/// How many pieces of the opponent a side took in a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideTaken {
    /// The side.
    pub side: SideName,
    /// What was done with them.
    pub kind: TakenKind,
    /// On average.
    pub mean: f64,
    /// In how many games so many, in order.
    pub histogram: Vec<CountOf>,
}

/// Turns of a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideTurns {
    /// The side.
    pub side: SideName,
    /// Those that passed, of all.
    pub passed: Share,
}

/// What kind of clock a match had.
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

/// How long people took for a turn under a kind of clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ClockTimes {
    /// The kind of clock.
    pub clock: ClockPace,
    /// Turns.
    pub turns: u64,
    /// How many turns took at most so many seconds, and more than half of it, in order; the first all that took at
    /// most one.
    pub histogram: Vec<CountOf>,
}
