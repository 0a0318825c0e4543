//! The real binary as a process of its own.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use crate::support::server::GENEROUS;

/// The longest wait: nothing here takes so long.
const GIVE_UP_AFTER: Duration = Duration::from_mins(1);

/// A server that runs. It is killed when it is dropped.
pub(super) struct Process {
    child: Child,
    address: SocketAddr,
}

/// A server that did not start.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) status: ExitStatus,
    /// What it wrote on standard error.
    pub(super) said: String,
}

impl Process {
    /// Starts a server and waits until it listens.
    pub(super) fn start(database: &Path) -> Self {
        Self::try_start(database).unwrap_or_else(|refused| panic!("the server does not start: {refused:?}"))
    }

    /// Starts a server and waits until it listens or has ended.
    pub(super) fn try_start(database: &Path) -> Result<Self, Refused> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lusoria"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--shutdown-grace", "10"])
            .args(GENEROUS)
            .arg("--database")
            .arg(database)
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        if let Some(address) = listens_on(&mut child) {
            Ok(Self { child, address })
        } else {
            let mut said = String::new();
            child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("text");
            Err(Refused { status: child.wait().expect("it was started here"), said })
        }
    }

    /// The server that a command starts, once it listens.
    pub(super) fn of(command: &mut Command) -> Self {
        Self::knowing(command, &[])
    }

    /// The same, if it knows only these variables.
    pub(super) fn knowing(command: &mut Command, variables: &[(&str, &Path)]) -> Self {
        let mut child = command
            .env_clear()
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let address = listens_on(&mut child).expect("it listens");
        Self { child, address }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it at once, whatever it is doing: SIGKILL.
    pub(super) fn kill(mut self) {
        self.child.kill().expect("it was started here");
        self.child.wait().expect("it was started here");
    }

    /// Asks it to stop, SIGTERM, and waits until it has.
    pub(super) async fn terminate(mut self) -> ExitStatus {
        // The standard library sends no signal but SIGKILL; every shell can.
        let pid = self.child.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &pid]).status();
        assert!(sent.expect("a shell").success(), "the signal was not sent");
        let ended = tokio::task::spawn_blocking(move || self.child.wait());
        let ended = tokio::time::timeout(GIVE_UP_AFTER, ended).await.expect("the server does not stop");
        ended.expect("waiting does not panic").expect("it was started here")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; there is nobody to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where a server says that it listens; none if it ends without a word.
pub(super) fn listens_on(child: &mut Child) -> Option<SocketAddr> {
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("text");
    let address = line.trim_end().strip_prefix("lusoria listens on http://");
    assert!(address.is_some() || line.is_empty(), "the first line says where the server listens: {line}");
    Some(address?.parse().expect("an address"))
}
