//! A naive match: it keeps its history as lists and computes everything from them each time. It knows no
//! events.

use lusoria_play::{
    Admission, BySeat, Clock, GameEnd, Length, Match, MatchEnd, Millis, Phase, RatedGames, Seat, Sits, Terms,
};
use lusoria_rules::{Die, History, Position, Side, Step};

mod asked;

use crate::{
    bench::{CREATOR, DAY, JOINER, MINUTE, STRANGER},
    chance::Foretold,
};

/// The player who gives a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Creator,
    Joiner,
    Stranger,
}

/// The event that a turn names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// The one that gave the present turn.
    Right,
    /// The one that the player's last turn responded to.
    AgainLast,
    /// One that never existed.
    Wrong,
}

/// A command, without event numbers.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Join(Who),
    Reveal(Who, bool),
    Turn(Who, Answers, Vec<Step>, Millis),
    Resign(Who, bool),
    OfferDraw(Who),
    AnswerDraw(Who, bool),
    /// Names the last turn of the second player; that of the stranger is none.
    TakeBack(Who, Who),
    AnswerTakeback(Who, Who, bool),
    Abort(Who),
    Claim(Who, Millis),
    OfferRematch(Who),
    DeclineRematch(Who),
    AcceptRematch(Who),
    Credit(Millis, Millis),
}

/// What happened in a game, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happening {
    Turn {
        seat: Seat,
        took_ms: Millis,
        lag_ms: Millis,
    },
    Offer(Seat),
    Declined,
    /// An offer to take back a turn, by its index in [`Table::earlier`] and the log.
    AskBack(Seat, usize),
    BackDeclined,
    /// A turn was taken back, after which the clocks show this.
    Back(BySeat<Option<Millis>>),
}

/// A turn that counts, with what stood before it.
#[derive(Clone)]
struct Earlier {
    seat: Seat,
    /// The index of the turn in the log.
    at: usize,
    position: Position,
    history: History,
    throws: u32,
    dice: Vec<Die>,
}

struct Table {
    white: Seat,
    position: Position,
    history: History,
    throws: u32,
    dice: Vec<Die>,
    given_at: Millis,
    log: Vec<Happening>,
    earlier: Vec<Earlier>,
}

struct Finished {
    white: Seat,
    winner: Option<Seat>,
    points: u16,
    reason: GameEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    Offered(Seat),
    Declined,
    Made,
}

pub(crate) struct Model {
    terms: Terms,
    made_at: Millis,
    joined_at: Option<Millis>,
    unrevealed: bool,
    outages: Vec<(Millis, Millis)>,
    finished: Vec<Finished>,
    table: Option<Table>,
    turns: Vec<Seat>,
    /// How many of them were taken back, and how often that happened.
    undone: usize,
    takebacks: u32,
    end: Option<MatchEnd>,
    again: Vec<Again>,
    chance: Foretold,
}

type Judged = Result<(), &'static str>;

impl Model {
    pub(crate) fn new(terms: Terms, hashed: bool, now: Millis, chance: Foretold) -> Self {
        let mut model = Self {
            terms,
            made_at: now,
            joined_at: None,
            unrevealed: hashed,
            outages: Vec::new(),
            finished: Vec::new(),
            table: None,
            turns: Vec::new(),
            undone: 0,
            takebacks: 0,
            end: None,
            again: Vec::new(),
            chance,
        };
        if terms.admission == Admission::BothSeats {
            model.sit_down(now);
        }
        model
    }

    // --- state ---------------------------------------------------------------

    fn seats(&self, who: Who) -> Vec<Seat> {
        match (who, self.terms.admission) {
            (Who::Creator, Admission::BothSeats) => vec![Seat::One, Seat::Two],
            (Who::Creator, Admission::Open | Admission::Invitation) => vec![Seat::One],
            (Who::Joiner, Admission::Open | Admission::Invitation) if self.joined_at.is_some() => {
                vec![Seat::Two]
            }
            (Who::Joiner | Who::Stranger, _) => vec![],
        }
    }

    fn mover(&self) -> Option<Seat> {
        let table = self.table.as_ref()?;
        Some(table.seat_of(table.position.to_move()))
    }

    /// When the match began to wait.
    fn since(&self) -> Millis {
        match (&self.table, self.joined_at) {
            (Some(table), _) => table.given_at,
            (None, Some(joined_at)) => joined_at,
            (None, None) => self.made_at,
        }
    }

    /// The milliseconds since then in which the server was not running.
    fn credit(&self) -> Millis {
        let mut counted_to = self.since();
        let mut credit = 0;
        for &(from, until) in &self.outages {
            let from = from.max(counted_to);
            if until > from {
                credit += until - from;
                counted_to = until;
            }
        }
        credit
    }

    fn waited(&self, now: Millis) -> Millis {
        (now - self.since()).saturating_sub(self.credit())
    }

    fn clock_after_turns(&self, seat: Seat) -> Option<Millis> {
        let table = self.table.as_ref()?;
        match self.terms.clock {
            Clock::None {} => None,
            Clock::Days { days } => Some(u64::from(days) * DAY),
            Clock::Fischer { base_ms, increment_ms } => Some(table.left(seat, 0, base_ms, increment_ms)),
            Clock::Delay { base_ms, delay_ms } => Some(table.left(seat, delay_ms, base_ms, 0)),
        }
    }

    fn clock(&self, seat: Seat, now: Millis) -> Option<Millis> {
        let left = self.clock_after_turns(seat)?;
        let first = self.table.as_ref()?.times(seat).is_empty();
        let running = if self.mover() == Some(seat) { self.waited(now) } else { 0 };
        Some(match self.terms.clock {
            Clock::Fischer { .. } | Clock::Delay { .. } if first => left,
            Clock::Delay { delay_ms, .. } => left.saturating_sub(running.saturating_sub(delay_ms)),
            Clock::Fischer { .. } | Clock::Days { .. } | Clock::None {} => left.saturating_sub(running),
        })
    }

    pub(crate) fn deadline(&self) -> Option<Millis> {
        if self.end.is_some() {
            return None;
        }
        let first = match self.terms.clock {
            Clock::None {} => 30 * DAY,
            Clock::Days { days } => u64::from(days) * DAY,
            Clock::Fischer { .. } | Clock::Delay { .. } if !self.finished.is_empty() => 3 * MINUTE / 2,
            Clock::Fischer { .. } | Clock::Delay { .. } => MINUTE,
        };
        let length = if let (Some(table), Some(mover)) = (&self.table, self.mover()) {
            match self.terms.clock {
                _ if table.times(mover).is_empty() => first,
                Clock::None {} | Clock::Days { .. } => first,
                Clock::Fischer { .. } => self.clock_after_turns(mover).unwrap(),
                Clock::Delay { delay_ms, .. } => self.clock_after_turns(mover).unwrap() + delay_ms,
            }
        } else if self.joined_at.is_some() {
            if matches!(self.terms.clock, Clock::None {}) { 10 * MINUTE } else { first }
        } else if self.terms.admission == Admission::Invitation
            || matches!(self.terms.clock, Clock::Days { .. })
        {
            7 * DAY
        } else {
            DAY
        };
        Some(self.since() + self.credit() + length)
    }

    fn standing_offer(&self) -> Option<Seat> {
        let log = &self.table.as_ref()?.log;
        let (at, seat) = log.iter().enumerate().rev().find_map(|(i, happening)| match happening {
            Happening::Offer(seat) => Some((i, *seat)),
            _ => None,
        })?;
        let lapsed = log[at..].iter().any(|happening| match happening {
            Happening::Turn { seat: turned, .. } => *turned != seat,
            Happening::Declined | Happening::Back(_) => true,
            Happening::Offer(_) | Happening::AskBack(..) | Happening::BackDeclined => false,
        });
        (!lapsed).then_some(seat)
    }

    /// A seat may offer if it has played a turn since its last offer.
    fn may_offer(&self, seat: Seat) -> bool {
        let Some(table) = &self.table else { return false };
        let last = table.log.iter().rev().find(|happening| match happening {
            Happening::Turn { seat: turned, .. } => *turned == seat,
            Happening::Offer(offerer) => *offerer == seat,
            _ => false,
        });
        self.standing_offer().is_none() && !matches!(last, Some(Happening::Offer(_)))
    }

    /// The seat that asks to take a turn back, and the turn.
    fn standing_takeback(&self) -> Option<(Seat, usize)> {
        let log = &self.table.as_ref()?.log;
        let last = log
            .iter()
            .rev()
            .find(|happening| !matches!(happening, Happening::Offer(_) | Happening::Declined));
        match last? {
            Happening::AskBack(seat, turn) => Some((*seat, *turn)),
            _ => None,
        }
    }

    /// The turn that a seat may ask to take back: its last one, once.
    fn may_take_back(&self, seat: Seat) -> Option<usize> {
        let table = self.table.as_ref()?;
        let asked = table.log.iter().rev().find_map(|happening| match happening {
            Happening::AskBack(asker, turn) if *asker == seat => Some(*turn),
            _ => None,
        });
        let last = table.last_turn(seat).filter(|&last| asked != Some(last));
        last.filter(|_| self.has_takebacks() && self.standing_takeback().is_none())
    }

    /// Both are persons here.
    fn has_takebacks(&self) -> bool {
        !self.terms.rated && self.terms.admission != Admission::BothSeats
    }

    fn score(&self) -> BySeat<u16> {
        let of = |seat| {
            self.finished.iter().filter(|game| game.winner == Some(seat)).map(|game| game.points).sum()
        };
        BySeat(of(Seat::One), of(Seat::Two))
    }

    /// Both have moved in the first game, or it is over.
    fn under_way(&self) -> bool {
        let both = |table: &Table| Seat::BOTH.iter().all(|&seat| !table.times(seat).is_empty());
        !self.finished.is_empty() || self.table.as_ref().is_some_and(both)
    }

    fn standing_rematch(&self) -> Option<Seat> {
        match self.again.last() {
            Some(Again::Offered(seat)) => Some(*seat),
            Some(Again::Declined | Again::Made) | None => None,
        }
    }

    /// The result of a finished match for ratings. A player who resigned a pair early has lost its second
    /// game too.
    fn rated_games(&self) -> Option<RatedGames> {
        let winner = match self.end? {
            MatchEnd::Won(winner) => Some(winner),
            MatchEnd::Drawn => None,
            MatchEnd::Aborted(_) => return None,
        };
        let both_played = Seat::BOTH.iter().all(|seat| self.turns.contains(seat));
        if !self.terms.rated || !both_played {
            return None;
        }
        let white_first = self.finished[0].white;
        Some(match self.terms.length {
            Length::Points(1) => RatedGames::Match { winner, points: 1, white: Some(white_first) },
            Length::Points(points) => RatedGames::Match { winner, points, white: None },
            Length::Pair => {
                let second = self.finished.get(1).map_or(winner, |second| second.winner);
                RatedGames::Pair { white_first, winners: [self.finished[0].winner, second] }
            }
        })
    }

    // --- comparison ----------------------------------------------------------

    pub(crate) fn compare(&self, state: &Match, now: Millis) {
        let phase = match (self.end, &self.table, self.joined_at) {
            (Some(end), _, _) => Phase::Ended(end),
            (None, Some(_), _) => Phase::Playing,
            (None, None, Some(_)) => Phase::AwaitingSeeds(vec![Seat::One]),
            (None, None, None) => Phase::Open,
        };
        assert_eq!(state.phase(), phase);
        assert_eq!(state.next_deadline(), self.deadline());
        assert_eq!(state.score(), self.score());
        assert_eq!(state.turns() as usize, self.turns.len() - self.undone);
        assert_eq!(state.takebacks(), self.takebacks);
        assert_eq!(state.rematch().offer_standing().map(|offer| offer.seat), self.standing_rematch());
        assert_eq!(state.rematch().next().is_some(), self.again.contains(&Again::Made));
        for (who, id) in [(Who::Creator, CREATOR), (Who::Joiner, JOINER), (Who::Stranger, STRANGER)] {
            let seats = match state.sits(id) {
                Sits::Nowhere => vec![],
                Sits::At(seat) => vec![seat],
                Sits::InBoth => Seat::BOTH.to_vec(),
            };
            assert_eq!(seats, self.seats(who));
        }
        let results: Vec<_> = state.game().and_then(|game| game.result).into_iter().collect();
        assert_eq!(state.rating_result().map(|result| result.games), self.rated_games());
        if self.end.is_some() {
            let last = self.finished.last();
            assert_eq!(results.first().map(|result| result.reason), last.map(|game| game.reason));
            assert_eq!(results.first().map(|result| result.winner), last.map(|game| game.winner));
            assert_eq!(results.first().map(|result| u16::from(result.points)), last.map(|game| game.points));
            assert!(state.to_play().is_none());
            return;
        }
        assert_eq!(results, []);
        assert_eq!(state.under_way(), self.under_way());
        let (Some(table), Some(game)) = (&self.table, state.game()) else {
            assert!(self.table.is_none() && state.game().is_none());
            return;
        };
        let to_play = state.to_play().unwrap();
        assert_eq!(usize::from(game.number), self.finished.len() + 1);
        assert_eq!(game.white, table.white);
        assert_eq!(game.position, table.position);
        assert_eq!(game.history, table.history);
        assert_eq!(game.throws, table.throws);
        assert_eq!(Some(to_play.seat), self.mover());
        assert_eq!(to_play.side, table.position.to_move());
        assert_eq!(to_play.dice, table.dice);
        assert_eq!(to_play.since, table.given_at);
        assert_eq!(state.waits_for(), self.mover());
        assert_eq!(state.draw_offer(), self.standing_offer());
        assert_eq!(
            state.takeback_offer().map(|offer| offer.seat),
            self.standing_takeback().map(|(seat, _)| seat)
        );
        for (seat, id) in [(Seat::One, CREATOR), (Seat::Two, JOINER)] {
            assert_eq!(state.may_take_back(id).is_some(), self.may_take_back(seat).is_some(), "{seat:?}");
        }
        for seat in Seat::BOTH {
            assert_eq!(state.may_offer_draw(seat), self.may_offer(seat));
            assert_eq!(
                state.clocks_ms(now).map(|clocks| *clocks.get(seat)),
                self.clock(seat, now),
                "{seat:?}"
            );
        }
    }
}

impl Table {
    fn seat_of(&self, side: Side) -> Seat {
        if side == Side::White { self.white } else { self.white.other() }
    }

    /// The last turn of a seat that counts.
    fn last_turn(&self, seat: Seat) -> Option<usize> {
        self.earlier.iter().rfind(|turn| turn.seat == seat).map(|turn| turn.at)
    }

    /// The clock of a seat after its turns, of which the first is free and earns nothing.
    fn left(&self, seat: Seat, free_ms: Millis, base_ms: Millis, earned_ms: Millis) -> Millis {
        let mut charges = self.charges(seat, free_ms, base_ms).into_iter();
        let (mut left_ms, mut is_first) = (base_ms, true);
        for happening in &self.log {
            match happening {
                Happening::Turn { seat: turned, .. } if *turned == seat => {
                    let (charge_ms, lag_ms) = charges.next().unwrap();
                    left_ms = left_ms - charge_ms + lag_ms + if is_first { 0 } else { earned_ms };
                    is_first = false;
                }
                Happening::Back(clocks_ms) => left_ms = clocks_ms.get(seat).unwrap(),
                _ => {}
            }
        }
        left_ms
    }

    /// What each of a seat's turns takes from its clock after a free first part, and what it is given back
    /// for lag: 500 ms for each turn so far, at most 1500 at once, and a tenth of the clock in total.
    fn charges(&self, seat: Seat, free_ms: Millis, base_ms: Millis) -> Vec<(Millis, Millis)> {
        let mut charges: Vec<(Millis, Millis)> = Vec::new();
        let mut stored_ms = 0;
        for happening in &self.log {
            let Happening::Turn { seat: turned, took_ms, lag_ms } = *happening else { continue };
            if turned != seat {
                continue;
            }
            let charge_ms = if charges.is_empty() { 0 } else { took_ms.saturating_sub(free_ms) };
            let given_ms: Millis = charges.iter().map(|(_, given_ms)| given_ms).sum();
            stored_ms = (stored_ms + 500).min(1_500);
            let lag_ms = [lag_ms, charge_ms, stored_ms, base_ms / 10 - given_ms].into_iter().min().unwrap();
            stored_ms -= lag_ms;
            charges.push((charge_ms, lag_ms));
        }
        charges
    }

    /// How long each of a seat's turns took.
    fn times(&self, seat: Seat) -> Vec<Millis> {
        let took = |happening: &Happening| match happening {
            Happening::Turn { seat: turned, took_ms, .. } if *turned == seat => Some(*took_ms),
            _ => None,
        };
        self.log.iter().filter_map(took).collect()
    }
}
