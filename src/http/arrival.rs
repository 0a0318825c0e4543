//! The arrival of a request to a match.

use axum::{extract::Request, http::Method};
use lusoria_protocol::{MatchId, socket::MatchCommand};

use crate::{
    app::App,
    live::{Arrived, LastRead},
};

/// Notes the arrival of a request, before any look-up for it. The deadlines of a match wait for a command to it; see
/// [`crate::live::Arrived`].
pub fn note_arrival(app: &App, last_read: &LastRead, request: &mut Request) {
    if let Some(id) = commanded(request) {
        let arrived = app.live().arrived(last_read, Some(id));
        request.extensions_mut().insert(arrived);
    }
    request.extensions_mut().insert(last_read.clone());
}

/// Adopts the arrival of a request from a socket if it is a command to a match; otherwise no deadline waits for it.
pub(super) fn take_arrival(arrived: Arrived, request: &mut Request) {
    match commanded(request) {
        Some(id) => {
            arrived.concerns(id);
            request.extensions_mut().insert(arrived);
        }
        None => arrived.holds_nothing_up(),
    }
}

/// The match of a request, if it is a command.
fn commanded(request: &Request) -> Option<MatchId> {
    let (id, command) = request.uri().path().strip_prefix("/api/v1/matches/")?.split_once('/')?;
    let is_command = request.method() == Method::POST && MatchCommand::NAMES.contains(&command);
    is_command.then(|| id.parse().ok())?
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn only_commands_to_a_match_are_known_by_their_path() {
        let id = "0198c0de-0000-7000-8000-000000000001";
        for (method, path, is_command) in [
            (Method::POST, format!("/api/v1/matches/{id}/turn"), true),
            (Method::POST, format!("/api/v1/matches/{id}/takeback"), true),
            (Method::POST, format!("/api/v1/matches/{id}/rematch"), true),
            (Method::GET, format!("/api/v1/matches/{id}/turn"), false),
            (Method::POST, format!("/api/v1/matches/{id}/legal"), false),
            (Method::POST, format!("/api/v1/matches/{id}/hint"), false),
            (Method::POST, format!("/api/v1/matches/{id}/turn/"), false),
            (Method::POST, "/api/v1/matches/x/turn".to_owned(), false),
            (Method::POST, "/api/v1/matches".to_owned(), false),
        ] {
            let request = Request::builder().method(&method).uri(&path).body(Body::empty()).unwrap();
            assert_eq!(commanded(&request).is_some(), is_command, "{method} {path}");
        }
    }
}
