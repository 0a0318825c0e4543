//! The Python programs: runs the examples as a reader of the README would, and the tests of the scripts that
//! measure the computer's strength and the games.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::{
    Outcome, build,
    commands::{command, output, python, run, shown},
    server::Server,
    source::files,
};

/// How often the server is killed during one match, and how long it runs in between.
const KILLS: u32 = 3;
const LIFE: Duration = Duration::from_millis(1200);

/// How long a match with these interruptions may take.
const WITHIN: Duration = Duration::from_mins(5);

/// Plays every game to the end with two example players and a watcher, and with a bot against the computer;
/// then tournaments of bots; then a match during which the server is killed repeatedly; then every game in the
/// arena.
pub(crate) fn play() -> Outcome {
    let python = python()?;
    for folder in ["examples", "docs/findings", "docs/ratings", "docs/strength"] {
        run(command(python).args(["-m", "unittest", "discover", "--quiet", "--start-directory", folder]))?;
    }
    let mut server = Server::start("examples")?;
    run(command(python).args(["examples/play_all.py", "--server", &server.url()]))?;
    let games = games()?;
    games.iter().try_for_each(|game| bot(python, &server, game))?;
    come_back(python, &server)?;
    for (format, entrants) in [("swiss", "4"), ("round_robin", "3")] {
        let mut tournament = command(python);
        tournament.args(["examples/play_tournament.py", "--server", &server.url()]);
        run(tournament.args(["--format", format, "--entrants", entrants]))?;
    }
    survive(python, &mut server)?;
    games.iter().try_for_each(|game| contend(python, game))
}

/// Every game: each has its rules in a file of its own.
fn games() -> Result<Vec<String>, String> {
    let ids = files("rules", &[".md"])?.into_iter();
    let ids = ids.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    Ok(ids.filter(|id| id != "README").collect())
}

/// Plays a bot against the computer, twice.
fn bot(python: &str, server: &Server, game: &str) -> Outcome {
    let mut bot = command(python);
    bot.args(["examples/bot.py", "--server", &server.url(), "--game", game]);
    run(bot.args(["--level", "1", "--matches", "2", "--seed", "1"]))
}

/// A bot opens an account, continues with its stored token, and signs in where it has none.
fn come_back(python: &str, server: &Server) -> Outcome {
    let (first, second) = (server.folder().join("bot.json"), server.folder().join("bot-elsewhere.json"));
    for (file, more) in [(&first, &["--open-account"][..]), (&first, &[]), (&second, &[])] {
        let mut bot = command(python);
        bot.env("LUSORIA_HANDLE", "ExampleBot").env("LUSORIA_PASSWORD", "three rolls of the dice");
        bot.args(["examples/bot.py", "--server", &server.url(), "--game", "tablut", "--level", "1"]);
        run(bot.arg("--token-file").arg(file).args(more))?;
    }
    let read = |file| std::fs::read(file).map_err(|error| format!("the bot has kept no token: {error}"));
    if read(&first)? == read(&second)? {
        return Err("a bot that signs in elsewhere has the same token".to_owned());
    }
    Ok(())
}

/// The engine plays in the arena, and forfeits no game.
fn contend(python: &str, game: &str) -> Outcome {
    let engine = format!("cmd:{python} examples/engine.py");
    let mut arena = command(build::program("debug", "lusoria-lab"));
    arena.args(["arena", game, "--a", &engine, "--b", "greedy", "--games", "10", "--json"]);
    eprintln!("$ {}", shown(&arena));
    let report = output(&mut arena)?;
    if report.contains("\"forfeits\":[]") {
        return Ok(());
    }
    Err(format!("the engine did not play {game} by the rules: {report}"))
}

/// Checks that no acknowledged data is lost and that all clients resume by themselves: both players reach the
/// end, the watcher misses nothing, and the dice are right.
fn survive(python: &str, server: &mut Server) -> Outcome {
    let mut match_to_the_end = command(python);
    match_to_the_end.args(["examples/play_all.py", "--server", &server.url(), "--game", "scripta"]);
    let shown = shown(&match_to_the_end);
    eprintln!("$ {shown}    # while the server is killed {KILLS} times");
    let mut playing = match_to_the_end.spawn().map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    let killed = (0..KILLS).try_for_each(|_| {
        thread::sleep(LIFE);
        server.kill_and_start_again()
    });
    let give_up_at = Instant::now() + WITHIN;
    let status = loop {
        match playing.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if killed.is_ok() && Instant::now() < give_up_at => {
                thread::sleep(Duration::from_millis(50));
            }
            Ok(None) | Err(_) => {
                // It has failed already, so the result of the kill does not matter.
                let _ = playing.kill();
                let _ = playing.wait();
                break None;
            }
        }
    };
    killed?;
    match status {
        Some(status) if status.success() => Ok(()),
        _ => Err("a match did not survive that the server was killed".to_owned()),
    }
}
