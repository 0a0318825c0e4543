//! The page: documents for people, and their files.
//!
//! The address of a file contains the hash of all files, so that browsers can cache it permanently. The documents
//! contain that address and are requested each time.

mod address;
mod asset;
mod bare;
mod board;
mod bundles;
mod document;
mod documents;
mod foot;
mod head;
mod imports;
mod kind;
mod language;
mod markdown;
mod missing;
mod module;
mod neighbours;
mod of_match;
mod operator;
mod packed;
mod robots;
mod root;
mod rules;
mod site;
mod tagged;
mod text;
mod words;

pub(super) use document::ForFrames;
pub(super) use documents::Documents;
pub(super) use kind::Kind;
pub(super) use missing::page_for_people;
pub(super) use neighbours::{Neighbours, own_page};
pub(super) use packed::{Packed, gzip, takes_gzip};

use axum::{Router, routing::get};

use super::Http;

/// Every address of the page, and its files.
pub(super) fn router() -> Router<Http> {
    Router::new()
        .route("/", get(address::home))
        .route("/match/{id}", get(address::of_match))
        .route("/match/{id}/dice", get(address::dice_of_match))
        .route("/embed/match/{id}", get(address::embed))
        .route("/embed/tv/{game}", get(address::embed_channel))
        .route("/kiosk", get(address::kiosk))
        .route("/dice", get(address::dice))
        .route("/record", get(address::record))
        .route("/join", get(address::join))
        .route("/devices", get(address::devices))
        .route("/account", get(address::account))
        .route("/sign-in", get(address::sign_in))
        .route("/players", get(address::players))
        .route("/player/{player}", get(address::player))
        .route("/leaderboards", get(address::leaderboards))
        .route("/leaderboards/{game}", get(address::leaderboard))
        .route("/statistics", get(address::statistics))
        .route("/statistics/{game}", get(address::game_statistics))
        .route("/tv", get(address::tv))
        .route("/tv/{game}", get(address::channel))
        .route("/tournaments", get(address::tournaments))
        .route("/tournaments/new", get(address::tournament_form))
        .route("/tournaments/rules", get(text::tournaments))
        .route("/tournament/{id}", get(address::tournament))
        .route("/tournament/{id}/edit", get(address::tournament_form))
        .route("/tournament/{id}/wall", get(address::wall))
        .route("/embed/tournament/{id}", get(address::embed_tournament))
        .route("/offline", get(address::offline))
        .route("/learn/{game}", get(address::learn))
        .route("/editor/{game}", get(address::editor))
        .route("/about", get(text::about))
        .route("/privacy", get(text::privacy))
        .route("/findings", get(text::findings))
        .route("/findings/tables", get(text::tables))
        .route("/board.png", get(board::of_all))
        .route("/match/{id}/board.png", get(board::of_match))
        .route("/rules/{game}/board.png", get(board::of_game))
        .route("/favicon.ico", get(robots::icon))
        .route("/robots.txt", get(robots::robots))
        .route("/sitemap.xml", get(robots::sitemap))
        .route("/rules", get(rules::index))
        .route("/rules/exact", get(rules::exact_index))
        .route("/rules/decisions", get(rules::decisions))
        .route("/rules/{game}", get(rules::game))
        .route("/rules/{game}/exact", get(rules::exact))
        .route("/service-worker.js", get(root::worker))
        .route("/manifest.webmanifest", get(root::manifest))
        .route("/assets/{hash}/{*name}", get(asset::asset))
}
