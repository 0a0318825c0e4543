//! Passkeys: adding, listing and removing them, and signing in with one.

use axum::{Extension, extract::State, http::StatusCode};
use lusoria_protocol::{
    AddPasskey, Guest as SignedIn, Passkey, PasskeyChallenge, PasskeyChallengeRequest, PasskeyList,
    RemovePasskey, RenamePasskey, SignInWithPasskey,
};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfPasskey, OptionalBody},
    json::Json,
};
use crate::app::ClientAddress;

routes! {
    json {
        PasskeyChallenge: POST "/me/passkeys/challenge" => passkey_challenge,
        Passkeys: GET "/me/passkeys" => passkeys,
        AddPasskey: POST "/me/passkeys" => add_passkey,
        RenamePasskey: PATCH "/me/passkeys/{id}" => rename_passkey,
        RemovePasskey: DELETE "/me/passkeys/{id}" => remove_passkey,
        SignInChallenge: POST "/sign-in/passkey/challenge" => sign_in_challenge,
        SignInWithPasskey: POST "/sign-in/passkey" => sign_in_with_passkey,
    }
}

/// Create a challenge for your passkeys
///
/// To create a passkey, also for opening an account, or to prove your identity with one. Valid once, for five
/// minutes.
#[cfg_attr(test, utoipa::path(post, path = "/me/passkeys/challenge", tag = "identity",
    request_body = Option<PasskeyChallengeRequest>,
    responses((status = 201, description = "The challenge", body = PasskeyChallenge), Conflict)))]
pub(super) async fn passkey_challenge(
    State(http): State<Http>,
    Guest(caller): Guest,
    OptionalBody(request): OptionalBody<PasskeyChallengeRequest>,
) -> HandlerResult<(StatusCode, Json<PasskeyChallenge>)> {
    Ok((StatusCode::CREATED, Json(http.app.passkey_challenge(&caller, &request).await?)))
}

/// Your passkeys, the newest first
#[cfg_attr(test, utoipa::path(get, path = "/me/passkeys", tag = "identity",
    responses((status = 200, description = "Your passkeys", body = PasskeyList))))]
pub(super) async fn passkeys(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<PasskeyList>> {
    Ok(Json(http.app.passkeys(&caller).await?))
}

/// Add a passkey
///
/// From then on you can sign in with it, too.
#[cfg_attr(test, utoipa::path(post, path = "/me/passkeys", tag = "identity", request_body = AddPasskey,
    responses((status = 201, description = "The passkey", body = Passkey), Forbidden, NotFound, Conflict)))]
pub(super) async fn add_passkey(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<AddPasskey>,
) -> HandlerResult<(StatusCode, Json<Passkey>)> {
    Ok((StatusCode::CREATED, Json(http.app.add_passkey(&caller, &request, address).await?)))
}

/// Rename a passkey
#[cfg_attr(test, utoipa::path(patch, path = "/me/passkeys/{id}", tag = "identity", params(PasskeyPath),
    request_body = RenamePasskey,
    responses((status = 204, description = "Passkey renamed"), NotFound)))]
pub(super) async fn rename_passkey(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfPasskey(id): OfPasskey,
    Body(request): Body<RenamePasskey>,
) -> HandlerResult<StatusCode> {
    http.app.rename_passkey(&caller, id, &request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Remove a passkey
///
/// Nobody can sign in with it any more. Sessions that began with it continue. The only passkey of an account without
/// a password stays.
#[cfg_attr(test, utoipa::path(delete, path = "/me/passkeys/{id}", tag = "identity", params(PasskeyPath),
    request_body = RemovePasskey,
    responses((status = 204, description = "Passkey removed"), Forbidden, NotFound, Conflict)))]
pub(super) async fn remove_passkey(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfPasskey(id): OfPasskey,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<RemovePasskey>,
) -> HandlerResult<StatusCode> {
    http.app.remove_passkey(&caller, id, &request, address).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Create a challenge to sign in with a passkey
///
/// Valid once, for five minutes.
#[cfg_attr(test, utoipa::path(post, path = "/sign-in/passkey/challenge", tag = "identity",
    responses((status = 201, description = "The challenge", body = PasskeyChallenge), Conflict)))]
pub(super) async fn sign_in_challenge(
    State(http): State<Http>,
) -> HandlerResult<(StatusCode, Json<PasskeyChallenge>)> {
    Ok((StatusCode::CREATED, Json(http.app.sign_in_challenge().await?)))
}

/// Sign in with a passkey
///
/// Creates a new token for the guest whose account it is. Wrong responses delay later attempts, as wrong passwords
/// do.
#[cfg_attr(test, utoipa::path(post, path = "/sign-in/passkey", tag = "identity", request_body = SignInWithPasskey,
    responses((status = 201, description = "The guest with a token for this device", body = SignedIn),
        Forbidden, Conflict)))]
pub(super) async fn sign_in_with_passkey(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<SignInWithPasskey>,
) -> HandlerResult<(StatusCode, Json<SignedIn>)> {
    Ok((StatusCode::CREATED, Json(http.app.sign_in_with_passkey(&request, address).await?)))
}
