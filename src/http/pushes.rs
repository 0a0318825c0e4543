//! Push subscriptions: they notify guests who have no page open.

use axum::{extract::State, http::StatusCode};
use lusoria_protocol::{PushServerKey, PushSubscription, PushSubscriptionList, PutPushSubscription};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfPushSubscription},
    json::Json,
};

routes! {
    json {
        PushServerKey: GET "/push" => push_server_key,
        PushSubscriptions: GET "/me/push-subscriptions" => push_subscriptions,
        PutPushSubscription: PUT "/me/push-subscriptions" => put_push_subscription,
        RemovePushSubscription: DELETE "/me/push-subscriptions/{id}" => remove_push_subscription,
    }
}

/// The server's key for push messages
///
/// Browsers need it to subscribe.
#[cfg_attr(test, utoipa::path(get, path = "/push", tag = "identity",
    responses((status = 200, description = "The key", body = PushServerKey), Conflict)))]
pub(super) async fn push_server_key(State(http): State<Http>) -> HandlerResult<Json<PushServerKey>> {
    Ok(Json(http.app.push_server_key().await?))
}

/// Subscribe to push messages
///
/// About your turn in correspondence matches, about challenges, and about the outcome of your seeks and challenges.
/// The same endpoint again replaces its settings. The subscription ends with the session or the API token that
/// created it.
#[cfg_attr(test, utoipa::path(put, path = "/me/push-subscriptions", tag = "identity",
    request_body = PutPushSubscription,
    responses((status = 200, description = "The subscription", body = PushSubscription), Conflict)))]
pub(super) async fn put_push_subscription(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<PutPushSubscription>,
) -> HandlerResult<Json<PushSubscription>> {
    Ok(Json(http.app.put_push_subscription(&caller, &request).await?))
}

/// Your push subscriptions, the newest first
#[cfg_attr(test, utoipa::path(get, path = "/me/push-subscriptions", tag = "identity",
    responses((status = 200, description = "Your push subscriptions", body = PushSubscriptionList))))]
pub(super) async fn push_subscriptions(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<PushSubscriptionList>> {
    Ok(Json(http.app.push_subscriptions(&caller).await?))
}

/// End a push subscription
///
/// It receives no more push messages.
#[cfg_attr(test, utoipa::path(delete, path = "/me/push-subscriptions/{id}", tag = "identity",
    params(PushSubscriptionPath),
    responses((status = 204, description = "Subscription ended"), NotFound)))]
pub(super) async fn remove_push_subscription(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfPushSubscription(id): OfPushSubscription,
) -> HandlerResult<StatusCode> {
    http.app.remove_push_subscription(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
