//! Statistics of the games, for research.

use std::{collections::HashMap, sync::Arc};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, header},
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Game, ToJson};
use parking_lot::Mutex;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{NoParameters, OfGame, Query},
    json::Json,
    web::{Kind, Packed},
};
use crate::app::Counted;

routes! {
    json {
        Statistics: GET "/statistics" => statistics,
        GameStatistics: GET "/statistics/{game}" => game_statistics,
        GameCounts: GET "/statistics/{game}/counts.csv" => game_counts,
    }
}

/// How long the statistics of a game are cached: matches end all the time, and nobody needs them to the minute.
const FOR_A_MINUTE: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "public, max-age=60")];

/// The latest documents of each game.
#[derive(Default)]
pub(super) struct StatisticsFiles(Mutex<HashMap<Game, Arc<Files>>>);

/// A document, written and compressed once.
struct Files {
    of: Arc<Counted>,
    json: Packed,
    csv: Packed,
}

impl Files {
    fn new(of: Arc<Counted>) -> Self {
        let json = Packed::new(Kind::JSON, of.statistics.to_json());
        let csv = Packed::new(Kind::CSV, of.csv.clone());
        Self { of, json, csv }
    }
}

/// The number of counted matches of each game
#[cfg_attr(test, utoipa::path(get, path = "/statistics", tag = "statistics",
    responses((status = 200, description = "Each game", body = StatisticsList))))]
pub(super) async fn statistics(
    State(http): State<Http>,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Response> {
    Ok((FOR_A_MINUTE, Json(http.app.statistics().await?)).into_response())
}

/// The statistics of a game
///
/// Results by side, lengths, throws, openings and times, with 95 % intervals. There are separate tables for matches
/// with other than the default options, and for people, bots and the computer. They contain no personal data.
#[cfg_attr(test, utoipa::path(get, path = "/statistics/{game}", tag = "statistics", params(GamePath),
    responses((status = 200, description = "The statistics", body = GameStatistics), NotFound)))]
pub(super) async fn game_statistics(
    State(http): State<Http>,
    OfGame(game): OfGame,
    Query(NoParameters {}): Query<NoParameters>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    let answer = answer(&http, game, headers, |files| &files.json).await?;
    Ok((FOR_A_MINUTE, answer).into_response())
}

/// The counts of a game as a CSV file
///
/// In long form, one count a line: `game,options,players,measure,side,first,kind,value,count`. docs/statistics.md
/// defines every column.
#[cfg_attr(test, utoipa::path(get, path = "/statistics/{game}/counts.csv", tag = "statistics", params(GamePath),
    responses((status = 200, description = "The counts", body = String, content_type = "text/csv"), NotFound)))]
pub(super) async fn game_counts(
    State(http): State<Http>,
    OfGame(game): OfGame,
    Query(NoParameters {}): Query<NoParameters>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    let answer = answer(&http, game, headers, |files| &files.csv).await?;
    let file = [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"lusoria-{game}.csv\""))];
    Ok((FOR_A_MINUTE, file, answer).into_response())
}

async fn answer(
    http: &Http,
    game: Game,
    headers: HeaderMap,
    which: fn(&Files) -> &Packed,
) -> HandlerResult<Response> {
    let counted = http.app.game_statistics(game).await?;
    let written =
        http.statistics.0.lock().get(&game).filter(|files| Arc::ptr_eq(&files.of, &counted)).cloned();
    let keep = Arc::clone(&http.statistics);
    // Writing and compressing take long for a game with many matches.
    let answer = http.app.in_background(move || {
        let files = written.unwrap_or_else(|| {
            let files = Arc::new(Files::new(counted));
            keep.0.lock().insert(game, Arc::clone(&files));
            files
        });
        which(&files).answer(&headers)
    });
    Ok(answer.await?)
}
