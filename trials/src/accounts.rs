//! Opens and reads accounts over the public API.

use std::net::SocketAddr;

use lusoria_client::{HttpRequest, RequestError};
use lusoria_protocol::{CreateGuest, Game, Guest, OpenedAccount, Profile, RatingCurve, Token};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use crate::web;

/// Long enough for every server's rule.
const PASSWORD: &str = "three rolls of the dice";

/// The changes on a page of a rating curve: the most that the server sends.
const PAGE: u32 = 500;

/// A guest with an account.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) handle: String,
    pub(crate) token: Token,
}

impl Account {
    /// Creates a guest and opens an account for them.
    ///
    /// # Errors
    /// If the server refuses or does not respond.
    pub(crate) async fn open(
        at: SocketAddr,
        guest: &CreateGuest,
        handle: String,
    ) -> Result<Self, RequestError> {
        let Guest { token, .. } = post(at, None, "/guests", guest).await?;
        let account = json!({"handle": handle, "password": PASSWORD});
        let _: OpenedAccount = post(at, Some(&token), "/me/account", &account).await?;
        Ok(Self { handle, token })
    }

    /// Their public profile.
    ///
    /// # Errors
    /// If the server refuses or does not respond.
    pub(crate) async fn profile(&self, at: SocketAddr) -> Result<Profile, RequestError> {
        get(at, &format!("/players/{}", self.handle)).await
    }

    /// The changes of their rating of a game in live matches: the first page, which holds all matches of a
    /// trial.
    ///
    /// # Errors
    /// If the server refuses or does not respond.
    pub(crate) async fn curve(&self, at: SocketAddr, game: Game) -> Result<RatingCurve, RequestError> {
        let (handle, game) = (&self.handle, game.id());
        get(at, &format!("/players/{handle}/ratings/{game}/live?limit={PAGE}")).await
    }
}

/// Reads a path below `/api/v1` without a token.
///
/// # Errors
/// If the server refuses or does not respond.
pub(crate) async fn get<T: DeserializeOwned>(at: SocketAddr, path: &str) -> Result<T, RequestError> {
    web::call(at, &HttpRequest::get(format!("/api/v1{path}"))).await
}

async fn post<T: DeserializeOwned>(
    at: SocketAddr,
    token: Option<&Token>,
    path: &str,
    body: &impl Serialize,
) -> Result<T, RequestError> {
    let json = serde_json::to_string(body).expect("wire types are plain data");
    let request = HttpRequest { method: "POST", token, json, ..HttpRequest::get(format!("/api/v1{path}")) };
    web::call(at, &request).await
}
