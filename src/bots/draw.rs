//! When the computer agrees to a draw.

use lusoria_play::BySeat;
use lusoria_search::{Stakes, Value};

/// How many turns of the game each side must have played before an even game counts as a draw.
const TURNS_MIN: u32 = 10;

/// Before that, how much less than a draw the game must be worth, as a part of the range from loss to win:
/// 0.15 in chances of winning.
const CLEARLY_WORSE: f32 = 0.15;

/// Whether a seat whose game is worth `value` accepts a draw after this many turns of each seat: if a draw is
/// worth at least as much; early in the game, only if it is worth clearly more.
pub(super) fn agrees_to_draw(stakes: Stakes, value: &Value, turns: BySeat<u32>) -> bool {
    let BySeat(one, two) = turns;
    let whole = stakes.worth(&Value::of_points(1)) - stakes.worth(&Value::LOST);
    let gained = (stakes.worth(&Value::DRAWN) - stakes.worth(value)) / whole;
    gained >= if one.min(two) < TURNS_MIN { CLEARLY_WORSE } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(win: f32) -> Value {
        Value { win, ..Value::LOST }
    }

    #[test]
    fn an_even_game_is_worth_a_draw_once_each_side_has_played_ten_turns() {
        for (turns, at_most) in [
            (BySeat(0, 0), 0.35),
            (BySeat(9, 9), 0.35),
            (BySeat(9, 10), 0.35),
            (BySeat(40, 9), 0.35),
            (BySeat(10, 10), 0.5),
            (BySeat(10, 60), 0.5),
        ] {
            for stakes in [Stakes::Game, Stakes::Points] {
                assert!(agrees_to_draw(stakes, &chance(at_most - 0.01), turns), "{stakes:?} {turns:?}");
                assert!(!agrees_to_draw(stakes, &chance(at_most + 0.01), turns), "{stakes:?} {turns:?}");
            }
        }
    }

    #[test]
    fn a_double_loss_counts_double_in_a_series() {
        let in_danger = Value { win: 0.45, lose_double: 0.25, ..Value::LOST };
        assert!(agrees_to_draw(Stakes::Points, &in_danger, BySeat(0, 0)), "0.1 and 0.25 of two points");
        assert!(!agrees_to_draw(Stakes::Game, &in_danger, BySeat(0, 0)));
    }

    #[test]
    fn a_certain_draw_is_agreed_to_later() {
        assert!(!agrees_to_draw(Stakes::Game, &Value::DRAWN, BySeat(9, 9)));
        assert!(agrees_to_draw(Stakes::Game, &Value::DRAWN, BySeat(10, 10)));
    }
}
