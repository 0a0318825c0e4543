//! Events in words.

use lusoria_protocol::{
    AbortReason, Call, Die, Event, EventKind, GameEnd, MatchResult, PlayerKind, RatedSeat, Seat, SideName,
};

use super::current_match::CurrentMatch;
use lusoria_client::printable;

/// The longest name that is shown, in characters: servers allow 24.
pub(super) const NAME_MAX: usize = 24;

/// Untrusted text, cut to the longest allowed length.
pub(super) fn clipped(text: &str, chars_max: usize) -> String {
    let plain = printable(text);
    if plain.chars().count() <= chars_max {
        return plain;
    }
    plain.chars().take(chars_max.saturating_sub(1)).chain(['~']).collect()
}

/// A player's name.
pub(super) fn named(current: &CurrentMatch, seat: Seat) -> String {
    let Some(player) = current.now.player(seat) else { return "nobody yet".to_owned() };
    let name = clipped(&player.name, NAME_MAX);
    match player.kind {
        PlayerKind::Person | PlayerKind::Computer => name,
        PlayerKind::Bot => format!("{name} (bot)"),
    }
}

/// A side with its player: "White (Agathias)".
pub(super) fn who(current: &CurrentMatch, seat: Seat, side: SideName) -> String {
    format!("{} ({})", clipped(current.side_name(side), NAME_MAX), named(current, seat))
}

/// The event in a line; none if there is nothing to say. `current` is the state before it.
pub(super) fn told(current: &CurrentMatch, event: &Event) -> Option<String> {
    let line = match &event.kind {
        EventKind::Created { .. } => return None,
        EventKind::Joined { player, .. } => format!("{} joins.", clipped(&player.name, NAME_MAX)),
        EventKind::SeedRevealed { seat, .. } => {
            format!("{} has revealed the seed for the dice.", named(current, *seat))
        }
        EventKind::GameStarted { game_number, sides, .. } => {
            let [one, two] = [(Seat::One, sides.one), (Seat::Two, sides.two)]
                .map(|(seat, side)| format!("{} plays {}", named(current, seat), current.side_name(side)));
            format!("Game {game_number}: {one}, {two}.")
        }
        EventKind::OpeningThrown { white, black, begins, .. } => {
            let dice = format!("White {}, Black {}", u8::from(*white), u8::from(*black));
            match begins {
                Some(side) => format!("Opening throw: {dice}. {} begins.", current.side_name(*side)),
                None => format!("Opening throw: {dice}: again."),
            }
        }
        EventKind::Thrown { seat, side, dice, .. } => {
            format!("{} throws {}.", who(current, *seat, *side), shown(dice))
        }
        EventKind::Turned { seat, side, notation, call, lag_ms, .. } => {
            let call = match call {
                Some(Call::Raichi) => " Raichi!",
                Some(Call::Tuichu) => " Tuichu!",
                None => "",
            };
            let line = lag_ms.map(given_back).unwrap_or_default();
            format!("{} plays {}.{call}{line}", who(current, *seat, *side), clipped(notation, 60))
        }
        EventKind::Passed { seat, side } => {
            format!("{} can play nothing and passes.", who(current, *seat, *side))
        }
        EventKind::TakenBack { seat, turn, .. } => {
            format!("{} takes back turn {turn} and all that came after it.", named(current, *seat))
        }
        EventKind::TakebackOffered { seat, .. } => {
            format!("{} asks to take back a turn{}.", named(current, *seat), can_answer(current, *seat))
        }
        EventKind::TakebackDeclined { seat } => {
            format!("{} does not let a turn be taken back.", named(current, *seat))
        }
        EventKind::DrawOffered { seat } => {
            format!("{} offers a draw{}.", named(current, *seat), can_answer(current, *seat))
        }
        EventKind::DrawDeclined { seat } => format!("{} declines the draw.", named(current, *seat)),
        EventKind::Credited { credit_ms, .. } => {
            format!("The server had not been running: {} are given back.", time(*credit_ms))
        }
        EventKind::GameEnded { winner_seat, winner_side, points, reason, score, .. } => {
            let score = if current.now.points > 1 || current.now.games.is_some() {
                format!(" Score {}-{}.", score.one, score.two)
            } else {
                String::new()
            };
            let why = ended(*reason);
            match (winner_seat, winner_side) {
                (Some(seat), Some(side)) => {
                    let double = if *points > 1 { format!(", {points} points") } else { String::new() };
                    format!("{} wins{double}: {why}.{score}", who(current, *seat, *side))
                }
                (Some(_), None) | (None, Some(_) | None) => format!("Nobody wins: {why}.{score}"),
            }
        }
        EventKind::MatchEnded { result, winner_seat, reason, .. } => match (result, winner_seat) {
            (MatchResult::Won, Some(seat)) => format!("{} has won the match.", named(current, *seat)),
            (MatchResult::Won, None) => "The match is won.".to_owned(),
            (MatchResult::Drawn, _) => "The match is drawn.".to_owned(),
            (MatchResult::Aborted, _) => format!("The match is aborted{}.", aborted(*reason)),
        },
        EventKind::Rated { seats, .. } => {
            let change = |seat| {
                let RatedSeat { before, after, .. } = seats.get(seat);
                let provisional = if after.provisional { " (provisional)" } else { "" };
                format!("{} {} to {}{provisional}", named(current, seat), before.points, after.points)
            };
            format!("Ratings: {}, {}.", change(Seat::One), change(Seat::Two))
        }
        EventKind::Unrated { .. } => "The operator has taken the ratings of this match back.".to_owned(),
        EventKind::RematchOffered { seat, .. } => {
            format!("{} offers another match{}.", named(current, *seat), can_answer(current, *seat))
        }
        EventKind::RematchDeclined { seat } => format!("{} declines another match.", named(current, *seat)),
        EventKind::RematchAgreed { next } => format!("They play again: match {next}."),
    };
    Some(line)
}

/// How the user can respond to that seat's offer.
fn can_answer(current: &CurrentMatch, offerer: Seat) -> &'static str {
    if current.my_seat().is_some_and(|mine| mine != offerer) { " (accept or decline)" } else { "" }
}

/// The time that a turn was given back for lag: " (+0.15 s line)".
fn given_back(lag_ms: u64) -> String {
    format!(" (+{}.{:02} s line)", lag_ms / 1_000, lag_ms % 1_000 / 10)
}

/// Dice in notation.
pub(super) fn shown(dice: &[Die]) -> String {
    dice.iter().map(|&die| u8::from(die).to_string()).collect::<Vec<_>>().join(" ")
}

/// A time on a clock: "4:58", "1:04:58", "2 d 3 h".
pub(super) fn time(ms: u64) -> String {
    let seconds = ms / 1_000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{:02}", seconds % 60),
        (0, _) => format!("{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
        (_, _) => format!("{days} d {} h", hours % 24),
    }
}

const fn ended(reason: GameEnd) -> &'static str {
    match reason {
        GameEnd::BorneOff => "all pieces are borne off",
        GameEnd::Mars => "all pieces are borne off before the loser's first (mars)",
        GameEnd::Mother => "the loser's mother is pinned",
        GameEnd::DeadDraw => "both mothers are pinned",
        GameEnd::DeadPosition => "nothing can ever be played again",
        GameEnd::KingEscaped => "the king has escaped",
        GameEnd::KingCaptured => "the king is captured",
        GameEnd::NoMove => "the loser has no legal move",
        GameEnd::Repetition => "the same position for the third time",
        GameEnd::Drought => "a hundred moves of each side without a capture",
        GameEnd::Resigned => "the loser has resigned",
        GameEnd::Agreed => "a draw was agreed on",
        GameEnd::Time => "the loser's time has run out",
        GameEnd::NoShow => "the loser did not come in time",
        GameEnd::Claimed => "the loser had gone",
        GameEnd::Aborted => "the match was aborted",
    }
}

const fn aborted(reason: Option<AbortReason>) -> &'static str {
    match reason {
        Some(AbortReason::Withdrawn) => ": it was withdrawn",
        Some(AbortReason::Expired) => ": nobody joined in time",
        Some(AbortReason::Player) => " by a player",
        Some(AbortReason::SeedNotRevealed) => ": a seed was not revealed in time",
        Some(AbortReason::NoShow) => ": a first turn did not come in time",
        Some(AbortReason::Abandoned) => ": nothing was played for a long time",
        Some(AbortReason::Operator) => " by the server's operator",
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lag_is_shown_to_the_hundredth() {
        for (ms, shown) in [(4, "0.00"), (50, "0.05"), (159, "0.15"), (1_500, "1.50")] {
            assert_eq!(given_back(ms), format!(" (+{shown} s line)"));
        }
    }

    #[test]
    fn times_are_as_clocks_show_them() {
        for (ms, shown) in [(0, "0:00"), (59_999, "0:59"), (3_599_000, "59:59"), (3_661_000, "1:01:01")] {
            assert_eq!(time(ms), shown);
        }
        assert_eq!(time(97 * 3_600_000), "4 d 1 h");
    }

    #[test]
    fn a_long_text_is_clipped_after_it_is_made_printable() {
        assert_eq!(clipped("Agathias", 8), "Agathias");
        assert_eq!(clipped("Agathias of Myrina", 9), "Agathias~");
        assert_eq!(clipped("\u{1b}[31m", 24), "\\u{1b}[31m");
    }
}
