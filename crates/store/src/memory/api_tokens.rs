//! API tokens: what lets programs act for an account.

use lusoria_play::{Millis, PlayerId};

use super::tables::{Tables, failed};
use crate::{
    API_TOKENS_PER_GUEST_MAX, ApiBearer, ApiToken, ApiTokenAddition, ApiTokenId, NewApiToken, Proof,
    SecretHash, StoreError,
};

impl Tables {
    pub(super) fn add_api_token(
        &mut self,
        proof: &Proof,
        new: NewApiToken,
    ) -> Result<ApiTokenAddition, StoreError> {
        if !self.holds(proof) {
            return Ok(ApiTokenAddition::NotProven);
        }
        let NewApiToken { id, hash, name, scopes, created_at, expires_at } = new;
        let theirs = || self.api_tokens.values().filter(|(guest, _)| *guest == proof.guest);
        let good = theirs().filter(|(_, token)| token.expires_at > created_at).count();
        if good >= API_TOKENS_PER_GUEST_MAX as usize {
            return Ok(ApiTokenAddition::TooMany);
        }
        let is_expired =
            |guest: PlayerId, token: &ApiToken| guest == proof.guest && token.expires_at <= created_at;
        let is_taken = |(of, (guest, token)): (&SecretHash, &(PlayerId, ApiToken))| {
            !is_expired(*guest, token) && (*of == hash || token.id == id)
        };
        if self.api_tokens.iter().any(is_taken) {
            return failed("the token is there already");
        }
        self.api_tokens.retain(|_, (guest, token)| !is_expired(*guest, token));
        let token = ApiToken { id, name, scopes, created_at, expires_at, used_at: None };
        self.api_tokens.insert(hash, (proof.guest, token));
        Ok(ApiTokenAddition::Added)
    }

    pub(super) fn api_tokens_of(&self, guest: PlayerId) -> Vec<ApiToken> {
        let theirs = self.api_tokens.values().filter(|(of, _)| *of == guest);
        let mut theirs: Vec<_> = theirs.map(|(_, token)| token.clone()).collect();
        theirs.sort_unstable_by_key(|token| std::cmp::Reverse((token.created_at, token.id)));
        theirs
    }

    pub(super) fn api_bearer(&self, hash: SecretHash) -> Option<ApiBearer> {
        let (guest, token) = self.api_tokens.get(&hash)?;
        let of = self.guests.get(guest)?.clone();
        Some(ApiBearer { guest: of, ban: self.ban(*guest), token: token.clone() })
    }

    pub(super) fn revoke_api_token(&mut self, guest: PlayerId, id: ApiTokenId) -> bool {
        let before = self.api_tokens.len();
        self.api_tokens.retain(|_, (of, token)| *of != guest || token.id != id);
        self.api_tokens.len() < before
    }

    pub(super) fn revoke_api_tokens(&mut self, guest: PlayerId) {
        self.api_tokens.retain(|_, (of, _)| *of != guest);
    }

    pub(super) fn note_used(&mut self, used: &[(ApiTokenId, Millis)]) {
        for (_, token) in self.api_tokens.values_mut() {
            for (_, at) in used.iter().filter(|(id, _)| *id == token.id) {
                token.used_at = token.used_at.max(Some(*at));
            }
        }
    }
}
