//! What a match waits for the computer to do, and when that is to be done.

use lusoria_play::{Clock, Level, Match, MatchEnd, Millis, Phase, PlayerId, Seat};

/// What is to be done, and by whom. As long as it is the same, nothing has changed for the
/// computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Duty {
    pub(super) seat: Seat,
    pub(super) level: Level,
    pub(super) what: What,
    /// The event that gave the turn in which it is to be done; 0 after the end of the match.
    pub(super) answers: u32,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// To play a turn, and to answer the draw that may have been offered meanwhile.
    Turn,
    /// To answer a draw that is offered on the opponent's own turn.
    AnswerDraw,
    /// To offer a person another match.
    OfferRematch,
    /// To agree to another one.
    AcceptRematch,
}

/// When something is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct When {
    /// At the earliest.
    pub(super) not_before: Millis,
    /// At the latest.
    pub(super) due: Millis,
}

/// How long a turn of the computer should take at the most, the time in the queue included,
/// if its clock does not ask for more haste.
pub(super) const PATIENCE_MS: Millis = 800;

/// How long the computer waits with a turn against itself, so that it can be followed: about what
/// the page takes to show a throw and its steps.
const PAUSE_MS: Millis = 2_500;

/// For how many more turns what is left on a clock should do.
const TURNS_AHEAD: Millis = 40;

impl Duty {
    /// What the match waits for the computer to do; none if nothing.
    pub(super) fn of(state: &Match) -> Option<Self> {
        let answers = state.to_play().map_or(0, |to_play| to_play.given_by);
        let duty = |seat: Seat, what| {
            let level = state.player(seat)?.kind.level()?;
            Some(Self { seat, level, what, answers })
        };
        match state.phase() {
            Phase::Open | Phase::AwaitingSeeds(_) | Phase::Ended(MatchEnd::Aborted(_)) => None,
            Phase::Playing => duty(state.to_play()?.seat, What::Turn)
                .or_else(|| duty(state.draw_offer()?.other(), What::AnswerDraw)),
            Phase::Ended(MatchEnd::Won(_) | MatchEnd::Drawn) => {
                let seat = Seat::BOTH.into_iter().find(|seat| state.is_computer(*seat))?;
                let opponent = state.player(seat.other())?.kind;
                let rematch = state.rematch();
                if rematch.next().is_some() || opponent.level().is_some() {
                    return None;
                }
                match rematch.offer_standing() {
                    Some(offer) if offer.seat == seat => None,
                    Some(_) => duty(seat, What::AcceptRematch),
                    None if rematch.has_offered(seat) || !opponent.is_person() => None,
                    None => duty(seat, What::OfferRematch),
                }
            }
        }
    }

    /// Who does it.
    pub(super) fn player(self) -> PlayerId {
        self.level.player_id()
    }

    /// When it is to be done, as it looks now: within what its clock can spare, and against
    /// itself after a pause, of which thinking has its part.
    pub(super) fn when(self, state: &Match, now: Millis) -> When {
        match self.what {
            What::Turn => {
                let since = state.turn_since().unwrap_or(now);
                let spare_ms = spare_ms(state, self.seat, since);
                let pause_ms = if state.is_computer(self.seat.other()) {
                    PAUSE_MS.min(spare_ms - PATIENCE_MS.min(spare_ms / 2))
                } else {
                    0
                };
                let not_before = since.saturating_add(pause_ms);
                let patient = not_before.max(now).saturating_add(PATIENCE_MS);
                When { not_before, due: patient.min(since.saturating_add(spare_ms)) }
            }
            // The opponent's clock runs, or none.
            What::AnswerDraw => When { not_before: now, due: now.saturating_add(PATIENCE_MS) },
            What::OfferRematch | What::AcceptRematch => When { not_before: now, due: now },
        }
    }
}

/// How long the turn that began at `since` may take, so that the clock lasts: a part of what
/// is left and most of what a turn gets, and never more than half of what it has until its
/// flag falls, since an increment comes only afterwards.
fn spare_ms(state: &Match, seat: Seat, since: Millis) -> Millis {
    let left_ms = state.clocks_ms(since).map_or(0, |clocks_ms| *clocks_ms.get(seat));
    let share_ms = match state.terms().clock {
        Clock::None | Clock::Days { .. } => Millis::MAX,
        Clock::Fischer { increment_ms: step_ms, .. } | Clock::Delay { delay_ms: step_ms, .. } => {
            left_ms / TURNS_AHEAD + step_ms * 3 / 4
        }
    };
    let flag_ms = state.next_deadline().map_or(Millis::MAX, |flag| flag.saturating_sub(since));
    share_ms.min(flag_ms / 2)
}
