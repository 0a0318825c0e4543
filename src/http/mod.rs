//! The API over plain HTTP, its description, and the pages to read it.
//!
//! A handler takes apart a request, asks [`App`] and writes the answer; it decides
//! nothing. One file for each thing that a client can do or ask for.
//!
//! Every error is a problem document: the extractors here answer with one, and
//! `layers::say_why` turns what axum itself refuses into one.

mod accounts;
mod address;
mod api_tokens;
mod archive;
mod arrival;
mod blocks;
mod challenges;
mod commands;
mod conditional;
mod conduct;
mod described;
mod docs;
mod error;
mod events;
mod exact;
mod exports;
mod extract;
mod follows;
mod games;
mod guests;
mod head;
mod health;
mod held_body;
mod invitations;
mod json;
mod layers;
mod lobby;
mod matches;
mod me;
mod openapi;
mod packed_json;
mod pages;
mod passkeys;
mod permit;
mod players;
mod preferences;
mod pushes;
mod ratings;
mod records;
mod rules;
mod secret_in_url;
mod seeks;
mod socket_schema;
mod statistics;
mod streaming;
mod talk;
mod turned_away;
mod turns;
mod tv;
mod unread_quota;
mod web;

pub use address::client_address;
pub use arrival::note_arrival;
pub use held_body::held_body;
pub use turned_away::too_many_connections;

use std::sync::Arc;

use axum::{Router, extract::DefaultBodyLimit, routing::MethodRouter};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    app::{App, Connections},
    config::{Config, PublicUrl},
};

/// What every handler can reach.
#[derive(Clone)]
struct Http {
    app: Arc<App>,
    connections: Connections,
    neighbours: Arc<web::Neighbours>,
    documents: Arc<web::Documents>,
    statistics: Arc<statistics::StatisticsFiles>,
    body_bytes_max: usize,
}

/// The page of this release: the hash of its files, and each of them with its name.
pub fn page() -> (String, Vec<(String, Vec<u8>)>) {
    web::own_page()
}

/// Everything that is served; `socket` is the WebSocket, which begins as a request.
pub fn router(app: &Arc<App>, config: &Config, connections: &Connections, socket: MethodRouter) -> Router {
    let http = Http {
        app: Arc::clone(app),
        connections: connections.clone(),
        neighbours: Arc::default(),
        documents: Arc::new(web::Documents::of(config)),
        statistics: Arc::default(),
        body_bytes_max: config.limits.body_bytes as usize,
    };
    let (api, document) = api(&http).split_for_parts();
    let operations = permit::Operations::described(&document);
    let api = api.route_layer(axum::middleware::from_fn_with_state(operations, permit::permit));
    let api = api.route("/api/v1/socket", socket).layer(axum::middleware::from_fn(secret_in_url::refuse));
    let inside = api.merge(docs::router(document)).merge(pages::router());
    let inside = inside.merge(web::router().with_state(http.clone()));
    let inside = layers::identified(inside, &http).merge(health::router().with_state(http.clone()));
    let outside = axum::middleware::from_fn_with_state(http, web::page_for_people);
    let is_https = config.site.public_url.as_ref().is_some_and(PublicUrl::is_https);
    layers::around(inside, is_https).layer(outside)
}

/// The API and its description, which are made of the same declarations.
fn api(http: &Http) -> OpenApiRouter {
    let answers = OpenApiRouter::new()
        .routes(routes!(guests::create_guest))
        .routes(routes!(guests::spend_device_code))
        .routes(routes!(accounts::sign_in))
        .routes(routes!(accounts::recover))
        .routes(routes!(accounts::account, accounts::open_account, accounts::erase_account))
        .routes(routes!(accounts::change_password, accounts::remove_password))
        .routes(routes!(accounts::replace_recovery_codes))
        .routes(routes!(accounts::declare_bot))
        .routes(routes!(accounts::adopt))
        .routes(routes!(api_tokens::token))
        .routes(routes!(api_tokens::api_tokens, api_tokens::create_api_token))
        .routes(routes!(api_tokens::revoke_api_token))
        .routes(routes!(passkeys::passkey_challenge))
        .routes(routes!(passkeys::passkeys, passkeys::add_passkey))
        .routes(routes!(passkeys::rename_passkey, passkeys::remove_passkey))
        .routes(routes!(passkeys::sign_in_challenge))
        .routes(routes!(passkeys::sign_in_with_passkey))
        .routes(routes!(pushes::push_server_key))
        .routes(routes!(pushes::push_subscriptions, pushes::put_push_subscription))
        .routes(routes!(pushes::remove_push_subscription))
        .routes(routes!(me::me, me::rename, accounts::erase_guest))
        .routes(routes!(preferences::preferences, preferences::change_preferences))
        .routes(routes!(me::revoke_token))
        .routes(routes!(me::make_device_code))
        .routes(routes!(me::sessions, me::revoke_other_sessions))
        .routes(routes!(me::revoke_session))
        .routes(routes!(me::my_matches))
        .routes(routes!(players::players))
        .routes(routes!(players::player))
        .routes(routes!(players::player_matches))
        .routes(routes!(players::against))
        .routes(routes!(ratings::rating_curve))
        .routes(routes!(ratings::leaderboard))
        .routes(routes!(blocks::blocks))
        .routes(routes!(blocks::block, blocks::unblock))
        .routes(routes!(seeks::create_seek, seeks::seeks))
        .routes(routes!(seeks::waiting_seeks))
        .routes(routes!(seeks::withdraw_seek))
        .routes(routes!(challenges::create_challenge, challenges::challenges))
        .routes(routes!(challenges::withdraw_challenge))
        .routes(routes!(challenges::accept_challenge))
        .routes(routes!(challenges::decline_challenge))
        .routes(routes!(challenges::challenge_settings, challenges::set_challenge_settings))
        .routes(routes!(follows::follows))
        .routes(routes!(follows::follow, follows::unfollow))
        .routes(routes!(games::games))
        .routes(routes!(games::game))
        .routes(routes!(statistics::statistics))
        .routes(routes!(statistics::game_statistics))
        .routes(routes!(statistics::game_counts))
        .routes(routes!(matches::create_match, matches::matches))
        .routes(routes!(matches::snapshot))
        .routes(routes!(commands::join))
        .routes(routes!(commands::reveal_seed))
        .routes(routes!(invitations::look))
        .routes(routes!(invitations::spend))
        .routes(routes!(invitations::invite, invitations::withdraw))
        .routes(routes!(matches::analysis))
        .routes(routes!(matches::rollout))
        .routes(routes!(matches::evaluate))
        .routes(routes!(turns::legal))
        .routes(routes!(turns::hint))
        .routes(routes!(conditional::conditional_turns, conditional::set_conditional_turns))
        .routes(routes!(talk::talk, talk::say))
        .routes(routes!(talk::talk_settings, talk::set_talk_settings))
        .routes(routes!(conduct::create_report))
        .routes(routes!(conduct::standing))
        .routes(routes!(conduct::read_warnings))
        .routes(routes!(turns::play_turn))
        .routes(routes!(turns::building))
        .routes(routes!(commands::takeback))
        .routes(routes!(commands::resign))
        .routes(routes!(commands::abort))
        .routes(routes!(commands::claim))
        .routes(routes!(commands::draw))
        .routes(routes!(commands::rematch))
        .routes(routes!(rules::rules))
        .route_layer(axum::middleware::from_fn(layers::answer_in_json));
    let sent = OpenApiRouter::new()
        .routes(routes!(records::judge))
        .route_layer(axum::middleware::from_fn(layers::answer_in_json))
        .layer(DefaultBodyLimit::max(extract::SENT_RECORD_BYTES_MAX));
    let streams = OpenApiRouter::new()
        .routes(routes!(records::record))
        .routes(routes!(events::events))
        .routes(routes!(exports::player_records))
        .routes(routes!(exports::my_records))
        .routes(routes!(exports::archive))
        .routes(routes!(lobby::lobby_events))
        .routes(routes!(tv::tv))
        .routes(routes!(me::my_events));
    let api = answers.merge(sent).merge(streams).with_state(http.clone());
    OpenApiRouter::with_openapi(openapi::Description::openapi()).nest("/api/v1", api)
}
