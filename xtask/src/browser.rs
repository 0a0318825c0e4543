//! People at the page: Chromium against the real server.

use std::path::Path;

use crate::{
    Outcome,
    commands::{cargo, command, run, succeeds},
    node::{install, npm},
    server::binary,
};

/// What Chromium is called, the first that is there.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome-stable"];

/// Builds the server and lets people play on it; `CHROMIUM` in the environment names another browser.
pub(crate) fn play() -> Outcome {
    install()?;
    let chromium = chromium()?;
    run(cargo().args(["build", "--package", "lusoria"]))?;
    run(npm().args(["run", "--silent", "e2e"]).env("LUSORIA", binary()).env("CHROMIUM", chromium))
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
