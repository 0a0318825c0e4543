//! Tournaments: who may organise, enter and direct them, and what everybody sees.

mod calendar;
mod calls;
mod events;
mod listed;
mod luck;
mod records;
mod table_cache;
mod you;

pub use events::TournamentReader;
pub(in crate::app) use listed::{ListedNames, read_listed};
pub use records::TournamentRecords;
pub use table_cache::Table;
pub(in crate::app) use table_cache::TableCache;

use std::sync::Arc;

use bytes::Bytes;
use lusoria_play::{Bytes32, MatchId, PlayerId, PlayerKind, TournamentId};
use lusoria_protocol::{
    Code, CreateTournament, Cursor, EditTournament, Game, IdempotencyKey, Problem, TournamentCard,
    TournamentDirection, TournamentEntry, TournamentList,
};
use lusoria_store::{
    RatingKey, SanctionKind, StoredRating, TOURNAMENTS_PER_ORGANISER_MAX, TournamentFilter, TournamentPlace,
    TournamentStage,
};
use lusoria_tournament::{
    Candidate, Command, EndedWhy, Entrant, ExcludedBy, PairingNo, Refusal, Settings, Tournament,
};

use crate::{
    app::{
        App, Caller, ClientAddress, WhichPlayer, problem,
        wire::tournament::{self as wire, Names, readable_reason},
    },
    live::{CommittedTournament, TournamentError, shown},
};

/// How often an entry is decided again because the settings have changed.
const ENTRY_TRIES_MAX: u32 = 8;

/// A list of tournaments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TournamentState {
    /// Those that have not begun, the soonest first.
    Announced,
    /// Those that are played, the newest first.
    Running,
    /// Those that have ended, the newest first.
    Ended,
}

impl App {
    /// Announces a tournament, which the caller organises.
    ///
    /// # Errors
    /// Settings out of range, each with its code; `account_needed`; `muted`; `too_many_tournaments`; `key_reused`;
    /// `unavailable`.
    pub async fn create_tournament(
        &self,
        caller: &Caller,
        request: &CreateTournament,
        key: Option<&IdempotencyKey>,
    ) -> Result<Bytes, Problem> {
        let settings = wire::settings(request)?;
        let keyed = self.keyed(caller, key, "create_tournament", None, request);
        if let Some(used) = self.used_before(&keyed).await? {
            return self.tournament(TournamentId(used.id.0), Some(caller)).await;
        }
        self.may_write_for_all(caller).await?;
        let id = TournamentId(self.new_id(self.live.now()));
        match self.live.create_tournament(id, caller.id(), settings, keyed.key()).await {
            Ok(known) => self.render_tournament(&known, Some(caller)).await,
            Err(TournamentError::KeyUsed) => match self.used_before(&keyed).await? {
                Some(used) => self.tournament(TournamentId(used.id.0), Some(caller)).await,
                None => Err(problem::unavailable()),
            },
            Err(error) => Err(self.tournament_problem(caller, error).await),
        }
    }

    /// Changes the settings of a tournament of the caller's.
    ///
    /// # Errors
    /// `no_such_tournament`; `not_the_organiser`; settings out of range; `has_entrants`; `tournament_has_begun`;
    /// `muted`; `unavailable`.
    pub async fn edit_tournament(
        &self,
        caller: &Caller,
        id: TournamentId,
        request: EditTournament,
    ) -> Result<Bytes, Problem> {
        self.directed_by(caller, id).await?;
        self.may_write_for_all(caller).await?;
        let change = wire::change(request)?;
        let edit = move |state: &Tournament| Ok(Some(Command::Edit(Box::new(change(state.settings())))));
        self.directed(caller, id, edit).await
    }

    /// Carries out a command of a player who takes part in a tournament, or wants to.
    ///
    /// # Errors
    /// `no_such_tournament`; `banned`; `account_needed`; what the tournament refuses; `too_many_requests` after many
    /// codes; `unavailable`.
    pub async fn enter_tournament(
        &self,
        caller: &Caller,
        id: TournamentId,
        request: &TournamentEntry,
    ) -> Result<Bytes, Problem> {
        let player = caller.id();
        let command = match request {
            TournamentEntry::Enter { code } => {
                let code = code.as_ref().map(|code| wire::code_hash(code.trimmed()));
                return self.enter(caller, id, code).await;
            }
            TournamentEntry::Here {} => {
                must_not_be_banned(caller)?;
                Command::Here(player)
            }
            TournamentEntry::Pause {} => Command::Pause(player),
            TournamentEntry::Withdraw {} => Command::Withdraw(player),
            TournamentEntry::AskBye { round } => Command::AskBye { player, round: *round },
        };
        self.directed(caller, id, move |_| Ok(Some(command.clone()))).await
    }

    /// Enters a caller, with the rating and on the terms of the settings on which it is decided.
    async fn enter(
        &self,
        caller: &Caller,
        id: TournamentId,
        code: Option<Bytes32>,
    ) -> Result<Bytes, Problem> {
        let known = self.known_tournament(id).await?;
        if known.state.settings().conditions.code.is_some() {
            self.rate_limiters.admit_entry_code(caller.id())?;
        }
        let mut settings = known.state.settings().clone();
        for _ in 0..ENTRY_TRIES_MAX {
            let candidate = Candidate { code, ..self.candidate(caller, &settings).await? };
            let judged = settings.clone();
            let enter = move |state: &Tournament| {
                Ok((*state.settings() == judged).then(|| Command::Enter(candidate.clone())))
            };
            match self.live.direct_tournament(id, enter).await {
                Ok(known) if *known.state.settings() == settings => {
                    return self.render_tournament(&known, Some(caller)).await;
                }
                // The organiser has changed them meanwhile.
                Ok(known) => settings = known.state.settings().clone(),
                Err(error) => return Err(self.tournament_problem(caller, error).await),
            }
        }
        Err(problem::unavailable())
    }

    /// Carries out a command of the organiser.
    ///
    /// # Errors
    /// `no_such_tournament`; `not_the_organiser`; `muted`; what the tournament refuses; `unavailable`.
    pub async fn direct_tournament(
        &self,
        caller: &Caller,
        id: TournamentId,
        request: &TournamentDirection,
    ) -> Result<Bytes, Problem> {
        self.directed_by(caller, id).await?;
        let command = match request {
            TournamentDirection::Start {} => Command::Start,
            TournamentDirection::Stop { reason } => Command::Stop { reason: readable_reason(reason)? },
            TournamentDirection::Resume {} => Command::Resume,
            TournamentDirection::NextRound { round } => {
                let round = usize::from(*round);
                let close = move |state: &Tournament| match state.rounds().len() {
                    last if last == round => Ok(Some(Command::NextRound)),
                    // A repeat of the request that closed it.
                    last if last > round => Ok(None),
                    _ => Err(Refusal::NoSuchRound),
                };
                return self.directed(caller, id, close).await;
            }
            TournamentDirection::Pair { pairings } => {
                let pairings = pairings.iter().map(|pair| (Entrant(pair.first), Entrant(pair.second)));
                Command::Pair(pairings.collect())
            }
            TournamentDirection::SetResult { pairing, half_points, reason } => Command::SetResult {
                pairing: PairingNo(*pairing),
                half_points: *half_points,
                reason: readable_reason(reason)?,
            },
            TournamentDirection::Exclude { player, reason } => Command::Exclude {
                player: *player,
                by: ExcludedBy::Organiser,
                reason: Some(readable_reason(reason)?),
            },
            TournamentDirection::End { reason } => {
                Command::End { why: EndedWhy::Organiser, reason: readable_reason(reason)? }
            }
        };
        let has_reason = matches!(
            command,
            Command::Stop { .. } | Command::SetResult { .. } | Command::Exclude { .. } | Command::End { .. }
        );
        if has_reason {
            self.may_write_for_all(caller).await?;
        }
        self.directed(caller, id, move |_| Ok(Some(command.clone()))).await
    }

    /// A tournament, as a viewer sees it.
    ///
    /// # Errors
    /// `no_such_tournament`; `unavailable`.
    pub async fn tournament(&self, id: TournamentId, viewer: Option<&Caller>) -> Result<Bytes, Problem> {
        self.render_tournament(&*self.known_tournament(id).await?, viewer).await
    }

    /// The name and the game of a tournament, if lists show it.
    ///
    /// # Errors
    /// `no_such_tournament`; `unavailable`.
    pub async fn listed_tournament(&self, id: TournamentId) -> Result<Option<(String, Game)>, Problem> {
        let known = self.known_tournament(id).await?;
        let settings = known.state.settings();
        Ok(settings.listed.then(|| (settings.name.clone(), settings.variant.game())))
    }

    /// The number of a tournament's last event.
    ///
    /// # Errors
    /// `no_such_tournament`; `unavailable`.
    pub async fn tournament_head(&self, id: TournamentId) -> Result<u32, Problem> {
        Ok(self.known_tournament(id).await?.state.head())
    }

    /// Public tournaments.
    ///
    /// # Errors
    /// `too_many_requests`; `unavailable`.
    pub async fn tournaments(
        &self,
        state: TournamentState,
        game: Option<Game>,
        cursor: Option<&Cursor>,
        limit: u32,
        address: ClientAddress,
    ) -> Result<TournamentList, Problem> {
        let wanted = match state {
            TournamentState::Announced => TournamentStage::Announced,
            TournamentState::Running => TournamentStage::Running,
            TournamentState::Ended => TournamentStage::Ended,
        };
        self.tournament_page(TournamentFilter::Listed { stage: wanted, game }, cursor, limit, address).await
    }

    /// The tournaments that a player organises or has entered; unlisted ones too, for themselves.
    ///
    /// # Errors
    /// `no_such_guest`; `too_many_requests`; `unavailable`.
    pub async fn tournaments_of(
        &self,
        which: &WhichPlayer,
        viewer: Option<&Caller>,
        cursor: Option<&Cursor>,
        limit: u32,
        address: ClientAddress,
    ) -> Result<TournamentList, Problem> {
        let filter = self.tournaments_filter(which, viewer).await?;
        self.tournament_page(filter, cursor, limit, address).await
    }

    pub(in crate::app) async fn tournaments_filter(
        &self,
        which: &WhichPlayer,
        viewer: Option<&Caller>,
    ) -> Result<TournamentFilter, Problem> {
        let guest = self.player(which).await?.id;
        let with_unlisted = viewer.is_some_and(|viewer| viewer.id() == guest);
        Ok(TournamentFilter::Of { guest, with_unlisted })
    }

    async fn tournament_page(
        &self,
        filter: TournamentFilter,
        cursor: Option<&Cursor>,
        limit: u32,
        address: ClientAddress,
    ) -> Result<TournamentList, Problem> {
        let after = match cursor.map(Cursor::after) {
            // Where it stands now: it may have begun or ended since it was the last of a page.
            Some(MatchId(id)) => {
                let id = TournamentId(id);
                let last = self.store().tournament(id).await.map_err(problem::store)?;
                last.map(|last| (last.listing.at, id))
            }
            None => None,
        };
        let (tournaments, next) = self.tournament_cards(filter, after, limit).await?;
        self.admit_items(address, tournaments.len())?;
        Ok(TournamentList { tournaments, next: next.map(|(_, id)| Cursor::from(MatchId(id.0))) })
    }

    /// Tournaments after a place, and where those after them begin.
    pub(in crate::app) async fn tournament_cards(
        &self,
        filter: TournamentFilter,
        after: Option<TournamentPlace>,
        limit: u32,
    ) -> Result<(Vec<TournamentCard>, Option<TournamentPlace>), Problem> {
        let page = self.store().tournaments(filter, after, limit).await.map_err(problem::store)?;
        let listed: Vec<_> = page.rows.iter().map(read_listed).collect::<Result<_, _>>()?;
        let players = listed.iter().flat_map(|of| [Some(of.organiser), of.winner]).flatten().collect();
        let names = self.tournament_names(players).await?;
        let now = self.live.now();
        let shown =
            page.rows.iter().zip(&listed).map(|(row, of)| wire::card(row.id, row.head, of, &names, now));
        Ok((shown.collect(), page.next))
    }

    /// The names of some players, as they are now.
    pub(in crate::app) async fn tournament_names(
        &self,
        mut players: Vec<PlayerId>,
    ) -> Result<Names, Problem> {
        players.sort_unstable();
        players.dedup();
        let named = self.store().named_players(players).await;
        Ok(named.map_err(problem::store)?.into_iter().collect())
    }

    pub(in crate::app) async fn known_tournament(
        &self,
        id: TournamentId,
    ) -> Result<Arc<CommittedTournament>, Problem> {
        self.live.tournament(id).await.map_err(unasked_problem)
    }

    /// The tournament, if the caller organises it.
    async fn directed_by(
        &self,
        caller: &Caller,
        id: TournamentId,
    ) -> Result<Arc<CommittedTournament>, Problem> {
        let known = self.known_tournament(id).await?;
        if known.state.organiser() == caller.id() { Ok(known) } else { Err(Code::NotTheOrganiser.into()) }
    }

    async fn directed(
        &self,
        caller: &Caller,
        id: TournamentId,
        make_command: impl Fn(&Tournament) -> Result<Option<Command>, Refusal> + Send + Sync + 'static,
    ) -> Result<Bytes, Problem> {
        match self.live.direct_tournament(id, make_command).await {
            Ok(known) => self.render_tournament(&known, Some(caller)).await,
            Err(error) => Err(self.tournament_problem(caller, error).await),
        }
    }

    /// Checks that a caller may write what everybody reads.
    async fn may_write_for_all(&self, caller: &Caller) -> Result<(), Problem> {
        let now = self.live.now();
        let sanctions = self.store().sanctions(caller.id()).await.map_err(problem::store)?;
        let mute = sanctions.iter().find(|of| of.kind == SanctionKind::Mute && of.holds(now));
        mute.map_or(Ok(()), |mute| Err(problem::sanctioned(mute)))
    }

    /// What the conditions ask of a caller who wants to enter.
    async fn candidate(&self, caller: &Caller, settings: &Settings) -> Result<Candidate, Problem> {
        must_not_be_banned(caller)?;
        self.admit_to_terms(caller, &settings.terms(settings.length)).await?;
        let account = self.store().account(caller.id()).await.map_err(problem::store)?;
        let Some(account) = account else { return Err(account_needed()) };
        let key = RatingKey { game: settings.variant.game(), pace: settings.clock.pace() };
        let known = self.store().ratings_of(vec![caller.id()]).await.map_err(problem::store)?;
        let stored = known.into_iter().find(|(_, of, _)| *of == key).map(|(_, _, stored)| stored);
        let stored = stored.unwrap_or_else(|| StoredRating::none_of(key.game));
        Ok(Candidate {
            player: caller.id(),
            rating: shown(&stored.rating).points,
            is_bot: caller.kind() == PlayerKind::Bot,
            rated_matches: stored.matches,
            account_age_ms: self.live.now().saturating_sub(account.created_at),
            code: None,
        })
    }

    /// The problem for a caller whose request a tournament did not carry out.
    async fn tournament_problem(&self, caller: &Caller, error: TournamentError) -> Problem {
        match error {
            TournamentError::GuestGone(gone) => match self.store().account(gone).await {
                Ok(None) if gone == caller.id() => account_needed(),
                Ok(_) => self.gone(caller, gone).await,
                Err(error) => problem::store(error),
            },
            error => unasked_problem(error),
        }
    }
}

fn unasked_problem(error: TournamentError) -> Problem {
    match error {
        TournamentError::NoSuchTournament => Code::NoSuchTournament.into(),
        TournamentError::Refused(refusal) => wire::refused(&refusal),
        TournamentError::GuestGone(_) => problem::opponent_gone(),
        TournamentError::TooMany => {
            let limit = TOURNAMENTS_PER_ORGANISER_MAX;
            let detail = format!("a player can organise at most {limit} tournaments that have not ended");
            Problem::new(Code::TooManyTournaments, detail).with_limit(limit.into())
        }
        TournamentError::KeyUsed => problem::unavailable(),
        TournamentError::Store(error) => problem::store(error),
        TournamentError::Stopping => problem::stopping(),
    }
}

fn must_not_be_banned(caller: &Caller) -> Result<(), Problem> {
    caller.ban().map_or(Ok(()), |ban| Err(problem::banned(ban)))
}

fn account_needed() -> Problem {
    Problem::new(Code::AccountNeeded, "tournaments are for players with accounts: open one")
}
