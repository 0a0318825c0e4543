//! Questions about the rules, independent of any match.

use lusoria_protocol::{Game, Options, Problem, RulesAnswer, RulesQuestion};
use lusoria_rules::{Die, History, Position, Turn};

use crate::app::{App, ClientAddress, matches::turn::play, problem, wire};

/// The most positions that are listed as results of a turn.
pub(in crate::app) const ENDS_MAX: usize = 200;

impl App {
    /// The legal steps in a position, with these dice, after these steps.
    ///
    /// # Errors
    /// `impossible_position`, `wrong_dice`, `illegal_step`, `bad_notation`; `too_many_requests` if the
    /// address has too many questions waiting; `unavailable` if too many are being answered.
    pub async fn ask_rules(
        &self,
        game: Game,
        question: RulesQuestion,
        address: ClientAddress,
    ) -> Result<RulesAnswer, Problem> {
        let permit = self.rules.acquire(address).await?;
        let answered = self.background.run(move || {
            let answer = answer(game, &question);
            drop(permit);
            answer
        });
        answered.await.unwrap_or_else(|| Err(problem::internal()))
    }
}

fn answer(game: Game, question: &RulesQuestion) -> Result<RulesAnswer, Problem> {
    let position = position(game, question.options, question.position.as_ref())?;
    let variant = position.variant();
    let dice: Vec<Die> = question.dice.iter().flatten().copied().collect();
    let start = position.turn(&dice).map_err(|why| problem::wrong_dice(&why))?;
    let steps = if let Some(notation) = &question.notation {
        start.parse(notation.as_str()).map_err(|why| problem::bad_notation(&why))?
    } else {
        wire::check_steps(&question.steps)?;
        question.steps.clone()
    };
    let ends = question.ends.then(|| start.ends(ENDS_MAX));
    let (turn, notation) = play(start, &steps)?;
    Ok(describe(variant.game(), &position, turn, notation, ends))
}

/// The position that a question is about: the start of the game if it names none.
pub(super) fn position(
    game: Game,
    options: Options,
    position: Option<&lusoria_protocol::Position>,
) -> Result<Position, Problem> {
    let variant = wire::variant(game, &options)?;
    let Some(position) = position else { return Ok(Position::start(variant)) };
    let setup = wire::setup(variant.game(), position)?;
    Position::from_setup(variant, &setup).map_err(|why| problem::impossible_position(&why))
}

fn describe(
    game: lusoria_rules::Game,
    start: &Position,
    turn: Turn,
    notation: String,
    ends: Option<lusoria_rules::Ends>,
) -> RulesAnswer {
    let dice_game = game.dice() > 0;
    let position = turn.position().setup();
    let drawing = turn.position().drawing();
    let (steps, complete) = (turn.steps(), turn.is_complete());
    let reach = turn.reach().iter().filter_map(|steps| wire::reach(steps)).collect();
    let forced = turn.forced();
    let dice_left = dice_game.then(|| turn.dice_left());
    let dice_playable = dice_game.then(|| turn.dice_playable());
    let outcome =
        if complete { turn.end(&History::start(start)).ok().and_then(|end| end.outcome) } else { None };
    RulesAnswer {
        position: wire::position(&position, game),
        steps,
        reach,
        forced,
        complete,
        dice_left,
        dice_playable,
        notation,
        truncated: ends.as_ref().is_some_and(|ends| ends.truncated),
        ends: ends.map(|ends| {
            ends.positions.iter().map(|position| wire::position(&position.setup(), game)).collect()
        }),
        outcome: outcome.map(|outcome| wire::outcome(game, outcome)),
        drawing,
    }
}
