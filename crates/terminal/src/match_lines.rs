//! A match as lines of text: the board between its two players.

use lusoria_protocol::{Clock, Position, Seat};

use super::{
    board::{BoardSide, Orientation, Paint, Style, draw},
    current_match::CurrentMatch,
    event_text::{clipped, named, shown, time},
};

/// The match as lines: the opponent above the board, the user below. `position` includes the steps of the
/// turn being built.
pub(super) fn match_lines(
    current: &CurrentMatch,
    position: &Position,
    server_now: u64,
    style: Style,
) -> Vec<String> {
    let viewer = current.viewer();
    let orientation = Orientation { viewer, turned: current.turned };
    let board = draw(&current.entry, position, orientation, style)
        .unwrap_or_else(|| vec!["(a board that this client cannot draw)".to_owned()]);
    let below = seat_of(current, viewer);
    let above = below.other();
    let mut lines = vec![player(current, above, position, server_now, style)];
    lines.extend(board);
    lines.push(player(current, below, position, server_now, style));
    lines
}

fn seat_of(current: &CurrentMatch, of: BoardSide) -> Seat {
    let is = |seat: Seat| current.side(seat).map(BoardSide::of) == Some(of);
    if is(Seat::Two) { Seat::Two } else { Seat::One }
}

/// "> O White  Agathias  3 1  bar 1, off 3, 120 pips, 4:58"
fn player(current: &CurrentMatch, seat: Seat, position: &Position, server_now: u64, style: Style) -> String {
    let side = current.side(seat);
    let to_play = current.now.to_play.as_ref().filter(|to_play| to_play.seat == seat);
    let arrow = if to_play.is_some() { style.either("▶", ">") } else { " " };
    let mut line = format!("{} ", style.paint(Paint::Loud, arrow));
    if let Some(side) = side {
        let of = BoardSide::of(side);
        line.push_str(&style.paint(of.paint(), of.mark(style)));
        line.extend([" ", &clipped(current.side_name(side), 12), " "]);
    }
    line.push_str(&style.paint(Paint::Loud, &named(current, seat)));
    let mut facts = Vec::new();
    if let Some(to_play) = to_play.filter(|to_play| !to_play.dice.is_empty()) {
        facts.push(format!("throws {}", shown(&to_play.dice)));
    }
    if let (Some(side), Position::Tables(position)) = (side, position) {
        let pieces = BoardSide::of(side).pieces(position);
        facts.extend(pieces.supply.filter(|&count| count > 0).map(|count| format!("supply {count}")));
        facts.extend(pieces.bar.filter(|&count| count > 0).map(|count| format!("bar {count}")));
        facts.push(format!("off {}", pieces.off));
        facts.extend(current.pips(seat).map(|pips| format!("{pips} pips")));
    }
    facts.extend(clock(current, seat, server_now));
    if current.now.points > 1 || current.now.games.is_some() {
        facts.push(format!("score {}", current.now.score.get(seat)));
    }
    if current.now.player(seat).is_some_and(|player| !player.connected) {
        facts.push("away".to_owned());
    }
    if !facts.is_empty() {
        line.extend(["  ", &facts.join(", ")]);
    }
    line
}

fn clock(current: &CurrentMatch, seat: Seat, server_now: u64) -> Option<String> {
    let clocks = current.now.clocks.as_ref()?;
    let left = match (clocks.running_seat, clocks.deadline_at) {
        (Some(running), Some(deadline)) if running == seat => deadline.saturating_sub(server_now),
        _ => *clocks.remaining_ms.get(seat),
    };
    // A match without a clock has no remaining time.
    (!matches!(current.now.clock, Clock::None {})).then(|| time(left))
}
