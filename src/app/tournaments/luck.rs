//! What the results of a tournament come to with luck taken out, from the analyses that are kept. Nothing depends on
//! it: help from an engine would make it better.

use std::collections::BTreeMap;

use bytes::Bytes;
use lusoria_play::TournamentId;
use lusoria_protocol::{BySeat, LuckRow, LuckTable, Problem, ToJson};
use lusoria_tournament::{Entrant, How, MatchStage, Pairing};
use serde::Deserialize;

use super::table_cache::Table;
use crate::app::{App, ClientAddress, problem};

/// How many matches are looked at: the first ones.
const MATCHES_MAX: usize = 1_000;

/// A game of a kept analysis, as far as it matters here.
#[derive(Deserialize)]
struct Game {
    totals: BySeat<Totals>,
}

#[derive(Deserialize)]
struct Totals {
    luck: f64,
}

/// What an entrant has won, and with how much luck.
#[derive(Default)]
struct Sum {
    matches: u32,
    half_points: u32,
    luck: f64,
}

impl App {
    /// The table without luck, as JSON.
    ///
    /// # Errors
    /// `no_such_tournament`; `too_many_requests` if the address asks for too much; `unavailable`.
    pub async fn tournament_luck(&self, id: TournamentId, address: ClientAddress) -> Result<Bytes, Problem> {
        let known = self.known_tournament(id).await?;
        let state = &known.state;
        if let Some(kept) = self.kept_table(state, Table::Luck) {
            return Ok(kept);
        }
        let ended: Vec<&Pairing> = state.pairings().iter().filter(|pairing| is_played(pairing)).collect();
        let _permit = self.results.acquire(address).await?;
        self.admit_items(address, ended.len().min(MATCHES_MAX))?;
        let mut sums: BTreeMap<Entrant, Sum> = BTreeMap::new();
        let mut known_matches = 0;
        for pairing in ended.iter().take(MATCHES_MAX) {
            let analysis = self.store().analysis(pairing.match_id).await.map_err(problem::store)?;
            let Some(analysis) = analysis else { continue };
            let luck = self.in_background(move || luck_of_seat_one(&analysis.body)).await?;
            let (Some(luck), Some(outcome)) = (luck, &pairing.outcome) else { continue };
            known_matches += 1;
            let sides = [(pairing.first, 0, luck), (pairing.second, 1, -luck)];
            for (entrant, place, luck) in sides {
                let sum = sums.entry(entrant).or_default();
                sum.matches += 1;
                sum.half_points += u32::from(outcome.half_points[place]);
                sum.luck += luck;
            }
        }
        let players = sums.keys().filter_map(|entrant| state.entrant(*entrant)).map(|of| of.player).collect();
        let names = self.tournament_names(players).await?;
        let mut table: Vec<LuckRow> = Vec::new();
        for (entrant, sum) in sums {
            let Some(player) = state.entrant(entrant).map(|of| of.player) else { continue };
            table.push(LuckRow {
                entrant: entrant.0,
                player: names.player(player),
                matches: sum.matches,
                half_points: sum.half_points,
                without_luck: rounded(f64::from(sum.half_points) / 2.0 - sum.luck),
                luck: rounded(sum.luck),
            });
        }
        table.sort_by(|one, other| other.without_luck.total_cmp(&one.without_luck));
        let all = u32::try_from(ended.len()).unwrap_or(u32::MAX);
        let table = LuckTable { head: state.head(), known: known_matches, all, table };
        let json = Bytes::from(table.to_json());
        self.keep_table(state, Table::Luck, json.clone());
        Ok(json)
    }
}

/// Whether a match decided it.
fn is_played(pairing: &Pairing) -> bool {
    let is_played = pairing.outcome.as_ref().is_some_and(|outcome| outcome.how == How::Played);
    is_played && pairing.stage == MatchStage::Over
}

/// By how much luck has raised the result of seat 1, in points of the tournament: that of a single game is in chances of
/// winning; of several games it is the average, in half their worth, which lies between a win and a loss.
fn luck_of_seat_one(games: &str) -> Option<f64> {
    let games: Vec<Game> = serde_json::from_str(games).ok()?;
    let of_games: f64 = games.iter().map(|game| game.totals.one.luck - game.totals.two.luck).sum();
    match u32::try_from(games.len()).ok()? {
        0 => None,
        1 => Some(of_games),
        several => Some(of_games / (2.0 * f64::from(several))),
    }
}

/// To thousandths.
fn rounded(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}
