//! The messages to outside engines, one line of JSON each.

use std::time::Duration;

use lusoria_protocol::{Die, Options, Position};
use lusoria_rules::{Family, Side};
use lusoria_search::Stakes;
use serde::Serialize;

use super::{
    fault::millis,
    legal::{LegalTurn, legal_turns},
    memory::Memory,
};
use crate::{Contest, question::Question};
use lusoria_wire as wire;

/// The version of the protocol.
const PROTOCOL: u8 = 1;

/// A line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Message<'a> {
    /// The first message; the reply is `ready`.
    Hello(Hello),
    /// A game begins; no reply.
    Start {
        /// From 1.
        game: u32,
        /// The side that the engine plays.
        side: &'static str,
        /// A seed for its random choices, below 2 to the 53.
        seed: u64,
    },
    /// It is the engine's turn; the reply is `steps` or `notation`.
    Turn(Box<TurnRequest<'a>>),
    /// A game has ended; no reply.
    End(&'a Ended),
}

/// What will be played.
#[derive(Debug, Serialize)]
pub(super) struct Hello {
    protocol: u8,
    game: &'static str,
    options: Options,
    /// `game`, or `points` if a double win counts two.
    stakes: &'static str,
    /// The time limit of a turn, in milliseconds.
    time_ms: u64,
}

/// A request for a turn, in the forms of the API.
#[derive(Debug, Serialize)]
pub(super) struct TurnRequest<'a> {
    position: Position,
    side: &'static str,
    /// The throw; absent in a tafl game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dice: Vec<Die>,
    /// Only in a tafl game.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<&'a Memory>,
    time_ms: u64,
    /// Absent if the engine does not want it.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Vec<LegalTurn>>,
    /// Whether there are more legal turns.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

/// The end of a game, from the engine's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Ended {
    game: u32,
    result: GameResult,
    /// Its points; negative if it lost.
    points: i8,
    reason: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum GameResult {
    Won,
    Drawn,
    Lost,
}

impl Message<'_> {
    /// The line, with its newline.
    pub(super) fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("messages are plain data");
        line.push('\n');
        line
    }
}

impl Hello {
    pub(super) fn of(contest: &Contest) -> Self {
        Self {
            protocol: PROTOCOL,
            game: contest.variant.game().id(),
            options: contest.variant.options(),
            stakes: match contest.stakes {
                Stakes::Game => "game",
                Stakes::Points => "points",
            },
            time_ms: millis(contest.limits.turn),
        }
    }
}

impl Ended {
    /// The end of a game for the engine of that side. Games count from 0.
    pub(crate) fn of(game: u32, side: Side, winner: Option<Side>, points: u8, reason: &'static str) -> Self {
        let points = i8::try_from(points).expect("a game scores at most 2");
        let (result, points) = match winner {
            None => (GameResult::Drawn, 0),
            Some(winner) if winner == side => (GameResult::Won, points),
            Some(_) => (GameResult::Lost, -points),
        };
        Self { game: game + 1, result, points, reason }
    }
}

/// The request for a turn, with at most this many legal ones.
pub(super) fn turn<'a>(question: &Question<'a>, legal_max: usize, within: Duration) -> Message<'a> {
    let position = &question.decision.position;
    let game = position.variant().game();
    let legal = (legal_max > 0).then(|| legal_turns(question.turn, legal_max));
    let (legal, truncated) = legal.map_or((None, false), |legal| (Some(legal.turns), legal.truncated));
    Message::Turn(Box::new(TurnRequest {
        position: wire::position(&position.setup(), game),
        side: game.side_name(position.to_move()),
        dice: question.decision.dice.to_vec(),
        history: matches!(game.family(), Family::Tafl(_)).then_some(question.memory),
        time_ms: millis(within),
        legal,
        truncated,
    }))
}
