//! What lists show of a match.

use lusoria_play::{MatchId as PlayMatchId, PlayerId, Seat as PlaySeat};
use lusoria_protocol::{Cursor, MatchCard, MatchStage, ResultView, Seated};

use lusoria_wire::{admission, by_seat, clock, match_id, play_as, play_match_id, player, result, seat};

use lusoria_store::{CardResult, MatchRow, MatchState};

/// A match in a list, as `viewer` sees it.
pub fn card(row: &MatchRow, viewer: Option<PlayerId>) -> MatchCard {
    let MatchRow { id, head, card } = row;
    let terms = &card.terms;
    let holds = |at: PlaySeat, viewer| card.player(at) == Some(viewer);
    let ended = match card.result {
        CardResult::Open | CardResult::Live => None,
        CardResult::Ended(end) => Some(result(end)),
    };
    let (result, winner_seat) = match ended {
        Some(ResultView { result, winner_seat, .. }) => (Some(result), winner_seat),
        None => (None, None),
    };
    MatchCard {
        id: match_id(*id),
        game: terms.variant.game(),
        options: terms.variant.options(),
        points: terms.points,
        clock: clock(terms.clock),
        admission: admission(terms.admission),
        side: play_as(terms),
        state: match card.state() {
            MatchState::Open => MatchStage::Open,
            MatchState::Live => MatchStage::Live,
            MatchState::Finished => MatchStage::Finished,
        },
        players: Seated {
            one: card.players.0.as_ref().map(player).expect("a match has a creator"),
            two: card.players.1.as_ref().map(player),
        },
        score: by_seat(&card.score, |points| *points),
        turns: card.turns,
        to_play: card.waits_for.map(seat),
        created_at: card.created_at,
        updated_at: card.updated_at,
        head: *head,
        result,
        winner_seat,
        your_turn: viewer.map(|viewer| card.waits_for.is_some_and(|waits_for| holds(waits_for, viewer))),
        your_seats: viewer
            .map(|viewer| PlaySeat::BOTH.into_iter().filter(|&at| holds(at, viewer)).map(seat).collect()),
    }
}

/// The match after which a page begins.
pub fn cursor(cursor: &Cursor) -> PlayMatchId {
    play_match_id(cursor.after())
}

/// Where the next page begins.
pub fn to_cursor(last: PlayMatchId) -> Cursor {
    match_id(last).into()
}
