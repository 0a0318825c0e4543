//! Turns for players who play any legal turn.

use lusoria_play::{Command, Match};

/// The command that plays the first legal turn of the player to move.
pub fn first_turn(state: &Match) -> Command {
    let to_play = state.to_play().expect("a match in which somebody is to play");
    let mut turn = state.turn().expect("a turn to play");
    let mut steps = Vec::new();
    while !turn.is_complete() {
        let step = turn.steps().into_iter().next().expect("a turn that is not complete has a step");
        turn.play(&step).expect("a listed step is legal");
        steps.push(step);
    }
    let by = state.player(to_play.seat).expect("both seats are taken").id;
    Command::Turn { by, answers: to_play.given_by, steps, thought: None, lag_ms: 0 }
}
