//! Accounts: opening one, signing in, passwords and recovery codes.

use axum::{Extension, extract::State, http::StatusCode};
use lusoria_protocol::{
    Account, Adopt, Adopted, ChangePassword, ChangedPassword, EraseAccount, Guest as SignedIn, Me,
    NewRecoveryCodes, OpenAccount, OpenedAccount, Recover, RecoveryCodes, RemovePassword, SignIn,
};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest},
    json::Json,
};
use crate::app::ClientAddress;

routes! {
    json {
        SignIn: POST "/sign-in" => sign_in,
        Recover: POST "/sign-in/recover" => recover,
        Account: GET "/me/account" => account,
        OpenAccount: POST "/me/account" => open_account,
        EraseAccount: DELETE "/me/account" => erase_account,
        ChangePassword: PUT "/me/account/password" => change_password,
        RemovePassword: DELETE "/me/account/password" => remove_password,
        ReplaceRecoveryCodes: POST "/me/account/recovery-codes" => replace_recovery_codes,
        DeclareBot: POST "/me/account/bot" => declare_bot,
        Adopt: POST "/me/adopt" => adopt,
        EraseGuest: DELETE "/me" => erase_guest,
    }
}

/// Open your account
///
/// You stay the same person: your matches, name and tokens stay. From then on you can sign in anywhere with the
/// handle and the password, or with the passkey. The recovery codes are shown only once. The server's operator may
/// require a sign-up code, or close sign-ups.
#[cfg_attr(test, utoipa::path(post, path = "/me/account", tag = "identity", request_body = OpenAccount,
    responses((status = 201, description = "Your account", body = OpenedAccount), Conflict, Forbidden, NotFound)))]
pub(super) async fn open_account(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<OpenAccount>,
) -> HandlerResult<(StatusCode, Json<OpenedAccount>)> {
    Ok((StatusCode::CREATED, Json(http.app.open_account(&caller, &request, address).await?)))
}

/// Your account
#[cfg_attr(test, utoipa::path(get, path = "/me/account", tag = "identity",
    responses((status = 200, description = "Your account", body = Account), NotFound)))]
pub(super) async fn account(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<Account>> {
    Ok(Json(http.app.account(&caller).await?))
}

/// Declare yourself a bot
///
/// For an account with which a program plays: this is shown wherever it plays, and is permanent. Only before its
/// first match. Revokes its API tokens.
#[cfg_attr(test, utoipa::path(post, path = "/me/account/bot", tag = "identity",
    responses((status = 200, description = "Your guest", body = Me), NotFound, Conflict)))]
pub(super) async fn declare_bot(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<Me>> {
    Ok(Json(http.app.declare_bot(&caller).await?))
}

/// Change your password
///
/// Also sets one if you have only passkeys. Ends all your other sessions and invalidates your device code. API tokens
/// and passkeys stay valid unless you choose otherwise; the response says how many there are.
#[cfg_attr(test, utoipa::path(put, path = "/me/account/password", tag = "identity",
    request_body = ChangePassword,
    responses((status = 200, description = "Password changed", body = ChangedPassword), Forbidden, NotFound)))]
pub(super) async fn change_password(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<ChangePassword>,
) -> HandlerResult<Json<ChangedPassword>> {
    Ok(Json(http.app.change_password(&caller, &request, address).await?))
}

/// Remove your password
///
/// From then on you sign in with your passkeys only. Ends all your other sessions and invalidates your device code.
#[cfg_attr(test, utoipa::path(delete, path = "/me/account/password", tag = "identity",
    request_body = RemovePassword,
    responses((status = 204, description = "Password removed"), Forbidden, NotFound, Conflict)))]
pub(super) async fn remove_password(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<RemovePassword>,
) -> HandlerResult<StatusCode> {
    http.app.remove_password(&caller, &request, address).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Create new recovery codes
///
/// Invalidates the existing ones.
#[cfg_attr(test, utoipa::path(post, path = "/me/account/recovery-codes", tag = "identity",
    request_body = NewRecoveryCodes,
    responses((status = 201, description = "The recovery codes", body = RecoveryCodes), Forbidden, NotFound)))]
pub(super) async fn replace_recovery_codes(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<NewRecoveryCodes>,
) -> HandlerResult<(StatusCode, Json<RecoveryCodes>)> {
    Ok((StatusCode::CREATED, Json(http.app.replace_recovery_codes(&caller, &request, address).await?)))
}

/// Erase your account
///
/// Deletes your name, handle, password, sessions, tokens, seeks and blocks, and ends your unfinished matches without
/// a result. The matches stay, because they also belong to your opponents, with the name "Erased guest" instead of
/// yours. This cannot be undone. If it takes long, the server completes it later.
#[cfg_attr(test, utoipa::path(delete, path = "/me/account", tag = "identity",
    request_body = EraseAccount,
    responses((status = 204, description = "Erased"), Forbidden, NotFound)))]
pub(super) async fn erase_account(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<EraseAccount>,
) -> HandlerResult<StatusCode> {
    http.app.clone().erase_account(&caller, &request, address).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Erase yourself without an account
///
/// Like erasing an account, with only the token of a session. A guest with an account erases the account instead.
#[cfg_attr(test, utoipa::path(delete, path = "/me", tag = "identity",
    responses((status = 204, description = "Erased"), Conflict)))]
pub(super) async fn erase_guest(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
) -> HandlerResult<StatusCode> {
    http.app.clone().erase_guest(&caller, address).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adopt a guest
///
/// For a person with an account who has also played without one, on another device. All matches of that guest become
/// yours, including unfinished ones, with the name under which they were played. The other guest is removed, and
/// their sessions end. This cannot be undone. If it takes long, the server completes it later.
#[cfg_attr(test, utoipa::path(post, path = "/me/adopt", tag = "identity", request_body = Adopt,
    responses((status = 200, description = "The adopted guest", body = Adopted), NotFound, Conflict)))]
pub(super) async fn adopt(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<Adopt>,
) -> HandlerResult<Json<Adopted>> {
    Ok(Json(http.app.clone().adopt(&caller, &request).await?))
}

/// Sign in
///
/// Creates a new token for the guest whose account it is. Wrong passwords delay later attempts: after several from an
/// address the next attempt is refused for a while (`too_many_attempts`), and after many on a handle all responses
/// are slow.
#[cfg_attr(test, utoipa::path(post, path = "/sign-in", tag = "identity", request_body = SignIn,
    responses((status = 201, description = "The guest with a token for this device", body = SignedIn), Forbidden)))]
pub(super) async fn sign_in(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<SignIn>,
) -> HandlerResult<(StatusCode, Json<SignedIn>)> {
    Ok((StatusCode::CREATED, Json(http.app.sign_in(&request, address).await?)))
}

/// Set a new password with a recovery code
///
/// Spends the code, ends all sessions of the account, revokes its API tokens, removes its passkeys, and signs in.
#[cfg_attr(test, utoipa::path(post, path = "/sign-in/recover", tag = "identity", request_body = Recover,
    responses((status = 201, description = "The guest with a token for this device", body = SignedIn), Forbidden)))]
pub(super) async fn recover(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<Recover>,
) -> HandlerResult<(StatusCode, Json<SignedIn>)> {
    Ok((StatusCode::CREATED, Json(http.app.recover(&request, address).await?)))
}
