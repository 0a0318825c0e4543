//! The preferences of an account, on every device where its holder signs in.

use axum::extract::State;
use lusoria_protocol::{ChangePreferences, Preferences};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest},
    json::Json,
};

routes! {
    json {
        Preferences: GET "/me/preferences" => preferences,
        ChangePreferences: PATCH "/me/preferences" => change_preferences,
    }
}

/// Your preferences
///
/// Stored with your account, for every device where you sign in.
#[cfg_attr(test, utoipa::path(get, path = "/me/preferences", tag = "identity",
    responses((status = 200, description = "Your preferences", body = Preferences), NotFound)))]
pub(super) async fn preferences(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<Preferences>> {
    Ok(Json(http.app.preferences(&caller).await?))
}

/// Change some of your preferences
///
/// The others stay. The last of two changes of the same preference wins.
#[cfg_attr(test, utoipa::path(patch, path = "/me/preferences", tag = "identity", request_body = ChangePreferences,
    responses((status = 200, description = "Your preferences", body = Preferences), NotFound, Conflict)))]
pub(super) async fn change_preferences(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<ChangePreferences>,
) -> HandlerResult<Json<Preferences>> {
    Ok(Json(http.app.change_preferences(&caller, request).await?))
}
