//! API tokens, which let programs act for an account within their scopes.
//!
//! They have a table of their own. A token's prefix says which table to read, so a look-up is one read.

use lusoria_play::PlayerKind;
use lusoria_protocol::{
    ApiToken as WireApiToken, ApiTokenId, ApiTokenList, Code, CreateApiToken, CreatedApiToken, Problem,
    Scope, ScopeName, TokenInfo, TokenKind, TokenName, meant,
};
use lusoria_store::{API_TOKENS_PER_GUEST_MAX, ApiToken, ApiTokenAddition, NewApiToken};

use crate::app::{App, Caller, ClientAddress, people::secrets, problem};

const DAY_MS: u64 = 86_400_000;

impl App {
    /// Makes an API token.
    ///
    /// # Errors
    /// `no_account`; `wrong_scope`; `wrong_credentials`; `too_many_attempts`; `too_many_tokens`; `unknown_token` or
    /// `blocked` if the caller lost access meanwhile; `too_many_requests`, `unavailable`.
    pub async fn create_api_token(
        &self,
        caller: &Caller,
        request: &CreateApiToken,
        address: ClientAddress,
    ) -> Result<CreatedApiToken, Problem> {
        if let Some(wrong) = request.scopes.iter().find(|scope| !is_for(**scope, caller.kind())) {
            let whose = if caller.kind() == PlayerKind::Bot { "people" } else { "bots" };
            let detail = format!("only tokens of {whose} have the scope {}", wrong.as_str());
            return Err(Problem::new(Code::WrongScope, detail));
        }
        let proof = self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        let (token, created_at) = (secrets::new_api_token(self.live.entropy()), self.live.now());
        let new = NewApiToken {
            id: ApiTokenId(self.new_id(created_at)),
            hash: secrets::hash(token.as_str()),
            name: request.name.trimmed().to_owned(),
            scopes: column(&request.scopes),
            created_at,
            expires_at: created_at + u64::from(request.expires_in_days.get()) * DAY_MS,
        };
        let NewApiToken { id, name, scopes, created_at, expires_at, .. } = new.clone();
        match self.store().add_api_token(proof, new).await.map_err(problem::store)? {
            ApiTokenAddition::Added => {
                let shown = ApiToken { id, name, scopes, created_at, expires_at, used_at: None };
                Ok(CreatedApiToken { token, shown: wire_token(shown) })
            }
            ApiTokenAddition::TooMany => Err(problem::too_many_tokens(API_TOKENS_PER_GUEST_MAX)),
            ApiTokenAddition::NotProven => Err(self.proof_failed(caller).await),
        }
    }

    /// The API tokens of an account, the newest first.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn api_tokens(&self, caller: &Caller) -> Result<ApiTokenList, Problem> {
        let found = self.store().api_tokens(caller.id()).await.map_err(problem::store)?;
        Ok(ApiTokenList { tokens: found.into_iter().map(wire_token).collect() })
    }

    /// Revokes an API token.
    ///
    /// # Errors
    /// `no_such_token`; `unavailable`.
    pub async fn revoke_api_token(&self, caller: &Caller, id: ApiTokenId) -> Result<(), Problem> {
        if !self.store().revoke_api_token(caller.id(), id).await.map_err(problem::store)? {
            return Err(Problem::new(Code::NoSuchToken, format!("you have no API token {id}")));
        }
        self.live.doubt(caller.id());
        Ok(())
    }

    /// What the caller's token may do.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn token_info(&self, caller: &Caller) -> Result<TokenInfo, Problem> {
        let you = self.me(caller).await?;
        Ok(match caller.api_token() {
            None => TokenInfo { kind: TokenKind::Session, you, scopes: None, expires_at: None },
            Some(token) => {
                let scopes = Some(names(&token.scopes));
                TokenInfo { kind: TokenKind::ApiToken, you, scopes, expires_at: Some(token.expires_at) }
            }
        })
    }
}

/// Whether tokens of such an account can have this scope.
pub(in crate::app) fn is_for(scope: Scope, kind: PlayerKind) -> bool {
    match scope {
        Scope::MatchPlay => kind != PlayerKind::Bot,
        Scope::BotPlay => kind == PlayerKind::Bot,
        Scope::AccountRead
        | Scope::MatchRead
        | Scope::SeekWrite
        | Scope::ChallengeRead
        | Scope::ChallengeWrite
        | Scope::PreferenceWrite
        | Scope::FollowRead
        | Scope::FollowWrite
        | Scope::TournamentWrite
        | Scope::TalkWrite
        | Scope::ReportWrite
        | Scope::NotifyWrite => true,
    }
}

/// Scopes as they are stored.
fn column(scopes: &[Scope]) -> String {
    let mut scopes = scopes.to_vec();
    scopes.sort_unstable();
    scopes.dedup();
    scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ")
}

/// Reads stored scopes. Unknown ones, from a later release, permit nothing.
pub(in crate::app) fn scopes(column: &str) -> Vec<Scope> {
    column.split(' ').filter_map(meant).collect()
}

pub(in crate::app) fn names(scopes: &[Scope]) -> Vec<ScopeName> {
    scopes.iter().map(|scope| ScopeName::from(*scope)).collect()
}

fn wire_token(token: ApiToken) -> WireApiToken {
    let ApiToken { id, name, scopes: of, created_at, expires_at, used_at } = token;
    let (name, scopes) = (TokenName::given_before(name), names(&scopes(&of)));
    WireApiToken { id, name, scopes, created_at, expires_at, used_at }
}
