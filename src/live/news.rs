//! Selects the events of their matches that players are notified of, even when it is not their turn.

use lusoria_play::{Event, Match, PlayerId, Seat};

/// Whether a player of a match is notified of this event.
pub(super) fn is_news(event: &Event, of: &Match, player: PlayerId) -> bool {
    match *event {
        // It may have been a conditional turn, or played on another device.
        Event::Turned { seat, .. } => of.terms().clock.is_correspondence() && holds(of, seat, player),
        // Against the computer the player has done it alone.
        Event::TakenBack { .. } => !Seat::BOTH.into_iter().any(|seat| of.is_computer(seat)),
        Event::Created { .. }
        | Event::SeedRevealed { .. }
        | Event::OpeningThrown { .. }
        | Event::Thrown { .. }
        | Event::Passed { .. }
        // Comes with the end of the match, of which they are notified.
        | Event::Rated { .. }
        | Event::Credited { .. } => false,
        Event::Joined { .. }
        | Event::GameStarted { .. }
        | Event::TakebackOffered { .. }
        | Event::TakebackDeclined { .. }
        | Event::DrawOffered { .. }
        | Event::DrawDeclined { .. }
        | Event::GameEnded { .. }
        | Event::MatchEnded { .. }
        | Event::Unrated { .. }
        | Event::RematchOffered { .. }
        | Event::RematchDeclined { .. }
        | Event::RematchAgreed { .. } => true,
    }
}

fn holds(of: &Match, seat: Seat, player: PlayerId) -> bool {
    of.player(seat).is_some_and(|holder| holder.id == player)
}
