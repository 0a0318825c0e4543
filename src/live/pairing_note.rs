//! What the match of a pairing adds to its tournament, in the transactions that create and end it.

use lusoria_play::{Match, MatchId, TournamentId};
use lusoria_store::TournamentNote;
use lusoria_tournament::Event;

/// That the match has begun.
pub(super) fn began(of: TournamentId, match_id: MatchId) -> TournamentNote {
    note(of, &Event::MatchBegan { match_id })
}

/// That the match has ended; none if it ended before, or belongs to no tournament.
pub(super) fn ended(before: &Match, state: &Match) -> Option<TournamentNote> {
    let (None, Some(end), Some(of)) = (before.end(), state.end(), state.tournament()) else { return None };
    Some(note(of, &Event::MatchEnded { match_id: state.id(), end: end.into() }))
}

fn note(id: TournamentId, event: &Event) -> TournamentNote {
    TournamentNote { id, event: serde_json::to_string(event).expect("an event is plain data") }
}
