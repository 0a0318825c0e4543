//! Snapshots of matches.

use lusoria_play::{Match, Millis, Phase, PlayerId, Seat, Sits};
use lusoria_protocol::{
    ClocksView, DiceView, MatchState, PlayerView, RematchView, Scheme, Seated, Snapshot, TaflView,
    TakebackOffer, ToPlay,
};
use lusoria_rules::{Position as RulesPosition, Side};

use super::{
    event::{result, sides},
    name::{by_seat, player, player_kind, seat_seed, side},
    position::position,
    rating::ratings,
    terms::{games, play_as},
};

/// The snapshot of a match at `now`. `gone_since` says since when a seat has been gone, none if it is
/// connected; `viewer` is the guest who reads it.
pub fn snapshot(
    state: &Match,
    now: Millis,
    gone_since: impl Fn(Seat) -> Option<Millis>,
    viewer: Option<PlayerId>,
) -> Snapshot {
    let terms = state.terms();
    let variant = terms.variant.game();
    let present = state.game();
    Snapshot {
        id: state.id(),
        tournament: None,
        head: state.head(),
        created_at: state.created_at(),
        updated_at: state.last_at(),
        server_time: now,
        game: variant,
        options: terms.variant.options(),
        points: terms.length.points(),
        games: games(terms.length),
        clock: terms.clock,
        admission: terms.admission,
        side: play_as(terms),
        rated: terms.rated,
        state: match state.phase() {
            Phase::Open => MatchState::Open,
            Phase::AwaitingSeeds(_) => MatchState::AwaitingSeeds,
            Phase::Playing => MatchState::Playing,
            Phase::Ended(_) => MatchState::Ended,
        },
        players: players(state, gone_since),
        score: by_seat(state.score()),
        game_number: present.map_or(0, |game| game.number),
        sides: present.map(|game| sides(variant, game.white)),
        position: present.map(|game| position(&game.position.setup(), variant)),
        to_play: to_play(state),
        clocks: clocks(state, now),
        deadline_at: state.next_deadline(),
        draw_offered_by: state.draw_offer(),
        may_offer_draw: viewer.and_then(|viewer| may_offer_draw(state, viewer)),
        rematch: rematch(state),
        made_by: state.made_by().map(player),
        rematch_of: state.rematch_of(),
        tafl: present.and_then(|game| tafl(&game.position, &game.history)),
        pips: present.and_then(|game| {
            let pips = |seat| game.position.pips(game.side_of(seat));
            Some(lusoria_protocol::BySeat { one: pips(Seat::One)?, two: pips(Seat::Two)? })
        }),
        building: None,
        spectators: None,
        turns: state.turns(),
        takebacks: Some(state.takebacks()).filter(|&takebacks| takebacks > 0),
        may_take_back: viewer.and_then(|viewer| state.may_take_back(viewer)),
        takeback_offer: takeback_offer(state),
        result: state.end().map(result),
        ratings: state.rated().map(ratings),
        dice: dice(state),
        your_seats: viewer.map(|viewer| seats_of(state, viewer)),
    }
}

fn takeback_offer(state: &Match) -> Option<TakebackOffer> {
    state.takeback_offer().map(|offer| TakebackOffer { seat: offer.seat, turned: offer.turned })
}

/// The seats of a player.
pub(super) fn seats_of(state: &Match, player: PlayerId) -> Vec<Seat> {
    match state.sits(player) {
        Sits::Nowhere => Vec::new(),
        Sits::At(seat) => vec![seat],
        Sits::InBoth => vec![Seat::One, Seat::Two],
    }
}

/// Whether a player may offer a draw; none unless they play and a game is in progress. A player with both
/// seats offers for the one whose turn it is.
fn may_offer_draw(state: &Match, player: PlayerId) -> Option<bool> {
    let to_play = state.to_play()?;
    let seat = match state.sits(player) {
        Sits::Nowhere => return None,
        Sits::At(seat) => seat,
        Sits::InBoth => to_play.seat,
    };
    Some(state.may_offer_draw(seat))
}

fn players(state: &Match, gone_since: impl Fn(Seat) -> Option<Millis>) -> Seated<PlayerView> {
    let view = |at: Seat| {
        let player = state.player(at)?;
        let gone_since_at = gone_since(at);
        let (kind, level) = player_kind(player.kind);
        Some(PlayerView {
            id: player.id,
            name: player.name.clone(),
            kind,
            level,
            connected: gone_since_at.is_none(),
            gone_since_at,
        })
    };
    Seated { one: view(Seat::One).expect("a match has a creator"), two: view(Seat::Two) }
}

fn to_play(state: &Match) -> Option<ToPlay> {
    let (present, to_play) = (state.game()?, state.to_play()?);
    Some(ToPlay {
        seat: to_play.seat,
        side: side(state.terms().variant.game(), to_play.side),
        seq: to_play.given_by,
        dice: to_play.dice.clone(),
        since_at: to_play.since,
        first_turn: !present.has_played(to_play.seat),
    })
}

fn clocks(state: &Match, now: Millis) -> Option<ClocksView> {
    let remaining_ms = state.clocks_ms(now)?;
    let running = state.to_play();
    Some(ClocksView {
        remaining_ms: by_seat(remaining_ms),
        running_seat: running.map(|to_play| to_play.seat),
        deadline_at: running.and_then(|_| state.next_deadline()),
    })
}

fn rematch(state: &Match) -> Option<RematchView> {
    let rematch = state.rematch();
    let view =
        RematchView { offered_by: rematch.offer_standing().map(|offer| offer.seat), next: rematch.next() };
    (view.offered_by.is_some() || view.next.is_some()).then_some(view)
}

fn tafl(stands: &RulesPosition, history: &lusoria_rules::History) -> Option<TaflView> {
    let RulesPosition::Tafl(board) = stands else { return None };
    let after_defenders = board.to_move() == Side::Black && board.outcome().is_none();
    Some(TaflView {
        moves_since_capture: history.since_capture(),
        repetitions: history.repetitions(stands),
        call: after_defenders.then(|| lusoria_rules::Call::of(board.exits())).flatten(),
    })
}

/// The public part of the dice.
pub(super) fn dice(state: &Match) -> DiceView {
    DiceView { scheme: Scheme::LusoriaDiceV1, commitment: state.commitment(), seeds: seeds(state) }
}

pub(super) fn seeds(state: &Match) -> Seated<lusoria_protocol::SeatSeed> {
    let seed = |seat| state.seed(seat).map(seat_seed);
    Seated { one: seed(Seat::One).expect("seat 1 has a seed from the start"), two: seed(Seat::Two) }
}
