//! `lusoria play`: the client for the terminal.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use lusoria_protocol::{Game, Name};

use super::{Failure, Verdict, account::AccountCommand, runtime};
use lusoria_client::Origin;
use lusoria_terminal::{
    Destination, EditedOutput, Ending, Goal, Input, MatchReference, PageAddress, Plain, Profile,
    SessionError, SessionOptions, Style, Terms, edited, game, run_session,
};

/// The default server: one with default flags on this machine.
pub(super) const DEFAULT_SERVER: &str = "http://127.0.0.1:8080";

/// What to play, where, and as which guest.
#[derive(Debug, Args)]
pub(super) struct Play {
    #[command(subcommand)]
    account: Option<AccountCommand>,
    /// The server, or a link to a match or an invitation; if left out, the server of the link
    /// after --join or --watch, or else the one on port 8080 of this machine
    #[arg(value_name = "URL")]
    address: Option<PageAddress>,
    #[arg(long, value_name = "GAME", help = format!("Create a match of this game: {}", Game::list("or")))]
    create: Option<String>,
    #[command(flatten)]
    terms: Terms,
    /// Take a seat of an open match, or the one of an invitation
    #[arg(long, value_name = "ID|CODE|LINK", conflicts_with = "create")]
    join: Option<MatchReference>,
    /// Watch a match
    #[arg(long, value_name = "ID|LINK", conflicts_with_all = ["create", "join"])]
    watch: Option<MatchReference>,
    /// Continue with the match that waits for you
    #[arg(long, conflicts_with_all = ["create", "join", "watch"])]
    resume: bool,
    /// Your name, 1 to 24 characters
    #[arg(long)]
    name: Option<Name>,
    /// Play as another of your guests on that server, stored under this name
    #[arg(long = "as", value_name = "NAME")]
    called: Option<String>,
    /// Store the guest in this file
    #[arg(long, value_name = "FILE", conflicts_with = "called")]
    guest: Option<PathBuf>,
    /// Whether to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
    /// Use only ASCII characters
    #[arg(long)]
    ascii: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// If the terminal supports them
    Auto,
    Always,
    Never,
}

impl Play {
    /// Plays until the user quits, or carries out an account command.
    pub(super) fn run(self) -> Result<Verdict, Failure> {
        match self.account {
            Some(account) => account.run(),
            None => self.play(),
        }
    }

    fn play(self) -> Result<Verdict, Failure> {
        let usage = |why: &dyn std::fmt::Display| Failure::Usage(why.to_string());
        let origin = self.origin();
        let goal = self.goal(&origin)?;
        let profile = profile(&origin, self.called.as_deref(), self.guest.as_deref())?;
        let style = self.style();
        let options = SessionOptions { origin, profile, name: self.name, goal, style };
        let runtime = runtime()?;
        let session = if let Some((input, output)) = line_editor(style.colour) {
            run_session(options, input, Box::new(output))
        } else {
            run_session(options, Input::piped(io::stdin()), Box::new(Plain(io::stdout())))
        };
        let visited = runtime.block_on(session);
        // Do not wait for a thread that still reads a line.
        runtime.shutdown_background();
        match visited {
            Ok(Ending::Good) => Ok(Verdict::Good),
            Ok(Ending::NotSound | Ending::Refused | Ending::NotSent) => Ok(Verdict::Bad),
            Ok(Ending::NotChecked) => Ok(Verdict::Unknown),
            Err(why @ (SessionError::Profile(_) | SessionError::Terms(_))) => Err(usage(&why)),
            Err(SessionError::Output(why)) => Err(Failure::Io { what: "standard output".to_owned(), why }),
            Err(
                why @ (SessionError::UnknownGuest(_)
                | SessionError::Refused(_)
                | SessionError::NoConnection(_)),
            ) => {
                eprintln!("lusoria: {why}");
                Ok(Verdict::Bad)
            }
        }
    }

    /// The server to connect to.
    fn origin(&self) -> Origin {
        let address = self.address.as_ref().map(|address| &address.origin);
        let reference = self.join.as_ref().or(self.watch.as_ref());
        let named = address.or(reference.and_then(|reference| reference.origin.as_ref()));
        named.cloned().unwrap_or_else(|| DEFAULT_SERVER.parse().expect("it is the address of a server"))
    }

    fn goal(&self, origin: &Origin) -> Result<Goal, Failure> {
        let usage = |why: &str| Err(Failure::Usage(why.to_owned()));
        let named = [self.create.is_some(), self.join.is_some(), self.watch.is_some(), self.resume];
        let here = self.address.as_ref().and_then(|address| address.destination.clone());
        if here.is_some() && named.contains(&true) {
            return usage("a link says what to do already: leave out --create, --join, --watch and --resume");
        }
        if self.create.is_none() && self.terms != (Terms { points: 1, ..Terms::default() }) {
            return usage("these flags say what match to make: name its game with --create GAME");
        }
        let at = |reference: &Option<MatchReference>| {
            reference.clone().map(|reference| reference.at(origin)).transpose()
        };
        let (join, watch) = match (at(&self.join), at(&self.watch)) {
            (Ok(join), Ok(watch)) => (join, watch),
            (Err(why), _) | (_, Err(why)) => return usage(&why.to_string()),
        };
        Ok(match (&self.create, join, watch, here) {
            (Some(name), ..) => {
                let game = game(name).map_err(|why| Failure::Usage(why.to_string()))?;
                Goal::Create(game, self.terms.clone())
            }
            (None, Some(destination), ..)
            | (None, None, None, Some(destination @ Destination::Invitation(_))) => Goal::Join(destination),
            (None, None, Some(destination), _) | (None, None, None, Some(destination)) => {
                Goal::Watch(destination)
            }
            (None, None, None, None) if self.resume => Goal::Resume,
            (None, None, None, None) => Goal::Lobby,
        })
    }

    fn style(&self) -> Style {
        let colour = match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                io::stdout().is_terminal() && !set("NO_COLOR") && !is_dumb()
            }
        };
        Style { colour, unicode: !self.ascii && speaks_utf8() }
    }
}

/// The user's files for a guest, stored under a name or in a file.
pub(super) fn profile(
    origin: &Origin,
    called: Option<&str>,
    guest: Option<&Path>,
) -> Result<Profile, Failure> {
    match guest {
        Some(file) => Ok(Profile::at(file)),
        None => Profile::of_person(origin, called).map_err(|why| Failure::Usage(why.to_string())),
    }
}

/// The line editor, if there is a terminal.
fn line_editor(colour: bool) -> Option<(Input, EditedOutput)> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb();
    is_terminal.then(|| edited(colour).ok()).flatten()
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// Whether the locale supports UTF-8; without a locale it does, unless the terminal is dumb.
fn speaks_utf8() -> bool {
    let said = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| {
        let value = std::env::var(name).ok()?;
        (!value.is_empty()).then_some(value.to_ascii_lowercase())
    });
    match said {
        Some(locale) => locale.contains("utf-8") || locale.contains("utf8"),
        None => !io::stdout().is_terminal() || !is_dumb(),
    }
}
