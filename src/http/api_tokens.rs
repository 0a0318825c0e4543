//! API tokens: creating, listing and revoking them, and the scopes of a token.

use axum::{Extension, extract::State, http::StatusCode};
use lusoria_protocol::{ApiTokenList, CreateApiToken, CreatedApiToken, TokenInfo};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfApiToken},
    json::Json,
};
use crate::app::ClientAddress;

routes! {
    json {
        Token: GET "/token" => token,
        ApiTokens: GET "/me/tokens" => api_tokens,
        CreateApiToken: POST "/me/tokens" => create_api_token,
        RevokeApiToken: DELETE "/me/tokens/{id}" => revoke_api_token,
    }
}

/// Your token and its scopes
///
/// For the token of a session and for an API token.
#[cfg_attr(test, utoipa::path(get, path = "/token", tag = "identity",
    responses((status = 200, description = "The token", body = TokenInfo))))]
pub(super) async fn token(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<TokenInfo>> {
    Ok(Json(http.app.token_info(&caller).await?))
}

/// Your API tokens, the newest first
#[cfg_attr(test, utoipa::path(get, path = "/me/tokens", tag = "identity",
    responses((status = 200, description = "Your API tokens", body = ApiTokenList))))]
pub(super) async fn api_tokens(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<ApiTokenList>> {
    Ok(Json(http.app.api_tokens(&caller).await?))
}

/// Create an API token
///
/// For a program that acts for you within its scopes. The token is shown only once.
#[cfg_attr(test, utoipa::path(post, path = "/me/tokens", tag = "identity", request_body = CreateApiToken,
    responses((status = 201, description = "The token", body = CreatedApiToken), Forbidden, NotFound, Conflict)))]
pub(super) async fn create_api_token(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<CreateApiToken>,
) -> HandlerResult<(StatusCode, Json<CreatedApiToken>)> {
    Ok((StatusCode::CREATED, Json(http.app.create_api_token(&caller, &request, address).await?)))
}

/// Revoke an API token
///
/// Closes its sockets and streams.
#[cfg_attr(test, utoipa::path(delete, path = "/me/tokens/{id}", tag = "identity", params(ApiTokenPath),
    responses((status = 204, description = "Token revoked"), NotFound)))]
pub(super) async fn revoke_api_token(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfApiToken(id): OfApiToken,
) -> HandlerResult<StatusCode> {
    http.app.revoke_api_token(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
