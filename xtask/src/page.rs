//! The page in `web/`, as far as it can be judged without a browser.

use crate::{
    Outcome,
    crew::{root, run, target},
    node::{install, npm, script},
    server::Server,
};

/// The types of what travels, made from the OpenAPI document.
const WIRE: &str = "web/api/wire.d.ts";

/// Types, what needs no browser, what was taken from others, texts, the types of the wire, and how much there is to
/// load. With `--write` the types of the wire are made anew.
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

/// The types of the wire are those that the server's own document makes.
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
    Err(format!("{WIRE} is not what the API's description makes: `cargo xtask page --write` makes it anew"))
}
