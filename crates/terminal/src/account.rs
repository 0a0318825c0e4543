//! Account commands: opening an account, signing in and out, the password and the recovery codes.

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use futures_util::future::LocalBoxFuture;
use lusoria_client::{HttpRequest, Origin, RequestError};
use lusoria_protocol::{
    Account, Adopt, Adopted, ChangePassword, ChangedPassword, Code, CreateGuest, Guest, Handle, InvalidText,
    Me, NewRecoveryCodes, OneTimeCode, OpenAccount, OpenedAccount, Password, Recover, RecoveryCodes, SignIn,
    Token,
};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    answers::{Answers, NoAnswer},
    event_text::{NAME_MAX, clipped},
    profile::{Profile, ProfileError, StoredGuest},
    session::{DEVICE, WORDS_MAX},
};

/// How long to wait before a request without a response is sent again, in seconds.
const RETRIED_AFTER_S: [u64; 3] = [1, 2, 4];

/// The most recovery codes that are printed; servers make eight.
const CODES_MAX: usize = 16;

/// An action on an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountAction {
    /// Open an account for the guest of this device.
    Register {
        /// The handle to sign in with.
        handle: Option<Handle>,
        /// The sign-up code, if the server needs one.
        sign_up_code: Option<OneTimeCode>,
    },
    /// Sign in with the password.
    LogIn(Option<Handle>),
    /// Set a new password with a recovery code, and sign in.
    Recover(Option<Handle>),
    /// Sign out.
    LogOut {
        /// Whether to sign out on all other devices too.
        everywhere: bool,
    },
    /// Print who the user is.
    WhoAmI,
    /// Replace the password.
    ChangePassword,
    /// Replace the recovery codes.
    NewCodes,
    /// Moves the matches of another guest of the user to the account.
    Adopt {
        /// The file of that guest.
        guest: PathBuf,
    },
}

/// The server, the user's files, and the source of answers.
pub struct AccountOptions {
    /// The server.
    pub origin: Origin,
    /// The user's files.
    pub profile: Profile,
    /// The source of passwords.
    pub answers: Answers,
    /// Whether a password may be sent where others on the network can read it.
    pub over_http: bool,
}

/// The reason that the action failed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The user's files cannot be used.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The user has not given a needed answer.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// The user's answer has an invalid form.
    #[error(transparent)]
    Form(#[from] InvalidText),
    /// Others could read the password on the network.
    #[error(
        "{0} does not use TLS, so that others on the network could read your password; use its https:// address, \
         or --over-http if you trust everyone in between"
    )]
    Readable(Origin),
    /// The server refuses or does not respond, or there is no guest.
    #[error("{0}")]
    Refused(String),
    /// The output is closed.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// Runs an action on the account of a user at a server.
///
/// # Errors
/// If it failed; after a lost response it may have succeeded, and the error says so.
pub fn run_account(
    action: AccountAction,
    options: AccountOptions,
    out: &mut dyn Write,
) -> LocalBoxFuture<'_, Result<(), AccountError>> {
    Box::pin(async move {
        let AccountOptions { origin, profile, answers, over_http } = options;
        let mut user = User { origin, profile, answers, out };
        let sends_secret = match action {
            AccountAction::LogOut { .. } | AccountAction::WhoAmI | AccountAction::Adopt { .. } => false,
            AccountAction::Register { .. }
            | AccountAction::LogIn(_)
            | AccountAction::Recover(_)
            | AccountAction::ChangePassword
            | AccountAction::NewCodes => true,
        };
        if sends_secret && !over_http && !user.origin.keeps_secrets() {
            return Err(AccountError::Readable(user.origin));
        }
        match action {
            AccountAction::Register { handle, sign_up_code } => user.register(handle, sign_up_code).await,
            AccountAction::LogIn(handle) => user.log_in(handle).await,
            AccountAction::Recover(handle) => user.recover(handle).await,
            AccountAction::LogOut { everywhere } => user.log_out(everywhere).await,
            AccountAction::WhoAmI => user.who_am_i().await,
            AccountAction::ChangePassword => user.change_password().await,
            AccountAction::NewCodes => user.new_codes().await,
            AccountAction::Adopt { guest } => user.adopt(&Profile::at(&guest)).await,
        }
    })
}

struct User<'a> {
    origin: Origin,
    profile: Profile,
    answers: Answers,
    out: &'a mut dyn Write,
}

impl User<'_> {
    async fn register(
        &mut self,
        handle: Option<Handle>,
        sign_up_code: Option<OneTimeCode>,
    ) -> Result<(), AccountError> {
        let stored = self.profile.guest(&self.origin)?;
        if let Some(stored) = &stored
            && let Some(handle) = self.me(&stored.token).await?.handle
        {
            let handle = handle.as_str();
            return Err(AccountError::Refused(format!(
                "you have an account already: {handle}; if you do not have its recovery codes, \
                 \"lusoria play codes\" makes new ones"
            )));
        }
        let handle = self.handle(handle)?;
        let password = new_password(&mut self.answers)?;
        let (id, token) = match stored {
            Some(stored) => (stored.id, stored.token),
            None => self.new_guest(&handle).await?,
        };
        let request = OpenAccount {
            handle: handle.clone(),
            password: Some(password.clone()),
            passkey: None,
            sign_up_code,
        };
        let codes = self.open(&token, &request, &password).await?;
        let (handle, origin) = (handle.as_str(), &self.origin);
        writeln!(self.out, "You have the account {handle} ({id}). Your matches stay yours.")?;
        writeln!(self.out, "On another device: lusoria play login {origin} --handle {handle}")?;
        self.tell_codes(&codes)
    }

    async fn new_guest(&self, handle: &Handle) -> Result<(lusoria_protocol::GuestId, Token), AccountError> {
        let name = handle.as_str().parse().ok();
        let request = CreateGuest { name, bot: false, device: DEVICE.parse().ok() };
        let guest: Guest = self.send("POST", "/guests", None, &request).await.map_err(refused)?;
        self.profile.keep_guest(&self.origin, &guest)?;
        Ok((guest.id, guest.token))
    }

    /// Opens the account. If a response is lost, and with it perhaps the recovery codes, it asks again, and
    /// makes new codes if the account was opened.
    async fn open(
        &self,
        token: &Token,
        request: &OpenAccount,
        password: &Password,
    ) -> Result<Vec<OneTimeCode>, AccountError> {
        let mut pauses = RETRIED_AFTER_S.into_iter();
        let mut was_lost = false;
        loop {
            let opened = self.send::<OpenedAccount>("POST", "/me/account", Some(token), request).await;
            match opened {
                Ok(opened) => return Ok(opened.recovery_codes),
                Err(RequestError::Problem(problem)) if problem.code == Code::HasAccount && was_lost => break,
                Err(why) if may_be_done(&why) => {
                    was_lost = true;
                    let Some(seconds) = pauses.next() else {
                        return Err(doubtful(
                            &why,
                            "the account may be open nevertheless: try \"lusoria play codes\" with that password",
                        ));
                    };
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                }
                Err(why) => return Err(refused(why)),
            }
        }
        self.replace_codes(token, password).await
    }

    async fn log_in(&mut self, handle: Option<Handle>) -> Result<(), AccountError> {
        let stored = self.profile.guest(&self.origin)?;
        let handle = self.handle(handle)?;
        let password: Password = self.answers.secret("Password: ", "the password")?.try_into()?;
        let guest = self.sign_in(&handle, password).await.map_err(refused)?;
        self.arrive(stored, &guest).await
    }

    async fn sign_in(&self, handle: &Handle, password: Password) -> Result<Guest, RequestError> {
        let request = SignIn { handle: handle.clone(), password, device: DEVICE.parse().ok() };
        self.send("POST", "/sign-in", None, &request).await
    }

    async fn recover(&mut self, handle: Option<Handle>) -> Result<(), AccountError> {
        let stored = self.profile.guest(&self.origin)?;
        let handle = self.handle(handle)?;
        let code = self.answers.secret("Recovery code: ", "the recovery code")?;
        let code: OneTimeCode = code.trim().parse()?;
        let new_password = new_password(&mut self.answers)?;
        let device = DEVICE.parse().ok();
        let request = Recover { handle: handle.clone(), code, new_password: new_password.clone(), device };
        let guest = match self.send::<Guest>("POST", "/sign-in/recover", None, &request).await {
            // The code may have been spent.
            Err(why) if may_be_done(&why) => self.sign_in(&handle, new_password).await.map_err(|_| {
                doubtful(
                    &why,
                    "the new password may be set nevertheless: try \"lusoria play login\" with it, \
                         and the code again after that",
                )
            })?,
            answered => answered.map_err(refused)?,
        };
        self.arrive(stored, &guest).await?;
        let left = self.account(&guest.token).await?.recovery_codes_left;
        writeln!(self.out, "Everywhere else you are signed out. Recovery codes left: {left}")?;
        Ok(())
    }

    /// Stores the guest who has signed in, and keeps the previous guest beside them.
    async fn arrive(&mut self, before: Option<StoredGuest>, guest: &Guest) -> Result<(), AccountError> {
        let aside = match before.filter(|before| before.token != guest.token) {
            // The same person: the previous token is no longer needed.
            Some(before) if before.id == guest.id => {
                self.keep(guest).await?;
                // It may have ended.
                let _ = self.revoke(&before.token).await;
                None
            }
            Some(before) => {
                let flag = self.profile.set_aside(&before)?;
                self.keep(guest).await?;
                Some((before, flag))
            }
            None => {
                self.keep(guest).await?;
                None
            }
        };
        let (name, origin) = (clipped(guest.name.as_str(), NAME_MAX), &self.origin);
        let file = self.profile.guest_file().display();
        writeln!(self.out, "You are {name} ({}), kept in {file}", guest.id)?;
        if let Some((before, flag)) = aside {
            let id = before.id;
            writeln!(
                self.out,
                "The guest who played here before ({id}) is kept, with all their matches: to return to them, \
                 lusoria play {origin} {flag}"
            )?;
        }
        Ok(())
    }

    /// Stores a guest, or ends their session if that fails.
    async fn keep(&self, guest: &Guest) -> Result<(), AccountError> {
        let kept = self.profile.keep_guest(&self.origin, guest);
        if kept.is_err() {
            // The failure to store it is reported.
            let _ = self.revoke(&guest.token).await;
        }
        Ok(kept?)
    }

    async fn log_out(&mut self, everywhere: bool) -> Result<(), AccountError> {
        let stored = self.stored()?;
        match self.send_nothing::<Me>("GET", "/me", &stored.token).await {
            Ok(me) if me.handle.is_none() => {
                let file = self.profile.guest_file().display();
                return Err(AccountError::Refused(format!(
                    "you have no account, so you could never return: \"lusoria play register\" opens one; \
                     or delete {file} to lose this guest for ever"
                )));
            }
            Ok(_) => {
                if everywhere {
                    let ended = self.send_nothing::<()>("DELETE", "/me/sessions", &stored.token).await;
                    ended.map_err(refused)?;
                }
                self.revoke(&stored.token).await.map_err(refused)?;
            }
            // The session has already ended, and cannot end others.
            Err(RequestError::Problem(problem)) if problem.status == 401 => {
                self.profile.forget_guest()?;
                writeln!(self.out, "This device had been signed out already.")?;
                return if everywhere { Err(not_everywhere()) } else { Ok(()) };
            }
            Err(why) => return Err(refused(why)),
        }
        self.profile.forget_guest()?;
        let place = if everywhere { "here and everywhere else" } else { "here" };
        writeln!(self.out, "You are signed out {place}.")?;
        Ok(())
    }

    async fn who_am_i(&mut self) -> Result<(), AccountError> {
        let stored = self.stored()?;
        let me = self.me(&stored.token).await?;
        let account = match &me.handle {
            Some(_) => {
                let Account { handle, recovery_codes_left, has_password, .. } =
                    self.account(&stored.token).await?;
                let without = if has_password { "" } else { ", no password" };
                format!("account {}, {recovery_codes_left} recovery codes left{without}", handle.as_str())
            }
            None => "without an account: \"lusoria play register\" opens one".to_owned(),
        };
        writeln!(self.out, "{} ({}) at {}", clipped(me.name.as_str(), NAME_MAX), me.id, self.origin)?;
        writeln!(self.out, "{account}")?;
        writeln!(self.out, "kept in {}", self.profile.guest_file().display())?;
        Ok(())
    }

    async fn change_password(&mut self) -> Result<(), AccountError> {
        let token = self.stored()?.token;
        self.check_has_password(&token).await?;
        let password: Password = self.answers.secret("Password until now: ", "the password")?.try_into()?;
        let new_password = new_password(&mut self.answers)?;
        let request = ChangePassword {
            password: Some(password),
            passkey: None,
            new_password,
            revoke_api_tokens: false,
            remove_passkeys: false,
        };
        let sent = self.send::<ChangedPassword>("PUT", "/me/account/password", Some(&token), &request).await;
        let ChangedPassword { passkeys, api_tokens } = match sent {
            Err(why) if may_be_done(&why) => {
                return Err(doubtful(
                    &why,
                    "the new password may be set nevertheless: try \"lusoria play login\" with it",
                ));
            }
            changed => changed.map_err(refused)?,
        };
        writeln!(self.out, "The new password is set. Everywhere else you are signed out.")?;
        if passkeys > 0 || api_tokens > 0 {
            writeln!(
                self.out,
                "Still valid: passkeys {passkeys}, API tokens {api_tokens}; remove them on the page."
            )?;
        }
        Ok(())
    }

    /// The terminal has no passkeys, so the proof must be the password.
    async fn check_has_password(&self, token: &Token) -> Result<(), AccountError> {
        if self.account(token).await?.has_password {
            return Ok(());
        }
        Err(AccountError::Refused(
            "your account has no password: do this on the page with your passkey, or set a password with a \
             recovery code (\"lusoria play recover\"), which removes your passkeys"
                .to_owned(),
        ))
    }

    async fn adopt(&mut self, other: &Profile) -> Result<(), AccountError> {
        let token = self.stored()?.token;
        let Some(adopted) = other.guest(&self.origin)? else {
            let (origin, file) = (&self.origin, other.guest_file().display());
            return Err(AccountError::Refused(format!("there is no guest for {origin} in {file}")));
        };
        let request = Adopt { token: adopted.token };
        let Adopted { matches, complete, .. } =
            match self.send("POST", "/me/adopt", Some(&token), &request).await {
                Err(why) if may_be_done(&why) => {
                    return Err(doubtful(&why, "the matches may be yours nevertheless: look at \"mine\""));
                }
                adopted => adopted.map_err(refused)?,
            };
        other.forget_guest()?;
        let rest = if complete { "" } else { " so far; the rest will follow" };
        writeln!(self.out, "The matches of {} are yours: {matches}{rest}", adopted.id)?;
        Ok(())
    }

    async fn new_codes(&mut self) -> Result<(), AccountError> {
        let token = self.stored()?.token;
        self.check_has_password(&token).await?;
        let password: Password = self.answers.secret("Password: ", "the password")?.try_into()?;
        let codes = self.replace_codes(&token, &password).await?;
        writeln!(self.out, "Earlier recovery codes are no longer valid.")?;
        self.tell_codes(&codes)
    }

    async fn replace_codes(
        &self,
        token: &Token,
        password: &Password,
    ) -> Result<Vec<OneTimeCode>, AccountError> {
        let request = NewRecoveryCodes { password: Some(password.clone()), passkey: None };
        let path = "/me/account/recovery-codes";
        match self.send::<RecoveryCodes>("POST", path, Some(token), &request).await {
            Err(why) if may_be_done(&why) => {
                Err(doubtful(&why, "make recovery codes again with \"lusoria play codes\""))
            }
            made => Ok(made.map_err(refused)?.recovery_codes),
        }
    }

    fn tell_codes(&mut self, codes: &[OneTimeCode]) -> Result<(), AccountError> {
        writeln!(
            self.out,
            "Recovery codes, shown only once. Each can set a new password once, if you lose yours (lusoria play \
             recover): write them down, and do not keep them on this device alone."
        )?;
        for code in codes.iter().take(CODES_MAX) {
            writeln!(self.out, "  {}", code.as_str())?;
        }
        Ok(())
    }

    fn stored(&self) -> Result<StoredGuest, AccountError> {
        let nobody = || {
            let (origin, file) = (&self.origin, self.profile.guest_file().display());
            AccountError::Refused(format!("nobody is signed in to {origin} here ({file})"))
        };
        self.profile.guest(&self.origin)?.ok_or_else(nobody)
    }

    fn handle(&mut self, given: Option<Handle>) -> Result<Handle, AccountError> {
        match given {
            Some(handle) => Ok(handle),
            None => Ok(self.answers.handle()?.trim().parse()?),
        }
    }

    async fn me(&self, token: &Token) -> Result<Me, AccountError> {
        self.send_nothing("GET", "/me", token).await.map_err(refused)
    }

    async fn account(&self, token: &Token) -> Result<Account, AccountError> {
        self.send_nothing("GET", "/me/account", token).await.map_err(refused)
    }

    async fn revoke(&self, token: &Token) -> Result<(), RequestError> {
        match self.send_nothing("DELETE", "/me/token", token).await {
            // Revoked earlier, and the response was lost.
            Err(RequestError::Problem(problem)) if problem.status == 401 => Ok(()),
            answered => answered,
        }
    }

    async fn send_nothing<T: DeserializeOwned>(
        &self,
        method: &'static str,
        path: &str,
        token: &Token,
    ) -> Result<T, RequestError> {
        let request =
            HttpRequest { method, token: Some(token), ..HttpRequest::get(format!("/api/v1{path}")) };
        request.send(&self.origin).await?.read()
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: &'static str,
        path: &str,
        token: Option<&Token>,
        body: &impl Serialize,
    ) -> Result<T, RequestError> {
        let json = serde_json::to_string(body).expect("wire types are plain data");
        let request = HttpRequest { method, token, json, ..HttpRequest::get(format!("/api/v1{path}")) };
        request.send(&self.origin).await?.read()
    }
}

fn new_password(answers: &mut Answers) -> Result<Password, AccountError> {
    Ok(answers.new_password()?.try_into()?)
}

fn not_everywhere() -> AccountError {
    AccountError::Refused(
        "other devices were not: sign in with \"lusoria play login\", and sign out everywhere again"
            .to_owned(),
    )
}

/// Whether the request may have been carried out without a response.
fn may_be_done(why: &RequestError) -> bool {
    match why {
        RequestError::Problem(problem) => problem.status >= 500,
        RequestError::Lost(_) | RequestError::Unreadable(_) => true,
    }
}

fn doubtful(why: &RequestError, then: &str) -> AccountError {
    AccountError::Refused(format!("{}; {then}", clipped(&why.to_string(), WORDS_MAX)))
}

/// A refusal in words.
fn refused(why: RequestError) -> AccountError {
    let RequestError::Problem(problem) = why else {
        return AccountError::Refused(clipped(&why.to_string(), WORDS_MAX));
    };
    let words = match problem.code {
        Code::WrongCredentials => "the handle, the password or the code is wrong".to_owned(),
        Code::TooManyAttempts => {
            let seconds = problem.retry_after_s.unwrap_or(1);
            format!("there were too many wrong passwords or codes from here: try again in {seconds} s")
        }
        Code::HandleTaken => {
            "this handle is taken, or looks like one that is taken: choose another one".to_owned()
        }
        Code::HandleReserved => "this handle is reserved: choose another one".to_owned(),
        Code::HasAccount => "you have an account already".to_owned(),
        Code::NoAccount => "you have no account here: \"lusoria play register\" opens one".to_owned(),
        Code::SignUpsClosed => "this server does not open accounts now".to_owned(),
        Code::SignUpCodeRequired => {
            "an account here needs a code from the server's operator: use --sign-up-code".to_owned()
        }
        Code::UnknownCode => {
            "this sign-up code is not valid: it was used, has expired or never existed".to_owned()
        }
        Code::UnknownGuestToken => "that guest does not exist any more, or has signed out".to_owned(),
        Code::Blocked => "the operator of this server has blocked you".to_owned(),
        Code::UnknownToken => {
            "this device has been signed out: \"lusoria play login\" signs in to your account".to_owned()
        }
        _ => clipped(&problem.detail, WORDS_MAX),
    };
    AccountError::Refused(words)
}
