//! The counts as a CSV file in long form: one count a line (RFC 4180).

use std::fmt::Write;

use lusoria_rules::Game;

use crate::{Counts, Measure, OPENING_GAMES_MIN};

/// The first line of the file: the names of its columns.
pub const COLUMNS: &str = "game,options,players,measure,side,first,kind,value,count";

/// The counts of a game, in order. Openings of fewer than [`OPENING_GAMES_MIN`] games are left out.
pub fn csv(game: Game, counts: &Counts) -> String {
    let openings = counts.opening_games();
    let mut csv = format!("{COLUMNS}\r\n");
    for (key, count) in counts {
        if key.measure != Measure::Opening || openings[&key.of_any_side()] >= OPENING_GAMES_MIN {
            write!(csv, "{game},{key},{count}\r\n").expect("text is written to memory");
        }
    }
    csv
}
