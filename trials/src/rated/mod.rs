//! Kills at the end of rated matches. Two accounts play a match up to its last request, in one of several
//! ways; the server is killed around the moment when it commits the end, and started again. Then the match is
//! either not over, and ends when the request is repeated, or over; and it has changed the rating of each of
//! its players exactly once.

mod check;
mod ending;
mod moment;
mod playing;
mod report;

use std::{
    io,
    net::SocketAddr,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use lusoria_protocol::CreateGuest;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::value::RawValue;

use crate::{
    accounts::Account,
    crash::error::{TrialError, broken, promised},
    server::{NotStarted, Process, Program, now_ms},
    web,
};
use check::RatedAccount;
use ending::{Ending, Last};
use moment::Moments;
use playing::Playing;
use report::Report;

/// The command line.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// The folder of the database and the log; its contents are removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// Number of matches to end
    #[arg(long, value_name = "N", default_value_t = 200)]
    rounds: u32,

    /// The seed of the random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// A line for each round
    #[arg(long)]
    verbose: bool,
}

/// The number of accounts: enough that most pairs meet in each game rarely enough to be rated in full.
const ACCOUNTS: usize = 6;

/// The state of a match after the kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Not over: the kill came before the commit.
    NotOver,
    /// Over, and neither player had received the end.
    OverUntold,
    /// Over, and a player had received the end.
    OverAsTold,
}

/// A database with its server, and the accounts.
struct World {
    program: Program,
    server: Option<Process>,
    accounts: Vec<RatedAccount>,
    random: StdRng,
    moments: Moments,
}

/// Ends matches and kills the server meanwhile, and prints the results. Returns whether every promise was
/// kept.
///
/// # Errors
/// If the trial could not be carried out.
pub async fn run(options: &Options) -> Result<bool, String> {
    let began = Instant::now();
    let program = Program::in_folder(&options.server, &options.folder)
        .map_err(|error| format!("{}: {error}", options.folder.display()))?;
    let mut report = Report::default();
    let tried = async {
        let mut world = World::new(program, options.seed).await?;
        for round in 0..options.rounds {
            let ending = Ending::ALL[round as usize % Ending::ALL.len()];
            let found = world.round(ending, round).await.map_err(|why| {
                broken!("seed {}, round {}, {}: {why}", options.seed, round + 1, ending.name())
            })?;
            report.count(ending, found);
            if options.verbose {
                eprintln!("rated {}: {}, {}", round + 1, ending.name(), found.name());
            }
        }
        world.finish().await
    };
    let tried = tried.await;
    print!("{}", report.table());
    match tried {
        Ok(said) => println!("{} s; {}", began.elapsed().as_secs(), said.trim_end()),
        Err(why) => {
            println!("BROKEN: {why}");
            println!("  the remaining files are in {}", options.folder.display());
            return Ok(false);
        }
    }
    let untried = report.untried();
    if let Some(what) = untried {
        println!("THIS SHOWS NOTHING: {what}");
    }
    Ok(untried.is_none())
}

impl World {
    async fn new(program: Program, seed: u64) -> Result<Self, TrialError> {
        let random = StdRng::seed_from_u64(seed);
        let moments = Moments::default();
        let mut world = Self { program, server: None, accounts: Vec::new(), random, moments };
        world.start()?;
        for number in 1..=ACCOUNTS {
            let guest = CreateGuest { name: None, bot: false, device: None };
            let account = Account::open(world.at(), &guest, format!("player-{number}")).await?;
            world.accounts.push(RatedAccount::new(account));
        }
        Ok(world)
    }

    /// Plays one match up to its last request, sends that, and kills the server.
    async fn round(&mut self, ending: Ending, round: u32) -> Result<Found, TrialError> {
        let one = self.random.random_range(0..ACCOUNTS);
        let two = (one + self.random.random_range(1..ACCOUNTS)) % ACCOUNTS;
        let players = [one, two].map(|place| &self.accounts[place].account);
        let terms = ending.terms(&mut self.random);
        let mut playing = Playing::begin(self.at(), players, terms, round).await?;
        let last = ending.play_until_last(&mut playing, &mut self.random).await?;
        let told = self.end_and_kill(ending, &playing, &last).await?;
        if let Some(told) = &told {
            playing.take(told)?;
        }
        self.start()?;
        playing.at = self.at();
        let (found, rated) = check::settle(&mut playing, &last, told.as_deref()).await?;
        self.moments.learn(ending, found);
        for (place, seat) in [(one, rated.one), (two, rated.two)] {
            self.accounts[place].note(playing.view.game, playing.view.id, seat);
        }
        self.check().await?;
        Ok(found)
    }

    /// Sends the request that ends the match, if one is needed, and kills the server around the moment of the
    /// commit. Returns the response, if one came.
    async fn end_and_kill(
        &mut self,
        ending: Ending,
        playing: &Playing,
        last: &Last,
    ) -> Result<Option<Box<RawValue>>, TrialError> {
        let mut after = self.moments.draw(ending, &mut self.random);
        if let Last::Flag { at } = last {
            after += Duration::from_millis(at.saturating_sub(now_ms()));
        }
        let server = self.server.take().expect("a server runs");
        let killing = tokio::task::spawn_blocking(move || {
            // Tokio's timers count whole milliseconds.
            thread::sleep(after);
            server.kill();
        });
        let told = match last {
            Last::Request { seat, op } => match playing.ask(*seat, op).await.map_err(TrialError::from) {
                Ok(told) => Some(told),
                Err(TrialError::NoAnswer(_)) => None,
                Err(broken) => return Err(broken),
            },
            Last::Flag { .. } => None,
        };
        killing.await.expect("a kill does not panic");
        Ok(told)
    }

    /// Checks the ratings of all accounts, and makes the server compare all ratings with the journals.
    async fn check(&self) -> Result<(), TrialError> {
        for account in &self.accounts {
            account.check(self.at()).await?;
        }
        self.compare_with_journals().map(drop)
    }

    /// The output of `lusoria admin ratings`, which computes all ratings again from the journals.
    fn compare_with_journals(&self) -> Result<String, TrialError> {
        let output = tokio::task::block_in_place(|| self.program.admin(&["ratings"]))?;
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (said(&output.stdout), said(&output.stderr));
        promised!(output.status.success(), "lusoria admin ratings: {stdout}{stderr}");
        Ok(stdout)
    }

    fn start(&mut self) -> Result<(), TrialError> {
        let started = tokio::task::block_in_place(|| self.program.start());
        self.server = Some(started.map_err(|why| match why {
            NotStarted::Ended(status) => broken!("the server does not start: {status}; see its log"),
            other => broken!("{other}"),
        })?);
        Ok(())
    }

    fn at(&self) -> SocketAddr {
        self.server.as_ref().expect("a server runs").address
    }

    /// Checks everything a last time, stops the server, and makes the command itself compare. Returns its
    /// output.
    async fn finish(mut self) -> Result<String, TrialError> {
        let lost = web::ready(self.at()).await?.lost_commits;
        promised!(lost == 0, "the server says that {lost} commits are lost");
        self.check().await?;
        let server = self.server.take().expect("a server runs");
        let stopped = tokio::task::block_in_place(|| -> io::Result<_> {
            server.ask_to_stop()?;
            server.wait()
        })?;
        promised!(stopped.success(), "the server was told to stop and ended with {stopped}");
        let said = self.compare_with_journals()?;
        Ok(said.lines().last().unwrap_or_default().to_owned())
    }
}

impl Found {
    const ALL: [Self; 3] = [Self::NotOver, Self::OverUntold, Self::OverAsTold];

    const fn name(self) -> &'static str {
        match self {
            Self::NotOver => "not over",
            Self::OverUntold => "over, untold",
            Self::OverAsTold => "over, as told",
        }
    }
}
