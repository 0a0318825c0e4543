//! Guests, identified by their tokens.

use std::{net::IpAddr, sync::Arc};

use lusoria_play::{Millis, Player, PlayerId, PlayerKind};
use lusoria_protocol::{
    ApiTokenId, Code, CreateGuest, DeviceCode as WireDeviceCode, DeviceName, Guest as WireGuest, Me, Name,
    Problem, RenameGuest, Scope, SpendDeviceCode, Token,
};
use uuid::{Builder, Uuid};

use crate::{
    app::{
        App,
        people::{api_tokens, guest_names::default_name, secrets},
        problem, wire,
    },
    live::Arrived,
};
use lusoria_store::{ApiBearer, ApiToken, Ban, Bearer, DeviceCode, Guest, NewSession, PushBearer, SessionId};

/// How long a device code is valid, in milliseconds.
const DEVICE_CODE_FOR_MS: u64 = 10 * 60_000;

/// The kind of a token.
#[derive(Debug)]
enum Credential {
    Session(SessionId),
    ApiToken(Grant),
}

/// The permissions of an API token.
#[derive(Debug)]
pub(in crate::app) struct Grant {
    pub(in crate::app) id: ApiTokenId,
    pub(in crate::app) scopes: Vec<Scope>,
    pub(in crate::app) expires_at: Millis,
}

/// A guest, authenticated by their token, and when their request arrived. Cheap to clone: on a socket each command
/// has its own.
#[derive(Debug, Clone)]
pub struct Caller {
    authenticated: Arc<Authenticated>,
    /// When their request arrived, if that decides its deadlines.
    arrived: Option<Arrived>,
}

/// What the look-up of a token found.
#[derive(Debug)]
struct Authenticated {
    guest: Guest,
    /// Their ban, if one was in force when their token was looked up.
    ban: Option<Ban>,
    credential: Credential,
    /// Kept to derive the codes that belong to it; never logged.
    token: Token,
    /// How many tokens had been revoked before this one was looked up.
    revocations: u64,
}

impl Caller {
    fn guest(&self) -> &Guest {
        &self.authenticated.guest
    }

    /// Their id.
    pub fn id(&self) -> PlayerId {
        self.guest().id
    }

    /// The caller of one request: its commands count from when it arrived.
    #[must_use]
    pub fn asking(&self, arrived: Option<Arrived>) -> Self {
        Self { authenticated: Arc::clone(&self.authenticated), arrived }
    }

    pub(in crate::app) fn arrived(&self) -> Option<&Arrived> {
        self.arrived.as_ref()
    }

    pub(in crate::app) fn token(&self) -> &Token {
        &self.authenticated.token
    }

    pub(in crate::app) fn player(&self) -> Player {
        let Guest { id, name, kind, .. } = self.guest();
        Player { id: *id, name: name.clone(), kind: *kind }
    }

    pub(in crate::app) fn kind(&self) -> PlayerKind {
        self.guest().kind
    }

    /// Their ban, if one was in force when their token was looked up.
    pub(in crate::app) fn ban(&self) -> Option<&Ban> {
        self.authenticated.ban.as_ref()
    }

    /// The session that makes the request.
    ///
    /// # Errors
    /// `session_required` if an API token makes it.
    pub(in crate::app) fn session(&self) -> Result<SessionId, Problem> {
        match self.authenticated.credential {
            Credential::Session(session) => Ok(session),
            Credential::ApiToken(_) => Err(problem::session_required()),
        }
    }

    /// The API token that makes the request, if one does.
    pub(in crate::app) fn api_token(&self) -> Option<&Grant> {
        match &self.authenticated.credential {
            Credential::Session(_) => None,
            Credential::ApiToken(grant) => Some(grant),
        }
    }

    /// The session or API token that a new push subscription ends with.
    pub(in crate::app) fn push_bearer(&self) -> PushBearer {
        match &self.authenticated.credential {
            Credential::Session(session) => PushBearer::Session(*session),
            Credential::ApiToken(grant) => PushBearer::ApiToken(grant.id),
        }
    }

    /// Whether they may use an operation that needs one of these scopes.
    pub(in crate::app) fn may(&self, scopes: &[Scope]) -> bool {
        self.api_token().is_none_or(|grant| grant.scopes.iter().any(|scope| scopes.contains(scope)))
    }

    /// How many tokens had been revoked, since the start, before theirs was looked up.
    pub fn revocations(&self) -> u64 {
        self.authenticated.revocations
    }
}

impl App {
    /// Creates a guest.
    ///
    /// # Errors
    /// `too_many_guests` for the address; `unavailable`.
    pub async fn create_guest(&self, request: CreateGuest, address: IpAddr) -> Result<WireGuest, Problem> {
        self.rate_limiters.admit_guest(address).map_err(problem::too_many_guests)?;
        let now = self.live.now();
        let id = PlayerId(self.new_id(now));
        let name = request.name.as_ref().map_or_else(|| default_name(id), |name| name.trimmed().to_owned());
        let token = secrets::new_token(self.live.entropy());
        let kind = if request.bot { PlayerKind::Bot } else { PlayerKind::Person };
        let guest = Guest { id, name, kind, created_at: now, blocked_at: None };
        let session = self.new_session(&token, request.device.as_ref(), now);
        self.store().add_guest(guest.clone(), session).await.map_err(problem::store)?;
        Ok(with_token(&guest, token))
    }

    /// Looks up the guest of a token.
    ///
    /// # Errors
    /// `unknown_token`; `token_expired`; `blocked`; `unavailable`.
    pub async fn authenticate(&self, token: Token) -> Result<Caller, Problem> {
        // Read before the look-up: a token revoked in between is looked up again.
        let revocations = self.live.revocations();
        let (guest, ban, credential) = self.bearer(&token).await?;
        let (guest, ban) = (unless_blocked(guest)?, ban.filter(|ban| ban.holds(self.live.now())));
        let authenticated = Arc::new(Authenticated { guest, ban, credential, token, revocations });
        Ok(Caller { authenticated, arrived: None })
    }

    /// Looks up the guest and the kind of a token, with one read.
    async fn bearer(&self, token: &Token) -> Result<(Guest, Option<Ban>, Credential), Problem> {
        let (hash, now) = (secrets::hash(token.as_str()), self.live.now());
        if !secrets::is_api_token(token) {
            let found = self.store().bearer(hash).await.map_err(problem::store)?;
            let Bearer { guest, ban, session, seen_at } = found.ok_or_else(problem::unknown_token)?;
            self.sessions_seen.note(session, Some(seen_at), now);
            return Ok((guest, ban, Credential::Session(session)));
        }
        let found = self.store().api_bearer(hash).await.map_err(problem::store)?;
        let ApiBearer { guest, ban, token: ApiToken { id, scopes, expires_at, used_at, .. } } =
            found.ok_or_else(problem::unknown_token)?;
        if expires_at <= now {
            return Err(problem::token_expired());
        }
        self.api_tokens_used.note(id, used_at, now);
        let grant = Grant { id, scopes: api_tokens::scopes(&scopes), expires_at };
        Ok((guest, ban, Credential::ApiToken(grant)))
    }

    /// Looks up a caller's token again: the guest may have been renamed, or have revoked it.
    ///
    /// # Errors
    /// As [`Self::authenticate`].
    pub async fn authenticate_again(&self, caller: &Caller) -> Result<Caller, Problem> {
        self.authenticate(caller.token().clone()).await
    }

    /// The problem for a caller whose match was not created, or who was not seated, because a guest was
    /// blocked or deleted before it was written.
    pub(in crate::app) async fn gone(&self, caller: &Caller, gone: PlayerId) -> Problem {
        if gone != caller.id() {
            return problem::opponent_gone();
        }
        // If they are unblocked by now, they may try again.
        self.authenticate_again(caller).await.err().unwrap_or_else(problem::unavailable)
    }

    /// The caller's own data.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn me(&self, caller: &Caller) -> Result<Me, Problem> {
        let account = self.store().account(caller.id()).await.map_err(problem::store)?;
        Ok(me(caller.guest(), account.map(|account| account.handle)))
    }

    /// Renames the caller. Matches in which they play keep the old name.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn rename(&self, caller: &Caller, request: &RenameGuest) -> Result<Me, Problem> {
        let guest = Guest { name: request.name.trimmed().to_owned(), ..caller.guest().clone() };
        let account = self.store().account(guest.id).await.map_err(problem::store)?;
        let renamed =
            self.store().rename_guest(guest.id, guest.name.clone()).await.map_err(problem::store)?;
        if !renamed {
            return Err(problem::unknown_token());
        }
        Ok(me(&guest, account.map(|account| account.handle)))
    }

    /// Makes a one-time code for another device, and invalidates an earlier one.
    ///
    /// # Errors
    /// `unknown_token` or `blocked` if the caller lost access meanwhile;
    /// `unavailable`.
    pub async fn device_code(&self, caller: &Caller) -> Result<WireDeviceCode, Problem> {
        let code = secrets::new_code(self.live.entropy());
        let expires_at = self.live.now() + DEVICE_CODE_FOR_MS;
        let stored = DeviceCode { hash: secrets::hash(code.as_str()), guest: caller.id(), expires_at };
        let added = self.store().add_device_code(stored, caller.session()?).await.map_err(problem::store)?;
        if !added {
            return Err(self.authenticate_again(caller).await.err().unwrap_or_else(problem::unknown_token));
        }
        Ok(WireDeviceCode { code, expires_at })
    }

    /// Spends a device code: creates a new token for the same guest.
    ///
    /// # Errors
    /// `unknown_code`; `blocked`; `unavailable`.
    pub async fn spend_device_code(&self, request: &SpendDeviceCode) -> Result<WireGuest, Problem> {
        let now = self.live.now();
        let token = secrets::new_token(self.live.entropy());
        let session = self.new_session(&token, request.device.as_ref(), now);
        let code = secrets::hash(request.code.as_str());
        let spent = self.store().spend_device_code(code, session, now).await;
        let guest = unless_blocked(spent.map_err(problem::store)?.ok_or_else(problem::unknown_code)?)?;
        Ok(with_token(&guest, token))
    }

    pub(in crate::app) fn new_session(
        &self,
        token: &Token,
        device: Option<&DeviceName>,
        now: Millis,
    ) -> NewSession {
        NewSession {
            id: SessionId(self.new_id(now)),
            token: secrets::hash(token.as_str()),
            device: device.map(|device| device.trimmed().to_owned()),
        }
    }

    pub(in crate::app) fn new_id(&self, now: Millis) -> Uuid {
        let random: [u8; 10] =
            self.live.entropy().bytes32()[..10].try_into().expect("ten of thirty-two bytes");
        Builder::from_unix_timestamp_millis(now, &random).into_uuid()
    }
}

pub(in crate::app) fn unless_blocked(guest: Guest) -> Result<Guest, Problem> {
    if guest.blocked_at.is_none() { Ok(guest) } else { Err(Code::Blocked.into()) }
}

pub(in crate::app) fn me(guest: &Guest, handle: Option<String>) -> Me {
    Me {
        id: guest.id,
        name: name(&guest.name),
        kind: wire::player_kind(guest.kind).0,
        created_at: guest.created_at,
        handle: handle.and_then(|handle| handle.try_into().ok()),
    }
}

pub(in crate::app) fn with_token(guest: &Guest, token: Token) -> WireGuest {
    WireGuest { id: guest.id, name: name(&guest.name), kind: wire::player_kind(guest.kind).0, token }
}

fn name(stored: &str) -> Name {
    Name::given_before(stored.to_owned())
}
