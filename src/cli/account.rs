//! `lusoria play login` and the other commands about accounts.

use std::{
    io::{self, BufReader},
    path::PathBuf,
};

use clap::{Args, Subcommand};
use lusoria_client::Origin;
use lusoria_protocol::{Handle, OneTimeCode};
use lusoria_terminal::{AccountAction, AccountError, AccountOptions, Answers, run_account};

use super::{
    Failure, Verdict,
    play::{DEFAULT_SERVER, profile},
    runtime,
};

/// What to do with an account.
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Open an account for the guest of this device: with a handle and a password you can then sign in
    /// anywhere
    Register {
        #[command(flatten)]
        with: WithHandle,
        /// A code from the server's operator, if an account needs one
        #[arg(long, value_name = "CODE")]
        sign_up_code: Option<OneTimeCode>,
    },
    /// Sign in to your account. Keeps the guest who played here before
    Login(WithHandle),
    /// Sign out, and forget the token
    Logout {
        #[command(flatten)]
        place: Place,
        /// Sign out on all other devices too
        #[arg(long)]
        everywhere: bool,
    },
    /// Print who you are, and whether you have an account
    Whoami(Place),
    /// Replace your password; all other devices are signed out
    Password(WithSecret),
    /// Replace your recovery codes
    Codes(WithSecret),
    /// Move the matches of another guest of yours, who has no account, to your account. That guest is removed
    Adopt {
        #[command(flatten)]
        place: Place,
        /// The other guest, as stored under this name
        #[arg(long, value_name = "NAME")]
        other: String,
    },
    /// Set a new password with a recovery code, and sign in; all other devices are signed out
    Recover(WithHandle),
}

/// The server and the guest.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// The server; if left out, the one on port 8080 of this machine
    #[arg(value_name = "URL")]
    server: Option<Origin>,
    /// One of your other guests on that server, stored under this name
    #[arg(long = "as", value_name = "NAME")]
    called: Option<String>,
    /// Store the guest in this file
    #[arg(long, value_name = "FILE", conflicts_with = "called")]
    guest: Option<PathBuf>,
}

/// The same, with a password.
#[derive(Debug, Args)]
pub(super) struct WithSecret {
    #[command(flatten)]
    place: Place,
    /// Read what you would be asked for secretly from standard input instead, one line each: the recovery
    /// code, the present password, the new one
    #[arg(long)]
    password_stdin: bool,
    /// Send the password even over http:// to another machine, where others on the network can read it
    #[arg(long)]
    over_http: bool,
}

/// The same, with a handle.
#[derive(Debug, Args)]
pub(super) struct WithHandle {
    #[command(flatten)]
    secret: WithSecret,
    /// The account's handle, 3 to 20 letters, digits, "-" and "_"; if left out, you are asked
    #[arg(long)]
    handle: Option<Handle>,
}

impl AccountCommand {
    pub(super) fn run(self) -> Result<Verdict, Failure> {
        let public = |place| (place, Answers::Terminal, false);
        let secret = |WithSecret { place, password_stdin, over_http }: WithSecret| {
            let lines = || Answers::Secrets(Box::new(BufReader::new(io::stdin())));
            (place, if password_stdin { lines() } else { Answers::Terminal }, over_http)
        };
        let (action, (place, answers, over_http)) = match self {
            Self::Register { with: WithHandle { secret: with, handle }, sign_up_code } => {
                (AccountAction::Register { handle, sign_up_code }, secret(with))
            }
            Self::Login(with) => (AccountAction::LogIn(with.handle), secret(with.secret)),
            Self::Recover(with) => (AccountAction::Recover(with.handle), secret(with.secret)),
            Self::Logout { place, everywhere } => (AccountAction::LogOut { everywhere }, public(place)),
            Self::Whoami(place) => (AccountAction::WhoAmI, public(place)),
            Self::Password(with) => (AccountAction::ChangePassword, secret(with)),
            Self::Codes(with) => (AccountAction::NewCodes, secret(with)),
            Self::Adopt { place, other } => {
                let guest = profile(&origin_of(&place), Some(&other), None)?.guest_file().to_owned();
                (AccountAction::Adopt { guest }, public(place))
            }
        };
        let origin = origin_of(&place);
        let Place { called, guest, .. } = place;
        let profile = profile(&origin, called.as_deref(), guest.as_deref())?;
        let options = AccountOptions { origin, profile, answers, over_http };
        match runtime()?.block_on(run_account(action, options, &mut io::stdout())) {
            Ok(()) => Ok(Verdict::Good),
            Err(
                why @ (AccountError::Profile(_)
                | AccountError::NoAnswer(_)
                | AccountError::Form(_)
                | AccountError::Readable(_)),
            ) => Err(Failure::Usage(why.to_string())),
            Err(AccountError::Output(why)) => Err(Failure::Io { what: "standard output".to_owned(), why }),
            Err(why @ AccountError::Refused(_)) => {
                eprintln!("lusoria: {why}");
                Ok(Verdict::Bad)
            }
        }
    }
}

fn origin_of(place: &Place) -> Origin {
    let usual = || DEFAULT_SERVER.parse().expect("it is the address of a server");
    place.server.clone().unwrap_or_else(usual)
}
