//! People at the page: Chromium against the real server.

use std::{
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    Outcome,
    commands::{cargo, command, run, shown, succeeds, target},
    node::{folder, install, npm},
    server::binary,
};

/// What Chromium is called, the first that is there.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome-stable"];

/// How many files are tested at once at most: each has a server and a browser of its own, which need memory.
const AT_ONCE_MAX: usize = 4;

/// How long the tests of a file may take: three times as long as those of the slowest file on a busy machine.
const FILE_WITHIN: Duration = Duration::from_mins(8);

/// Builds the server and lets people play on it; `CHROMIUM` in the environment names another browser.
pub(crate) fn play() -> Outcome {
    install()?;
    let chromium = chromium()?;
    run(cargo().args(["build", "--package", "lusoria"]))?;
    // All of them, so that one run tells all that fails.
    let failures = play_files(&files()?, &chromium);
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ")) }
}

/// Tests as many files at once as there are cores, and says what failed.
fn play_files(files: &[PathBuf], chromium: &str) -> Vec<String> {
    let at_once = thread::available_parallelism().map_or(1, NonZero::get).min(AT_ONCE_MAX);
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = play_file(file, chromium) {
                        failures.lock().expect("no thread panics while it holds the lock").push(why);
                    }
                }
            });
        }
    });
    failures.into_inner().expect("no thread panics while it holds the lock")
}

/// The files of tests, in order.
fn files() -> Result<Vec<PathBuf>, String> {
    let unread = |error| format!("cannot read the folder of browser tests: {error}");
    let entries = std::fs::read_dir(folder().join("e2e")).map_err(unread)?;
    let mut files = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unread)?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    files.sort();
    if files.is_empty() { Err("there are no browser tests".to_owned()) } else { Ok(files) }
}

/// Runs the tests of a file. Now and then Chromium stops answering; a file that was ended for its time runs once more.
/// One that fails has failed.
fn play_file(file: &Path, chromium: &str) -> Outcome {
    let attempt = || {
        let limit = format!("--test-timeout={}", FILE_WITHIN.as_millis());
        let mut tests = command("node");
        tests.current_dir(folder()).args(["--test", "--test-reporter=spec", &limit]).arg(file);
        run_apart(tests.env("LUSORIA", binary()).env("CHROMIUM", chromium))
    };
    let began = Instant::now();
    attempt().or_else(|why| {
        if began.elapsed() < FILE_WITHIN {
            return Err(why);
        }
        eprintln!("xtask browser: {} was ended for its time; running it once more", file.display());
        attempt()
    })
}

/// Runs a command to its end, and shows what it printed when it has ended: others run beside it.
fn run_apart(command: &mut Command) -> Outcome {
    let shown = shown(command);
    let output = command.output().map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    let printed = [output.stdout, output.stderr].concat();
    eprintln!("$ {shown}\n{}", String::from_utf8_lossy(&printed));
    if output.status.success() { Ok(()) } else { Err(format!("`{shown}` failed: {}", output.status)) }
}

/// Builds the server as it is shipped and asks Lighthouse what it thinks of the page.
pub(crate) fn lighthouse() -> Outcome {
    install()?;
    let chromium = chromium()?;
    run(cargo().args(["build", "--release", "--package", "lusoria"]))?;
    let server = target().join("release").join("lusoria");
    run(npm().args(["run", "--silent", "lighthouse"]).env("LUSORIA", server).env("CHROMIUM", chromium))
}

/// Where Chromium is.
fn chromium() -> Result<String, String> {
    if let Ok(named) = std::env::var("CHROMIUM") {
        return Ok(named);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&folders).collect::<Vec<_>>();
    CHROMIUM
        .iter()
        .flat_map(|name| places.iter().map(move |place| place.join(name)))
        .find(|file| is_browser(file))
        .map(|file| file.to_string_lossy().into_owned())
        .ok_or_else(|| "Chromium is needed for what tests the page: apt-get install chromium".to_owned())
}

fn is_browser(file: &Path) -> bool {
    file.is_file() && succeeds(command(file).arg("--version"))
}
