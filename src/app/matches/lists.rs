//! Lists of matches: the public ones, and those of a guest.

use lusoria_play::PlayerId;
use lusoria_protocol::{Cursor, Game, MatchList, MatchStage, OpenMatches, Problem, Waiting};

use crate::app::{App, Caller, ClientAddress, problem, tournaments::ListedNames, wire};
use lusoria_store::{MatchFilter, MatchRow, Page};

/// The longest page.
pub(in crate::app) const PAGE_MAX: u32 = 100;

/// A page with at most this many matches is serialised at once.
const SHORT_PAGE: usize = 20;

/// How many matches of a guest are searched for those that wait for them.
const WAITING_MAX: u32 = 1_000;

/// How many finished matches are searched for an offer of a rematch.
const OVER_MAX: u32 = 100;

impl App {
    /// Public matches in a state, the newest first.
    ///
    /// # Errors
    /// `too_many_requests` if the address has asked for too much; `unavailable`.
    pub async fn matches(
        &self,
        state: MatchStage,
        game: Option<Game>,
        after: Option<&Cursor>,
        limit: u32,
        address: ClientAddress,
    ) -> Result<MatchList, Problem> {
        let filter = MatchFilter::Listed { state, game };
        let page = self.page(filter, after, limit).await?;
        self.admit_items(address, page.rows.len())?;
        self.list(page, None).await
    }

    /// The matches of a guest, the newest first.
    ///
    /// # Errors
    /// `too_many_requests` if the address has asked for too much; `unavailable`.
    pub async fn my_matches(
        &self,
        caller: &Caller,
        state: Option<MatchStage>,
        after: Option<&Cursor>,
        limit: u32,
        address: ClientAddress,
    ) -> Result<MatchList, Problem> {
        let filter = MatchFilter::Of { player: caller.id(), state };
        let page = self.page(filter, after, limit).await?;
        self.admit_items(address, page.rows.len())?;
        self.list(page, Some(caller.id())).await
    }

    /// The open matches, as the lobby shows them first.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn open_matches(&self) -> Result<OpenMatches, Problem> {
        let filter = MatchFilter::Listed { state: MatchStage::Open, game: None };
        let page = self.page(filter, None, PAGE_MAX).await?;
        Ok(OpenMatches { open: self.list(page, None).await?.matches })
    }

    /// The matches that wait for the caller, and those in which they have an offer.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn waiting(&self, caller: &Caller) -> Result<Waiting, Problem> {
        let player = caller.id();
        let mut rows = Vec::new();
        for (state, most) in [(MatchStage::Live, WAITING_MAX), (MatchStage::Finished, OVER_MAX)] {
            let filter = MatchFilter::Of { player, state: Some(state) };
            rows.extend(self.store().list(filter, None, most).await.map_err(problem::store)?.rows);
        }
        rows.retain(|row| row.card.waits_for() == Some(player) || row.card.has_offer_to(player));
        let names = self.listed_names(&rows).await?;
        let long = rows.len() > SHORT_PAGE;
        let cards = move || waiting(&rows, player, &names);
        self.background.run_if_long(long, cards).await.ok_or_else(problem::internal)
    }

    async fn page(&self, filter: MatchFilter, after: Option<&Cursor>, limit: u32) -> Result<Page, Problem> {
        let after = after.map(Cursor::after);
        self.store().list(filter, after, limit.clamp(1, PAGE_MAX)).await.map_err(problem::store)
    }

    pub(in crate::app) async fn list(
        &self,
        page: Page,
        viewer: Option<PlayerId>,
    ) -> Result<MatchList, Problem> {
        let next = page.next.map(Cursor::from);
        let names = self.listed_names(&page.rows).await?;
        let long = page.rows.len() > SHORT_PAGE;
        let cards = move || page.rows.iter().map(|row| wire::card(row, viewer, names.of(row))).collect();
        let matches = self.background.run_if_long(long, cards).await.ok_or_else(problem::internal)?;
        Ok(MatchList { matches, next })
    }
}

/// The matches that wait for a player, and the others, in which they have an offer.
fn waiting(rows: &[MatchRow], player: PlayerId, names: &ListedNames) -> Waiting {
    let (own_turn, offered): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row.card.waits_for() == Some(player));
    let shown = |row: &MatchRow| wire::card(row, Some(player), names.of(row));
    Waiting {
        waiting: own_turn.into_iter().map(shown).collect(),
        offered: offered.into_iter().map(shown).collect(),
    }
}
