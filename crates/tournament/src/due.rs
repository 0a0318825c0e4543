//! What is to happen by now: start, seat, forfeit, pair, end.

use lusoria_play::{Colours, MatchId, Millis, PlayerId, Seat};
use lusoria_rules::Side;

use crate::{
    Bracket, Chance, EndedWhy, Entrant, EntrantState, EntrantStatus, Event, Format, MatchStage, Pairing,
    PairingEnd, PairingNo, Recorded, Seeding, Settings, ToMake, Tournament, pair,
};

/// After so many matches that came to nothing a pairing is decided without one.
const MATCHES_MAX: usize = 10;
/// A live pairing of a round robin is forfeited by who did not begin the last of so many matches.
const NO_SHOWS_MAX: usize = 3;
/// After so many draws the higher seed of a knock-out goes on.
const DRAWS_MAX: u8 = 3;
/// How long an arena in which nobody may meet waits before it looks again.
const RETRY_MS: Millis = 5_000;

/// What is to happen next of one kind.
type Step = fn(&Tournament, Millis, &mut dyn Chance) -> Vec<Event>;

impl Tournament {
    /// What is to happen by now, one step at a time: fold it and ask again until there is nothing.
    pub fn due(&self, now: Millis, chance: &mut dyn Chance) -> Vec<Recorded> {
        let now = now.max(self.at);
        self.record(now, self.due_events(now, chance))
    }

    fn due_events(&self, now: Millis, chance: &mut dyn Chance) -> Vec<Event> {
        if self.ended.is_some() {
            return Vec::new();
        }
        if self.head >= Self::EVENTS_MAX {
            return vec![ended(EndedWhy::Finished)];
        }
        if let Some(at) = self.resumes_at() {
            return if now >= at { vec![Event::Resumed {}] } else { Vec::new() };
        }
        if self.began_at.is_none() {
            let is_due = now >= self.begins_at;
            return if is_due {
                self.begin(now, chance).unwrap_or(vec![ended(EndedWhy::TooFew)])
            } else {
                Vec::new()
            };
        }
        let steps: [Step; 4] = [Self::settle, Self::seat, Self::expire, Self::advance];
        steps.iter().map(|step| step(self, now, chance)).find(|events| !events.is_empty()).unwrap_or_default()
    }

    /// When [`Self::due`] may have something if no event comes before; ask when it has nothing now. Always
    /// later than `now`. With none, an event must come first: the end of a match, or its beginning.
    pub fn next_wake(&self, now: Millis) -> Option<Millis> {
        if self.ended.is_some() {
            return None;
        }
        let wake = if self.stopped.is_some() {
            self.resumes_at()
        } else if self.began_at.is_none() {
            Some(self.begins_at)
        } else {
            let waits =
                self.open_pairings().filter(|pairing| pairing.is_open()).filter_map(|open| open.waits_until);
            waits.chain(self.advances_at(now)).min()
        };
        // Only an arena in which the free ones avoid each other is late; anything else would be due.
        wake.map(|at| if at > now { at } else { now + RETRY_MS })
    }

    /// When a stopped tournament goes on by itself.
    fn resumes_at(&self) -> Option<Millis> {
        let (since, _) = self.stopped.as_ref()?;
        Some(since + Self::STOPPED_MAX_MS.saturating_sub(self.stopped_ms))
    }

    /// When the format goes on by itself.
    fn advances_at(&self, now: Millis) -> Option<Millis> {
        match self.settings.format {
            Format::Swiss { .. } if self.open.is_empty() => Some(self.swiss_pairs_at()),
            Format::RoundRobin { by_round, .. } => {
                let is_waiting = self.open_pairings().any(|pairing| pairing.is_open() && !pairing.seated);
                let ends_at =
                    if by_round { Some(self.round_ends_at(self.rounds.len())) } else { self.ends_at() };
                ends_at.filter(|_| is_waiting)
            }
            Format::Arena { .. } => {
                let ends_at = self.ends_at()?;
                if now >= ends_at || self.is_full() {
                    return Some(ends_at + Self::PLAYED_OUT_MS);
                }
                Some(self.wave_at().map_or(ends_at, |at| at.min(ends_at)))
            }
            Format::Swiss { .. } | Format::Knockout { .. } => None,
        }
    }

    /// The matches that are to be made.
    pub fn matches_to_make(&self) -> Vec<ToMake> {
        if self.ended.is_some() || self.stopped.is_some() {
            return Vec::new();
        }
        let seated = self.open_pairings().filter(|pairing| {
            pairing.is_open()
                && pairing.seated
                && pairing.stage == MatchStage::ToCome
                && !self.has_gone(pairing)
        });
        seated
            .map(|pairing| ToMake {
                pairing: pairing.pairing,
                id: pairing.match_id,
                first: self.known(pairing.first).player,
                second: self.known(pairing.second).player,
                length: self.length_of(pairing),
                colours: Colours::SeatOne(Side::White),
            })
            .collect()
    }

    /// Running matches of entrants who have withdrawn or were excluded, and the players who resign them.
    pub fn matches_to_resign(&self) -> Vec<(MatchId, PlayerId)> {
        let running = self.open_pairings().filter(|pairing| pairing.stage == MatchStage::Running);
        let gone = running.filter_map(|pairing| {
            let gone = pairing
                .entrants()
                .into_iter()
                .map(|entrant| self.known(entrant))
                .find(|state| state.is_gone());
            gone.map(|state| (pairing.match_id, state.player))
        });
        gone.collect()
    }

    /// The next events, numbered.
    pub(crate) fn record(&self, now: Millis, events: Vec<Event>) -> Vec<Recorded> {
        let numbered = (self.head + 1..).zip(events);
        numbered.map(|(seq, event)| Recorded { seq, at: now.max(self.at), event }).collect()
    }

    /// The start; none if too few are there.
    pub(crate) fn begin(&self, now: Millis, chance: &mut dyn Chance) -> Option<Vec<Event>> {
        // A late look must not find those gone who had checked in until the start.
        let start = now.min(self.begins_at);
        let is_there = |state: &&EntrantState| {
            state.status == EntrantStatus::Active && (!self.checks_in() || state.is_here(start))
        };
        let mut there: Vec<_> = self
            .entrants
            .iter()
            .filter(is_there)
            .map(|state| (state.rating, chance.lot(), state.entrant))
            .collect();
        if there.len() < usize::from(self.settings.format.entrants().0) {
            return None;
        }
        let by_lot = matches!(
            self.settings.format,
            Format::RoundRobin { .. } | Format::Knockout { seeding: Seeding::Lot, .. }
        );
        there.sort_by_key(|&(rating, lot, _)| (if by_lot { 0 } else { u16::MAX - rating }, lot));
        let order: Vec<_> = there.into_iter().map(|(.., entrant)| entrant).collect();
        let n = u16::try_from(order.len()).expect("at most 500 enter");
        let doublings =
            u16::try_from(n.next_power_of_two().trailing_zeros()).expect("16 bits have few doublings");
        let rounds = match self.settings.format {
            Format::RoundRobin { .. } => n - 1 + n % 2,
            Format::Swiss { rounds, .. } => {
                rounds.map_or(doublings + 1, u16::from).min(Settings::ROUNDS_MAX.into()).min(n - 1)
            }
            Format::Knockout { .. } => doublings,
            Format::Arena { .. } => 0,
        };
        let absent = self.entrants.iter().filter(|state| !state.is_gone() && !order.contains(&state.entrant));
        let absent = absent.map(|state| state.entrant).collect();
        Some(vec![Event::Began { rounds, order, absent }])
    }

    /// Draws the consequences of matches that decided nothing, and of entrants who have gone.
    fn settle(&self, now: Millis, chance: &mut dyn Chance) -> Vec<Event> {
        let open =
            self.open_pairings().filter(|pairing| pairing.is_open() && pairing.stage != MatchStage::Running);
        open.filter_map(|pairing| self.settled(pairing, now, chance)).collect()
    }

    fn settled(&self, pairing: &Pairing, now: Millis, chance: &mut dyn Chance) -> Option<Event> {
        let correspondence = !self.is_live();
        let no_show = match pairing.to_settle {
            Some(PairingEnd::NoShow(Seat::One)) => Some(pairing.first),
            Some(PairingEnd::NoShow(Seat::Two)) => Some(pairing.second),
            _ => None,
        };
        if self.has_gone(pairing) {
            let is_away = |entrant| self.known(entrant).is_gone() || no_show == Some(entrant);
            return Some(self.forfeit(pairing, is_away));
        }
        let forfeit = || Some(self.forfeit(pairing, |entrant| no_show == Some(entrant)));
        let mut again = |first, seated| {
            Some(Event::Again { pairing: pairing.pairing, match_id: chance.match_id(), first, seated })
        };
        let tries = pairing.matches.len();
        match (pairing.to_settle?, &self.settings.format) {
            // No time is left to begin another one.
            (PairingEnd::NoShow(_) | PairingEnd::Aborted, Format::RoundRobin { .. })
                if self.round_has_ended(pairing, now) || tries >= MATCHES_MAX =>
            {
                forfeit()
            }
            (PairingEnd::NoShow(_), Format::RoundRobin { .. }) if correspondence || tries >= NO_SHOWS_MAX => {
                forfeit()
            }
            (PairingEnd::NoShow(_), Format::RoundRobin { .. }) => again(pairing.first, false),
            (PairingEnd::NoShow(_), _) | (PairingEnd::Aborted, Format::Arena { .. }) => forfeit(),
            (PairingEnd::Aborted, _) if tries >= MATCHES_MAX => forfeit(),
            (PairingEnd::Aborted, _) => again(pairing.first, correspondence),
            // Drawn: only a knock-out has anything to settle then.
            (PairingEnd::Drawn | PairingEnd::Won(_), _) if pairing.draws >= DRAWS_MAX => forfeit(),
            (PairingEnd::Drawn | PairingEnd::Won(_), _) => again(pairing.second, true),
        }
    }

    /// Decides a pairing by who was away. If both or neither was, nobody gets points, but the higher seed of
    /// a knock-out goes on. In an arena nobody gets points either way.
    pub(crate) fn forfeit(&self, pairing: &Pairing, is_away: impl Fn(Entrant) -> bool) -> Event {
        let entrants = pairing.entrants();
        let (absent, present): (Vec<_>, Vec<_>) = entrants.into_iter().partition(|&entrant| is_away(entrant));
        let winner = match self.settings.format {
            Format::Arena { .. } => None,
            _ if present.len() == 1 => Some(present[0]),
            Format::Knockout { .. } => entrants.into_iter().min_by_key(|&entrant| self.seed(entrant)),
            Format::RoundRobin { .. } | Format::Swiss { .. } => None,
        };
        Event::Forfeited { pairing: pairing.pairing, absent, winner }
    }

    /// Seats those who are both at the board.
    fn seat(&self, now: Millis, _: &mut dyn Chance) -> Vec<Event> {
        let is_round_robin = matches!(self.settings.format, Format::RoundRobin { .. });
        let mut playing = self.playing();
        let mut seated: Vec<PairingNo> = Vec::new();
        for pairing in self.open_pairings().filter(|pairing| pairing.is_open() && !pairing.seated) {
            let entrants = pairing.entrants();
            let is_ready = if is_round_robin {
                !self.round_has_ended(pairing, now)
                    && entrants
                        .iter()
                        .all(|entrant| !playing.contains(entrant) && self.known(*entrant).is_here(now))
            } else {
                pairing.both_came
            };
            if is_ready {
                playing.extend(entrants);
                seated.push(pairing.pairing);
            }
        }
        if seated.is_empty() { Vec::new() } else { vec![Event::Seated { pairings: seated }] }
    }

    /// The entrants who have a match, or are about to have one.
    pub(crate) fn playing(&self) -> Vec<Entrant> {
        let at_boards = self
            .open_pairings()
            .filter(|pairing| pairing.stage == MatchStage::Running || (pairing.is_open() && pairing.seated));
        at_boards.flat_map(Pairing::entrants).collect()
    }

    /// Forfeits what has waited long enough.
    fn expire(&self, now: Millis, _: &mut dyn Chance) -> Vec<Event> {
        let waiting = self.open_pairings().filter(|pairing| pairing.is_open() && !pairing.seated);
        let expired = waiting.filter_map(|pairing| match pairing.waits_until {
            Some(until) if until <= now => Some(self.forfeit_absent(pairing, until)),
            None if self.round_has_ended(pairing, now) => Some(self.forfeit_less_there(pairing)),
            Some(_) | None => None,
        });
        expired.collect()
    }

    /// Forfeits a pairing whose wait is over. If one entrant is here, the other forfeits; if neither is, those who
    /// never came during the wait forfeit, because a wait of hours outlasts anybody's patience.
    pub(crate) fn forfeit_absent(&self, pairing: &Pairing, until: Millis) -> Event {
        let is_here = |entrant| self.known(entrant).here_until >= until;
        let has_come = |entrant| self.known(entrant).here_until > pairing.called_at;
        let is_one_here = pairing.entrants().into_iter().any(is_here);
        self.forfeit(pairing, |entrant| if is_one_here { !is_here(entrant) } else { !has_come(entrant) })
    }

    /// Forfeits a pairing of a round robin: by the one who was there in fewer hours since its round opened;
    /// by both if there is no difference.
    pub(crate) fn forfeit_less_there(&self, pairing: &Pairing) -> Event {
        let opened =
            self.rounds[usize::from(pairing.round) - 1].at.saturating_sub(self.began_at.unwrap_or(0));
        let opened = u16::try_from(opened / 3_600_000).unwrap_or(u16::MAX);
        let hours = |entrant| self.known(entrant).hours_here.iter().filter(|&&hour| hour >= opened).count();
        let most = hours(pairing.first).max(hours(pairing.second));
        let differ = hours(pairing.first) != hours(pairing.second);
        self.forfeit(pairing, |entrant| !differ || hours(entrant) < most)
    }

    fn round_has_ended(&self, pairing: &Pairing, now: Millis) -> bool {
        match self.settings.format {
            Format::RoundRobin { by_round: true, .. } => now >= self.round_ends_at(pairing.round.into()),
            Format::RoundRobin { by_round: false, .. } => {
                self.ends_at().is_some_and(|ends_at| now >= ends_at)
            }
            Format::Swiss { .. } | Format::Knockout { .. } | Format::Arena { .. } => false,
        }
    }

    /// The end of a round of a round robin by rounds: all get the same part of the time.
    fn round_ends_at(&self, round: usize) -> Millis {
        let lasts_ms = self.ends_at().unwrap_or(self.begins_at).saturating_sub(self.begins_at);
        self.begins_at + lasts_ms * round as Millis / Millis::from(self.rounds_planned.max(1))
    }

    /// Pairs what can be paired, or ends.
    fn advance(&self, now: Millis, chance: &mut dyn Chance) -> Vec<Event> {
        let is_closed = self.open.is_empty();
        match self.settings.format {
            Format::Arena { .. } => self.advance_arena(now, chance),
            _ if !is_closed => Vec::new(),
            Format::RoundRobin { .. } | Format::Swiss { .. } if !self.rounds_left() => {
                vec![ended(EndedWhy::Finished)]
            }
            // The others have left for good: byes alone decide nothing.
            Format::Swiss { .. } if self.entrants_in() < 2 => vec![ended(EndedWhy::Finished)],
            Format::RoundRobin { by_round: false, .. } => {
                pair::round_robin(self, self.rounds_planned, chance)
            }
            Format::RoundRobin { by_round: true, .. } => {
                let has_time = self.ends_at().is_some_and(|ends_at| now < ends_at);
                if has_time { pair::round_robin(self, 1, chance) } else { vec![ended(EndedWhy::Finished)] }
            }
            Format::Swiss { every_ms, .. } => match self.swiss_pairs_at() {
                at if at > now => Vec::new(),
                _ if every_ms.is_none() && self.pairable().count() < 2 => vec![ended(EndedWhy::Finished)],
                _ => vec![pair::swiss(self, chance)],
            },
            Format::Knockout { .. } => pair::knockout(self, chance)
                .map_or_else(|| vec![ended(EndedWhy::Finished)], |round| vec![round]),
        }
    }

    fn advance_arena(&self, now: Millis, chance: &mut dyn Chance) -> Vec<Event> {
        let ends_at = self.ends_at().expect("an arena has an end");
        let is_over = now >= ends_at || self.is_full();
        if is_over && (self.open.is_empty() || now >= ends_at + Self::PLAYED_OUT_MS) {
            return vec![ended(EndedWhy::Finished)];
        }
        if is_over || self.wave_at().is_none_or(|at| at > now) {
            return Vec::new();
        }
        pair::arena(self, now, chance).into_iter().collect()
    }

    /// Whether an arena has as many pairings or events as it may.
    fn is_full(&self) -> bool {
        self.pairings.len() + 250 > Self::PAIRINGS_MAX || self.head + 1_000 > Self::EVENTS_MAX
    }

    /// When the next round of a Swiss is paired, if the last one is closed. One who is alone waits a little
    /// for others to come back.
    fn swiss_pairs_at(&self) -> Millis {
        let alone_until = match self.settings.format {
            Format::Swiss { every_ms: None, .. } if self.pairable().count() < 2 => {
                self.closed_at + if self.is_live() { Self::HERE_MS } else { lusoria_play::Clock::DAY_MS }
            }
            _ => 0,
        };
        alone_until.max(self.next_round_at().unwrap_or(0))
    }

    /// The entrants who take part in the next round.
    pub(crate) fn pairable(&self) -> impl Iterator<Item = &EntrantState> {
        self.entrants.iter().filter(|state| state.status == EntrantStatus::Active)
    }

    fn has_gone(&self, pairing: &Pairing) -> bool {
        pairing.entrants().into_iter().any(|entrant| self.known(entrant).is_gone())
    }

    /// Whether an entrant has lost in this bracket of a knock-out.
    pub(crate) fn lost_in(&self, entrant: Entrant, bracket: Bracket) -> Option<u16> {
        let lost = self.pairings.iter().find(|pairing| {
            pairing.place.is_some_and(|place| place.bracket == bracket)
                && pairing.entrants().contains(&entrant)
                && pairing.winner().is_some_and(|winner| winner != entrant)
        });
        lost.map(|pairing| pairing.round)
    }
}

impl Pairing {
    /// Whether it has no outcome.
    pub const fn is_open(&self) -> bool {
        self.outcome.is_none()
    }
}

pub(crate) const fn ended(why: EndedWhy) -> Event {
    Event::Ended { why, reason: None }
}
