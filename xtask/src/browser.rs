//! People at the page: Chromium against the real server.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::{
    Outcome,
    commands::{cargo, command, run, succeeds, target},
    node::{folder, install, npm},
    server::binary,
};

/// What Chromium is called, the first that is there.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome-stable"];

/// How long the tests of a file may take: three times as long as those of the slowest file.
const FILE_WITHIN: Duration = Duration::from_mins(6);

/// Builds the server and lets people play on it; `CHROMIUM` in the environment names another browser.
pub(crate) fn play() -> Outcome {
    install()?;
    let chromium = chromium()?;
    run(cargo().args(["build", "--package", "lusoria"]))?;
    // All of them, so that one run tells all that fails.
    let failures = files()?.iter().filter_map(|file| play_file(file, &chromium).err()).collect::<Vec<_>>();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ")) }
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
        run(tests.env("LUSORIA", binary()).env("CHROMIUM", chromium))
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
