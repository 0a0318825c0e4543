//! The Python examples, as a reader of the README would run them.

use crate::{
    Outcome,
    crew::{Server, command, python, run},
};

/// Plays every game to the end with two example players and a watcher.
pub(crate) fn play() -> Outcome {
    let python = python()?;
    run(command(python).args(["-m", "unittest", "discover", "--quiet", "--start-directory", "examples"]))?;
    let server = Server::start("examples")?;
    run(command(python).args(["examples/play_all.py", "--server", server.url()]))
}
