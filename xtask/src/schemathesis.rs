//! Runs schemathesis: it generates requests from the server's OpenAPI document, and checks that every
//! response is one that the document describes.

use std::path::PathBuf;

use crate::{
    Outcome,
    commands::{command, output, python, run, succeeds, target},
    server::Server,
};

/// The version that the project uses.
const SCHEMATHESIS: &str = "schemathesis==4.32.0";

const OPTIONS: [&str; 7] = ["--max-examples", "50", "--seed", "1", "--request-timeout", "20", "--no-color"];

/// Prints a guest's token, from the example's own client.
const NEW_TOKEN: &str = "import sys; sys.path.insert(0, 'examples'); \
    from lusoria_http import Server; print(Server(sys.argv[1]).post('/guests', {})['token'])";

/// Installs schemathesis if necessary, and runs it against a server of our own: once without a token, once as
/// a guest.
pub(crate) fn check() -> Outcome {
    let executable = install()?;
    let mut server = Server::start("schemathesis")?;
    let document = format!("{}/api/openapi.json", server.url());
    let token = output(command(python()?).args(["-c", NEW_TOKEN, &server.url()]))?;
    let guest = format!("Authorization: Bearer {}", token.trim());
    let mut run_as = |who: &[&str]| {
        let checked =
            run(command(&executable).current_dir(target()).args(["run", &document]).args(OPTIONS).args(who));
        if server.is_running() { checked } else { Err("the server stopped under the requests".to_owned()) }
    };
    run_as(&[])?;
    // A guest whose token is revoked cannot make further requests.
    run_as(&["--header", &guest, "--exclude-path", "/api/v1/me/token"])
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
