//! Compulsion and the ends of turns in the dice games.

use std::collections::HashSet;

use lusoria_rules::{BySide, Die, Position, Side, Turn};

use super::{
    board::{self, sides},
    bytes::Bytes,
    naive_tables::{Board, Known, Pieces, TooMany},
};

/// The most states that a fuzzer has time for.
const STATES_MAX: usize = 1_500;

/// The dice that a turn must play, all its legal steps and the positions in which it can end agree with the
/// naive rules; a limit on the ends takes the first of them and says so.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let variant = board::dice_variant(&mut bytes);
    let Some(position) = board::position(&mut bytes, variant) else { return };
    let dice = board::dice(&mut bytes, variant.game());
    holds(position.turn(&dice).expect("the game's number of dice"), &dice, &mut bytes, STATES_MAX);
}

/// Compares a turn with the naive rules from its beginning, through at most this many states.
pub(crate) fn holds(turn: Turn, dice: &[Die], bytes: &mut Bytes<'_>, states_max: usize) {
    let board = Board::new(&turn.start(), dice);
    // Where the naive rules lead to too many boards, they are not searched to the end.
    let _ = agree(turn, board, bytes, &mut Known::new(states_max));
}

fn agree(mut turn: Turn, mut board: Board, bytes: &mut Bytes<'_>, known: &mut Known) -> Result<(), TooMany> {
    assert_eq!(usize::from(turn.dice_playable()), board.playable(known)?, "{board:?}");
    let limit = bytes.below(40);
    loop {
        let steps = board.steps(known)?;
        let listed: Vec<_> = steps.iter().map(|(step, _)| step.clone()).collect();
        assert_eq!(turn.steps(), listed, "{board:?}");
        let naive = board.ends(known)?;
        let all = turn.ends(usize::MAX);
        let found: HashSet<_> = all.positions.iter().map(|end| pieces(end, true)).collect();
        assert_eq!(all.positions.len(), found.len(), "an end stands twice");
        assert_eq!((all.truncated, found), (false, naive), "{board:?}");
        let some = turn.ends(limit);
        assert_eq!(some.truncated, all.positions.len() > limit);
        assert_eq!(some.positions, all.positions[..limit.min(all.positions.len())]);
        if steps.is_empty() {
            return Ok(());
        }
        let (step, after) = bytes.one_of(&steps).clone();
        turn.play(&step).expect("a listed step is legal");
        board = after;
        assert_eq!(pieces(&turn.position(), false), board.pieces(), "{step:?}");
    }
}

/// The pieces of the mover and the other side, before or after the end of the turn.
fn pieces(position: &Position, handed_on: bool) -> (Pieces, Pieces) {
    let BySide { white, black } = sides(position);
    let game = position.variant().game();
    let (white, black) = (Pieces::read(game, &white), Pieces::read(game, &black));
    let white_moves = (position.to_move() == Side::White) != handed_on;
    if white_moves { (white, black) } else { (black, white) }
}
