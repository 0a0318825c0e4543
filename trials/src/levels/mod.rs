//! The levels of the computer as accounts of a server: bots that play each other rated matches through the
//! public API. Their ratings must come out in the order of the levels.
//!
//! The server counts more than four matches of the same two accounts on a day less and less
//! (docs/ratings.md). So each level has several accounts, enough that all matches count in full, and its
//! rating is their mean.

mod plan;
mod play;
mod report;

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Instant};

use clap::Args;
use lusoria_protocol::{CreateGuest, Game, Leaderboard, Pace, PlayerRating};
use lusoria_search::Level;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    accounts::{self, Account},
    server::Program,
};
use plan::{Entrant, Pairing};
use play::MatchScore;
use report::{LevelReport, Scores};

/// The command line.
#[derive(Debug, Args)]
pub struct Options {
    /// The server's program
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// The folder of the database and the log; its contents are removed
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// The games; all if left out
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<Game>,

    /// Rated matches between each two levels
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=400))]
    matches: u32,

    /// The seed of the random choices; the dice are the server's
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Matches that are played at the same time
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=50))]
    at_once: u32,
}

/// All accounts play from one address, some of them faster than people.
const LIMITS: [&str; 8] = [
    "--guest-requests-per-s",
    "20000",
    "--guest-burst",
    "20000",
    "--address-total-per-s",
    "20000",
    "--unfinished-matches",
    "1000",
];

/// The accounts of each level, the weakest first.
type Accounts = [Vec<Account>; Level::ALL.len()];

/// Makes the levels play and prints a table for each game. Returns whether their ratings are in the order of
/// the levels.
///
/// # Errors
/// If the trial could not be carried out.
pub async fn run(options: &Options) -> Result<bool, String> {
    let server = Program::start_anew(&options.server, &options.folder, &LIMITS)?;
    let at = server.address;
    let mut random = StdRng::seed_from_u64(options.seed);
    let accounts = Arc::new(open(at, plan::accounts_of_level(options.matches)).await?);
    let games = if options.games.is_empty() { &Game::ALL[..] } else { &options.games };
    let mut all_in_order = true;
    for &game in games {
        let began = Instant::now();
        let mut plan = plan::plan(options.matches);
        plan.shuffle(&mut random);
        let matches = plan.len();
        let scores = play_all(at, game, &accounts, plan, options.at_once, random.random()).await?;
        let levels = read(at, game, &accounts, &scores).await?;
        let in_order = report::is_in_order(&levels);
        all_in_order &= in_order;
        println!("{}", report::table(game, matches, began.elapsed(), &levels));
        println!("{game}: {}\n", if in_order { "in order" } else { "NOT IN ORDER" });
    }
    Ok(all_in_order)
}

/// Opens that many accounts for each level: bots, as programs that play should be.
async fn open(at: SocketAddr, of_each: u32) -> Result<Accounts, String> {
    let mut accounts = Accounts::default();
    for (level, accounts) in Level::ALL.into_iter().zip(&mut accounts) {
        for number in 1..=of_each {
            let name = format!("Level {level}, {number}").parse().expect("letters and digits make a name");
            let guest = CreateGuest { name: Some(name), bot: true, device: None };
            let account = Account::open(at, &guest, format!("level{level}-{number}")).await;
            accounts.push(account.map_err(|error| error.to_string())?);
        }
    }
    Ok(accounts)
}

/// Plays all matches, several at the same time.
async fn play_all(
    at: SocketAddr,
    game: Game,
    accounts: &Arc<Accounts>,
    plan: Vec<Pairing>,
    at_once: u32,
    seed: u64,
) -> Result<Scores, String> {
    let places = Arc::new(Semaphore::new(at_once as usize));
    let mut playing = JoinSet::new();
    for (pairing, number) in plan.into_iter().zip(0_u64..) {
        let (accounts, places) = (Arc::clone(accounts), Arc::clone(&places));
        playing.spawn(async move {
            let _place = places.acquire_owned().await.expect("the semaphore is never closed");
            let player = |Entrant { level, number }: Entrant| play::Player {
                token: &accounts[usize::from(level.number()) - 1][number as usize].token,
                level,
            };
            let players = pairing.0.map(player);
            let score = play::play(at, game, players, seed.wrapping_add(number)).await;
            score.map(|score| (pairing, score)).map_err(|why| format!("{game}, {pairing:?}: {why}"))
        });
    }
    let mut scores = Scores::default();
    while let Some(played) = playing.join_next().await {
        let (Pairing([one, two]), score): (_, MatchScore) = played.map_err(|why| why.to_string())??;
        scores.count(one.level, score);
        scores.count(two.level, score.turned());
    }
    Ok(scores)
}

/// Reads the ratings and leaderboard places of all accounts.
async fn read(
    at: SocketAddr,
    game: Game,
    accounts: &Accounts,
    scores: &Scores,
) -> Result<Vec<LevelReport>, String> {
    let board = format!("/leaderboards/{}/live?bots=true&limit=100", game.id());
    let board: Leaderboard = accounts::get(at, &board).await.map_err(|error| error.to_string())?;
    let mut levels = Vec::new();
    for (level, accounts) in Level::ALL.into_iter().zip(accounts) {
        let mut ratings = Vec::new();
        for account in accounts {
            let profile = account.profile(at).await.map_err(|error| error.to_string())?;
            let found = profile.ratings.into_iter().find(|of| of.game == game && of.pace == Pace::Live);
            let PlayerRating { rating, .. } =
                found.ok_or_else(|| format!("{} has no rating of {game}", account.handle))?;
            let place = board.places.iter().find(|place| place.handle.as_str() == account.handle);
            if let Some(place) = place.filter(|place| place.rating != rating) {
                let (handle, told) = (&account.handle, place.rating);
                return Err(format!("{handle} has {rating:?}, and on the leaderboard {told:?}"));
            }
            ratings.push((rating, place.map(|place| place.rank)));
        }
        levels.push(LevelReport { level, ratings, score: scores.of(level) });
    }
    Ok(levels)
}
