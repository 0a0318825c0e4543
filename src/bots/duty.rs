//! What a match waits for the computer to do.

use lusoria_play::{Clock, Level, Match, MatchEnd, Millis, Phase, PlayerId, Seat};

/// What is to be done, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Duty {
    pub(super) seat: Seat,
    pub(super) level: Level,
    pub(super) what: What,
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
        let duty = |seat: Seat, what| {
            let level = state.player(seat)?.kind.level()?;
            Some(Self { seat, level, what })
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

    /// How long it may take from now on, in milliseconds.
    pub(super) fn patience_ms(self, state: &Match, now: Millis) -> Millis {
        match self.what {
            What::Turn => affordable_ms(state, self.seat, now).min(PATIENCE_MS),
            // The opponent's clock runs, or none.
            What::AnswerDraw => PATIENCE_MS,
            What::OfferRematch | What::AcceptRematch => 0,
        }
    }

    /// When it is to be done at the earliest: against itself the computer takes its time.
    pub(super) fn not_before(self, state: &Match, now: Millis) -> Millis {
        match (self.what, state.to_play()) {
            (What::Turn, Some(to_play)) if state.is_computer(self.seat.other()) => {
                to_play.since + affordable_ms(state, self.seat, now).min(PAUSE_MS)
            }
            _ => 0,
        }
    }
}

/// How long a turn may take for the clock to last.
fn affordable_ms(state: &Match, seat: Seat, now: Millis) -> Millis {
    let Some(clocks_ms) = state.clocks_ms(now) else { return Millis::MAX };
    let left_ms = *clocks_ms.get(seat) / TURNS_AHEAD;
    match state.terms().clock {
        Clock::None | Clock::Days { .. } => Millis::MAX,
        Clock::Fischer { increment_ms: step_ms, .. } | Clock::Delay { delay_ms: step_ms, .. } => {
            left_ms + step_ms * 3 / 4
        }
    }
}
