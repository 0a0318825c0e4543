//! The board with its players: what is seen of a match.

use lusoria_client::{of_seat, other_seat};
use lusoria_protocol::{Clock, Position, Seat};

use super::{
    board::{Held, Look, Of, Paint, draw},
    table::Table,
    telling::{clipped, named, shown, time},
};

/// The match as it stands, in lines: the other player above, one's own below. `position` is
/// what is on the board, with the steps of the turn being built.
pub(super) fn plate(table: &Table, position: &Position, server_now: u64, look: Look) -> Vec<String> {
    let viewer = table.viewer();
    let held = Held { viewer, turned: table.turned };
    let board = draw(&table.entry, position, held, look)
        .unwrap_or_else(|| vec!["(a board that this client cannot draw)".to_owned()]);
    let below = seat_of(table, viewer);
    let above = other_seat(below);
    let mut lines = vec![player(table, above, position, server_now, look)];
    lines.extend(board);
    lines.push(player(table, below, position, server_now, look));
    lines
}

fn seat_of(table: &Table, of: Of) -> Seat {
    let is = |seat: Seat| table.side(seat).map(Of::side) == Some(of);
    if is(Seat::Two) { Seat::Two } else { Seat::One }
}

/// "> O White  Agathias  3 1  bar 1, off 3, 120 pips, 4:58"
fn player(table: &Table, seat: Seat, position: &Position, server_now: u64, look: Look) -> String {
    let side = table.side(seat);
    let to_play = table.now.to_play.as_ref().filter(|to_play| to_play.seat == seat);
    let arrow = if to_play.is_some() { look.either("▶", ">") } else { " " };
    let mut line = format!("{} ", look.paint(Paint::Loud, arrow));
    if let Some(side) = side {
        let of = Of::side(side);
        line.push_str(&look.paint(of.paint(), of.mark(look)));
        line.extend([" ", &clipped(table.side_name(side), 12), " "]);
    }
    line.push_str(&look.paint(Paint::Loud, &named(table, seat)));
    let mut facts = Vec::new();
    if let Some(to_play) = to_play.filter(|to_play| !to_play.dice.is_empty()) {
        facts.push(format!("throws {}", shown(&to_play.dice)));
    }
    if let (Some(side), Position::Tables(position)) = (side, position) {
        let pieces = Of::side(side).pieces(position);
        facts.extend(pieces.supply.filter(|&count| count > 0).map(|count| format!("supply {count}")));
        facts.extend(pieces.bar.filter(|&count| count > 0).map(|count| format!("bar {count}")));
        facts.push(format!("off {}", pieces.off));
        facts.extend(table.pips(seat).map(|pips| format!("{pips} pips")));
    }
    facts.extend(clock(table, seat, server_now));
    if table.now.points > 1 {
        facts.push(format!("score {}", of_seat(&table.now.score, seat)));
    }
    if table.now.player(seat).is_some_and(|player| !player.connected) {
        facts.push("away".to_owned());
    }
    if !facts.is_empty() {
        line.extend(["  ", &facts.join(", ")]);
    }
    line
}

fn clock(table: &Table, seat: Seat, server_now: u64) -> Option<String> {
    let clocks = table.now.clocks.as_ref()?;
    let left = match (clocks.running_seat, clocks.deadline_at) {
        (Some(running), Some(deadline)) if running == seat => deadline.saturating_sub(server_now),
        _ => *of_seat(&clocks.remaining_ms, seat),
    };
    // A match by days has a term, no stock.
    (!matches!(table.now.clock, Clock::None {})).then(|| time(left))
}
