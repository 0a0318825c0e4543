//! Folds recorded events into a tournament, without judging them.

use std::collections::HashMap;

use lusoria_play::{MatchId, Millis, PlayerId, Seat, TournamentId};

use crate::{
    Bye, Ended, Entrant, EntrantState, EntrantStatus, Event, Format, How, JOURNAL_VERSION, MatchStage,
    Outcome, Paired, Pairing, PairingEnd, PairingNo, Recorded, Round, Settings, Tournament,
};

const HOUR_MS: Millis = 3_600_000;

/// A journal that this program cannot have written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    /// The version is unknown.
    #[error("the journal has version {0}, which this program does not know")]
    Version(u16),
    /// An event is where it cannot be.
    #[error("event {seq} is out of place: {why}")]
    OutOfPlace {
        /// Its number.
        seq: u32,
        /// Why.
        why: &'static str,
    },
}

impl Tournament {
    /// Folds all events, from the first one.
    ///
    /// # Errors
    /// This program cannot have written them.
    pub fn from_events(id: TournamentId, events: &[Recorded]) -> Result<Self, Corrupt> {
        let (first, others) =
            events.split_first().ok_or(Corrupt::OutOfPlace { seq: 0, why: "there is none" })?;
        let Event::Created { version, organiser, settings } = &first.event else {
            return Err(Corrupt::OutOfPlace { seq: first.seq, why: "a tournament begins with its creation" });
        };
        if *version != JOURNAL_VERSION {
            return Err(Corrupt::Version(*version));
        }
        if first.seq != 1 {
            return Err(Corrupt::OutOfPlace { seq: first.seq, why: "the first event has number 1" });
        }
        let mut tournament = Self::announced(id, *organiser, Settings::clone(settings), first.at);
        others.iter().try_for_each(|recorded| tournament.fold(recorded))?;
        Ok(tournament)
    }

    fn announced(id: TournamentId, organiser: PlayerId, settings: Settings, at: Millis) -> Self {
        Self {
            id,
            organiser,
            begins_at: settings.begins_at,
            settings,
            texts_replaced_at: 0,
            head: 1,
            at,
            moved_ms: 0,
            began_at: None,
            stopped: None,
            stopped_ms: 0,
            ended: None,
            rounds_planned: 0,
            order: Vec::new(),
            entrants: Vec::new(),
            by_player: HashMap::new(),
            rounds: Vec::new(),
            pairings: Vec::new(),
            open: Vec::new(),
            by_match: HashMap::new(),
            closed_at: at,
        }
    }

    /// Folds the next event.
    ///
    /// # Errors
    /// This program cannot have written it after the others; the tournament must not be used then.
    pub fn fold(&mut self, recorded: &Recorded) -> Result<(), Corrupt> {
        let Recorded { seq, at, ref event } = *recorded;
        if seq != self.head + 1 {
            return Err(Corrupt::OutOfPlace { seq, why: "events are numbered without gaps" });
        }
        self.check_names(seq, event)?;
        self.head = seq;
        // Blind events are written beside others; their times never run back, but nothing depends on it.
        let at = at.max(self.at);
        self.at = at;
        match event {
            Event::Created { .. } => {
                return Err(Corrupt::OutOfPlace { seq, why: "a tournament is created once" });
            }
            Event::Edited { settings } => {
                if settings.begins_at != self.settings.begins_at && self.began_at.is_none() {
                    self.begins_at = settings.begins_at;
                }
                self.settings = Settings::clone(settings);
            }
            Event::TextsReplaced { name, description } => {
                self.settings.name.clone_from(name);
                self.settings.description.clone_from(description);
                self.texts_replaced_at = seq;
            }
            &Event::Entered { entrant, player, rating, is_bot, half_points } => {
                self.note_entered(seq, at, (entrant, player, rating, is_bot), half_points)?;
            }
            &Event::Here { entrant, until } => self.note_here(at, entrant, until),
            &Event::Paused { entrant } => self.leave(entrant, EntrantStatus::Paused),
            &Event::Withdrew { entrant } => self.leave(entrant, EntrantStatus::Withdrawn),
            Event::Excluded { entrant, reason, .. } => {
                self.leave(*entrant, EntrantStatus::Excluded);
                self.state(*entrant).exclusion.clone_from(reason);
            }
            &Event::ByeAsked { entrant, round } => self.state(entrant).byes_asked.push(round),
            Event::Began { rounds, order, absent } => {
                self.began_at = Some(at);
                self.begins_at = self.begins_at.min(at);
                self.rounds_planned = *rounds;
                self.order.clone_from(order);
                for &entrant in absent {
                    self.leave(entrant, EntrantStatus::Absent);
                }
                self.entrants.iter_mut().for_each(|entrant| entrant.free_since = at);
                self.closed_at = at;
            }
            Event::RoundPaired { round, pairings, byes, by_hand } => {
                self.note_round(seq, at, *round, pairings, byes, *by_hand)?;
            }
            Event::Seated { pairings } => {
                for &pairing in pairings {
                    self.pairing_mut(pairing).seated = true;
                }
            }
            Event::MatchBegan { match_id } => self.note_match_began(*match_id),
            Event::MatchEnded { match_id, end } => self.note_match_ended(at, *match_id, *end),
            Event::Forfeited { pairing, absent, winner } => {
                let status = if self.is_arena() { EntrantStatus::Paused } else { EntrantStatus::Absent };
                let is_round_robin = matches!(self.settings.format, Format::RoundRobin { .. });
                for &entrant in absent {
                    // Open pairings of a round robin wait for them: only this one is lost.
                    let status = if is_round_robin { self.state(entrant).status } else { status };
                    self.leave(entrant, status);
                }
                let entrants = self.pairing_mut(*pairing).entrants();
                let half_points = entrants.map(|entrant| if Some(entrant) == *winner { 2 } else { 0 });
                self.decide_pairing(at, *pairing, half_points, How::Forfeited);
            }
            &Event::Again { pairing, match_id, first, seated } => {
                self.note_again(at, pairing, match_id, first, seated);
            }
            Event::ResultSet { pairing, half_points, reason } => {
                self.decide_pairing(at, *pairing, *half_points, How::SetByHand { reason: reason.clone() });
            }
            Event::Stopped { reason } => self.stopped = Some((at, reason.clone())),
            Event::Resumed {} => {
                if let Some((since, _)) = self.stopped.take() {
                    self.stopped_ms += at - since;
                    self.move_deadlines(at - since);
                    self.call_again(at);
                }
            }
            &Event::Credited { by_ms } => {
                for entrant in self.entrants.iter_mut().filter(|entrant| entrant.here_until + by_ms > at) {
                    entrant.here_until += by_ms;
                }
                self.move_deadlines(by_ms);
            }
            Event::Ended { why, reason } => {
                self.ended = Some(Ended { at, why: *why, reason: reason.clone() });
            }
        }
        Ok(())
    }

    /// Checks that the entrants and pairings of an event exist.
    fn check_names(&self, seq: u32, event: &Event) -> Result<(), Corrupt> {
        let has = |&entrant: &Entrant| self.entrant(entrant).is_some();
        let has_pairing = |&pairing: &PairingNo| self.pairing(pairing).is_some();
        let is_sound = match event {
            Event::Here { entrant, .. }
            | Event::Paused { entrant }
            | Event::Withdrew { entrant }
            | Event::ByeAsked { entrant, .. }
            | Event::Excluded { entrant, .. } => has(entrant),
            Event::Began { order, absent, .. } => order.iter().chain(absent).all(has),
            Event::RoundPaired { pairings, byes, .. } => {
                pairings.iter().all(|paired| has(&paired.first) && has(&paired.second))
                    && byes.iter().all(|bye| has(&bye.entrant))
            }
            Event::Seated { pairings } => pairings.iter().all(has_pairing),
            Event::Forfeited { pairing, absent, winner } => {
                has_pairing(pairing) && absent.iter().chain(winner).all(has)
            }
            Event::Again { pairing, .. } | Event::ResultSet { pairing, .. } => has_pairing(pairing),
            Event::Created { .. }
            | Event::Edited { .. }
            | Event::TextsReplaced { .. }
            | Event::Entered { .. }
            | Event::MatchBegan { .. }
            | Event::MatchEnded { .. }
            | Event::Stopped { .. }
            | Event::Resumed {}
            | Event::Credited { .. }
            | Event::Ended { .. } => true,
        };
        let why = "it names an entrant or a pairing that does not exist";
        if is_sound { Ok(()) } else { Err(Corrupt::OutOfPlace { seq, why }) }
    }

    fn note_entered(
        &mut self,
        seq: u32,
        at: Millis,
        (entrant, player, rating, is_bot): (Entrant, PlayerId, u16, bool),
        half_points: u8,
    ) -> Result<(), Corrupt> {
        let index = usize::from(entrant.0).wrapping_sub(1);
        if index > self.entrants.len() || self.entrants.get(index).is_some_and(|known| known.player != player)
        {
            return Err(Corrupt::OutOfPlace { seq, why: "entrants are numbered in order of entry" });
        }
        let state = EntrantState {
            entrant,
            player,
            rating,
            is_bot,
            status: EntrantStatus::Active,
            here_until: 0,
            byes_asked: Vec::new(),
            late_half_points: half_points,
            missed: u16::try_from(self.rounds.len()).unwrap_or(u16::MAX),
            exclusion: None,
            said: self.entrants.get(index).map_or(0, |known| known.said).saturating_add(1),
            free_since: at,
            hours_here: Vec::new(),
        };
        self.entrants.truncate(self.entrants.len().max(index));
        match self.entrants.get_mut(index) {
            Some(known) => *known = state,
            None => self.entrants.push(state),
        }
        self.by_player.insert(player, entrant);
        Ok(())
    }

    fn note_here(&mut self, at: Millis, entrant: Entrant, until: Millis) {
        let hour = self.began_at.map(|began_at| u16::try_from((at - began_at) / HOUR_MS).unwrap_or(u16::MAX));
        let state = self.state(entrant);
        if state.is_gone() {
            return;
        }
        if state.status != EntrantStatus::Active {
            state.status = EntrantStatus::Active;
            state.free_since = at;
        }
        state.said = state.said.saturating_add(1);
        state.here_until = state.here_until.max(until);
        if let Some(hour) = hour
            && state.hours_here.last() != Some(&hour)
        {
            state.hours_here.push(hour);
        }
        for pairing in self.open.clone() {
            if self.pairing_mut(pairing).entrants().contains(&entrant) {
                self.note_both_came(at, pairing);
            }
        }
    }

    /// Notes whether both are at the board now. A later look could not tell: one may have gone meanwhile.
    fn note_both_came(&mut self, at: Millis, pairing: PairingNo) {
        let entrants = self.pairing_mut(pairing).entrants();
        let both = entrants.iter().all(|&entrant| self.known(entrant).is_here(at));
        self.pairing_mut(pairing).both_came |= both;
    }

    fn leave(&mut self, entrant: Entrant, status: EntrantStatus) {
        let state = self.state(entrant);
        // Exclusion also replaces a withdrawal, so that the entrant cannot enter again.
        if !state.is_gone() || status == EntrantStatus::Excluded {
            state.status = status;
        }
        state.here_until = 0;
    }

    fn note_round(
        &mut self,
        seq: u32,
        at: Millis,
        number: u16,
        paired: &[Paired],
        byes: &[Bye],
        by_hand: bool,
    ) -> Result<(), Corrupt> {
        if usize::from(number) != self.rounds.len() + 1 {
            return Err(Corrupt::OutOfPlace { seq, why: "rounds are numbered without gaps" });
        }
        let pairings = paired.iter().map(|paired| paired.pairing).collect();
        self.rounds.push(Round { number, at, pairings, byes: byes.to_vec(), by_hand });
        for paired in paired {
            if paired.pairing.0 as usize != self.pairings.len() + 1 {
                return Err(Corrupt::OutOfPlace { seq, why: "pairings are numbered without gaps" });
            }
            self.pairings.push(Pairing {
                pairing: paired.pairing,
                round: number,
                board: paired.board,
                first: paired.first,
                second: paired.second,
                match_id: paired.match_id,
                matches: vec![paired.match_id],
                place: paired.place,
                called_at: at,
                waits_until: self.wait(at, number, paired.seated),
                seated: paired.seated,
                stage: MatchStage::ToCome,
                both_came: false,
                to_settle: None,
                draws: 0,
                outcome: None,
            });
            self.open.push(paired.pairing);
            self.by_match.insert(paired.match_id, paired.pairing);
            self.note_both_came(at, paired.pairing);
        }
        Ok(())
    }

    /// Until when a pairing that is called now waits for both.
    fn wait(&self, at: Millis, round: u16, seated: bool) -> Option<Millis> {
        if seated || !self.checks_in() {
            return None;
        }
        let round_ends_at = match self.settings.format {
            Format::Swiss { every_ms: Some(every_ms), .. } => self.begins_at + every_ms * Millis::from(round),
            _ => 0,
        };
        Some(round_ends_at.max(at + self.settings.wait_ms))
    }

    /// The pairing whose present match has this id. An earlier match of a pairing changes nothing any more.
    fn present_match(&mut self, match_id: MatchId) -> Option<&mut Pairing> {
        let pairing = *self.by_match.get(&match_id)?;
        Some(self.pairing_mut(pairing)).filter(|pairing| pairing.match_id == match_id)
    }

    fn note_match_began(&mut self, match_id: MatchId) {
        if let Some(pairing) = self.present_match(match_id)
            && pairing.stage == MatchStage::ToCome
        {
            pairing.stage = MatchStage::Running;
            let number = pairing.pairing;
            // A match that was made while its pairing was decided is played all the same.
            if !self.open.contains(&number) {
                self.open.push(number);
                self.open.sort_unstable();
            }
        }
    }

    fn note_match_ended(&mut self, at: Millis, match_id: MatchId, end: PairingEnd) {
        let is_knockout = matches!(self.settings.format, Format::Knockout { .. });
        let has_ended = self.ended.is_some();
        let Some(pairing) = self.present_match(match_id) else { return };
        if pairing.stage == MatchStage::Over {
            return;
        }
        pairing.stage = MatchStage::Over;
        let (number, entrants, is_decided) = (pairing.pairing, pairing.entrants(), pairing.outcome.is_some());
        if has_ended {
            // Nobody plays there any more, but the result comes too late.
            return self.close(at, number);
        }
        let half_points = match end {
            PairingEnd::Won(Seat::One) => Some([2, 0]),
            PairingEnd::Won(Seat::Two) => Some([0, 2]),
            PairingEnd::Drawn => {
                pairing.draws += 1;
                (!is_knockout).then_some([1, 1])
            }
            PairingEnd::NoShow(_) | PairingEnd::Aborted => None,
        };
        if let PairingEnd::NoShow(seat) = end {
            self.state(entrants[usize::from(seat.number()) - 1]).here_until = 0;
        }
        if is_decided {
            self.close(at, number);
        } else if let Some(half_points) = half_points {
            self.decide_pairing(at, number, half_points, How::Played);
        } else {
            self.pairing_mut(number).to_settle = Some(end);
        }
    }

    fn note_again(&mut self, at: Millis, number: PairingNo, match_id: MatchId, first: Entrant, seated: bool) {
        let round = self.pairing_mut(number).round;
        let waits_until = self.wait(at, round, seated);
        let pairing = self.pairing_mut(number);
        if pairing.first != first {
            std::mem::swap(&mut pairing.first, &mut pairing.second);
        }
        pairing.match_id = match_id;
        pairing.matches.push(match_id);
        (pairing.called_at, pairing.waits_until) = (at, waits_until);
        pairing.seated = seated;
        pairing.stage = MatchStage::ToCome;
        pairing.both_came = false;
        pairing.to_settle = None;
        self.by_match.insert(match_id, number);
        self.note_both_came(at, number);
    }

    fn decide_pairing(&mut self, at: Millis, number: PairingNo, half_points: [u8; 2], how: How) {
        let pairing = self.pairing_mut(number);
        pairing.outcome = Some(Outcome { half_points, how });
        pairing.to_settle = None;
        pairing.waits_until = None;
        if pairing.stage != MatchStage::Running {
            self.close(at, number);
        }
    }

    /// Nothing more is to happen at this board.
    fn close(&mut self, at: Millis, number: PairingNo) {
        let before = self.open.len();
        self.open.retain(|&open| open != number);
        if self.open.len() < before {
            for entrant in self.pairing_mut(number).entrants() {
                self.state(entrant).free_since = at;
            }
            self.closed_at = at;
        }
    }

    fn move_deadlines(&mut self, by_ms: Millis) {
        self.begins_at += by_ms;
        self.moved_ms += by_ms;
        self.closed_at += by_ms;
        for number in self.open.clone() {
            let pairing = self.pairing_mut(number);
            pairing.waits_until = pairing.waits_until.map(|until| until + by_ms);
        }
    }

    /// Lets the pairings that wait do so for the whole time again: who was here before a stop may have gone.
    fn call_again(&mut self, at: Millis) {
        let until_min = at + self.settings.wait_ms;
        for number in self.open.clone() {
            let pairing = self.pairing_mut(number);
            pairing.waits_until = pairing.waits_until.map(|until| until.max(until_min));
        }
    }

    fn state(&mut self, entrant: Entrant) -> &mut EntrantState {
        self.entrants
            .get_mut(usize::from(entrant.0).wrapping_sub(1))
            .expect("the names of events are checked")
    }

    fn pairing_mut(&mut self, pairing: PairingNo) -> &mut Pairing {
        self.pairings.get_mut((pairing.0 as usize).wrapping_sub(1)).expect("the names of events are checked")
    }
}
