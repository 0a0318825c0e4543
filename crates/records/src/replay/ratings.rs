//! The ratings in a record. They depend on other matches, so they are taken as recorded; only whether they
//! may come at their place is judged.

use lusoria_play::{BySeat, Event as PlayEvent, Match, Recorded};
use lusoria_protocol::EventKind;
use lusoria_wire::play_rated_seat;

/// Takes the event as recorded, if it is `rated` and may come next: right after the end of a rated match,
/// with numbers from 1. Returns whether it did.
pub(crate) fn take_over_ratings(state: &mut Match, happened: &mut Vec<Recorded>, found: &EventKind) -> bool {
    let EventKind::Rated { constants, seats } = found else { return false };
    let has_just_ended =
        matches!(happened.last(), Some(Recorded { event: PlayEvent::MatchEnded { .. }, .. }));
    let is_numbered = seats.one.number > 0 && seats.two.number > 0;
    if !has_just_ended || state.rating_result().is_none() || !is_numbered {
        return false;
    }
    state.rate(happened, *constants, BySeat(play_rated_seat(seats.one), play_rated_seat(seats.two)));
    true
}
