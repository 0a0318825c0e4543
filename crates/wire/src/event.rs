//! Events. What an event looks like depends on it and on the terms of its match alone,
//! so that it looks the same whenever and wherever it is read.

use lusoria_play::{
    AbortReason as PlayAbort, BySeat, Event as PlayEvent, GameEnd as PlayGameEnd, Match, MatchEnd, MatchId,
    Millis, Recorded, Seat, Taken, Terms,
};
use lusoria_protocol::{AbortReason, Call, Event, EventKind, GameEnd, MatchResult, ResultView};
use lusoria_rules::{Call as RulesCall, Family, Game, Side};

use super::{
    name::{by_seat, hash, match_id, player, player_seed, seat, seat_seed, side, taken, thought},
    position::{position, reason},
    terms::{admission, clock, play_as},
};

/// An event of a match, on the wire.
pub fn event(of: &Match, recorded: &Recorded) -> Event {
    Event {
        id: match_id(of.id()),
        seq: recorded.seq,
        at: recorded.at,
        kind: kind(of.terms(), &recorded.event),
    }
}

/// The rematch that these events made.
pub fn rematch_made(events: &[Recorded]) -> Option<MatchId> {
    events.iter().find_map(|recorded| match recorded.event {
        PlayEvent::RematchAgreed { next } => Some(next),
        _ => None,
    })
}

fn kind(of: &Terms, event: &PlayEvent) -> EventKind {
    let variant = of.variant.game();
    match event {
        PlayEvent::Created { version, terms, creator, commitment, seed, rematch_of, made_by } => {
            EventKind::Created {
                version: *version,
                game: terms.variant.game(),
                options: terms.variant.options(),
                points: terms.points,
                clock: clock(terms.clock),
                admission: admission(terms.admission),
                side: play_as(terms),
                player: player(creator),
                commitment: hash(*commitment),
                seed: seat_seed(seed),
                rematch_of: rematch_of.map(match_id),
                made_by: made_by.as_ref().map(player),
            }
        }
        PlayEvent::Joined { player: joiner, seed } => {
            EventKind::Joined { player: player(joiner), seed: seat_seed(seed) }
        }
        PlayEvent::SeedRevealed { seat: whose, seed } => {
            EventKind::SeedRevealed { seat: seat(*whose), seed: player_seed(seed) }
        }
        PlayEvent::GameStarted { game: number, white, position: start, clocks_ms } => {
            EventKind::GameStarted {
                game_number: *number,
                sides: sides(variant, *white),
                position: position(start, variant),
                clocks_ms: clocks_ms.as_ref().map(clocks),
            }
        }
        PlayEvent::OpeningThrown { throw, white, black, begins } => EventKind::OpeningThrown {
            throw: *throw,
            white: *white,
            black: *black,
            begins: begins.map(|begins| side(variant, begins)),
        },
        PlayEvent::Thrown { seat: whose, side: thrower, throw, dice } => EventKind::Thrown {
            seat: seat(*whose),
            side: side(variant, *thrower),
            throw: *throw,
            dice: dice.clone(),
        },
        PlayEvent::Turned {
            seat: whose,
            side: mover,
            answers,
            steps,
            position: end,
            call: warning,
            clocks_ms,
            thought: spent,
        } => EventKind::Turned {
            seat: seat(*whose),
            side: side(variant, *mover),
            answers: *answers,
            steps: steps.iter().map(taken).collect(),
            notation: notation(variant, steps),
            position: position(end, variant),
            call: warning.map(call),
            clocks_ms: clocks_ms.as_ref().map(clocks),
            thought: spent.map(thought),
        },
        PlayEvent::Passed { seat: whose, side: mover } => {
            EventKind::Passed { seat: seat(*whose), side: side(variant, *mover) }
        }
        PlayEvent::DrawOffered { seat: whose } => EventKind::DrawOffered { seat: seat(*whose) },
        PlayEvent::DrawDeclined { seat: whose } => EventKind::DrawDeclined { seat: seat(*whose) },
        PlayEvent::Credited { from, until, credit_ms } => {
            EventKind::Credited { down_at: *from, up_at: *until, credit_ms: *credit_ms }
        }
        PlayEvent::GameEnded { game: number, winner, winner_side, points, reason, secret, score } => {
            EventKind::GameEnded {
                game_number: *number,
                winner_seat: winner.map(seat),
                winner_side: winner_side.map(|winner| side(variant, winner)),
                points: *points,
                reason: game_end(*reason),
                secret: hash(*secret),
                score: by_seat(score, |points| *points),
            }
        }
        PlayEvent::MatchEnded { end } => {
            let ResultView { result, winner_seat, reason, by_seat } = result(*end);
            EventKind::MatchEnded { result, winner_seat, reason, by_seat }
        }
        PlayEvent::RematchOffered { seat: whose, seed_hash } => {
            EventKind::RematchOffered { seat: seat(*whose), seed_hash: seed_hash.map(hash) }
        }
        PlayEvent::RematchDeclined { seat: whose } => EventKind::RematchDeclined { seat: seat(*whose) },
        PlayEvent::RematchAgreed { next } => EventKind::RematchAgreed { next: match_id(*next) },
    }
}

/// Which side each seat plays.
pub(super) fn sides(game: Game, white: Seat) -> lusoria_protocol::BySeat<lusoria_protocol::SideName> {
    let plays = |seat| side(game, if seat == white { Side::White } else { Side::Black });
    lusoria_protocol::BySeat { one: plays(Seat::One), two: plays(Seat::Two) }
}

fn clocks(clocks_ms: &BySeat<Millis>) -> lusoria_protocol::BySeat<Millis> {
    by_seat(clocks_ms, |left_ms| *left_ms)
}

/// The warning of a tafl game, on the wire.
pub const fn call(call: RulesCall) -> Call {
    match call {
        RulesCall::Raichi => Call::Raichi,
        RulesCall::Tuichu => Call::Tuichu,
    }
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
        MatchEnd::Won(winner) => ResultView { winner_seat: Some(seat(winner)), ..view(MatchResult::Won) },
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
            ResultView { reason: Some(reason), by_seat: by.map(seat), ..view(MatchResult::Aborted) }
        }
    }
}

/// Recorded steps as people write them: `24/18 13/8*(2)`, `e8-e6xd6`. The journal is not
/// judged again, so this does not ask the rules.
pub fn notation(game: Game, steps: &[Taken]) -> String {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for Taken { step, played } in steps {
        let word = match game.family() {
            Family::Tafl(_) => {
                let captures: String = played.captures.iter().flat_map(|cell| ["x", cell]).collect();
                format!("{}-{}{captures}", step.from, step.to)
            }
            Family::Tables(_) => {
                let mark = if played.hit {
                    "*"
                } else if played.pin {
                    "^"
                } else {
                    ""
                };
                format!("{}/{}{mark}", step.from, step.to)
            }
        };
        match runs.last_mut() {
            Some((last, times)) if *last == word => *times += 1,
            _ => runs.push((word, 1)),
        }
    }
    let runs =
        runs.into_iter().map(|(word, times)| if times == 1 { word } else { format!("{word}({times})") });
    runs.collect::<Vec<_>>().join(" ")
}
