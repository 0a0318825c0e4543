//! What a player of a pair asks for.

use lusoria_protocol::{
    CreateGuest, CreateMatch, IdempotencyKey, MatchId, PlayTurn, RenameGuest, SpendDeviceCode,
    SpendInvitation,
    socket::{ApiRequest, Method, Op},
};

/// A request of a player.
#[derive(Debug, Clone)]
pub(crate) enum Wish {
    Guest,
    Rename(RenameGuest),
    DeviceCode,
    SpendDeviceCode(SpendDeviceCode),
    Create(Option<IdempotencyKey>, Box<CreateMatch>),
    Invite(MatchId),
    SpendInvitation(Option<IdempotencyKey>, SpendInvitation),
    Snapshot(MatchId),
    /// A page of the events after that one.
    Events(MatchId, u32),
    /// A command to a match.
    Command(Op),
}

/// How many events a page has: they fit into a message of a socket.
const PAGE: u32 = 200;

impl Wish {
    /// The message for it.
    pub(crate) fn op(&self) -> Op {
        let request = match self {
            Self::Guest => ApiRequest::post("/guests", &CreateGuest::default()),
            Self::Rename(request) => ApiRequest::new(Method::Patch, "/me").with(request),
            Self::DeviceCode => ApiRequest::new(Method::Post, "/me/device-code"),
            Self::SpendDeviceCode(request) => ApiRequest::post("/device-codes/spend", request),
            Self::Create(key, request) => ApiRequest::post("/matches", request).under(key.clone()),
            Self::Invite(id) => ApiRequest::new(Method::Post, &format!("/matches/{id}/invitation")),
            Self::SpendInvitation(key, request) => {
                ApiRequest::post("/invitations/spend", request).under(key.clone())
            }
            Self::Snapshot(id) => ApiRequest::get(&format!("/matches/{id}")),
            Self::Events(id, since) => {
                ApiRequest::get(&format!("/matches/{id}/events?since={since}&limit={PAGE}"))
            }
            Self::Command(op) => return op.clone(),
        };
        request.into()
    }

    /// The turn to play, if that is what is asked.
    pub(crate) const fn as_turn(&self) -> Option<(MatchId, &PlayTurn)> {
        match self {
            Self::Command(op) => op.as_turn(),
            _ => None,
        }
    }
}
