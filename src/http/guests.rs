//! Creating a guest, or using the same one on another device.

use axum::{Extension, extract::State, http::StatusCode};
use lusoria_protocol::{CreateGuest, Guest, SpendDeviceCode};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, OptionalBody},
    json::Json,
};
use crate::app::ClientAddress;

routes! {
    json {
        CreateGuest: POST "/guests" => create_guest,
        SpendDeviceCode: POST "/device-codes/spend" => spend_device_code,
    }
}

/// Create a guest
///
/// The holder of the token is the guest. The token is shown only once.
#[cfg_attr(test, utoipa::path(post, path = "/guests", tag = "identity", request_body = Option<CreateGuest>,
    responses((status = 201, description = "The guest and its token", body = Guest))))]
pub(super) async fn create_guest(
    State(http): State<Http>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    OptionalBody(request): OptionalBody<CreateGuest>,
) -> HandlerResult<(StatusCode, Json<Guest>)> {
    let guest = http.app.create_guest(request, address).await?;
    Ok((StatusCode::CREATED, Json(guest)))
}

/// Spend a device code
///
/// Adds this device to the guest who created the code.
#[cfg_attr(test, utoipa::path(post, path = "/device-codes/spend", tag = "identity", request_body = SpendDeviceCode,
    responses((status = 201, description = "The guest with a token for this device", body = Guest), NotFound)))]
pub(super) async fn spend_device_code(
    State(http): State<Http>,
    Body(request): Body<SpendDeviceCode>,
) -> HandlerResult<(StatusCode, Json<Guest>)> {
    Ok((StatusCode::CREATED, Json(http.app.spend_device_code(&request).await?)))
}
