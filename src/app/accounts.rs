//! Accounts: a guest with a handle and a password, who can sign in anywhere.

use lusoria_protocol::{
    Account as WireAccount, ChangePassword, Code, Guest as WireGuest, NewRecoveryCodes, OneTimeCode,
    OpenAccount, OpenedAccount, Password, Problem, Recover, RecoveryCodes, SignIn,
};
use lusoria_store::{Account, AccountOpening, NewAccount, PasswordHash, Proven, SecretHash};

use super::{
    App, Caller, ClientAddress, handles,
    identity::{unless_blocked, with_token},
    passwords::{self, SALT_BYTES},
    problem, secrets,
    sign_in_attempts::Attempt,
};

/// How many recovery codes an account has at first.
const RECOVERY_CODES: usize = 8;

impl App {
    /// Opens a guest's account.
    ///
    /// # Errors
    /// `handle_reserved`, `handle_taken`, `has_account`; `unknown_token` or `blocked` if that has become so since
    /// the caller was looked up; `too_many_requests`, `unavailable`.
    pub async fn open_account(
        &self,
        caller: &Caller,
        request: &OpenAccount,
        address: ClientAddress,
    ) -> Result<OpenedAccount, Problem> {
        let handle = request.handle.as_str();
        if handles::is_reserved(handle) {
            return Err(Code::HandleReserved.into());
        }
        let skeleton = handles::skeleton(handle);
        // Before the password is worked out, which is costly. The store looks again.
        if self.store().account(caller.id()).await.map_err(problem::store)?.is_some() {
            return Err(Code::HasAccount.into());
        }
        if self.store().account_alike(skeleton.clone()).await.map_err(problem::store)?.is_some() {
            return Err(Code::HandleTaken.into());
        }
        let password = self.hash_password(request.password.clone(), address).await?;
        let (recovery_codes, hashes) = self.new_recovery_codes();
        let new = NewAccount {
            guest: caller.id(),
            by: caller.session(),
            handle: handle.to_owned(),
            skeleton,
            password,
            recovery_codes: hashes,
            created_at: self.live.now(),
        };
        match self.store().open_account(new).await.map_err(problem::store)? {
            AccountOpening::Opened => Ok(OpenedAccount { handle: request.handle.clone(), recovery_codes }),
            AccountOpening::HasAccount => Err(Code::HasAccount.into()),
            AccountOpening::HandleTaken => Err(Code::HandleTaken.into()),
            AccountOpening::SessionEnded => Err(self.session_ended(caller).await),
        }
    }

    /// A guest's account.
    ///
    /// # Errors
    /// `no_account`; `unavailable`.
    pub async fn account(&self, caller: &Caller) -> Result<WireAccount, Problem> {
        let Account { handle, created_at, recovery_codes, .. } = self.account_of(caller).await?;
        let handle = handle.try_into().map_err(|_| problem::internal())?;
        Ok(WireAccount { handle, created_at, recovery_codes_left: recovery_codes })
    }

    /// Signs in: a new token for the guest whose account it is.
    ///
    /// # Errors
    /// `wrong_credentials`, also if there is no such account; `too_many_attempts` from the address; `blocked`;
    /// `too_many_requests`, `unavailable`.
    pub async fn sign_in(&self, request: &SignIn, address: ClientAddress) -> Result<WireGuest, Problem> {
        let (attempt, account) = self.attempt(request.handle.as_str(), address).await?;
        let Some(account) = self.check_password(attempt, account, &request.password, address).await? else {
            return Err(Code::WrongCredentials.into());
        };
        let now = self.live.now();
        let token = secrets::new_token(self.live.entropy());
        let session = self.new_session(&token, request.device.as_ref(), now);
        let signed_in = self.store().sign_in(account.guest, account.password, session, now).await;
        // None if it was replaced meanwhile.
        let guest = signed_in.map_err(problem::store)?.ok_or(Code::WrongCredentials)?;
        Ok(with_token(&unless_blocked(guest)?, token))
    }

    /// Sets a new password with a recovery code, ends all sessions, and signs in.
    ///
    /// # Errors
    /// As [`Self::sign_in`].
    pub async fn recover(&self, request: &Recover, address: ClientAddress) -> Result<WireGuest, Problem> {
        let (attempt, account) = self.attempt(request.handle.as_str(), address).await?;
        // Worked out in any case: an unknown handle takes as long as a wrong code.
        let password = self.hash_password(request.new_password.clone(), address).await;
        let password = match password {
            Ok(password) => password,
            Err(problem) => {
                attempt.was_not_judged();
                return Err(problem);
            }
        };
        let account = account.ok_or(Code::WrongCredentials)?;
        let now = self.live.now();
        let token = secrets::new_token(self.live.entropy());
        let session = self.new_session(&token, request.device.as_ref(), now);
        let code = secrets::hash_recovery_code(&request.code);
        let guest = match self.store().recover(account.guest, code, password, session, now).await {
            Ok(found) => found.ok_or(Code::WrongCredentials)?,
            Err(error) => {
                attempt.was_not_judged();
                return Err(problem::store(error));
            }
        };
        attempt.was_right();
        let guest = unless_blocked(guest)?;
        self.live.doubt(guest.id);
        Ok(with_token(&guest, token))
    }

    /// Replaces a guest's password, and ends all their other sessions.
    ///
    /// # Errors
    /// `no_account`; `wrong_credentials`; `too_many_attempts`; `unknown_token` or `blocked` if that has become so
    /// since the caller was looked up; `too_many_requests`, `unavailable`.
    pub async fn change_password(
        &self,
        caller: &Caller,
        request: &ChangePassword,
        address: ClientAddress,
    ) -> Result<(), Problem> {
        let proven = self.prove(caller, &request.password, address).await?;
        let password = self.hash_password(request.new_password.clone(), address).await?;
        if !self.store().change_password(proven, password).await.map_err(problem::store)? {
            return Err(self.session_ended(caller).await);
        }
        self.live.doubt(caller.id());
        Ok(())
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
        let proven = self.prove(caller, &request.password, address).await?;
        let (recovery_codes, hashes) = self.new_recovery_codes();
        if !self.store().replace_recovery_codes(proven, hashes).await.map_err(problem::store)? {
            return Err(self.session_ended(caller).await);
        }
        Ok(RecoveryCodes { recovery_codes })
    }

    /// Checks the password of a guest who has a token already.
    async fn prove(
        &self,
        caller: &Caller,
        password: &Password,
        address: ClientAddress,
    ) -> Result<Proven, Problem> {
        let handle = self.account_of(caller).await?.handle;
        let (attempt, account) = self.attempt(&handle, address).await?;
        let proven = self.check_password(attempt, account, password, address).await?;
        let password = proven.ok_or(Code::WrongCredentials)?.password;
        Ok(Proven { guest: caller.id(), by: caller.session(), password })
    }

    /// Begins an attempt on the account with a handle, which takes its time if many were wrong.
    async fn attempt(
        &self,
        handle: &str,
        address: ClientAddress,
    ) -> Result<(Attempt<'_>, Option<Account>), Problem> {
        let skeleton = handles::skeleton(handle);
        let begun = self.sign_in_attempts.begin(address, skeleton.clone(), self.live.now());
        let attempt = begun.map_err(problem::too_many_attempts)?;
        tokio::time::sleep(attempt.pause).await;
        match self.store().account_alike(skeleton).await {
            Ok(found) => Ok((attempt, found.filter(|found| found.handle.eq_ignore_ascii_case(handle)))),
            Err(error) => {
                attempt.was_not_judged();
                Err(problem::store(error))
            }
        }
    }

    /// The account, if it is there and this is its password.
    async fn check_password(
        &self,
        attempt: Attempt<'_>,
        account: Option<Account>,
        password: &Password,
        address: ClientAddress,
    ) -> Result<Option<Account>, Problem> {
        let password = password.clone();
        let checked = self.compute(address, move || {
            let is_right = passwords::is_right(&password, account.as_ref().map(|account| &account.password));
            account.filter(|_| is_right)
        });
        match checked.await {
            Ok(Some(account)) => {
                attempt.was_right();
                Ok(Some(account))
            }
            Ok(None) => Ok(None),
            Err(problem) => {
                attempt.was_not_judged();
                Err(problem)
            }
        }
    }

    async fn hash_password(
        &self,
        password: Password,
        address: ClientAddress,
    ) -> Result<PasswordHash, Problem> {
        let salt: [u8; SALT_BYTES] =
            self.live.entropy().bytes32()[..SALT_BYTES].try_into().expect("16 of 32 bytes");
        self.compute(address, move || passwords::hash(&password, &salt)).await
    }

    /// Does what takes long, a few at a time.
    async fn compute<T: Send + 'static>(
        &self,
        address: ClientAddress,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = self.passwords.acquire(address).await?;
        let worked_out = self.password_pool.run(move || {
            let done = work();
            drop(permit);
            done
        });
        worked_out.await.ok_or_else(problem::internal)
    }

    async fn account_of(&self, caller: &Caller) -> Result<Account, Problem> {
        let found = self.store().account(caller.id()).await.map_err(problem::store)?;
        found.ok_or_else(|| Code::NoAccount.into())
    }

    /// The problem for a caller whose session ended, or whose password was replaced, before it was written.
    async fn session_ended(&self, caller: &Caller) -> Problem {
        self.authenticate_again(caller).await.err().unwrap_or_else(|| Code::WrongCredentials.into())
    }

    fn new_recovery_codes(&self) -> (Vec<OneTimeCode>, Vec<SecretHash>) {
        let code = || secrets::new_recovery_code(self.live.entropy());
        let codes: Vec<OneTimeCode> = (0..RECOVERY_CODES).map(|_| code()).collect();
        let hashes = codes.iter().map(secrets::hash_recovery_code).collect();
        (codes, hashes)
    }
}
