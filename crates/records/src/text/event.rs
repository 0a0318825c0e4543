//! Events as lines of the text. The text leaves out what follows from the rules, except for a little that
//! makes it readable. The reader checks that part.

use lusoria_protocol::{
    BySeat, Die, EventKind, GameEnd, MatchResult, RatedSeat, Rating, Seat, SideName, Thought, word,
};

use super::{
    moment::{moment, seconds},
    notation,
    quoted::quote,
};
use crate::replay::white_seat;

/// The text before the seconds that a turn was given back for lag.
pub(super) const LAG: &str = " lag ";

// The beginning of the line with a match's rating changes.
pub(super) const RATED: &str = "rated: seat 1 ";
pub(super) const SEAT_TWO: &str = ", seat 2 ";
pub(super) const CONSTANTS: &str = ", constants ";
pub(super) const NUMBER: &str = " number ";

/// The text before the reason why a rating was taken back.
pub(super) const UNRATED: &str = "unrated: ";

/// An event as text; empty for the first, which is in the tags. `thrown` are the dice of the turn.
pub(super) fn event(kind: &EventKind, thrown: &[Die]) -> String {
    match kind {
        EventKind::Created { .. } => String::new(),
        EventKind::Joined { .. } => "seat 2 joins".to_owned(),
        EventKind::SeedRevealed { seat, seed } => {
            format!("seat {} reveals {}", number(*seat), quote(seed.as_str()))
        }
        EventKind::GameStarted { game_number, sides, .. } => {
            let white = white_seat(*sides);
            format!("game {game_number}: seat {} plays {}", number(white), word(sides.get(white)))
        }
        EventKind::OpeningThrown { white, black, .. } => {
            format!("opening: white {}, black {}", u8::from(*white), u8::from(*black))
        }
        EventKind::Thrown { side, dice, .. } => {
            let dice: Vec<String> = dice.iter().map(|&die| u8::from(die).to_string()).collect();
            format!("{} {}", word(side), dice.join("-"))
        }
        EventKind::Turned { side, steps, thought, lag_ms, .. } => {
            turned(*side, &notation::write(steps, thrown), *thought, *lag_ms)
        }
        EventKind::Passed { side, .. } => format!("{}: pass", word(side)),
        EventKind::TakenBack { seat, turn, .. } => taken_back(*seat, *turn),
        EventKind::TakebackOffered { seat, .. } => format!("seat {} offers a takeback", number(*seat)),
        EventKind::TakebackDeclined { seat } => format!("seat {} declines the takeback", number(*seat)),
        EventKind::DrawOffered { seat } => format!("seat {} offers a draw", number(*seat)),
        EventKind::DrawDeclined { seat } => format!("seat {} declines the draw", number(*seat)),
        EventKind::Credited { down_at, up_at, .. } => {
            format!("server down from {} to {}", moment(*down_at), moment(*up_at))
        }
        EventKind::GameEnded { game_number, winner_side, points, reason, score, .. } => {
            let won = winner_side
                .map_or_else(|| "no winner".to_owned(), |winner| format!("{} wins {points}", word(&winner)));
            let BySeat { one, two } = score;
            format!("game {game_number} ends: {}, {won}, score {one}-{two}", word(reason))
        }
        EventKind::MatchEnded { result, winner_seat, reason, by_seat } => {
            let seat = |seat: &Option<Seat>| seat.map_or(0, number);
            let by = if by_seat.is_some() { format!(" by seat {}", seat(by_seat)) } else { String::new() };
            match (result, reason) {
                (MatchResult::Won, _) => format!("match ends: seat {} wins", seat(winner_seat)),
                (MatchResult::Drawn, _) => "match ends: drawn".to_owned(),
                (MatchResult::Aborted, Some(reason)) => format!("match ends: aborted, {}{by}", word(reason)),
                (MatchResult::Aborted, None) => "match ends: aborted".to_owned(),
            }
        }
        EventKind::Rated { constants, seats: BySeat { one, two } } => {
            format!("{RATED}{}{SEAT_TWO}{}{CONSTANTS}{constants}", rated_seat(*one), rated_seat(*two))
        }
        EventKind::Unrated { reason } => format!("{UNRATED}{}", reason.name()),
        EventKind::RematchOffered { seat, seed_hash } => {
            let with = seed_hash.map_or_else(String::new, |hash| format!(" with seed {hash}"));
            format!("seat {} offers a rematch{with}", number(*seat))
        }
        EventKind::RematchDeclined { seat } => format!("seat {} declines the rematch", number(*seat)),
        EventKind::RematchAgreed { next } => format!("rematch {next}"),
    }
}

fn rated_seat(of: RatedSeat) -> String {
    let rating = |Rating { points, deviation, .. }| format!("{points} ({deviation})");
    format!("{} to {}{NUMBER}{}", rating(of.before), rating(of.after), of.number)
}

/// A turn with the computer's use of its budget, and the time given back for lag.
pub(super) fn turned(
    side: SideName,
    notation: &str,
    thought: Option<Thought>,
    lag_ms: Option<u64>,
) -> String {
    let thought =
        thought.map_or_else(String::new, |Thought { budget, nodes }| format!(" {{{nodes} of {budget}}}"));
    let lag = lag_ms.map_or_else(String::new, |lag_ms| format!("{LAG}{}", seconds(lag_ms)));
    format!("{}: {notation}{thought}{lag}", word(&side))
}

/// A takeback, by the number of the turn in the game.
pub(super) fn taken_back(seat: Seat, turn: u32) -> String {
    format!("seat {} takes back turn {turn}", number(seat))
}

/// Whether an event follows from the previous one by the rules alone, and so at the same time.
pub(super) const fn follows(kind: &EventKind, before: Option<&EventKind>) -> bool {
    match kind {
        EventKind::Created { .. }
        | EventKind::GameStarted { .. }
        | EventKind::OpeningThrown { .. }
        | EventKind::Thrown { .. }
        | EventKind::Passed { .. }
        | EventKind::Rated { .. } => true,
        EventKind::GameEnded { reason, .. } => by_the_rules(*reason),
        EventKind::MatchEnded { .. } => matches!(before, Some(EventKind::GameEnded { .. })),
        EventKind::Joined { .. }
        | EventKind::SeedRevealed { .. }
        | EventKind::Turned { .. }
        | EventKind::TakenBack { .. }
        | EventKind::TakebackOffered { .. }
        | EventKind::TakebackDeclined { .. }
        | EventKind::DrawOffered { .. }
        | EventKind::DrawDeclined { .. }
        | EventKind::Credited { .. }
        | EventKind::Unrated { .. }
        | EventKind::RematchOffered { .. }
        | EventKind::RematchDeclined { .. }
        | EventKind::RematchAgreed { .. } => false,
    }
}

/// Whether a game ends for this reason with a turn or a pass.
const fn by_the_rules(reason: GameEnd) -> bool {
    match reason {
        GameEnd::BorneOff
        | GameEnd::Mars
        | GameEnd::Mother
        | GameEnd::DeadDraw
        | GameEnd::DeadPosition
        | GameEnd::KingEscaped
        | GameEnd::KingCaptured
        | GameEnd::NoMove
        | GameEnd::Repetition
        | GameEnd::Drought => true,
        GameEnd::Resigned
        | GameEnd::Agreed
        | GameEnd::Time
        | GameEnd::NoShow
        | GameEnd::Claimed
        | GameEnd::Aborted => false,
    }
}

/// 1 or 2.
pub(super) fn number(seat: Seat) -> u8 {
    seat.into()
}
