//! A server for tests.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::{
    Outcome, build,
    commands::{command, target},
};

/// How long the server may take to print its address.
const START_MAX: Duration = Duration::from_secs(30);

/// A server with its own database; both are removed on drop.
pub(crate) struct Server {
    child: Child,
    profile: &'static str,
    folder: PathBuf,
    /// `host:port`.
    address: String,
}

impl Server {
    /// Starts the server that was built on a free port, with limits that do not slow down a test. `name` is
    /// the name of its folder below the target folder.
    pub(crate) fn start(name: &str) -> Result<Self, String> {
        Self::start_built("debug", name)
    }

    /// The same, of one that was built with a profile.
    pub(crate) fn start_built(profile: &'static str, name: &str) -> Result<Self, String> {
        let folder = target().join("xtask").join(name);
        // Removes the database of an earlier run, if there is one.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let (child, address) = launch(profile, &folder, "127.0.0.1:0")?;
        Ok(Self { child, profile, folder, address })
    }

    /// `http://host:port`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The folder of its database.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether it still runs.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills it as a power failure would, and starts it again on the same port and database.
    pub(crate) fn kill_and_start_again(&mut self) -> Outcome {
        self.kill();
        (self.child, self.address) = launch(self.profile, &self.folder, &self.address)?;
        Ok(())
    }

    fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Starts the server and waits until it prints its address.
fn launch(profile: &str, folder: &Path, listen: &str) -> Result<(Child, String), String> {
    let binary = build::program(profile, "lusoria");
    let mut child = generous(&mut command(&binary))
        .args(["--listen", listen, "--log", "warn", "--database"])
        .arg(folder.join("lusoria.db"))
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", binary.display()))?;
    let stdout = child.stdout.take().expect("stdout is piped");
    let (found, address) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if let Some((_, address)) = line.split_once("http://") {
                // Only the first address is awaited.
                let _ = found.send(address.trim_end().to_owned());
            }
        }
    });
    let Ok(address) = address.recv_timeout(START_MAX) else {
        // It may have ended already.
        let _ = child.kill();
        let _ = child.wait();
        return Err("the server did not say on its standard output where it listens".to_owned());
    };
    Ok((child, address))
}

fn generous(command: &mut Command) -> &mut Command {
    command
        .arg("serve")
        .args(["--guest-requests-per-s", "100000", "--guest-burst", "100000"])
        .args(["--address-requests-per-s", "100000", "--address-burst", "100000"])
        .args(["--new-guests-per-hour", "100000", "--unfinished-matches", "10000"])
        .args(["--connections-per-address", "10000", "--sockets-per-address", "10000"])
}
