//! The API over plain HTTP, its description, and the pages to read it.
//!
//! A handler parses a request, calls [`App`] and writes the response; it decides nothing. There is one file for each
//! subject.
//!
//! Every error is a problem document: the extractors here respond with one, and `layers::say_why` converts axum's own
//! refusals.

#[macro_use]
mod routes;

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
#[cfg(test)]
mod described;
mod docs;
mod error;
mod events;
#[cfg(test)]
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
#[cfg(test)]
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
#[cfg(test)]
mod socket_schema;
mod statistics;
mod streaming;
mod talk;
mod tournament_tables;
mod tournaments;
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

use axum::{Router, routing::MethodRouter};

use routes::Routes;

use crate::{
    app::{App, Connections},
    config::{Config, PublicUrl},
};

/// The state that every handler can use.
#[derive(Clone)]
struct Http {
    app: Arc<App>,
    connections: Connections,
    neighbours: Arc<web::Neighbours>,
    documents: Arc<web::Documents>,
    statistics: Arc<statistics::StatisticsFiles>,
    body_bytes_max: usize,
    /// Whether browsers are told to use only HTTPS.
    is_https: bool,
}

/// The page of this release: the hash of its files, and each file with its name.
pub fn page() -> (String, Vec<(String, Vec<u8>)>) {
    web::own_page()
}

/// All routes. `socket` makes the route of the WebSocket, which passes requests on to the API given to it.
pub fn router(
    app: &Arc<App>,
    config: &Config,
    connections: &Connections,
    socket: impl FnOnce(Router) -> MethodRouter,
) -> Router {
    let http = Http::new(app, config, connections);
    let api = permitted(&http);
    let socket = socket(http.alone(api.clone()));
    let api = without_secrets(api.route("/api/v1/socket", socket));
    let inside = api.merge(docs::router()).merge(pages::router());
    let inside = inside.merge(web::router().with_state(http.clone()));
    let inside = layers::identified(layers::sent(inside, &http), &http);
    let inside = layers::around(inside.merge(health::router().with_state(http.clone())));
    let inside = layers::counted(layers::for_clients(inside, http.is_https));
    inside.layer(axum::middleware::from_fn_with_state(http, web::page_for_people))
}

/// The API alone, as sockets use it: all routes below `/api/v1`, except the socket.
pub fn api(app: &Arc<App>, config: &Config, connections: &Connections) -> Router {
    let http = Http::new(app, config, connections);
    http.alone(permitted(&http))
}

impl Http {
    fn new(app: &Arc<App>, config: &Config, connections: &Connections) -> Self {
        Self {
            app: Arc::clone(app),
            connections: connections.clone(),
            neighbours: Arc::default(),
            documents: Arc::new(web::Documents::of(config)),
            statistics: Arc::default(),
            body_bytes_max: config.limits.body_bytes as usize,
            is_https: config.site.public_url.as_ref().is_some_and(PublicUrl::is_https),
        }
    }

    /// The API with the layers around every request, and without those for HTTP clients.
    fn alone(&self, api: Router) -> Router {
        layers::counted(layers::around(layers::identified(without_secrets(api), self)))
    }
}

/// The routes of the API, with the access check.
fn permitted(http: &Http) -> Router {
    let routes = every_route();
    let operations = permit::Operations::new(&routes.operations);
    let permitted = axum::middleware::from_fn_with_state(operations, permit::permit);
    routes.into_router(http).route_layer(permitted)
}

/// The API.
fn every_route() -> Routes {
    let of_files: &[fn() -> Routes] = &[
        accounts::routes,
        api_tokens::routes,
        blocks::routes,
        challenges::routes,
        commands::routes,
        conditional::routes,
        conduct::routes,
        events::routes,
        exports::routes,
        follows::routes,
        games::routes,
        guests::routes,
        invitations::routes,
        lobby::routes,
        matches::routes,
        me::routes,
        passkeys::routes,
        players::routes,
        preferences::routes,
        pushes::routes,
        ratings::routes,
        records::routes,
        rules::routes,
        seeks::routes,
        statistics::routes,
        talk::routes,
        tournament_tables::routes,
        tournaments::routes,
        turns::routes,
        tv::routes,
    ];
    of_files.iter().fold(Routes::default(), |all, of_file| all.with(of_file()))
}

fn without_secrets(api: Router) -> Router {
    api.layer(axum::middleware::from_fn(secret_in_url::refuse))
}
