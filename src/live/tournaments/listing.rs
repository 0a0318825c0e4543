//! What lists show of a tournament, kept with each append, so that a list folds nothing.

use lusoria_play::{Clock, Length, Millis, PlayerId};
use lusoria_rules::Variant;
use lusoria_store::{TournamentListing, TournamentStage};
use lusoria_tournament::{EndedWhy, Format, Phase, Tournament, Who};
use serde::{Deserialize, Serialize};

/// What lists show of a tournament, beside its id and head.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are shown as they are")]
pub struct Listed {
    /// The name.
    pub name: String,
    /// How entrants are paired.
    pub format: Format,
    /// The game and its options.
    pub variant: Variant,
    /// The length of each match.
    pub length: Length,
    /// The clock of each match.
    pub clock: Clock,
    /// Whether the matches are rated.
    pub rated: bool,
    /// Whether lists show it.
    pub listed: bool,
    /// People, bots or both.
    pub who: Who,
    /// The most entrants.
    pub entrants_max: u16,
    /// Whether entering takes a code.
    pub has_code: bool,
    /// When it begins or began.
    pub begins_at: Millis,
    /// When an arena or a round robin ends.
    pub ends_at: Option<Millis>,
    /// When it ended.
    pub ended_at: Option<Millis>,
    /// Whether it has begun.
    pub has_begun: bool,
    /// Whether it is stopped.
    pub is_stopped: bool,
    /// The last round that was paired; 0 if none.
    pub round: u16,
    /// The number of rounds; 0 if it is not known.
    pub rounds: u16,
    /// How many take part.
    pub entrants: u16,
    /// Who organises it.
    pub organiser: PlayerId,
    /// Who won alone, once it was played to the end.
    pub winner: Option<PlayerId>,
}

impl Listed {
    /// Of a state.
    pub fn of(state: &Tournament) -> Self {
        let settings = state.settings();
        let is_arena = matches!(settings.format, Format::Arena { .. });
        let rounds = if is_arena { 0 } else { state.rounds().len() };
        Self {
            name: settings.name.clone(),
            format: settings.format.clone(),
            variant: settings.variant,
            length: settings.length,
            clock: settings.clock,
            rated: settings.rated,
            listed: settings.listed,
            who: settings.conditions.who,
            entrants_max: settings.conditions.entrants_max,
            has_code: settings.conditions.code.is_some(),
            begins_at: state.begins_at(),
            ends_at: state.ends_at(),
            ended_at: state.ended().map(|ended| ended.at),
            has_begun: state.began_at().is_some(),
            is_stopped: state.stopped().is_some(),
            round: u16::try_from(rounds).unwrap_or(u16::MAX),
            rounds: planned(state),
            entrants: u16::try_from(state.entrants_in()).unwrap_or(u16::MAX),
            organiser: state.organiser(),
            winner: winner(state),
        }
    }

    /// When check-in opens; none if the format has none.
    pub const fn check_in_at(&self) -> Option<Millis> {
        match self.format {
            Format::Swiss { .. } | Format::Knockout { .. } if !self.clock.is_correspondence() => {
                Some(self.begins_at.saturating_sub(Tournament::CHECK_IN_MS))
            }
            _ => None,
        }
    }

    /// Where it is.
    pub fn phase(&self, now: Millis) -> Phase {
        if self.ended_at.is_some() {
            Phase::Ended
        } else if self.is_stopped {
            Phase::Stopped
        } else if self.has_begun {
            Phase::Running
        } else if self.check_in_at().is_some_and(|at| now >= at) {
            Phase::CheckIn
        } else {
            Phase::Announced
        }
    }
}

fn planned(state: &Tournament) -> u16 {
    match state.settings().format {
        Format::Swiss { rounds: Some(rounds), .. } if state.began_at().is_none() => rounds.into(),
        _ => state.rounds_planned(),
    }
}

fn winner(state: &Tournament) -> Option<PlayerId> {
    if state.ended()?.why != EndedWhy::Finished {
        return None;
    }
    let winner = state.leader(&state.standings())?;
    state.entrant(winner).map(|entrant| entrant.player)
}

/// Whether matches are to be made or resigned.
pub(super) fn has_pending_matches(state: &Tournament) -> bool {
    !state.matches_to_make().is_empty() || !state.matches_to_resign().is_empty()
}

/// The row of a tournament, if it is written at `now`.
pub fn of(state: &Tournament, now: Millis) -> TournamentListing {
    let card = Listed::of(state);
    let phase = match (card.ended_at, card.has_begun) {
        (Some(_), _) => TournamentStage::Ended,
        (None, true) => TournamentStage::Running,
        (None, false) => TournamentStage::Announced,
    };
    TournamentListing {
        game: card.variant.game(),
        stage: phase,
        listed: card.listed,
        at: card.ended_at.unwrap_or(card.begins_at),
        card: serde_json::to_string(&card).expect("a card is plain data"),
        // Who makes the matches may stop before they are made.
        wake_at: if has_pending_matches(state) { Some(now) } else { state.next_wake(now) },
    }
}
