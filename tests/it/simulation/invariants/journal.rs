//! What must hold for every event that the store commits.

use lusoria_play::{
    AbortReason, Admission, Clock, Event, GameEnd, Match, MatchEnd, Millis, PlayerId, PlayerKind, Recorded,
    Seat, Sits,
};

use super::{Verdict, holds};
use crate::simulation::{
    asked::RequestId,
    ledger::{Book, Ledger},
};

/// Numbers are 1, 2, 3 …, and time does not run backwards or ahead.
pub(in crate::simulation) fn numbers_and_times_follow(
    before: Option<&Match>,
    recorded: &Recorded,
    now: Millis,
) -> Verdict {
    let (head, last_at) = before.map_or((0, 0), |before| (before.head(), before.last_at()));
    holds(recorded.seq == head + 1, || format!("event {} follows {head}", recorded.seq))?;
    holds(recorded.at >= last_at, || format!("at {} after one at {last_at}", recorded.at))?;
    // If the clock was set back, time stands still until it has caught up.
    holds(recorded.at <= now.max(last_at), || format!("at {} but it is {now}", recorded.at))
}

/// A turn is played by the seat that has it, and names the event that gave it.
pub(in crate::simulation) fn only_who_has_the_turn_plays(
    before: Option<&Match>,
    recorded: &Recorded,
) -> Verdict {
    let Event::Turned { seat, answers, .. } = recorded.event else { return Ok(()) };
    let to_play = before.and_then(Match::to_play).ok_or("nobody had a turn")?;
    holds(to_play.seat == seat && to_play.given_by == answers, || {
        format!("{:?} by {}, not {seat:?} by {answers}", to_play.seat, to_play.given_by)
    })
}

/// Whatever a player can cause was asked for by a player who may.
pub(in crate::simulation) fn nothing_happens_unasked(
    before: Option<&Match>,
    after: &Match,
    recorded: &Recorded,
    asked: &RequestId,
) -> Verdict {
    let id = after.id();
    let who = |seat: Seat| after.player(seat).map(|player| player.id);
    let any = |seats: &[Seat], ops: &[&str]| {
        if seats.iter().any(|seat| after.is_computer(*seat)) {
            return Ok(());
        }
        let players: Vec<PlayerId> = seats.iter().filter_map(|seat| who(*seat)).collect();
        let asked = players.iter().any(|player| ops.iter().any(|op| asked.asked(*player, id, op)));
        holds(asked, || format!("none of {seats:?} has asked for any of {ops:?}"))
    };
    match &recorded.event {
        Event::Turned { seat, .. } if after.is_computer(*seat) => Ok(()),
        Event::Turned { seat, answers, steps, .. } => {
            let steps: Vec<_> = steps.iter().map(lusoria_play::TakenStep::step).collect();
            let player = who(*seat).ok_or("nobody sits there")?;
            holds(asked.turn(player, id, *answers, &steps), || {
                format!("{seat:?} has not asked for this turn: {steps:?}")
            })
        }
        Event::Joined { player, .. } if matches!(player.kind, PlayerKind::Computer(_)) => Ok(()),
        Event::Joined { player, .. } => {
            let invited = asked.anywhere(player.id, "spend_invitation");
            // Who offers or accepts a rematch sits down to it; who takes both seats, too.
            let unasked = after.rematch_of().is_some() || after.terms().admission == Admission::BothSeats;
            holds(unasked || invited || asked.asked(player.id, id, "join"), || {
                "the guest has not asked to join".to_owned()
            })
        }
        // The operator alone takes ratings back.
        Event::Unrated { .. } => Err("nobody has taken the ratings back".to_owned()),
        Event::SeedRevealed { seat, .. } => any(&[*seat], &["seed"]),
        Event::TakenBack { seat, .. } => {
            let player = who(*seat).ok_or("nobody sits there")?;
            holds(asked.asked(player, id, "takeback offer"), || {
                format!("{seat:?} has not asked to take a turn back")
            })?;
            any(&[seat.other()], &["takeback accept", "takeback offer"])
        }
        Event::TakebackOffered { seat, .. } => any(&[*seat], &["takeback offer"]),
        Event::TakebackDeclined { seat } => any(&[*seat], &["takeback decline"]),
        Event::DrawOffered { seat } => any(&[*seat], &["draw offer"]),
        Event::DrawDeclined { seat } => any(&[*seat], &["draw decline"]),
        Event::RematchOffered { seat, .. } => any(&[*seat], &["rematch offer"]),
        Event::RematchDeclined { seat } => any(&[*seat], &["rematch decline"]),
        Event::RematchAgreed { .. } => any(&Seat::BOTH, &["rematch accept", "rematch offer"]),
        Event::GameEnded { winner, reason, .. } => {
            let loser = winner.map(Seat::other);
            let in_both = before.is_some_and(|before| {
                matches!(who(Seat::One).map(|player| before.sits(player)), Some(Sits::InBoth))
            });
            let loser: &[Seat] = if in_both { &Seat::BOTH } else { loser.as_slice() };
            match reason {
                GameEnd::Resigned => any(loser, &["resign"]),
                GameEnd::Agreed => any(&Seat::BOTH, &["draw accept", "draw offer"]),
                GameEnd::Claimed => any(winner.as_slice(), &["claim"]),
                GameEnd::Rules(_) | GameEnd::Time | GameEnd::NoShow | GameEnd::Aborted => Ok(()),
            }
        }
        Event::MatchEnded { end: MatchEnd::Aborted(reason) } => match reason {
            AbortReason::Withdrawn => any(&[Seat::One], &["abort"]),
            AbortReason::Player(seat) => any(&[*seat], &["abort"]),
            AbortReason::NoShow(seat) if after.terms().clock == Clock::None {} => {
                any(&[seat.other()], &["claim"])
            }
            AbortReason::NoShow(_)
            | AbortReason::Expired
            | AbortReason::SeedNotRevealed(_)
            | AbortReason::Abandoned => Ok(()),
            AbortReason::Operator => Err("nobody runs a server in a simulation".to_owned()),
        },
        Event::Created { .. }
        | Event::GameStarted { .. }
        | Event::OpeningThrown { .. }
        | Event::Thrown { .. }
        | Event::Passed { .. }
        | Event::Credited { .. }
        | Event::MatchEnded { .. }
        | Event::Rated { .. } => Ok(()),
    }
}

/// A clock falls by what its turn took, without the time during which the server was down,
/// and rises by the increment alone; the other clock stands.
pub(in crate::simulation) fn clocks_are_fair(ledger: &Ledger, book: &Book, recorded: &Recorded) -> Verdict {
    let Event::Turned { seat, answers, clocks_ms, lag_ms, .. } = recorded.event else { return Ok(()) };
    let clock = book.now().terms().clock;
    let (Some(was), Some(is)) = (book.clocks_before(recorded.seq), clocks_ms) else {
        return holds(clock == Clock::None {}, || "the clocks are missing".to_owned());
    };
    let (was_other, is_other) = (*was.get(seat.other()), *is.get(seat.other()));
    holds(was_other == is_other, || format!("the other clock went from {was_other} to {is_other}"))?;
    let (was, is) = (*was.get(seat), *is.get(seat));
    let since = book.event(answers).ok_or("the event that gave the turn is missing")?.at;
    let down_ms = ledger.down_ms(since, recorded.at);
    let took_ms = (recorded.at - since).saturating_sub(down_ms);
    let first = !book.has_played(seat, recorded.seq);
    let (least, most) = match clock {
        Clock::None {} => return Err("there is no clock".to_owned()),
        Clock::Days { .. } => (was, was),
        Clock::Fischer { .. } | Clock::Delay { .. } if first => (was, was),
        Clock::Fischer { increment_ms, .. } => {
            (was.saturating_sub(took_ms) + increment_ms, was + increment_ms)
        }
        Clock::Delay { delay_ms, .. } => (was.saturating_sub(took_ms.saturating_sub(delay_ms)), was),
    };
    let lag_ms = lag_ms.unwrap_or(0);
    holds(lag_ms <= most - least, || {
        format!("{seat:?} got {lag_ms} ms back of a turn that cost {} ms", most - least)
    })?;
    let least = least + lag_ms;
    holds((least..=most).contains(&is), || {
        format!(
            "{seat:?} took {took_ms} ms (and {down_ms} ms of outage): {was} became {is}, not {least}..={most}"
        )
    })
}

/// Nobody loses by the clock before its time, the time when the server was down not counted.
pub(in crate::simulation) fn nobody_is_late_too_early(
    ledger: &Ledger,
    book: &Book,
    before: Option<&Match>,
    recorded: &Recorded,
) -> Verdict {
    let Some(before) = before else { return Ok(()) };
    let clock = before.terms().clock;
    let by_deadline = match recorded.event {
        Event::GameEnded { reason: GameEnd::Time | GameEnd::NoShow, .. } => true,
        Event::MatchEnded { end: MatchEnd::Aborted(AbortReason::NoShow(_)) } => clock != Clock::None {},
        Event::MatchEnded { end: MatchEnd::Aborted(reason) } => {
            !matches!(reason, AbortReason::Withdrawn | AbortReason::Player(_))
        }
        _ => false,
    };
    if !by_deadline {
        return Ok(());
    }
    let stood = book.at(recorded.first - 1).ok_or("nothing stood before it")?;
    let deadline = stood.next_deadline().ok_or("there was no deadline")?;
    holds(recorded.at >= deadline, || format!("at {}, before the deadline {deadline}", recorded.at))?;
    let Event::GameEnded { winner: Some(winner), reason, .. } = recorded.event else { return Ok(()) };
    let loser = winner.other();
    let to_play = before.to_play().ok_or("nobody had a turn")?;
    holds(to_play.seat == loser, || "it was not the loser's turn".to_owned())?;
    let since = book.event(to_play.given_by).ok_or("the event that gave the turn is missing")?.at;
    let had_ms = match (clock, reason) {
        (Clock::Days { days }, _) => Millis::from(days) * Clock::DAY_MS,
        (_, GameEnd::NoShow) => Clock::FIRST_TURN_MS + Clock::BREAK_MS,
        (Clock::Delay { delay_ms, .. }, _) => clock_of(book, loser, recorded.seq) + delay_ms,
        (Clock::Fischer { .. } | Clock::None {}, _) => clock_of(book, loser, recorded.seq),
    };
    let took_ms = (recorded.at - since).saturating_sub(ledger.down_ms(since, recorded.at));
    holds(took_ms >= had_ms, || format!("{loser:?} had {had_ms} ms and took {took_ms}"))
}

fn clock_of(book: &Book, seat: Seat, seq: u32) -> Millis {
    book.clocks_before(seq).map_or(0, |clocks| *clocks.get(seat))
}

/// Credit is given once for each outage, and for nothing but outages.
pub(in crate::simulation) fn credit_is_for_outages(
    ledger: &Ledger,
    book: &Book,
    recorded: &Recorded,
) -> Verdict {
    let Event::Credited { from, until, credit_ms } = recorded.event else { return Ok(()) };
    holds(credit_ms <= until - from, || format!("{credit_ms} ms for {from} to {until}"))?;
    holds(ledger.outages.contains(&(from, until)), || {
        format!("there was no outage from {from} until {until}: {:?}", ledger.outages)
    })?;
    let earlier = book.events.iter().filter(|earlier| earlier.seq < recorded.seq);
    let twice = earlier.into_iter().any(|earlier| match earlier.event {
        Event::Credited { until: given, .. } => given >= until,
        _ => false,
    });
    holds(!twice, || format!("the outage until {until} was credited before"))
}

/// How long after its deadline a match may wait while all is well, in milliseconds.
const OVERDUE_MS: Millis = 3_000;

/// No match waits beyond its deadline while the store and the server are well since `well_since`.
pub(in crate::simulation) fn nothing_is_overdue(ledger: &Ledger, now: Millis, well_since: Millis) -> Verdict {
    for (id, book) in &ledger.books {
        let Some(deadline) = book.now().next_deadline() else { continue };
        // What was on its way for long may be committed after the deadline that comes of it.
        let known_at = book.committed_at(book.head()).unwrap_or(0);
        let due = deadline.max(well_since).max(known_at) + OVERDUE_MS;
        holds(now <= due, || format!("{} was due at {deadline}, it is {now}", id.0))?;
    }
    Ok(())
}
