//! Checks the page in `web/`, as far as that is possible without a browser.

use std::path::PathBuf;

use crate::{
    Outcome,
    commands::{root, run, target},
    node::{self, npm, script},
    server::Server,
};

/// The types of the wire, generated from the OpenAPI document.
const WIRE: &str = "web/api/wire.d.ts";

/// Checks types, unit tests, vendored files, texts, the types of the wire, and the size of the page, on the
/// server that was built. With `write` it generates the types of the wire.
pub(crate) fn check(write: bool) -> Outcome {
    let server = Server::start("page")?;
    wire(&server, write)?;
    run(npm().args(["run", "--silent", "check"]))?;
    run(&mut node::tests(&["--test", "unit/"], &report()))?;
    run(script("vendor.js").arg("--check"))?;
    run(&mut script("texts.js"))?;
    run(script("weight.js").arg(server.url()))
}

/// The path of the unit tests' JUnit report.
pub(crate) fn report() -> PathBuf {
    target().join("xtask").join("page.xml")
}

/// Checks that the types of the wire are those generated from the server's own document.
fn wire(server: &Server, write: bool) -> Outcome {
    let (kept, made) = (root().join(WIRE), target().join("xtask").join("wire.d.ts"));
    let document = format!("{}/api/openapi.json", server.url());
    run(npm().args(["exec", "--no", "--", "openapi-typescript", &document, "--output"]).arg(&made))?;
    let read = |path| std::fs::read_to_string(path).map_err(|error| format!("cannot read {WIRE}: {error}"));
    let fresh = read(&made)?;
    if write {
        return std::fs::write(&kept, fresh).map_err(|error| format!("cannot write {WIRE}: {error}"));
    }
    if read(&kept)? == fresh {
        return Ok(());
    }
    Err(format!("{WIRE} is out of date: `cargo xtask page --write` generates it from the OpenAPI document"))
}
