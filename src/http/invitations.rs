//! Invitations to seat 2.

use axum::{extract::State, http::StatusCode};
use lusoria_protocol::{Invitation, LookInvitation, Snapshot, SpendInvitation};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, Key, OfMatch},
    json::Json,
};
use crate::app::CommandResponse;

routes! {
    json {
        LookInvitation: POST "/invitations/look" => look_invitation,
        SpendInvitation: POST "/invitations/spend" => spend_invitation,
        Invite: POST "/matches/{id}/invitation" => invite,
        WithdrawInvitation: DELETE "/matches/{id}/invitation" => withdraw_invitation,
    }
}

/// Look at an invitation
///
/// The match to which the code invites. The code stays valid.
#[cfg_attr(test, utoipa::path(post, path = "/invitations/look", tag = "matches", request_body = LookInvitation,
    responses((status = 200, description = "The match", body = Snapshot), NotFound)))]
pub(super) async fn look_invitation(
    State(http): State<Http>,
    Body(request): Body<LookInvitation>,
) -> HandlerResult<Json<Snapshot>> {
    Ok(Json(http.app.look_at_invitation(&request).await?))
}

/// Spend an invitation
///
/// You take seat 2 of the match.
#[cfg_attr(test, utoipa::path(post, path = "/invitations/spend", tag = "matches", params(KeyHeader),
    request_body = SpendInvitation,
    responses((status = 200, description = "You have seat 2", body = Answer), NotFound, Conflict)))]
pub(super) async fn spend_invitation(
    State(http): State<Http>,
    Guest(caller): Guest,
    Key(key): Key,
    Body(request): Body<SpendInvitation>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.spend_invitation(&caller, &request, key.as_ref()).await?)
}

/// Create a new invitation
///
/// Invalidates the previous one. Anybody with the id of the match can read it, with or without an invitation.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/invitation", tag = "matches", params(MatchPath),
    responses((status = 201, description = "The invitation", body = Invitation), Forbidden, NotFound, Conflict)))]
pub(super) async fn invite(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
) -> HandlerResult<(StatusCode, Json<Invitation>)> {
    Ok((StatusCode::CREATED, Json(http.app.invite(&caller, id).await?)))
}

/// Withdraw the invitation
#[cfg_attr(test, utoipa::path(delete, path = "/matches/{id}/invitation", tag = "matches",
    params(MatchPath),
    responses((status = 204, description = "Invitation withdrawn"), Forbidden, NotFound, Conflict)))]
pub(super) async fn withdraw_invitation(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
) -> HandlerResult<StatusCode> {
    http.app.withdraw_invitation(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
