//! The ways in which matches end, and how to play them up to their last request.

use lusoria_protocol::{
    CreateMatch, Draw, Game, OfferAction, Resign, ResignScope, Seat,
    socket::{ApiRequest, Op},
};
use lusoria_search::Player;
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;

use super::playing::Playing;
use crate::{
    crash::error::{TrialError, broken, read},
    thinking::Memory,
    web,
};

/// The shortest time that a clock may have at the start, in milliseconds.
const SHORTEST_MS: u64 = 5_000;

/// How a match ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// A player resigns a single game.
    Resigned,
    /// A draw is accepted.
    Agreed,
    /// The last men are borne off.
    PlayedOut,
    /// A player resigns a pair in its first game.
    GivenUp,
    /// A player resigns the second game of a pair.
    SecondGame,
    /// A clock runs out.
    Flag,
}

/// The last request of a match.
#[derive(Debug)]
pub(super) enum Last {
    /// A request by a seat.
    Request { seat: Seat, op: Box<Op> },
    /// Nothing: a clock runs out, in milliseconds since the epoch.
    Flag { at: u64 },
}

impl Ending {
    /// All endings. The clock comes last because it takes the longest.
    pub(super) const ALL: [Self; 6] =
        [Self::Resigned, Self::Agreed, Self::PlayedOut, Self::GivenUp, Self::SecondGame, Self::Flag];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Resigned => "resigned",
            Self::Agreed => "draw agreed",
            Self::PlayedOut => "played out",
            Self::GivenUp => "pair given up",
            Self::SecondGame => "second game of a pair resigned",
            Self::Flag => "clock run out",
        }
    }

    /// The terms of a rated match that can end that way.
    pub(super) fn terms(self, random: &mut StdRng) -> CreateMatch {
        let games = match self {
            Self::GivenUp | Self::SecondGame => &Game::ALL[..],
            // The short ones.
            Self::PlayedOut => &[Game::Tavla, Game::Tabula],
            // Zeno is rated in pairs only.
            Self::Resigned | Self::Agreed | Self::Flag => {
                &[Game::Tavla, Game::Scripta, Game::Tabula, Game::Tablut]
            }
        };
        let game = games.choose(random).expect("every ending has games");
        let mut terms = json!({"game": game, "rated": true});
        terms["clock"] = match self {
            Self::Flag => json!({"kind": "fischer", "base_ms": SHORTEST_MS, "increment_ms": 0}),
            _ => json!({"kind": "fischer", "base_ms": 300_000, "increment_ms": 8_000}),
        };
        if matches!(self, Self::GivenUp | Self::SecondGame) {
            terms["games"] = json!(2);
        }
        serde_json::from_value(terms).expect("the terms of a match")
    }

    /// Plays a match until only its last request is left.
    pub(super) async fn play_until_last(
        self,
        playing: &mut Playing,
        random: &mut StdRng,
    ) -> Result<Last, TrialError> {
        playing.until_both_have_played(random).await?;
        let somebody = if random.random_ratio(1, 2) { Seat::One } else { Seat::Two };
        let resign = |playing: &mut Playing, scope| {
            let op = Box::new(playing.command(Resign { scope }));
            Last::Request { seat: somebody, op }
        };
        match self {
            Self::Resigned => Ok(resign(playing, ResignScope::Game)),
            Self::GivenUp => Ok(resign(playing, ResignScope::Match)),
            Self::SecondGame => {
                let op = playing.command(Resign { scope: ResignScope::Game });
                playing.carry_out(somebody.other(), &op).await?;
                playing.until_both_have_played(random).await?;
                Ok(resign(playing, ResignScope::Game))
            }
            Self::Agreed => {
                let mover = playing.mover()?;
                let offer = playing.command(Draw { action: OfferAction::Offer });
                playing.carry_out(mover, &offer).await?;
                let op = Box::new(playing.command(Draw { action: OfferAction::Accept }));
                Ok(Last::Request { seat: mover.other(), op })
            }
            Self::PlayedOut => play_out(playing, random).await,
            Self::Flag => {
                let id = playing.view.id;
                let snapshot =
                    web::ask(playing.at, None, &ApiRequest::get(&format!("/matches/{id}")).into()).await?;
                let snapshot: lusoria_protocol::Snapshot = read(snapshot.get())?;
                let deadline = snapshot.clocks.and_then(|clocks| clocks.deadline_at);
                let at = deadline.ok_or_else(|| broken!("no clock of {id} runs"))?;
                Ok(Last::Flag { at })
            }
        }
    }
}

/// Plays a game to its last turn.
async fn play_out(playing: &mut Playing, random: &mut StdRng) -> Result<Last, TrialError> {
    let mut memory = Memory::default();
    loop {
        let seat = playing.mover()?;
        let chosen = memory.choose(&playing.view, Player::Greedy, random.random())?;
        let chosen = chosen.ok_or_else(|| broken!("no side has a turn in {}", playing.view.id))?;
        let op = Op::command(playing.view.id, None, chosen.turn);
        if chosen.is_last {
            return Ok(Last::Request { seat, op: Box::new(op) });
        }
        playing.carry_out(seat, &op).await?;
    }
}
