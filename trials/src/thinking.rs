//! Turns chosen by the search, from a client's view of a match.

use lusoria_client::{MatchView, ViewError};
use lusoria_protocol::PlayTurn;
use lusoria_rules::{History, Position};
use lusoria_search::{Decision, Player, Stakes, choose};
use lusoria_wire as wire;

/// The history of a match that the search needs.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The number of the game in the match.
    game_number: u16,
    history: History,
}

/// A turn chosen by the search.
#[derive(Debug)]
pub(crate) struct ChosenTurn {
    pub(crate) turn: PlayTurn,
    /// Whether it ends the game.
    pub(crate) is_last: bool,
}

impl Memory {
    /// Chooses the turn to be played, and adds it to the history; none if no side has a turn. Every turn of
    /// both sides must be chosen here.
    ///
    /// # Errors
    /// If the rules accept no such game or position.
    pub(crate) fn choose(
        &mut self,
        view: &MatchView,
        player: Player,
        seed: u64,
    ) -> Result<Option<ChosenTurn>, ViewError> {
        let (Some(to_play), Some(shown)) = (&view.to_play, &view.position) else { return Ok(None) };
        let variant = wire::variant(view.game, &view.options)?;
        let position = Position::recorded(variant, &wire::setup(view.game, shown)?)?;
        if self.game_number != view.game_number {
            *self = Self { game_number: view.game_number, history: History::start(&position) };
        }
        let decision =
            Decision { position, dice: &to_play.dice, history: &self.history, stakes: Stakes::Game };
        let steps = choose(&decision, player, player.budget(view.game), seed).steps;
        let mut turn = position.turn(&to_play.dice).expect("the server throws the dice of the game");
        for step in &steps {
            turn.play(step).expect("the search plays by the rules");
        }
        let end = turn.end(&self.history).expect("the search plays whole turns");
        self.history.record(&end.position, end.captured);
        let turn = PlayTurn { seq: to_play.seq, steps };
        Ok(Some(ChosenTurn { turn, is_last: end.outcome.is_some() }))
    }
}
