//! Turns that are chosen by the search, from what a client knows of a match.

use lusoria_client::{MatchView, ViewError};
use lusoria_protocol::PlayTurn;
use lusoria_rules::{History, Position};
use lusoria_search::{Decision, Player, Stakes, choose};
use lusoria_wire as wire;

/// What one who thinks remembers of a match.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Of which game of the match.
    game_number: u16,
    history: History,
}

/// A turn that was chosen.
#[derive(Debug)]
pub(crate) struct ChosenTurn {
    pub(crate) turn: PlayTurn,
    /// Whether it ends the game.
    pub(crate) is_last: bool,
}

impl Memory {
    /// Chooses the turn that is to be played, and remembers it as played; none if it is nobody's turn. Every
    /// turn of both sides must be chosen here.
    ///
    /// # Errors
    /// If the rules know no such game or position.
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
