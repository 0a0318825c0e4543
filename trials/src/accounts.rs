//! Accounts, opened and read over the public API.

use std::net::SocketAddr;

use lusoria_client::{HttpRequest, RequestError};
use lusoria_protocol::{CreateGuest, Game, Guest, OpenedAccount, Profile, RatingCurve, Token};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use crate::web;

/// Long enough for every server.
const PASSWORD: &str = "three rolls of the dice";

/// How many changes a page of a curve has: the most that the server sends.
const PAGE: u32 = 500;

/// Somebody with an account.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) handle: String,
    pub(crate) token: Token,
}

impl Account {
    /// Makes a guest and opens their account.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
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

    /// What everybody sees of them.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub(crate) async fn profile(&self, at: SocketAddr) -> Result<Profile, RequestError> {
        get(at, &format!("/players/{}", self.handle)).await
    }

    /// How their rating of a game has changed in live matches: the first page, which has room for all matches
    /// of a trial.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub(crate) async fn curve(&self, at: SocketAddr, game: Game) -> Result<RatingCurve, RequestError> {
        let (handle, game) = (&self.handle, game.id());
        get(at, &format!("/players/{handle}/ratings/{game}/live?limit={PAGE}")).await
    }
}

/// Reads a path below `/api/v1` as anybody may.
///
/// # Errors
/// If the server refuses, or does not answer.
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
