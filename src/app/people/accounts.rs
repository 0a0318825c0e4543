//! Accounts: a guest with a handle, and a password or a passkey, who can sign in anywhere.
//!
//! An account is a row beside its guest and has no id of its own, so matches and records know nothing of it.
//! Each change is one transaction that checks again the session and the proof (password or passkey) with
//! which the request was approved: both may have changed since.

use lusoria_protocol::{
    Account as WireAccount, ChangePassword, ChangedPassword, Code, Guest as WireGuest, Me, NewRecoveryCodes,
    OneTimeCode, OpenAccount, OpenedAccount, PasskeyAnswer, Password, Problem, Recover, RecoveryCodes,
    RemovePassword, SignIn,
};
use lusoria_store::{
    Account, AccountOpening, BotDeclaration, NewAccount, PasswordHash, PasswordRemoval, Proof, Revoking,
    SecretHash, Shown, SignUpPolicy,
};

use crate::app::{
    App, Caller, ClientAddress,
    people::{
        guest_names::default_name,
        handles,
        identity::{unless_blocked, with_token},
        passwords::{self, SALT_BYTES},
        secrets,
        sign_in_attempts::Attempt,
    },
    problem,
};

/// How many recovery codes an account has at first.
const RECOVERY_CODES: usize = 8;

impl App {
    /// Opens a guest's account. If they have not chosen a name, the handle is their name from then on.
    ///
    /// # Errors
    /// `invalid_body` without a password and a passkey; `common_password`; `handle_reserved`, `handle_taken`,
    /// `has_account`; of a passkey what [`Self::add_passkey`] refuses, and `passkey_added`;
    /// `sign_ups_closed`, `sign_up_code_required`, `unknown_code`; `unknown_token` or `blocked` if the caller
    /// lost access meanwhile; `too_many_requests`, `unavailable`.
    pub async fn open_account(
        &self,
        caller: &Caller,
        request: &OpenAccount,
        address: ClientAddress,
    ) -> Result<OpenedAccount, Problem> {
        if request.password.is_none() && request.passkey.is_none() {
            return Err(problem::way_in_required());
        }
        request.password.as_ref().map_or(Ok(()), refuse_common)?;
        let handle = request.handle.as_str();
        if handles::is_reserved(handle) {
            return Err(Code::HandleReserved.into());
        }
        let skeleton = handles::skeleton(handle);
        // Before the costly hash of the password. The store checks again.
        if self.store().account(caller.id()).await.map_err(problem::store)?.is_some() {
            return Err(Code::HasAccount.into());
        }
        match self.store().sign_ups(self.live.now()).await.map_err(problem::store)?.policy {
            SignUpPolicy::Closed => return Err(Code::SignUpsClosed.into()),
            SignUpPolicy::InviteOnly if request.sign_up_code.is_none() => {
                return Err(Code::SignUpCodeRequired.into());
            }
            SignUpPolicy::InviteOnly | SignUpPolicy::Open => {}
        }
        if self.store().account_by_skeleton(skeleton.clone()).await.map_err(problem::store)?.is_some() {
            return Err(Code::HandleTaken.into());
        }
        let passkey = match &request.passkey {
            Some(made) => Some(self.new_passkey(caller, made).await?),
            None => None,
        };
        let password = match &request.password {
            Some(password) => Some(self.hash_password(password.clone(), address, None).await?),
            None => None,
        };
        let (recovery_codes, hashes) = self.new_recovery_codes();
        let new = NewAccount {
            guest: caller.id(),
            by: caller.session()?,
            handle: handle.to_owned(),
            skeleton,
            default_name: default_name(caller.id()),
            password,
            passkey,
            recovery_codes: hashes,
            sign_up_code: request.sign_up_code.as_ref().map(secrets::hash_written_code),
            created_at: self.live.now(),
        };
        match self.store().open_account(new).await.map_err(problem::store)? {
            AccountOpening::Opened => Ok(OpenedAccount { handle: request.handle.clone(), recovery_codes }),
            AccountOpening::HasAccount => Err(Code::HasAccount.into()),
            AccountOpening::HandleTaken => Err(Code::HandleTaken.into()),
            AccountOpening::PasskeyKnown => Err(Code::PasskeyAdded.into()),
            AccountOpening::SignUpsClosed => Err(Code::SignUpsClosed.into()),
            AccountOpening::SignUpCodeRequired => Err(Code::SignUpCodeRequired.into()),
            AccountOpening::UnknownSignUpCode => Err(Code::UnknownCode.into()),
            AccountOpening::SessionEnded => Err(self.gone(caller, caller.id()).await),
        }
    }

    /// A guest's account.
    ///
    /// # Errors
    /// `no_account`; `unavailable`.
    pub async fn account(&self, caller: &Caller) -> Result<WireAccount, Problem> {
        let Account { handle, created_at, recovery_codes, password, .. } = self.account_of(caller).await?;
        let passkeys = self.store().passkeys(caller.id()).await.map_err(problem::store)?;
        Ok(WireAccount {
            handle: handle.try_into().map_err(|_| problem::internal())?,
            created_at,
            recovery_codes_left: recovery_codes,
            has_password: password.is_some(),
            passkeys: passkeys.len().try_into().unwrap_or(u32::MAX),
        })
    }

    /// Signs in: creates a new token for the account's guest.
    ///
    /// # Errors
    /// `wrong_credentials`, also if there is no such account; `too_many_attempts` from the address; `blocked`;
    /// `too_many_requests`, `unavailable`.
    pub async fn sign_in(&self, request: &SignIn, address: ClientAddress) -> Result<WireGuest, Problem> {
        let handle = request.handle.as_str();
        let attempt = self.attempt(handle, address).await?;
        let account = self.account_named(handle).await?;
        let (account, password) = self.check_password(attempt, account, &request.password, address).await?;
        let now = self.live.now();
        let token = secrets::new_token(self.live.entropy());
        let session = self.new_session(&token, request.device.as_ref(), now);
        let signed_in = self.store().sign_in(account.guest, password, session, now).await;
        // None if the password was replaced meanwhile.
        let guest = signed_in.map_err(problem::store)?.ok_or(Code::WrongCredentials)?;
        Ok(with_token(&unless_blocked(guest)?, token))
    }

    /// Sets a new password with a recovery code, ends all sessions, revokes all API tokens, removes all
    /// passkeys, and signs in.
    ///
    /// # Errors
    /// `common_password`; as [`Self::sign_in`].
    pub async fn recover(&self, request: &Recover, address: ClientAddress) -> Result<WireGuest, Problem> {
        refuse_common(&request.new_password)?;
        let handle = request.handle.as_str();
        let mut attempt = self.attempt(handle, address).await?;
        let account = self.account_named(handle).await?;
        // Hashed in any case, so that an unknown handle takes as long as a wrong code.
        let password = self.hash_password(request.new_password.clone(), address, Some(&mut attempt)).await?;
        let now = self.live.now();
        let token = secrets::new_token(self.live.entropy());
        let session = self.new_session(&token, request.device.as_ref(), now);
        let code = secrets::hash_written_code(&request.code);
        let guest = match account {
            Some(account) => self.store().recover(account.guest, code, password, session, now).await,
            None => Ok(None),
        };
        let guest = match guest {
            Ok(guest) => attempt.judge(guest)?,
            Err(error) => {
                attempt.forget();
                return Err(problem::store(error));
            }
        };
        let guest = unless_blocked(guest)?;
        self.live.doubt(guest.id);
        Ok(with_token(&guest, token))
    }

    /// Turns a guest with an account into a bot, permanently.
    ///
    /// # Errors
    /// `no_account`; `has_played`; `unknown_token` or `blocked` if the caller lost access meanwhile; `unavailable`.
    pub async fn declare_bot(&self, caller: &Caller) -> Result<Me, Problem> {
        let declared = self.store().declare_bot(caller.id(), caller.session()?).await;
        match declared.map_err(problem::store)? {
            BotDeclaration::Declared => {}
            BotDeclaration::HasPlayed => return Err(problem::has_played()),
            BotDeclaration::NoAccount => return Err(Code::NoAccount.into()),
            BotDeclaration::SessionEnded => return Err(self.gone(caller, caller.id()).await),
        }
        // Their sockets receive the change, and sockets of API tokens are closed.
        self.live.doubt(caller.id());
        let caller = self.authenticate_again(caller).await?;
        self.me(&caller).await
    }

    /// Replaces or sets a guest's password, and ends all their other sessions.
    ///
    /// # Errors
    /// `common_password`; `no_account`; `wrong_credentials`; `too_many_attempts`; `unknown_token` or
    /// `blocked` if the caller lost access meanwhile; `too_many_requests`, `unavailable`.
    pub async fn change_password(
        &self,
        caller: &Caller,
        request: &ChangePassword,
        address: ClientAddress,
    ) -> Result<ChangedPassword, Problem> {
        refuse_common(&request.new_password)?;
        let proof = self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        let password = self.hash_password(request.new_password.clone(), address, None).await?;
        let revoking = Revoking { api_tokens: request.revoke_api_tokens, passkeys: request.remove_passkeys };
        if !self.store().change_password(proof, password, revoking).await.map_err(problem::store)? {
            return Err(self.proof_failed(caller).await);
        }
        self.live.doubt(caller.id());
        let passkeys = self.store().passkeys(caller.id()).await.map_err(problem::store)?;
        let api_tokens = self.store().api_tokens(caller.id()).await.map_err(problem::store)?;
        let count = |length: usize| length.try_into().unwrap_or(u32::MAX);
        Ok(ChangedPassword { passkeys: count(passkeys.len()), api_tokens: count(api_tokens.len()) })
    }

    /// Removes a guest's password, and ends all their other sessions.
    ///
    /// # Errors
    /// `last_way_in` if there is no passkey; as [`Self::change_password`].
    pub async fn remove_password(
        &self,
        caller: &Caller,
        request: &RemovePassword,
        address: ClientAddress,
    ) -> Result<(), Problem> {
        let proof = self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        match self.store().remove_password(proof).await.map_err(problem::store)? {
            PasswordRemoval::Removed => {
                self.live.doubt(caller.id());
                Ok(())
            }
            PasswordRemoval::LastWayIn => Err(problem::last_way_in()),
            PasswordRemoval::NotProven => Err(self.proof_failed(caller).await),
        }
    }

    /// Replaces a guest's recovery codes.
    ///
    /// # Errors
    /// As [`Self::change_password`].
    pub async fn replace_recovery_codes(
        &self,
        caller: &Caller,
        request: &NewRecoveryCodes,
        address: ClientAddress,
    ) -> Result<RecoveryCodes, Problem> {
        let proof = self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        let (recovery_codes, hashes) = self.new_recovery_codes();
        if !self.store().replace_recovery_codes(proof, hashes).await.map_err(problem::store)? {
            return Err(self.proof_failed(caller).await);
        }
        Ok(RecoveryCodes { recovery_codes })
    }

    /// Checks the proof that a signed-in guest owns the account: its password or a passkey.
    pub(in crate::app) async fn prove(
        &self,
        caller: &Caller,
        password: Option<&Password>,
        passkey: Option<&PasskeyAnswer>,
        address: ClientAddress,
    ) -> Result<Proof, Problem> {
        let (guest, by, account) = (caller.id(), caller.session()?, self.account_of(caller).await?);
        let shown = match (password, passkey) {
            (Some(password), None) => {
                let attempt = self.attempt(&account.handle, address).await?;
                let (_, stored) = self.check_password(attempt, Some(account), password, address).await?;
                Shown::Password(stored)
            }
            (None, Some(answer)) => {
                let attempt = self.attempt(&account.handle, address).await?;
                Shown::Passkey(self.prove_with_passkey(guest, answer, attempt).await?)
            }
            (None, None) | (Some(_), Some(_)) => return Err(problem::password_or_passkey()),
        };
        Ok(Proof { guest, by, shown })
    }

    /// Begins an attempt on the account with a handle. It is delayed after many wrong ones.
    async fn attempt(&self, handle: &str, address: ClientAddress) -> Result<Attempt<'_>, Problem> {
        self.attempt_on(handles::skeleton(handle), address).await
    }

    /// Begins an attempt on the account with this skeleton, or on a credential with this hash.
    pub(in crate::app) async fn attempt_on(
        &self,
        of: String,
        address: ClientAddress,
    ) -> Result<Attempt<'_>, Problem> {
        let begun = self.sign_in_attempts.begin(address, of, self.live.now());
        let attempt = begun.map_err(problem::too_many_attempts)?;
        tokio::time::sleep(attempt.pause).await;
        Ok(attempt)
    }

    pub(in crate::app) async fn account_named(&self, handle: &str) -> Result<Option<Account>, Problem> {
        let found = self.store().account_by_skeleton(handles::skeleton(handle)).await;
        let found = found.map_err(problem::store)?;
        Ok(found.filter(|account| account.handle.eq_ignore_ascii_case(handle)))
    }

    /// The account with this handle, if it exists and this is its password.
    async fn check_password(
        &self,
        mut attempt: Attempt<'_>,
        account: Option<Account>,
        password: &Password,
        address: ClientAddress,
    ) -> Result<(Account, PasswordHash), Problem> {
        let password = password.clone();
        let with_password =
            account.and_then(|account| account.password.clone().map(|stored| (account, stored)));
        let checked = self.compute(address, Some(&mut attempt), move || {
            let is_right = passwords::is_right(&password, with_password.as_ref().map(|(_, stored)| stored));
            with_password.filter(|_| is_right)
        });
        let checked = checked.await?;
        Ok(attempt.judge(checked)?)
    }

    async fn hash_password(
        &self,
        password: Password,
        address: ClientAddress,
        attempt: Option<&mut Attempt<'_>>,
    ) -> Result<PasswordHash, Problem> {
        let salt: [u8; SALT_BYTES] =
            self.live.entropy().bytes32()[..SALT_BYTES].try_into().expect("16 of 32 bytes");
        self.compute(address, attempt, move || passwords::hash(&password, &salt)).await
    }

    /// Runs slow work, a few at a time. From then on the attempt it belongs to counts against the limit.
    async fn compute<T: Send + 'static>(
        &self,
        address: ClientAddress,
        attempt: Option<&mut Attempt<'_>>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = self.passwords.acquire(address).await?;
        if let Some(attempt) = attempt {
            attempt.cost();
        }
        let worked_out = self.password_pool.run(move || {
            let done = work();
            drop(permit);
            done
        });
        worked_out.await.ok_or_else(problem::internal)
    }

    pub(in crate::app) async fn account_of(&self, caller: &Caller) -> Result<Account, Problem> {
        let found = self.store().account(caller.id()).await.map_err(problem::store)?;
        found.ok_or_else(|| Code::NoAccount.into())
    }

    /// The problem for a caller whose session ended, or whose password was replaced, before the change was
    /// written.
    pub(in crate::app) async fn proof_failed(&self, caller: &Caller) -> Problem {
        self.authenticate_again(caller).await.err().unwrap_or_else(|| Code::WrongCredentials.into())
    }

    fn new_recovery_codes(&self) -> (Vec<OneTimeCode>, Vec<SecretHash>) {
        let code = || secrets::new_written_code(self.live.entropy());
        let codes: Vec<OneTimeCode> = (0..RECOVERY_CODES).map(|_| code()).collect();
        let hashes = codes.iter().map(secrets::hash_written_code).collect();
        (codes, hashes)
    }
}

/// Refuses a new password that attackers try first.
fn refuse_common(password: &Password) -> Result<(), Problem> {
    if passwords::is_common(password) { Err(problem::common_password()) } else { Ok(()) }
}
