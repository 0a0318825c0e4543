//! Checks the page in `web/`, as far as that is possible without a browser.

use crate::{
    Outcome,
    commands::{root, run, target},
    node::{install, npm, script},
    server::Server,
};

/// The types of the wire, generated from the OpenAPI document.
const WIRE: &str = "web/api/wire.d.ts";

/// Checks types, unit tests, vendored files, texts, the types of the wire, and the size of the page. With
/// `--write` generates the types of the wire anew.
pub(crate) fn check(options: &[String]) -> Outcome {
    let write = match options {
        [] => false,
        [option] if option == "--write" => true,
        _ => return Err("the only option is --write".to_owned()),
    };
    install()?;
    let server = Server::start("page")?;
    wire(&server, write)?;
    run(npm().args(["run", "--silent", "check"]))?;
    run(npm().args(["run", "--silent", "unit"]))?;
    run(script("vendor.js").arg("--check"))?;
    run(&mut script("texts.js"))?;
    run(script("weight.js").arg(server.url()))
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
