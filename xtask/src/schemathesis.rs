//! schemathesis makes up requests from the OpenAPI document that the server serves,
//! and checks that every answer is one that the document announces.

use std::path::PathBuf;

use crate::{
    Outcome,
    crew::{Server, command, python, run, succeeds, target},
};

/// The release that the project is checked with.
const SCHEMATHESIS: &str = "schemathesis==4.32.0";

/// Installs schemathesis if need be, and runs it against a server of our own.
pub(crate) fn check() -> Outcome {
    let executable = install()?;
    let mut server = Server::start("schemathesis")?;
    let document = format!("{}/api/openapi.json", server.url());
    let checked = run(command(executable)
        .args(["run", &document, "--checks", "all", "--max-examples", "50"])
        .args(["--seed", "1", "--request-timeout", "20", "--no-color"]));
    if !server.is_running() {
        return Err("the server stopped under the requests".to_owned());
    }
    checked
}

fn install() -> Result<PathBuf, String> {
    let venv = target().join("xtask-venv");
    let bin = venv.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let executable = bin.join("schemathesis");
    let wanted = SCHEMATHESIS.rsplit("==").next().expect("a split has a last part");
    let check =
        format!("from importlib.metadata import version; assert version('schemathesis') == '{wanted}'");
    if !succeeds(command(bin.join("python")).args(["-c", &check])) {
        run(command(python()?).args(["-m", "venv"]).arg(&venv))?;
        run(command(bin.join("python")).args(["-m", "pip", "install", "--quiet", SCHEMATHESIS]))?;
    }
    Ok(executable)
}
