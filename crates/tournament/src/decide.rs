//! Judges commands.

use lusoria_play::{Millis, PlayerId, TournamentId};

use crate::{
    Bye, ByeWhy, Candidate, Chance, Command, Entrant, EntrantState, EntrantStatus, Event, ExcludedBy, Format,
    JOURNAL_VERSION, MatchStage, PairingNo, Recorded, Refusal, Settings, Tournament, Who, pair,
    settings::{check_reason, check_texts},
};

impl Tournament {
    /// Announces a tournament.
    ///
    /// # Errors
    /// A setting is out of its range.
    pub fn create(
        id: TournamentId,
        organiser: PlayerId,
        settings: Settings,
        now: Millis,
    ) -> Result<(Self, Vec<Recorded>), Refusal> {
        settings.check(now)?;
        let event = Event::Created { version: JOURNAL_VERSION, organiser, settings: Box::new(settings) };
        let events = vec![Recorded { seq: 1, at: now, event }];
        let tournament = Self::from_events(id, &events).expect("the first event is the creation");
        Ok((tournament, events))
    }

    /// Judges a command. The events are to be appended after [`Self::head`]; there are none if the command
    /// changes nothing.
    ///
    /// # Errors
    /// The command is refused.
    pub fn decide(
        &self,
        command: &Command,
        now: Millis,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Recorded>, Refusal> {
        let now = now.max(self.at);
        let events = match command {
            Command::Edit(settings) => self.edit(settings, now),
            Command::ReplaceTexts { name, description } => {
                let name = name.as_ref().unwrap_or(&self.settings.name).clone();
                let description = description.as_ref().unwrap_or(&self.settings.description).clone();
                check_texts(&name, &description)?;
                Ok(vec![Event::TextsReplaced { name, description }])
            }
            // A stop gives its time back when it ends, and before check-in or after the end nothing is open.
            &Command::Credit { by_ms } => {
                let has_opened = self.began_at.is_some() || now + Self::CHECK_IN_MS >= self.begins_at;
                let is_open = has_opened && self.stopped.is_none() && self.ended.is_none();
                Ok(if by_ms > 0 && is_open { vec![Event::Credited { by_ms }] } else { Vec::new() })
            }
            _ if self.ended.is_some() => Err(Refusal::HasEnded),
            Command::Enter(candidate) => self.enter(candidate, now),
            &Command::Here(player) => self.here(player, now),
            &Command::Pause(player) => {
                let state = self.present(player)?;
                let is_paused = state.status == EntrantStatus::Paused;
                Ok(if is_paused { Vec::new() } else { vec![Event::Paused { entrant: state.entrant }] })
            }
            &Command::Withdraw(player) => {
                Ok(vec![Event::Withdrew { entrant: self.present(player)?.entrant }])
            }
            &Command::AskBye { player, round } => self.ask_bye(player, round),
            Command::Exclude { player, by, reason } => self.exclude(*player, *by, reason.as_deref()),
            Command::Start if self.began_at.is_some() => Err(Refusal::HasBegun),
            Command::Start => self.begin(now, chance).ok_or(Refusal::TooFew),
            Command::Stop { reason } => self.stop(reason),
            Command::Resume if self.stopped.is_none() => Err(Refusal::NotStopped),
            Command::Resume => Ok(vec![Event::Resumed {}]),
            Command::NextRound => self.next_round(now),
            Command::Pair(pairings) => self.pair_by_hand(pairings, chance),
            Command::SetResult { pairing, half_points, reason } => {
                self.set_result(*pairing, *half_points, reason)
            }
            Command::End { why, reason } => {
                check_reason(reason)?;
                Ok(vec![Event::Ended { why: *why, reason: Some(reason.clone()) }])
            }
        }?;
        Ok(self.record(now, events))
    }

    fn edit(&self, new: &Settings, now: Millis) -> Result<Vec<Event>, Refusal> {
        let old = &self.settings;
        if new == old {
            return Ok(Vec::new());
        }
        self.check_room()?;
        let texts_only =
            Settings { name: new.name.clone(), description: new.description.clone(), ..old.clone() };
        let same_but_start = Settings { begins_at: new.begins_at, ..texts_only.clone() } == *new;
        if self.began_at.is_some() || self.ended.is_some() {
            if texts_only != *new {
                return Err(Refusal::HasBegun);
            }
        } else if now >= self.begins_at {
            return Err(Refusal::HasBegun);
        } else if self.entrants_in() > 0
            && (!same_but_start || (new.begins_at != old.begins_at && new.begins_at < self.begins_at))
        {
            return Err(Refusal::HasEntrants);
        }
        // A start that has passed, or that an outage has moved, is no fault of a new text.
        let keeps_start = new.begins_at == old.begins_at;
        new.check(if keeps_start { now.min(new.begins_at) } else { now })?;
        Ok(vec![Event::Edited { settings: Box::new(new.clone()) }])
    }

    fn enter(&self, candidate: &Candidate, now: Millis) -> Result<Vec<Event>, Refusal> {
        let known = self.entrant_of(candidate.player);
        match known.map(|state| state.status) {
            Some(EntrantStatus::Excluded) => return Err(Refusal::IsExcluded),
            Some(EntrantStatus::Withdrawn) if self.began_at.is_some() => return Err(Refusal::HasWithdrawn),
            Some(EntrantStatus::Active | EntrantStatus::Absent | EntrantStatus::Paused) => {
                return Err(Refusal::AlreadyEntered);
            }
            Some(EntrantStatus::Withdrawn) | None => {}
        }
        if !self.admits_entries(now) {
            return Err(Refusal::EntryClosed);
        }
        self.check_room()?;
        known.map_or(Ok(()), check_said)?;
        if self.entrants_in() >= usize::from(self.settings.conditions.entrants_max) {
            return Err(Refusal::Full);
        }
        self.check_conditions(candidate)?;
        let next = u16::try_from(self.entrants.len() + 1).map_err(|_| Refusal::Full)?;
        let entrant = known.map_or(Entrant(next), |state| state.entrant);
        let missed = if self.is_arena() { 0 } else { u8::try_from(self.rounds.len()).unwrap_or(u8::MAX) };
        let &Candidate { player, rating, is_bot, .. } = candidate;
        let half_points = missed.min(Self::BYES_MAX);
        let entered = Event::Entered { entrant, player, rating, is_bot, half_points };
        // Who enters while others check in is there: in the last second too.
        let checks_in = self.checks_in() && now + Self::CHECK_IN_MS >= self.begins_at;
        let here = checks_in.then_some(Event::Here { entrant, until: self.here_until(now) });
        Ok([entered].into_iter().chain(here).collect())
    }

    /// Whether entry is open. A Swiss admits late entrants until half of the rounds have been paired.
    pub fn admits_entries(&self, now: Millis) -> bool {
        if self.ended.is_some() {
            return false;
        }
        match self.settings.format {
            Format::Arena { .. } => {
                self.ends_at().is_some_and(|ends_at| now + Self::ARENA_CLOSES_MS < ends_at)
            }
            Format::Swiss { .. } if self.began_at.is_some() => {
                self.rounds.len() * 2 <= usize::from(self.rounds_planned)
            }
            Format::Swiss { .. } | Format::RoundRobin { .. } | Format::Knockout { .. } => {
                self.began_at.is_none() && now < self.begins_at
            }
        }
    }

    fn check_conditions(&self, candidate: &Candidate) -> Result<(), Refusal> {
        let conditions = &self.settings.conditions;
        let rating = candidate.rating;
        let faults = [
            (conditions.who == Who::People && candidate.is_bot, Refusal::PeopleOnly),
            (conditions.who == Who::Bots && !candidate.is_bot, Refusal::BotsOnly),
            (candidate.rated_matches < conditions.rated_matches_min, Refusal::RatedMatches),
            (conditions.rating_min.is_some_and(|min| rating < min), Refusal::Rating),
            (conditions.rating_max.is_some_and(|max| rating > max), Refusal::Rating),
            (candidate.account_age_ms < conditions.account_age_ms_min, Refusal::AccountAge),
            (
                !conditions.players.is_empty() && !conditions.players.contains(&candidate.player),
                Refusal::NotListed,
            ),
            (conditions.code.is_some() && conditions.code != candidate.code, Refusal::Code),
        ];
        faults.into_iter().find(|(is_fault, _)| *is_fault).map_or(Ok(()), |(_, refusal)| Err(refusal))
    }

    fn here(&self, player: PlayerId, now: Millis) -> Result<Vec<Event>, Refusal> {
        let state = self.present(player)?;
        let is_fresh = state.here_until > now + Self::HERE_MS / 2;
        if is_fresh && state.status == EntrantStatus::Active {
            return Ok(Vec::new());
        }
        self.check_room()?;
        check_said(state)?;
        Ok(vec![Event::Here { entrant: state.entrant, until: self.here_until(now) }])
    }

    /// Until when somebody is here who says so now: check-in lasts until the first round waits no more.
    fn here_until(&self, now: Millis) -> Millis {
        let opened = self.began_at.is_none() && now + Self::CHECK_IN_MS >= self.begins_at;
        let check_in = if opened { self.begins_at + self.settings.wait_ms } else { 0 };
        check_in.max(now + Self::HERE_MS)
    }

    fn ask_bye(&self, player: PlayerId, round: u16) -> Result<Vec<Event>, Refusal> {
        let Format::Swiss { rounds, .. } = self.settings.format else { return Err(Refusal::NotThisFormat) };
        let state = self.present(player)?;
        let most = rounds.unwrap_or(Settings::ROUNDS_MAX);
        let planned = if self.began_at.is_some() { self.rounds_planned } else { most.into() };
        if usize::from(round) <= self.rounds.len() || round > planned {
            return Err(Refusal::NoSuchRound);
        }
        if round == planned {
            return Err(Refusal::LastRound);
        }
        if state.byes_asked.contains(&round) {
            return Ok(Vec::new());
        }
        if usize::from(state.late_half_points) + state.byes_asked.len() >= usize::from(Self::BYES_MAX) {
            return Err(Refusal::TooManyByes);
        }
        Ok(vec![Event::ByeAsked { entrant: state.entrant, round }])
    }

    fn exclude(&self, player: PlayerId, by: ExcludedBy, reason: Option<&str>) -> Result<Vec<Event>, Refusal> {
        reason.map_or(Ok(()), check_reason)?;
        let state = self.entrant_of(player).ok_or(Refusal::NotEntered)?;
        // Entrants who withdrew are excluded too, or they could enter again before the start.
        if state.status == EntrantStatus::Excluded {
            return Ok(Vec::new());
        }
        Ok(vec![Event::Excluded { entrant: state.entrant, by, reason: reason.map(str::to_owned) }])
    }

    fn stop(&self, reason: &str) -> Result<Vec<Event>, Refusal> {
        check_reason(reason)?;
        self.check_running()?;
        self.check_room()?;
        Ok(vec![Event::Stopped { reason: reason.to_owned() }])
    }

    fn next_round(&self, now: Millis) -> Result<Vec<Event>, Refusal> {
        let is_round_robin = match self.settings.format {
            Format::Arena { .. } | Format::RoundRobin { by_round: false, .. } => {
                return Err(Refusal::NotThisFormat);
            }
            Format::RoundRobin { by_round: true, .. } => true,
            Format::Swiss { .. } | Format::Knockout { .. } => false,
        };
        self.check_running()?;
        if self.open.is_empty() {
            return Err(Refusal::NoRoundOpen);
        }
        let is_played = |stage| stage == MatchStage::Running;
        if self.open_pairings().any(|open| open.seated || is_played(open.stage)) {
            return Err(Refusal::StillPlaying);
        }
        let forfeits = self.open_pairings().map(|open| {
            if is_round_robin { self.forfeit_less_there(open) } else { self.forfeit_absent(open, now) }
        });
        Ok(forfeits.collect())
    }

    fn pair_by_hand(
        &self,
        pairings: &[(Entrant, Entrant)],
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        if !matches!(self.settings.format, Format::Swiss { .. }) {
            return Err(Refusal::NotThisFormat);
        }
        // Wrong at any time.
        if pairings.iter().any(|(first, second)| first == second) {
            return Err(Refusal::PairedWithSelf);
        }
        if self.began_at.is_none() {
            return Err(Refusal::NotBegun);
        }
        if !self.open.is_empty() {
            return Err(Refusal::RoundOpen);
        }
        if !self.rounds_left() {
            return Err(Refusal::AllRoundsPaired);
        }
        if pairings.is_empty() {
            return Err(Refusal::NoPairings);
        }
        let mut left: Vec<_> = self.pairable().map(|state| state.entrant).collect();
        for &(first, second) in pairings {
            for entrant in [first, second] {
                let is_there =
                    self.entrant(entrant).is_some_and(|state| state.status == EntrantStatus::Active);
                let Some(index) = left.iter().position(|&other| other == entrant) else {
                    return Err(if is_there { Refusal::PairedTwice } else { Refusal::NotThere });
                };
                left.swap_remove(index);
            }
        }
        // Who asked for a bye has it, unless the organiser pairs them all the same.
        let paired =
            |entrant: Entrant| pairings.iter().any(|&(one, other)| one == entrant || other == entrant);
        let away: Vec<_> = pair::absences(self).into_iter().filter(|bye| !paired(bye.entrant)).collect();
        left.retain(|entrant| away.iter().all(|bye| bye.entrant != *entrant));
        if left.len() > 1 {
            return Err(Refusal::LeftOut);
        }
        let odd = left.into_iter().map(|entrant| Bye { entrant, half_points: 2, why: ByeWhy::Odd });
        let byes = odd.chain(away).collect();
        Ok(vec![pair::round(self, pairings.iter().map(|&pair| (pair, None)).collect(), byes, true, chance)])
    }

    fn set_result(
        &self,
        number: PairingNo,
        half_points: [u8; 2],
        reason: &str,
    ) -> Result<Vec<Event>, Refusal> {
        check_reason(reason)?;
        self.check_room()?;
        let pairing = self.pairing(number).ok_or(Refusal::NoSuchPairing)?;
        let [first, second] = half_points;
        let is_knockout = matches!(self.settings.format, Format::Knockout { .. });
        if first > 2 || second > 2 || first + second > 2 || (is_knockout && first == second) {
            return Err(Refusal::HalfPoints);
        }
        if is_knockout && usize::from(pairing.round) < self.rounds.len() {
            return Err(Refusal::NextRoundPaired);
        }
        Ok(vec![Event::ResultSet { pairing: number, half_points, reason: reason.to_owned() }])
    }

    /// The entry of a player who takes part.
    fn present(&self, player: PlayerId) -> Result<&EntrantState, Refusal> {
        let state = self.entrant_of(player).ok_or(Refusal::NotEntered)?;
        match state.status {
            EntrantStatus::Withdrawn => Err(Refusal::HasWithdrawn),
            EntrantStatus::Excluded => Err(Refusal::IsExcluded),
            EntrantStatus::Active | EntrantStatus::Absent | EntrantStatus::Paused => Ok(state),
        }
    }

    fn check_running(&self) -> Result<(), Refusal> {
        if self.began_at.is_none() {
            Err(Refusal::NotBegun)
        } else if self.stopped.is_some() {
            Err(Refusal::Stopped)
        } else {
            Ok(())
        }
    }

    /// What can be said for ever is refused when there is too much of it.
    const fn check_room(&self) -> Result<(), Refusal> {
        if self.head < Self::EVENTS_OPEN_MAX { Ok(()) } else { Err(Refusal::TooManyEvents) }
    }
}

/// The same of one entrant.
const fn check_said(state: &EntrantState) -> Result<(), Refusal> {
    if state.said < Tournament::SAID_MAX { Ok(()) } else { Err(Refusal::TooManyEvents) }
}
