//! What is known of a position without any judgement: how the game has ended, or the chances of its end.
//! Where the end of a race is known all but exactly, that takes the place of the network's judgement.

use std::sync::OnceLock;

use lusoria_rules::{Game, Side, tables::Position};

use super::{bearing_off::BearingOff, endings::Endings, features::in_contact, one_sided::OneSided};
use crate::{Value, games::Shipped};

/// From so many pieces borne off on both sides on it is worth asking the tables.
const NEAR: u8 = 9;

/// The tables of a game, each made ready when it is first asked for. Its options make no difference: they are about
/// pieces in the supply or on the first cell, and there are none any more.
#[derive(Debug, Default)]
struct Tables {
    /// The end of a race; none where both travel the same way.
    bearing_off: OnceLock<Option<BearingOff>>,
    /// Each side of a race alone; none where both travel the same way.
    one_sided: OnceLock<Option<OneSided>>,
    /// The last pieces; none where they cannot meet.
    endings: OnceLock<Option<Endings>>,
}

/// What the side to move can hope for, if it is known exactly.
pub fn known(position: &Position) -> Option<Value> {
    if let Some(outcome) = position.outcome() {
        return Some(Value::of_outcome(outcome, position.to_move()));
    }
    if Side::BOTH.into_iter().any(|side| position.off(side) < NEAR) {
        return None;
    }
    let tables = Tables::of(position.rules().game());
    let win = tables.race(position).or_else(|| tables.last_pieces(position));
    win.map(|win| Value { win, ..Value::LOST })
}

/// What the side to move can hope for in a race, both sides at home, if it is known all but exactly.
pub fn nearly_known(position: &Position) -> Option<Value> {
    // Most positions need no table.
    if Side::BOTH.into_iter().any(|side| position.off(side) == 0) {
        return None;
    }
    let alone = &Tables::of(position.rules().game()).one_sided;
    let win = alone.get_or_init(|| OneSided::of(position.rules())).as_ref()?.win(position)?;
    Some(Value { win, ..Value::LOST })
}

impl Tables {
    const fn new() -> Self {
        Self { bearing_off: OnceLock::new(), one_sided: OnceLock::new(), endings: OnceLock::new() }
    }

    fn of(game: Game) -> &'static Self {
        static TABLES: [Tables; Game::ALL.len()] = [const { Tables::new() }; Game::ALL.len()];
        &TABLES[game as usize]
    }

    /// The chance of the side to move, if both bring home and bear off alone.
    fn race(&self, position: &Position) -> Option<f32> {
        if !position.is_opposed() || in_contact(position) {
            return None;
        }
        self.bearing_off.get_or_init(|| BearingOff::of(position.rules())).as_ref()?.win(position)
    }

    /// The chance of the side to move, if few pieces are left.
    fn last_pieces(&self, position: &Position) -> Option<f32> {
        let rules = position.rules();
        let endings = || {
            let packed = Shipped::of(rules.variant()).endings()?;
            Some(Endings::read(rules, packed).expect("the table that is shipped fits the program"))
        };
        self.endings.get_or_init(endings).as_ref()?.win(position)
    }
}
