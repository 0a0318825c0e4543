//! Values that need no network: the end of the game, or exact chances. Almost exact values at the end of a
//! race replace the network's too.

use std::sync::OnceLock;

use lusoria_rules::{Game, Side, tables::Position};

use super::{bearing_off::BearingOff, endings::Endings, features::in_contact, one_sided::OneSided};
use crate::{Value, games::Shipped};

/// From this many pieces borne off on both sides on, the tables may have the position.
const NEAR: u8 = 9;

/// The tables of a game, each loaded on first use. Options make no difference: they concern pieces in the
/// supply or on the first cell, and there are none any more.
#[derive(Debug, Default)]
struct Tables {
    /// The end of a race; none where both travel in the same direction.
    bearing_off: OnceLock<Option<BearingOff>>,
    /// Each side of a race alone; none where both travel in the same direction.
    one_sided: OnceLock<Option<OneSided>>,
    /// The last pieces; none where they cannot meet.
    endings: OnceLock<Option<Endings>>,
}

/// The exact value for the side to move, if it is known.
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

/// The almost exact value for the side to move in a race, with both sides at home, if it is known.
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

    /// The chance of the side to move, if both bring home and bear off undisturbed.
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
