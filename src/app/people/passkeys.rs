//! Passkeys: adds, lists, removes and checks them.
//!
//! Challenges are not stored: each one itself says that a node of this server made it, for whom, and until
//! when. Only a correctly answered challenge is stored, so that no answer counts twice, and a client that
//! proves nothing causes no writes.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use lusoria_passkey::{ALGORITHMS, Assertion, Ceremony, Credential, Error, Registration};
use lusoria_play::{Bytes32, Millis, PlayerId};
use lusoria_protocol::{
    AddPasskey, Base64Url, Code, Guest as WireGuest, NewPasskey, Passkey as WirePasskey, PasskeyAnswer,
    PasskeyChallenge, PasskeyChallengeRequest, PasskeyList, PasskeyName, PasskeyOwner, Problem,
    RemovePasskey, RenamePasskey, SignInWithPasskey,
};
use lusoria_store::{
    Account, KeyPurpose, PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition, PasskeyId, PasskeyRemoval,
    PasskeyUse, SecretKey,
};

use crate::app::{
    App, Caller, ClientAddress,
    people::{
        identity::{unless_blocked, with_token},
        secrets,
        sign_in_attempts::Attempt,
    },
    problem,
};

/// How long a challenge is valid, in milliseconds.
const CHALLENGE_FOR_MS: Millis = 5 * 60_000;

/// How long after its expiry an answered challenge is remembered, in milliseconds: the answer may wait to be
/// written, and clocks of nodes differ.
const SPENT_FOR_MS: Millis = 60_000;

/// Where passkeys are used.
struct RelyingParty {
    domain: String,
    origin: String,
}

/// A challenge that this server made.
struct Challenge {
    bytes: Vec<u8>,
    expires_at: Millis,
}

impl App {
    /// Makes a challenge for the account's passkeys, and for a new passkey. A guest who is about to open an
    /// account may ask for one too.
    ///
    /// # Errors
    /// `no_passkeys`; `unavailable`.
    pub async fn passkey_challenge(
        &self,
        caller: &Caller,
        request: &PasskeyChallengeRequest,
    ) -> Result<PasskeyChallenge, Problem> {
        let relying_party = self.relying_party()?;
        let account = self.store().account(caller.id()).await.map_err(problem::store)?;
        let name = match (account, &request.handle) {
            (Some(Account { handle, .. }), _) => handle,
            (None, Some(wanted)) => wanted.as_str().to_owned(),
            (None, None) => caller.player().name,
        };
        let found = self.store().passkeys(caller.id()).await.map_err(problem::store)?;
        let owner = PasskeyOwner {
            user: base64url(caller.id().0.as_bytes())?,
            name,
            algorithms: ALGORITHMS.to_vec(),
            credentials: found
                .iter()
                .map(|known| base64url(&known.credential.id))
                .collect::<Result<_, _>>()?,
        };
        let challenge = self.new_challenge(relying_party, Some(caller.id())).await?;
        Ok(PasskeyChallenge { account: Some(owner), ..challenge })
    }

    /// Makes a challenge to sign in.
    ///
    /// # Errors
    /// `no_passkeys`; `unavailable`.
    pub async fn sign_in_challenge(&self) -> Result<PasskeyChallenge, Problem> {
        self.new_challenge(self.relying_party()?, None).await
    }

    /// Adds a passkey to an account.
    ///
    /// # Errors
    /// `no_passkeys`; `no_account`; `too_many_passkeys`; `passkey_added`; `unknown_passkey_challenge`; `wrong_passkey`,
    /// `wrong_origin`, `unknown_passkey`; `wrong_credentials`; `too_many_attempts`; `unknown_token` or
    /// `blocked` if the caller lost access meanwhile; `too_many_requests`, `unavailable`.
    pub async fn add_passkey(
        &self,
        caller: &Caller,
        request: &AddPasskey,
        address: ClientAddress,
    ) -> Result<WirePasskey, Problem> {
        // Before the costly check of a password.
        self.relying_party()?;
        let proof = self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        let AddPasskey { name, challenge, client_data_json, attestation_object, .. } = request.clone();
        let made = NewPasskey { name, challenge, client_data_json, attestation_object };
        let new = self.new_passkey(caller, &made).await?;
        match self.store().add_passkey(proof, new.clone()).await.map_err(problem::store)? {
            PasskeyAddition::Added => Ok(wire_passkey(new)),
            PasskeyAddition::TooMany => Err(problem::too_many_passkeys(PASSKEYS_PER_GUEST_MAX)),
            PasskeyAddition::Known => Err(Code::PasskeyAdded.into()),
            PasskeyAddition::NotProven => Err(self.proof_failed(caller).await),
        }
    }

    /// Checks a new passkey that an authenticator has just made for a guest.
    ///
    /// # Errors
    /// `no_passkeys`; `unknown_passkey_challenge`; `wrong_passkey`, `wrong_origin`; `unavailable`.
    pub(in crate::app) async fn new_passkey(
        &self,
        caller: &Caller,
        made: &NewPasskey,
    ) -> Result<Passkey, Problem> {
        let relying_party = self.relying_party()?;
        let challenge = self.known_challenge(&made.challenge, Some(caller.id())).await?;
        let registration = Registration {
            client_data_json: made.client_data_json.as_str(),
            attestation_object: made.attestation_object.as_str(),
        };
        let registered = relying_party.judge(&challenge, |ceremony| registration.verify(ceremony));
        let credential = registered.map_err(problem::passkey)?;
        self.spend(&challenge).await?;
        let created_at = self.live.now();
        Ok(Passkey {
            id: PasskeyId(self.new_id(created_at)),
            guest: caller.id(),
            name: made.name.trimmed().to_owned(),
            credential,
            created_at,
            used_at: None,
        })
    }

    /// The passkeys of an account, the newest first.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn passkeys(&self, caller: &Caller) -> Result<PasskeyList, Problem> {
        let found = self.store().passkeys(caller.id()).await.map_err(problem::store)?;
        Ok(PasskeyList { passkeys: found.into_iter().map(wire_passkey).collect() })
    }

    /// Renames a passkey.
    ///
    /// # Errors
    /// `no_such_passkey`; `unavailable`.
    pub async fn rename_passkey(
        &self,
        caller: &Caller,
        id: PasskeyId,
        request: &RenamePasskey,
    ) -> Result<(), Problem> {
        let name = request.name.trimmed().to_owned();
        let renamed = self.store().rename_passkey(caller.id(), id, name).await.map_err(problem::store)?;
        if renamed { Ok(()) } else { Err(problem::no_such_passkey(id)) }
    }

    /// Removes a passkey.
    ///
    /// # Errors
    /// `no_such_passkey`; `last_way_in` if it is the only one and there is no password; as [`Self::change_password`].
    pub async fn remove_passkey(
        &self,
        caller: &Caller,
        id: PasskeyId,
        request: &RemovePasskey,
        address: ClientAddress,
    ) -> Result<(), Problem> {
        let proof = self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        match self.store().remove_passkey(proof, id).await.map_err(problem::store)? {
            PasskeyRemoval::Removed => Ok(()),
            PasskeyRemoval::LastWayIn => Err(problem::last_way_in()),
            PasskeyRemoval::NotFound => Err(problem::no_such_passkey(id)),
            PasskeyRemoval::NotProven => Err(self.proof_failed(caller).await),
        }
    }

    /// Signs in with a passkey: creates a new token for the account's guest.
    ///
    /// # Errors
    /// `no_passkeys`; `unknown_passkey_challenge`; `unknown_passkey`, `wrong_passkey`, `wrong_origin`;
    /// `too_many_attempts` from the address; `blocked`; `unavailable`.
    pub async fn sign_in_with_passkey(
        &self,
        request: &SignInWithPasskey,
        address: ClientAddress,
    ) -> Result<WireGuest, Problem> {
        // No handle is named, so attempts are counted for this credential.
        let credential = secrets::hash(request.passkey.credential.as_str());
        let attempt = self.attempt_on(Bytes32(credential.0).to_string(), address).await?;
        let used = judged(attempt, self.judge_answer(&request.passkey, None).await)?;
        let token = secrets::new_token(self.live.entropy());
        let session = self.new_session(&token, request.device.as_ref(), used.at);
        let signed_in = self.store().sign_in_with_passkey(used, session).await.map_err(problem::store)?;
        let guest = signed_in.ok_or_else(problem::passkey_used)?;
        Ok(with_token(&unless_blocked(guest)?, token))
    }

    /// Checks a passkey of a signed-in guest, and stores that it was used.
    pub(in crate::app) async fn prove_with_passkey(
        &self,
        owner: PlayerId,
        answer: &PasskeyAnswer,
        attempt: Attempt<'_>,
    ) -> Result<PasskeyId, Problem> {
        let used = judged(attempt, self.judge_answer(answer, Some(owner)).await)?;
        let noted = self.store().use_passkey(used).await.map_err(problem::store)?;
        if noted { Ok(used.id) } else { Err(problem::passkey_used()) }
    }

    fn relying_party(&self) -> Result<RelyingParty, Problem> {
        let url = self.site.public_url.as_ref().ok_or_else(problem::no_passkeys)?;
        let domain = url.passkey_domain().ok_or_else(problem::no_passkeys)?.to_owned();
        Ok(RelyingParty { domain, origin: url.origin() })
    }

    async fn new_challenge(
        &self,
        RelyingParty { domain, .. }: RelyingParty,
        guest: Option<PlayerId>,
    ) -> Result<PasskeyChallenge, Problem> {
        let expires_at = self.live.now() + CHALLENGE_FOR_MS;
        let bytes =
            secrets::new_challenge(self.live.entropy(), self.challenge_key().await?, guest, expires_at);
        Ok(PasskeyChallenge {
            challenge: base64url(&bytes)?,
            expires_at,
            relying_party: domain,
            account: None,
        })
    }

    /// A valid challenge that was made for `guest`, or for signing in if none.
    ///
    /// # Errors
    /// `unknown_passkey_challenge`; `unavailable`.
    async fn known_challenge(&self, text: &Base64Url, guest: Option<PlayerId>) -> Result<Challenge, Problem> {
        let key = self.challenge_key().await?;
        let unknown = Code::UnknownPasskeyChallenge;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.as_str()).map_err(|_| unknown)?;
        let expires_at = secrets::challenge_expiry(key, guest, &bytes).ok_or(unknown)?;
        if expires_at <= self.live.now() {
            return Err(unknown.into());
        }
        Ok(Challenge { bytes, expires_at })
    }

    /// Spends a challenge that was answered correctly.
    ///
    /// # Errors
    /// `unknown_passkey_challenge` if it was spent before; `unavailable`.
    async fn spend(&self, Challenge { bytes, expires_at }: &Challenge) -> Result<(), Problem> {
        let spent = self.store().spend_challenge(secrets::hash(bytes), expires_at + SPENT_FOR_MS).await;
        if spent.map_err(problem::store)? { Ok(()) } else { Err(Code::UnknownPasskeyChallenge.into()) }
    }

    /// The key with which challenges are made. The first node that needs it creates it.
    async fn challenge_key(&self) -> Result<&SecretKey, Problem> {
        let made = || SecretKey(self.live.entropy().bytes32().to_vec());
        let read = async || self.store().server_key(KeyPurpose::Challenges, made()).await;
        self.challenge_key.get_or_try_init(read).await.map_err(problem::store)
    }

    /// Checks a passkey's answer. If `owner` is given, the passkey must be theirs.
    async fn judge_answer(
        &self,
        answer: &PasskeyAnswer,
        owner: Option<PlayerId>,
    ) -> Result<PasskeyUse, Problem> {
        let relying_party = self.relying_party()?;
        let challenge = self.known_challenge(&answer.challenge, owner).await?;
        let credential =
            BASE64_URL_SAFE_NO_PAD.decode(answer.credential.as_str()).map_err(|_| Code::UnknownPasskey)?;
        let found = self.store().passkey(credential).await.map_err(problem::store)?;
        let is_theirs = |known: &Passkey| owner.is_none_or(|owner| known.guest == owner);
        let Passkey { id, guest, credential, .. } = found.filter(is_theirs).ok_or(Code::UnknownPasskey)?;
        let assertion = Assertion {
            id: answer.credential.as_str(),
            client_data_json: answer.client_data_json.as_str(),
            authenticator_data: answer.authenticator_data.as_str(),
            signature: answer.signature.as_str(),
            user_handle: answer.user_handle.as_ref().map(Base64Url::as_str),
        };
        let asserted = relying_party.judge(&challenge, |ceremony| {
            assertion.verify(ceremony, &credential, guest.0.as_bytes(), owner.is_some())
        });
        if matches!(asserted, Ok(_) | Err(Error::Cloned)) {
            self.spend(&challenge).await?;
        }
        if asserted == Err(Error::Cloned) {
            tracing::warn!(guest = %guest.0, passkey = %id.0, "refused a passkey whose counter went backwards; there may be a copy of it");
        }
        let asserted = asserted.map_err(problem::passkey)?;
        let Credential { counter: counter_before, .. } = credential;
        let (counter, is_backed_up, at) = (asserted.counter, asserted.is_backed_up, self.live.now());
        Ok(PasskeyUse { id, counter_before, counter, is_backed_up, at })
    }
}

impl RelyingParty {
    /// Checks a browser's answer to a challenge. The authenticator must have verified the user, since no
    /// password is required.
    fn judge<T>(
        &self,
        challenge: &Challenge,
        judge: impl FnOnce(&Ceremony<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        judge(&Ceremony {
            challenge: &challenge.bytes,
            relying_party: &self.domain,
            origins: &[self.origin.as_str()],
            must_verify_user: true,
        })
    }
}

/// Counts an attempt as right or wrong, or as neither if the answer was not checked.
fn judged<T>(attempt: Attempt<'_>, result: Result<T, Problem>) -> Result<T, Problem> {
    let verdict = match &result {
        Ok(_) => Some(Some(())),
        Err(problem) => matches!(problem.code, Code::WrongPasskey | Code::WrongOrigin | Code::UnknownPasskey)
            .then_some(None),
    };
    match verdict {
        // The result says why.
        Some(found) => drop(attempt.judge(found)),
        None => drop(attempt),
    }
    result
}

fn base64url(bytes: &[u8]) -> Result<Base64Url, Problem> {
    BASE64_URL_SAFE_NO_PAD.encode(bytes).try_into().map_err(|_| problem::internal())
}

fn wire_passkey(passkey: Passkey) -> WirePasskey {
    let Passkey { id, name, credential, created_at, used_at, .. } = passkey;
    let name = PasskeyName::given_before(name);
    WirePasskey { id, name, created_at, used_at, can_be_synced: credential.is_backup_eligible }
}
