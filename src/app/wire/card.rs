//! Cards: matches as lists show them.

use lusoria_play::{PlayerId, Seat};
use lusoria_protocol::{MatchCard, OfTournament, ResultView, Seated};

use lusoria_wire::{by_seat, games, play_as, player, result};

use lusoria_store::{CardResult, MatchRow};

/// A match in a list, as `viewer` sees it, with its tournament if lists show that.
pub fn card(row: &MatchRow, viewer: Option<PlayerId>, tournament: Option<OfTournament>) -> MatchCard {
    let MatchRow { id, head, card } = row;
    let terms = &card.terms;
    let holds = |at: Seat, viewer| card.player(at) == Some(viewer);
    let ended = match card.result {
        CardResult::Open | CardResult::Live => None,
        CardResult::Ended(end) => Some(result(end)),
    };
    let (result, winner_seat) = match ended {
        Some(ResultView { result, winner_seat, .. }) => (Some(result), winner_seat),
        None => (None, None),
    };
    MatchCard {
        id: *id,
        tournament,
        game: terms.variant.game(),
        options: terms.variant.options(),
        points: terms.length.points(),
        games: games(terms.length),
        clock: terms.clock,
        admission: terms.admission,
        side: play_as(terms),
        rated: terms.rated,
        state: card.state(),
        players: Seated {
            one: card.players.0.as_ref().map(player).expect("a match has a creator"),
            two: card.players.1.as_ref().map(player),
        },
        score: by_seat(card.score),
        turns: card.turns,
        takebacks: Some(card.takebacks).filter(|&takebacks| takebacks > 0),
        to_play: card.waits_for,
        created_at: card.created_at,
        updated_at: card.updated_at,
        head: *head,
        result,
        winner_seat,
        your_turn: viewer.map(|viewer| card.waits_for.is_some_and(|waits_for| holds(waits_for, viewer))),
        your_seats: viewer.map(|viewer| Seat::BOTH.into_iter().filter(|&at| holds(at, viewer)).collect()),
    }
}
