//! What a match needs the computer to do, and when.

use lusoria_play::{Clock, Level, Match, MatchEnd, Millis, Phase, PlayerId, Seat};

/// A duty of the computer in a match, with its seat. While it is the same, nothing has changed for the
/// computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Duty {
    pub(super) seat: Seat,
    pub(super) level: Level,
    pub(super) kind: DutyKind,
    /// The event that gave the turn; 0 after the end of the match.
    pub(super) answers: u32,
}

/// The kind of a duty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DutyKind {
    /// Play a turn, and answer a draw offer that may have come meanwhile.
    Turn,
    /// Answer a draw that the opponent offers on their own turn.
    AnswerDraw,
    /// Offer a person a rematch.
    OfferRematch,
    /// Accept a rematch.
    AcceptRematch,
}

/// When a duty must be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DutyTime {
    /// The earliest time.
    pub(super) not_before: Millis,
    /// The deadline.
    pub(super) due: Millis,
}

/// The longest time that a turn of the computer should take, including its wait in the queue, if its clock
/// allows that much.
pub(super) const PATIENCE_MS: Millis = 800;

/// How long the computer pauses before a turn against itself, so that people can follow: about as long as the
/// page takes to show a throw and its steps.
const PAUSE_MS: Millis = 2_500;

/// For how many more turns the time left on a clock should last.
const TURNS_AHEAD: Millis = 40;

impl Duty {
    /// The computer's duty in the match, if it has one.
    pub(super) fn of(state: &Match) -> Option<Self> {
        let answers = state.to_play().map_or(0, |to_play| to_play.given_by);
        let duty = |seat: Seat, kind| {
            let level = state.player(seat)?.kind.level()?;
            Some(Self { seat, level, kind, answers })
        };
        match state.phase() {
            Phase::Open | Phase::AwaitingSeeds(_) | Phase::Ended(MatchEnd::Aborted(_)) => None,
            Phase::Playing => duty(state.to_play()?.seat, DutyKind::Turn)
                .or_else(|| duty(state.draw_offer()?.other(), DutyKind::AnswerDraw)),
            Phase::Ended(MatchEnd::Won(_) | MatchEnd::Drawn) => {
                let seat = Seat::BOTH.into_iter().find(|seat| state.is_computer(*seat))?;
                let opponent = state.player(seat.other())?.kind;
                let rematch = state.rematch();
                if rematch.next().is_some() || opponent.level().is_some() {
                    return None;
                }
                match rematch.offer_standing() {
                    Some(offer) if offer.seat == seat => None,
                    Some(_) => duty(seat, DutyKind::AcceptRematch),
                    None if rematch.has_offered(seat) || !opponent.is_person() => None,
                    None => duty(seat, DutyKind::OfferRematch),
                }
            }
        }
    }

    /// The computer player whose duty it is.
    pub(super) fn player(self) -> PlayerId {
        self.level.player_id()
    }

    /// When it must be done, seen from now: within the time that its clock can spare; against itself, after a
    /// pause that includes the search.
    pub(super) fn when(self, state: &Match, now: Millis) -> DutyTime {
        match self.kind {
            DutyKind::Turn => {
                let since = state.turn_since().unwrap_or(now);
                let spare_ms = spare_ms(state, self.seat, since);
                let pause_ms = if state.is_computer(self.seat.other()) {
                    PAUSE_MS.min(spare_ms - PATIENCE_MS.min(spare_ms / 2))
                } else {
                    0
                };
                let not_before = since.saturating_add(pause_ms);
                let patient = not_before.max(now).saturating_add(PATIENCE_MS);
                DutyTime { not_before, due: patient.min(since.saturating_add(spare_ms)) }
            }
            // The computer's own clock does not run.
            DutyKind::AnswerDraw => DutyTime { not_before: now, due: now.saturating_add(PATIENCE_MS) },
            DutyKind::OfferRematch | DutyKind::AcceptRematch => DutyTime { not_before: now, due: now },
        }
    }
}

/// How long the turn that began at `since` may take, so that the clock lasts: a part of the time left and
/// most of the increment, but never more than half of the time until the deadline, because the increment
/// is added after the turn.
fn spare_ms(state: &Match, seat: Seat, since: Millis) -> Millis {
    let left_ms = state.clocks_ms(since).map_or(0, |clocks_ms| *clocks_ms.get(seat));
    let share_ms = match state.terms().clock {
        Clock::None {} | Clock::Days { .. } => Millis::MAX,
        Clock::Fischer { increment_ms: step_ms, .. } | Clock::Delay { delay_ms: step_ms, .. } => {
            left_ms / TURNS_AHEAD + step_ms * 3 / 4
        }
    };
    let flag_ms = state.next_deadline().map_or(Millis::MAX, |flag| flag.saturating_sub(since));
    share_ms.min(flag_ms / 2)
}
