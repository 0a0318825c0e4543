//! Queries, which change nothing: they also work on a read-only store.

use lusoria_play::{MatchId, Millis, PlayerId, PlayerKind};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    AdminError, AdminOutcome,
    accounts::accounts,
    details::{GuestDetails, MatchDetails, NodesDetails, StatisticsDetails},
    flags,
    matches::count_prunable,
    moderation, tournament_check, tournaments,
};
use crate::app::ratings;
use lusoria_store::{Guest, Store};

/// How many guests with the same name are returned.
const NAMED_MAX: u32 = 50;

/// The periods for which statistics count new rows: a day, a week.
const RECENT_MS: [Millis; 2] = [86_400_000, 7 * 86_400_000];

/// What to look up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum AdminQuery {
    /// Counts of everything.
    Statistics,
    /// Guests with that id or name.
    Guest {
        /// The id or name.
        guest: String,
    },
    /// Accounts.
    Accounts {
        /// Only the one with this handle.
        handle: Option<String>,
        /// Only those opened within this time, in milliseconds.
        newer_than_ms: Option<Millis>,
    },
    /// Who may open an account.
    SignUps,
    /// A summary of a match.
    Match {
        /// The match's id.
        id: Uuid,
    },
    /// Reports, the newest first.
    Reports {
        /// Whether to include closed ones.
        all: bool,
    },
    /// A report, with the talk of its match.
    Report {
        /// The report's id.
        id: Uuid,
    },
    /// Flags for engine help, the newest first.
    Flags {
        /// Whether to include closed ones.
        all: bool,
    },
    /// A flag, with the matches before it.
    Flag {
        /// The flag's id.
        id: Uuid,
    },
    /// The moderators' log.
    Log {
        /// Only rows about the guest with this id or name; a deleted guest is found by id only.
        guest: Option<String>,
    },
    /// The nodes of the database.
    Nodes,
    /// Ratings, computed again from the journals and compared with the stored ones.
    CheckRatings,
    /// How many matches a prune would end and delete.
    Prunable {
        /// How long they have been unchanged, in milliseconds.
        older_than_ms: Millis,
    },
    /// Tournaments, unlisted ones too.
    Tournaments {
        /// Only the one with this id.
        id: Option<Uuid>,
    },
    /// Tournaments, compared with the journals of their matches and with what lists show.
    CheckTournaments {
        /// Only the one with this id.
        id: Option<Uuid>,
    },
}

impl AdminQuery {
    /// Whether it reads many journals, which may take minutes.
    pub const fn reads_journals(&self) -> bool {
        matches!(self, Self::CheckRatings | Self::CheckTournaments { .. })
    }
}

/// Runs a query as of the time `at`.
///
/// # Errors
/// If no such guest or match exists, the database has no nodes, or the store cannot be read.
pub async fn run(store: &Store, at: Millis, query: AdminQuery) -> Result<AdminOutcome, AdminError> {
    match query {
        AdminQuery::Statistics => {
            let since = RECENT_MS.map(|ago| at.saturating_sub(ago)).to_vec();
            let statistics = store.statistics(since).await?;
            Ok(AdminOutcome::Statistics(StatisticsDetails { statistics, at }))
        }
        AdminQuery::Guest { guest } => {
            let guests = guests(store, &guest).await?;
            Ok(AdminOutcome::Guests { guests: guests.into_iter().map(GuestDetails::from).collect() })
        }
        AdminQuery::Accounts { handle, newer_than_ms } => {
            accounts(store, handle, newer_than_ms.map_or(0, |ago| at.saturating_sub(ago))).await
        }
        AdminQuery::SignUps => Ok(AdminOutcome::SignUps(store.sign_ups(at).await?)),
        AdminQuery::Match { id } => {
            let row = store.row(MatchId(id)).await?.ok_or(AdminError::NoSuchMatch(id))?;
            Ok(AdminOutcome::Match(MatchDetails::of(row)))
        }
        AdminQuery::Reports { all } => moderation::reports(store, all).await,
        AdminQuery::Report { id } => moderation::report(store, id).await,
        AdminQuery::Flags { all } => flags::flags(store, all).await,
        AdminQuery::Flag { id } => flags::flag(store, id).await,
        AdminQuery::Log { guest: None } => moderation::log(store, None).await,
        AdminQuery::Log { guest: Some(guest) } => {
            if let Ok(id) = Uuid::try_parse(&guest) {
                return moderation::log(store, Some(id)).await;
            }
            let named = guests(store, &guest).await?;
            let ids: Vec<PlayerId> = named.iter().map(|guest| guest.id).collect();
            match ids[..] {
                [one] => moderation::log(store, Some(one.0)).await,
                _ => Err(AdminError::Several { name: guest, ids }),
            }
        }
        AdminQuery::Nodes if store.is_shared() => {
            Ok(AdminOutcome::Nodes(NodesDetails::from(store.nodes().await?)))
        }
        AdminQuery::Nodes => Err(AdminError::NoNodes),
        AdminQuery::CheckRatings => {
            Ok(AdminOutcome::Ratings { ratings: ratings::check(store).await?, stored: false })
        }
        AdminQuery::Prunable { older_than_ms } => {
            Ok(count_prunable(store, at.saturating_sub(older_than_ms)).await?)
        }
        AdminQuery::Tournaments { id } => tournaments::tournaments(store, at, id).await,
        AdminQuery::CheckTournaments { id } => tournament_check::check(store, at, id).await,
    }
}

/// Guests with that id or name, without the computer.
pub(super) async fn guests(store: &Store, wanted: &str) -> Result<Vec<Guest>, AdminError> {
    let found = match Uuid::try_parse(wanted) {
        Ok(id) => store.guest(PlayerId(id)).await?.into_iter().collect(),
        Err(_) => store.guests_named(wanted.to_owned(), NAMED_MAX).await?,
    };
    if found.is_empty() {
        return Err(AdminError::NoSuchGuest(wanted.to_owned()));
    }
    let guests: Vec<Guest> =
        found.into_iter().filter(|guest| !matches!(guest.kind, PlayerKind::Computer(_))).collect();
    if guests.is_empty() { Err(AdminError::Computer(wanted.to_owned())) } else { Ok(guests) }
}
