//! Checks the page in `web/`, as far as that is possible without a browser.

use std::path::PathBuf;

use crate::{
    Outcome,
    commands::{root, run, target},
    node::{self, npm, script},
    server::Server,
};

/// The types of the wire, which are generated for the check and not kept.
const WIRE: &str = "web/api/wire.d.ts";

/// What they are generated from.
const DESCRIPTION: &str = "docs/openapi.json";

/// Checks types, unit tests, vendored files, texts, and the size of the page, on the server that was built.
pub(crate) fn check() -> Outcome {
    let server = Server::start("page")?;
    let (from, to) = (root().join(DESCRIPTION), root().join(WIRE));
    run(npm().args(["exec", "--no", "--", "openapi-typescript"]).arg(from).arg("--output").arg(to))?;
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
