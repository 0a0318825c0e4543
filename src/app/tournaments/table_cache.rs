//! What everybody sees of a tournament, written once for all readers of one head.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use bytes::Bytes;
use lusoria_play::{Millis, TournamentId};
use lusoria_protocol::{PairingList, Problem, Standings, ToJson};
use lusoria_tournament::{Entrant, Tournament};
use parking_lot::Mutex;

use crate::{
    app::{App, Caller, ClientAddress, problem, wire::tournament as wire},
    live::CommittedTournament,
};

/// How many tables are kept, and how many bytes of them.
const KEPT_MAX: usize = 512;
const KEPT_BYTES_MAX: usize = 32 << 20;

/// How many rows of a written table count as an item.
const ROWS_AN_ITEM: usize = 10;

/// How long a table is kept: who is here, and names, change without an event.
const KEPT_FOR_MS: Millis = 15_000;

/// A table of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// The tournament itself.
    Tournament,
    /// Its entrants.
    Entrants,
    /// Its standings.
    Standings,
    /// Its pairings: of a round, or all.
    Pairings(Option<u16>),
    /// Its table without luck.
    Luck,
}

/// The tables that were written lately.
#[derive(Default)]
pub(in crate::app) struct TableCache(Mutex<HashMap<(TournamentId, Table), Written>>);

#[derive(Clone)]
struct Written {
    head: u32,
    at: Millis,
    json: Bytes,
    /// The place and points of each entrant; only with the tournament itself.
    places: Arc<BTreeMap<Entrant, (u16, u16)>>,
}

impl TableCache {
    fn of(&self, key: (TournamentId, Table), head: u32, now: Millis) -> Option<Written> {
        let kept = self.0.lock();
        kept.get(&key).filter(|of| of.head == head && now < of.at + KEPT_FOR_MS).cloned()
    }

    fn keep(&self, key: (TournamentId, Table), written: Written) {
        let now = written.at;
        let mut kept = self.0.lock();
        kept.insert(key, written);
        if is_too_much(&kept) {
            kept.retain(|_, of| now < of.at + KEPT_FOR_MS);
        }
        if is_too_much(&kept) {
            kept.retain(|of, _| *of == key);
        }
    }
}

fn is_too_much(kept: &HashMap<(TournamentId, Table), Written>) -> bool {
    kept.len() > KEPT_MAX || kept.values().map(|of| of.json.len()).sum::<usize>() > KEPT_BYTES_MAX
}

impl App {
    /// A table of a tournament, as JSON.
    ///
    /// # Errors
    /// `no_such_tournament`; `unavailable`.
    pub async fn tournament_table(
        &self,
        id: TournamentId,
        table: Table,
        address: ClientAddress,
    ) -> Result<Bytes, Problem> {
        let known = self.known_tournament(id).await?;
        let rows = match table {
            Table::Pairings(None) => known.state.pairings().len(),
            _ => known.state.entrants().len(),
        };
        // A written table costs only its bytes.
        self.admit_items(address, rows / ROWS_AN_ITEM)?;
        Ok(self.written(&known.state, table).await?.json)
    }

    /// A table that was written lately.
    pub(super) fn kept_table(&self, state: &Tournament, table: Table) -> Option<Bytes> {
        let key = (state.id(), table);
        self.tournament_tables.of(key, state.head(), self.live.now()).map(|written| written.json)
    }

    /// Keeps a table for its next readers.
    pub(super) fn keep_table(&self, state: &Tournament, table: Table, json: Bytes) {
        let written = Written { head: state.head(), at: self.live.now(), json, places: Arc::default() };
        self.tournament_tables.keep((state.id(), table), written);
    }

    /// The standings of a tournament.
    ///
    /// # Errors
    /// `no_such_tournament`; `too_many_requests`; `unavailable`.
    pub async fn tournament_standings(
        &self,
        id: TournamentId,
        address: ClientAddress,
    ) -> Result<Standings, Problem> {
        let known = self.known_tournament(id).await?;
        self.admit_items(address, known.state.entrants().len())?;
        let names = self.names_of_all(&known.state).await?;
        Ok(wire::standings(&known.state, &names, self.live.now()))
    }

    /// The pairings of a tournament: of a round, or all.
    ///
    /// # Errors
    /// `no_such_tournament`; `too_many_requests`; `unavailable`.
    pub async fn tournament_pairings(
        &self,
        id: TournamentId,
        round: Option<u16>,
        address: ClientAddress,
    ) -> Result<PairingList, Problem> {
        let known = self.known_tournament(id).await?;
        self.admit_items(address, known.state.pairings().len())?;
        let names = self.names_of_all(&known.state).await?;
        Ok(wire::pairings(&known.state, round, &names))
    }

    async fn names_of_all(&self, state: &Tournament) -> Result<wire::Names, Problem> {
        let players = state.entrants().iter().map(|entrant| entrant.player);
        self.tournament_names(players.chain([state.organiser()]).collect()).await
    }

    /// A tournament, with what concerns the viewer.
    pub(super) async fn render_tournament(
        &self,
        known: &CommittedTournament,
        viewer: Option<&Caller>,
    ) -> Result<Bytes, Problem> {
        let written = self.written(&known.state, Table::Tournament).await?;
        let Some(viewer) = viewer else { return Ok(written.json) };
        let Some(you) = self.you_in(&known.state, viewer, &written.places).await? else {
            return Ok(written.json);
        };
        let without_end = written.json.strip_suffix(b"}").unwrap_or(&written.json);
        Ok([without_end, br#","you":"#, &you.to_json(), b"}"].concat().into())
    }

    async fn written(&self, state: &Tournament, table: Table) -> Result<Written, Problem> {
        let (key, now) = ((state.id(), table), self.live.now());
        if let Some(written) = self.tournament_tables.of(key, state.head(), now) {
            return Ok(written);
        }
        let names = self.names_of_all(state).await?;
        let mut places = BTreeMap::new();
        let json = match table {
            Table::Tournament => {
                if state.began_at().is_some() {
                    let standings = state.standings();
                    places.extend(standings.iter().map(|of| (of.entrant, (of.place, of.points))));
                }
                wire::tournament(state, &names, now).to_json()
            }
            Table::Entrants => wire::entrants(state, &names, now).to_json(),
            Table::Standings => wire::standings(state, &names, now).to_json(),
            Table::Pairings(round) => wire::pairings(state, round, &names).to_json(),
            Table::Luck => return Err(problem::internal()),
        };
        let written = Written { head: state.head(), at: now, json: json.into(), places: Arc::new(places) };
        self.tournament_tables.keep(key, written.clone());
        Ok(written)
    }
}
