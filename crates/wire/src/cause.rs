//! Finds the commands that caused recorded events, in order to replay a record.

use lusoria_play::{Clock, Command, Creation, Match, PlayerId, Refusal, Seat, SeedBrought};
use lusoria_protocol::{
    AbortReason, CreateMatch, Event, EventKind, GameEnd, MatchId, PlayerKind, SeatSeed, SideName, TakenStep,
    Thought,
};
use lusoria_rules::{Step, Turn};

use super::{
    name::{check_steps, play_player, side as wire_side},
    terms::terms,
};

/// How long a player was gone is not recorded; it was long enough.
const GONE_MS: u64 = u64::MAX;

/// The cause of an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A command.
    Asked(Command),
    /// Time ran out.
    Time,
}

/// The data from which a match was created that begins with these events.
///
/// # Errors
/// In words, if no match begins like this.
pub fn creation(id: MatchId, events: &[Event]) -> Result<Creation, String> {
    let Some(Event {
        kind:
            EventKind::Created {
                game,
                options,
                points,
                games,
                clock,
                admission,
                side,
                rated,
                player: creator,
                commitment,
                seed: seat_seed,
                rematch_of,
                made_by,
                ..
            },
        ..
    }) = events.first()
    else {
        return Err("a record begins with the making of the match".to_owned());
    };
    let request = CreateMatch {
        game: *game,
        options: *options,
        points: *points,
        games: *games,
        clock: *clock,
        side: *side,
        admission: *admission,
        rated: *rated,
        opponent: None,
        stand_in: None,
        seed_hash: None,
    };
    let joiner = match (rematch_of, events.get(1).map(|event| &event.kind)) {
        (Some(_), Some(EventKind::Joined { player: joiner, seed })) => {
            Some((play_player(joiner), brought(seed)))
        }
        // The computer always joins at once.
        (None, Some(EventKind::Joined { player: joiner, seed })) if joiner.kind == PlayerKind::Computer => {
            Some((play_player(joiner), brought(seed)))
        }
        (Some(_), _) => return Err("a rematch begins with both players".to_owned()),
        (None, _) => None,
    };
    Ok(Creation {
        id,
        terms: terms(&request).map_err(|problem| problem.detail)?,
        creator: play_player(creator),
        made_by: made_by.as_ref().map(play_player),
        commitment: *commitment,
        seed: brought(seat_seed),
        joiner,
        rematch_of: *rematch_of,
        tournament: None,
    })
}

/// The possible causes of the first of these events; none if nothing can begin with it, such as a throw
/// without a turn before it.
///
/// # Errors
/// In words, if the command cannot even be expressed.
pub fn causes(before: &Match, events: &[Event]) -> Result<Vec<Cause>, String> {
    let Some(first) = events.first() else { return Ok(Vec::new()) };
    let next = events.get(1).map(|event| &event.kind);
    let asked = |command: Option<Command>| command.map(Cause::Asked).into_iter().collect();
    let at = |seat| sitting(before, seat);
    Ok(match &first.kind {
        EventKind::Joined { player: joiner, seed: brought } => {
            let seed = match brought {
                SeatSeed::Brought { seed } => Some(seed.clone()),
                SeatSeed::Drawn { .. } | SeatSeed::Committed { .. } => None,
            };
            vec![Cause::Asked(Command::Join { player: play_player(joiner), seed })]
        }
        EventKind::SeedRevealed { seat, seed } => {
            asked(at(*seat).map(|by| Command::RevealSeed { by, seed: seed.clone() }))
        }
        EventKind::Turned { seat, answers, steps: taken, lag_ms, thought, .. } => {
            let steps: Vec<Step> = taken.iter().map(TakenStep::step).collect();
            check_steps(&steps).map_err(|problem| problem.detail)?;
            // The measured lag is not recorded: it was at least what was given back.
            let (answers, thought, lag_ms) = (*answers, *thought, lag_ms.unwrap_or(0));
            asked(at(*seat).map(|by| Command::Turn { by, answers, steps, thought, lag_ms }))
        }
        EventKind::TakenBack { seat, .. } => asked(takeback(before, *seat)),
        EventKind::TakebackOffered { seat, .. } => asked(own_takeback(before, *seat)),
        EventKind::TakebackDeclined { seat } => asked(answered_takeback(before, seat.other(), false)),
        EventKind::DrawOffered { seat } => asked(at(*seat).map(|by| Command::OfferDraw { by })),
        EventKind::DrawDeclined { seat } => {
            asked(at(*seat).map(|by| Command::AnswerDraw { by, accept: false }))
        }
        EventKind::Credited { down_at, up_at, .. } => {
            vec![Cause::Asked(Command::Credit { from: *down_at, until: *up_at })]
        }
        EventKind::GameEnded { reason, winner_seat, .. } => game_ended(before, *reason, *winner_seat, next),
        EventKind::MatchEnded { reason, by_seat, .. } => broken_off(before, *reason, *by_seat),
        EventKind::RematchOffered { seat, seed_hash } => {
            let seed_hash = *seed_hash;
            asked(at(*seat).map(|by| Command::OfferRematch { by, seed_hash }))
        }
        EventKind::RematchDeclined { seat } => asked(at(*seat).map(|by| Command::DeclineRematch { by })),
        EventKind::RematchAgreed { next } => {
            let offer = before.rematch().offer_standing();
            let by = offer.and_then(|offer| sitting(before, offer.seat.other()));
            asked(by.map(|by| Command::AcceptRematch { by, next: *next }))
        }
        EventKind::Unrated { reason } => asked(Some(Command::Unrate { reason: *reason })),
        EventKind::Created { .. }
        | EventKind::Rated { .. }
        | EventKind::GameStarted { .. }
        | EventKind::OpeningThrown { .. }
        | EventKind::Thrown { .. }
        | EventKind::Passed { .. } => Vec::new(),
    })
}

/// A played turn as a command, from notation that `read` parses, with the lag given back.
///
/// # Errors
/// In words, if it is not the side's turn, or the error of `read`.
pub fn turn_told(
    before: &Match,
    side: SideName,
    (thought, lag_ms): (Option<Thought>, Option<u64>),
    read: impl FnOnce(Turn) -> Result<Vec<Step>, String>,
) -> Result<Command, String> {
    let game = before.terms().variant.game();
    let (to_play, turn) = before.to_play().zip(before.turn()).ok_or("no game is being played")?;
    if wire_side(game, to_play.side) != side {
        return Err(Refusal::NotYourTurn { game, side: to_play.side }.to_string());
    }
    let by = sitting(before, to_play.seat).ok_or("nobody sits there")?;
    let (answers, lag_ms) = (to_play.given_by, lag_ms.unwrap_or(0));
    Ok(Command::Turn { by, answers, steps: read(turn)?, thought, lag_ms })
}

/// The command that takes back the last turn of a seat: its own, or the acceptance of its offer. None if there is
/// nothing to take back.
pub fn takeback(before: &Match, seat: Seat) -> Option<Command> {
    answered_takeback(before, seat, true).or_else(|| own_takeback(before, seat))
}

fn own_takeback(before: &Match, seat: Seat) -> Option<Command> {
    let by = sitting(before, seat)?;
    before.may_take_back(by).map(|turned| Command::TakeBack { by, turned })
}

/// The answer to the offer of that seat to take its turn back; none if there is no such offer.
fn answered_takeback(before: &Match, offerer: Seat, accept: bool) -> Option<Command> {
    let offer = before.takeback_offer().filter(|offer| offer.seat == offerer)?;
    let by = sitting(before, offerer.other())?;
    Some(Command::AnswerTakeback { by, turned: offer.turned, accept })
}

fn game_ended(before: &Match, reason: GameEnd, winner: Option<Seat>, next: Option<&EventKind>) -> Vec<Cause> {
    let asked = |command: Option<Command>| command.map(Cause::Asked).into_iter().collect();
    match reason {
        GameEnd::Resigned => {
            let Some(by) = winner.and_then(|winner| sitting(before, winner.other())) else {
                return Vec::new();
            };
            let resign = |whole_match| Cause::Asked(Command::Resign { by, whole_match });
            match next {
                Some(EventKind::MatchEnded { .. }) => vec![resign(false), resign(true)],
                Some(_) | None => vec![resign(false)],
            }
        }
        GameEnd::Agreed => {
            let by = before.draw_offer().and_then(|offerer| sitting(before, offerer.other()));
            asked(by.map(|by| Command::AnswerDraw { by, accept: true }))
        }
        GameEnd::Claimed => {
            let by = winner.and_then(|winner| sitting(before, winner));
            asked(by.map(|by| Command::Claim { by, gone_ms: GONE_MS }))
        }
        GameEnd::Time | GameEnd::NoShow => vec![Cause::Time],
        GameEnd::Aborted => match next {
            Some(EventKind::MatchEnded { reason, by_seat, .. }) => broken_off(before, *reason, *by_seat),
            Some(_) | None => Vec::new(),
        },
        // These follow a turn or a pass.
        GameEnd::BorneOff
        | GameEnd::Mars
        | GameEnd::Mother
        | GameEnd::DeadDraw
        | GameEnd::DeadPosition
        | GameEnd::KingEscaped
        | GameEnd::KingCaptured
        | GameEnd::NoMove
        | GameEnd::Repetition
        | GameEnd::Drought => Vec::new(),
    }
}

fn broken_off(before: &Match, reason: Option<AbortReason>, by: Option<Seat>) -> Vec<Cause> {
    let asked = |command: Option<Command>| command.map(Cause::Asked).into_iter().collect();
    match reason {
        Some(AbortReason::Withdrawn) => {
            let maker = before.made_by().map(|maker| maker.id);
            asked(maker.or_else(|| sitting(before, Seat::One)).map(|by| Command::Abort { by }))
        }
        Some(AbortReason::Player) => {
            asked(by.and_then(|seat| sitting(before, seat)).map(|by| Command::Abort { by }))
        }
        Some(AbortReason::Operator) => asked(Some(Command::End)),
        Some(AbortReason::NoShow) if before.terms().clock == Clock::None {} => {
            let claimer = by.and_then(|seat| sitting(before, seat.other()));
            asked(claimer.map(|by| Command::Claim { by, gone_ms: GONE_MS }))
        }
        Some(
            AbortReason::NoShow
            | AbortReason::Expired
            | AbortReason::SeedNotRevealed
            | AbortReason::Abandoned,
        ) => vec![Cause::Time],
        None => Vec::new(),
    }
}

fn sitting(of: &Match, seat: Seat) -> Option<PlayerId> {
    of.player(seat).map(|player| player.id)
}

fn brought(seed: &SeatSeed) -> SeedBrought {
    match seed {
        SeatSeed::Committed { seed_hash } => SeedBrought::Hash(*seed_hash),
        SeatSeed::Drawn { .. } | SeatSeed::Brought { .. } => SeedBrought::Nothing,
    }
}
