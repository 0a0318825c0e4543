//! The record of a match.

use lusoria_play::{Event as PlayEvent, Match, Player, Recorded, Seat};
use lusoria_protocol::{Record, RecordDice, RecordFormat, Scheme, Seated};

use super::{
    event::{event, result},
    name::player,
    snapshot::seeds,
    terms::{games, play_as},
};

/// The record of a match; `events` must be all of its events.
pub fn record(state: &Match, events: &[Recorded]) -> Record {
    let terms = state.terms();
    let secrets = events.iter().filter_map(|recorded| match &recorded.event {
        PlayEvent::GameEnded { game, secret, .. } => Some((game.to_string(), *secret)),
        _ => None,
    });
    Record {
        format: RecordFormat::LusoriaRecord1,
        server: env!("CARGO_PKG_VERSION").to_owned(),
        id: state.id(),
        created_at: state.created_at(),
        game: terms.variant.game(),
        options: terms.variant.options(),
        points: terms.length.points(),
        games: games(terms.length),
        clock: terms.clock,
        admission: terms.admission,
        side: play_as(terms),
        rated: terms.rated,
        players: Seated {
            one: named(state, events, Seat::One).map(player).expect("a match has a creator"),
            two: named(state, events, Seat::Two).map(player),
        },
        events: events.iter().map(|recorded| event(state, recorded)).collect(),
        dice: RecordDice {
            scheme: Scheme::LusoriaDiceV1,
            commitment: state.commitment(),
            seeds: seeds(state),
            secrets: secrets.collect(),
        },
        result: state.end().map(result),
        analysis: None,
    }
}

/// The player in a seat, as the events name them: they may have been renamed there since the state was taken.
fn named<'a>(state: &'a Match, events: &'a [Recorded], seat: Seat) -> Option<&'a Player> {
    let told = events.iter().find_map(|recorded| match (&recorded.event, seat) {
        (PlayEvent::Created { creator, .. }, Seat::One) => Some(creator),
        (PlayEvent::Joined { player, .. }, Seat::Two) => Some(player),
        _ => None,
    });
    told.or_else(|| state.player(seat))
}
