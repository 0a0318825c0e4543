//! What changes nothing: it can be asked of a store that nobody may write.

use lusoria_play::{MatchId, Millis, PlayerId, PlayerKind};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    Done, Refused,
    matches::foresee_pruning,
    told::{GuestTold, MatchTold, StatisticsTold, card},
};
use lusoria_store::{Guest, MatchRow, Store, StoreError};

/// How many guests of one name are told.
const NAMED_MAX: u32 = 50;

/// The times for which statistics tell what is new: a day, a week.
const RECENT_MS: [Millis; 2] = [86_400_000, 7 * 86_400_000];

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Question {
    /// How much there is of everything.
    Statistics,
    /// Guests of that id or name.
    Guest {
        /// Whom.
        guest: String,
    },
    /// A match at a glance.
    Match {
        /// Which.
        id: Uuid,
    },
    /// How many matches would be ended if those were that nobody has touched for long.
    Prunable {
        /// For how long, in milliseconds.
        older_than_ms: Millis,
    },
}

/// Answers a question; it is asked at that time.
///
/// # Errors
/// If there is no such guest or match, or the store cannot be read.
pub async fn answer(store: &dyn Store, at: Millis, question: Question) -> Result<Done, Refused> {
    match question {
        Question::Statistics => {
            let since = RECENT_MS.map(|ago| at.saturating_sub(ago)).to_vec();
            let statistics = store.statistics(since).await?;
            Ok(Done::Statistics(StatisticsTold { statistics, at }))
        }
        Question::Guest { guest } => {
            let guests = guests(store, &guest).await?;
            Ok(Done::Guests { guests: guests.into_iter().map(GuestTold::from).collect() })
        }
        Question::Match { id } => {
            let row = store.row(MatchId(id)).await?.ok_or(Refused::NoSuchMatch(id))?;
            Ok(Done::Match(told(&row)?))
        }
        Question::Prunable { older_than_ms } => {
            Ok(foresee_pruning(store, at.saturating_sub(older_than_ms)).await?)
        }
    }
}

/// Guests of that id or name, the computer left out.
pub(super) async fn guests(store: &dyn Store, wanted: &str) -> Result<Vec<Guest>, Refused> {
    let found = match Uuid::try_parse(wanted) {
        Ok(id) => store.guest(PlayerId(id)).await?.into_iter().collect(),
        Err(_) => store.guests_named(wanted.to_owned(), NAMED_MAX).await?,
    };
    if found.is_empty() {
        return Err(Refused::NoSuchGuest(wanted.to_owned()));
    }
    let guests: Vec<Guest> =
        found.into_iter().filter(|guest| !matches!(guest.kind, PlayerKind::Computer(_))).collect();
    if guests.is_empty() { Err(Refused::Computer(wanted.to_owned())) } else { Ok(guests) }
}

fn told(row: &MatchRow) -> Result<MatchTold, StoreError> {
    let unreadable = || StoreError::Corrupt(format!("the card of match {}", row.id.0));
    let card = card(row).ok_or_else(unreadable)?;
    Ok(MatchTold::of(row.id, row.head, row.summary.state, card))
}
