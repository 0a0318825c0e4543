//! Events on the wire. An event's form depends only on the event and on the terms of its match, so it is the
//! same whenever and wherever it is read.

use lusoria_play::{
    AbortReason as PlayAbort, BySeat, Bytes32, Event as PlayEvent, GameEnd as PlayGameEnd, Match, MatchEnd,
    MatchId, Player, Recorded, Seat, SeatSeed, TakenStep, Terms,
};
use lusoria_protocol::{AbortReason, Event, EventKind, GameEnd, MatchResult, ResultView};
use lusoria_rules::{Family, Game, Side};

use super::{
    name::{by_seat, player, seat_seed, side},
    position::{position, reason},
    rating::rated_seat,
    terms::{games, play_as},
};

/// An event of a match, on the wire.
pub fn event(of: &Match, recorded: &Recorded) -> Event {
    Event { id: of.id(), seq: recorded.seq, at: recorded.at, kind: kind(of.terms(), &recorded.event) }
}

/// The rematch that these events created.
pub fn rematch_made(events: &[Recorded]) -> Option<MatchId> {
    events.iter().find_map(|recorded| match recorded.event {
        PlayEvent::RematchAgreed { next } => Some(next),
        _ => None,
    })
}

fn kind(of: &Terms, event: &PlayEvent) -> EventKind {
    let variant = of.variant.game();
    match event {
        // Not the tournament: the id of one that is not listed is as good as its link.
        PlayEvent::Created { version, terms, creator, commitment, seed, rematch_of, made_by, .. } => {
            created(*version, terms, creator, *commitment, seed, *rematch_of, made_by.as_ref())
        }
        PlayEvent::Joined { player: joiner, seed } => {
            EventKind::Joined { player: player(joiner), seed: seat_seed(seed) }
        }
        PlayEvent::SeedRevealed { seat, seed } => EventKind::SeedRevealed { seat: *seat, seed: seed.clone() },
        PlayEvent::GameStarted { game: number, white, position: start, clocks_ms } => {
            EventKind::GameStarted {
                game_number: *number,
                sides: sides(variant, *white),
                position: position(start, variant),
                clocks_ms: clocks_ms.map(by_seat),
            }
        }
        PlayEvent::OpeningThrown { throw, white, black, begins } => EventKind::OpeningThrown {
            throw: *throw,
            white: *white,
            black: *black,
            begins: begins.map(|begins| side(variant, begins)),
        },
        PlayEvent::Thrown { seat, side: thrower, throw, dice } => EventKind::Thrown {
            seat: *seat,
            side: side(variant, *thrower),
            throw: *throw,
            dice: dice.clone(),
        },
        PlayEvent::Turned {
            seat,
            side: mover,
            answers,
            steps,
            position: end,
            call,
            clocks_ms,
            lag_ms,
            thought,
        } => EventKind::Turned {
            seat: *seat,
            side: side(variant, *mover),
            answers: *answers,
            steps: steps.clone(),
            notation: notation(variant, steps),
            position: Some(position(end, variant)),
            call: *call,
            clocks_ms: clocks_ms.map(by_seat),
            lag_ms: *lag_ms,
            thought: *thought,
        },
        PlayEvent::Passed { seat, side: mover } => {
            EventKind::Passed { seat: *seat, side: side(variant, *mover) }
        }
        PlayEvent::TakenBack { seat, side: mover, to, turn, turns, dice, position: start, clocks_ms } => {
            EventKind::TakenBack {
                seat: *seat,
                side: side(variant, *mover),
                to: *to,
                turn: *turn,
                turns: *turns,
                dice: dice.clone(),
                position: position(start, variant),
                clocks_ms: clocks_ms.map(by_seat),
            }
        }
        &PlayEvent::TakebackOffered { seat, turned } => EventKind::TakebackOffered { seat, turned },
        PlayEvent::TakebackDeclined { seat } => EventKind::TakebackDeclined { seat: *seat },
        PlayEvent::DrawOffered { seat } => EventKind::DrawOffered { seat: *seat },
        PlayEvent::DrawDeclined { seat } => EventKind::DrawDeclined { seat: *seat },
        PlayEvent::Credited { from, until, credit_ms } => {
            EventKind::Credited { down_at: *from, up_at: *until, credit_ms: *credit_ms }
        }
        PlayEvent::GameEnded { game: number, winner, winner_side, points, reason, secret, score } => {
            EventKind::GameEnded {
                game_number: *number,
                winner_seat: *winner,
                winner_side: winner_side.map(|winner| side(variant, winner)),
                points: *points,
                reason: game_end(*reason),
                secret: *secret,
                score: by_seat(*score),
            }
        }
        PlayEvent::MatchEnded { end } => {
            let ResultView { result, winner_seat, reason, by_seat } = result(*end);
            EventKind::MatchEnded { result, winner_seat, reason, by_seat }
        }
        PlayEvent::Rated { constants, seats } => EventKind::Rated {
            constants: *constants,
            seats: by_seat(BySeat(rated_seat(seats.0), rated_seat(seats.1))),
        },
        PlayEvent::Unrated { reason } => EventKind::Unrated { reason: *reason },
        PlayEvent::RematchOffered { seat, seed_hash } => {
            EventKind::RematchOffered { seat: *seat, seed_hash: *seed_hash }
        }
        PlayEvent::RematchDeclined { seat } => EventKind::RematchDeclined { seat: *seat },
        PlayEvent::RematchAgreed { next } => EventKind::RematchAgreed { next: *next },
    }
}

/// How a match began.
fn created(
    version: u16,
    terms: &Terms,
    creator: &Player,
    commitment: Bytes32,
    seed: &SeatSeed,
    rematch_of: Option<MatchId>,
    made_by: Option<&Player>,
) -> EventKind {
    EventKind::Created {
        version,
        game: terms.variant.game(),
        options: terms.variant.options(),
        points: terms.length.points(),
        games: games(terms.length),
        clock: terms.clock,
        admission: terms.admission,
        side: play_as(terms),
        rated: terms.rated,
        player: player(creator),
        commitment,
        seed: seat_seed(seed),
        rematch_of,
        made_by: made_by.map(player),
    }
}

/// The side of each seat.
pub(super) fn sides(game: Game, white: Seat) -> lusoria_protocol::BySeat<lusoria_protocol::SideName> {
    let plays = |seat| side(game, if seat == white { Side::White } else { Side::Black });
    lusoria_protocol::BySeat { one: plays(Seat::One), two: plays(Seat::Two) }
}

const fn game_end(end: PlayGameEnd) -> GameEnd {
    match end {
        PlayGameEnd::Rules(why) => reason(why),
        PlayGameEnd::Resigned => GameEnd::Resigned,
        PlayGameEnd::Agreed => GameEnd::Agreed,
        PlayGameEnd::Time => GameEnd::Time,
        PlayGameEnd::NoShow => GameEnd::NoShow,
        PlayGameEnd::Claimed => GameEnd::Claimed,
        PlayGameEnd::Aborted => GameEnd::Aborted,
    }
}

/// How a match ended.
pub fn result(end: MatchEnd) -> ResultView {
    let view = |result| ResultView { result, winner_seat: None, reason: None, by_seat: None };
    match end {
        MatchEnd::Won(winner) => ResultView { winner_seat: Some(winner), ..view(MatchResult::Won) },
        MatchEnd::Drawn => view(MatchResult::Drawn),
        MatchEnd::Aborted(why) => {
            let (reason, by) = match why {
                PlayAbort::Withdrawn => (AbortReason::Withdrawn, None),
                PlayAbort::Expired => (AbortReason::Expired, None),
                PlayAbort::Player(by) => (AbortReason::Player, Some(by)),
                PlayAbort::SeedNotRevealed(by) => (AbortReason::SeedNotRevealed, Some(by)),
                PlayAbort::NoShow(by) => (AbortReason::NoShow, Some(by)),
                PlayAbort::Abandoned => (AbortReason::Abandoned, None),
                PlayAbort::Operator => (AbortReason::Operator, None),
            };
            ResultView { reason: Some(reason), by_seat: by, ..view(MatchResult::Aborted) }
        }
    }
}

/// Recorded steps in notation: `24/18 13/8*(2)`, `e8-e6xd6`. The journal is not judged again, so this does
/// not use the rules.
pub fn notation(game: Game, steps: &[TakenStep]) -> String {
    in_runs(steps.iter().map(|step| match game.family() {
        Family::Tafl(_) => {
            let captures: String = step.captures.iter().flat_map(|cell| ["x", cell]).collect();
            format!("{}-{}{captures}", step.from, step.to)
        }
        Family::Tables(_) => {
            let mark = match (step.hit, step.pin) {
                (true, _) => "*",
                (false, true) => "^",
                (false, false) => "",
            };
            format!("{}/{}{mark}", step.from, step.to)
        }
    }))
}

/// Joins words; equal ones in a row are written once with their count: `24/18 13/8*(2)`.
pub fn in_runs(words: impl Iterator<Item = String>) -> String {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for word in words {
        match runs.last_mut() {
            Some((last, times)) if *last == word => *times += 1,
            _ => runs.push((word, 1)),
        }
    }
    let runs =
        runs.into_iter().map(|(word, times)| if times == 1 { word } else { format!("{word}({times})") });
    runs.collect::<Vec<_>>().join(" ")
}
