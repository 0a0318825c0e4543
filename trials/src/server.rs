//! The real server as a process of its own.

use std::{
    ffi::OsString,
    fs::{self, OpenOptions},
    io::{self, BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// How long a server may take to start, or to end once it should.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often to check whether a process has ended.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Flags that raise all limits.
const UNLIMITED: [&str; 12] = [
    "--guest-requests-per-s",
    "1000000",
    "--guest-burst",
    "1000000",
    "--address-requests-per-s",
    "1000000",
    "--address-burst",
    "1000000",
    "--new-guests-per-hour",
    "1000000",
    "--unfinished-matches",
    "1000000",
];

/// How to start a server.
#[derive(Debug, Clone)]
pub struct Program {
    /// The file that is run.
    pub binary: PathBuf,
    /// The database: a path, or an address.
    pub database: PathBuf,
    /// The other arguments of its command line.
    pub arguments: Vec<OsString>,
    /// The file that its log is appended to.
    pub log: PathBuf,
    /// Its whole environment.
    pub environment: Vec<(&'static str, OsString)>,
}

/// A process that is killed when this is dropped.
#[derive(Debug)]
struct ChildGuard(Child);

/// A server that was started and may not listen yet. Dropping it kills the process.
#[derive(Debug)]
pub struct Starting {
    child: ChildGuard,
    /// Its standard output.
    lines: Receiver<String>,
    started: Instant,
    spawned_at: u64,
}

/// A server that listens. Dropping it kills the process.
#[derive(Debug)]
pub struct Process {
    child: ChildGuard,
    /// The address that it listens on.
    pub address: SocketAddr,
    /// The time between its start and its first line.
    pub took: Duration,
    /// When it was started, in milliseconds since the epoch.
    pub spawned_at: u64,
}

/// A server that did not start.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// The program cannot be run at all.
    #[error("cannot run the server: {0}")]
    Io(#[from] io::Error),
    /// It ended before it listened.
    #[error("the server ended before it listened: {0}")]
    Ended(ExitStatus),
    /// It did not listen in time.
    #[error("the server does not listen after {} s", PATIENCE.as_secs())]
    Silent,
}

/// The system's time, in milliseconds since the epoch.
pub fn now_ms() -> u64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX)
}

impl Program {
    /// A server with a new database in that folder, whose contents are removed.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn in_folder(binary: &Path, folder: &Path) -> io::Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        Ok(Self {
            binary: binary.to_owned(),
            database: folder.join("lusoria.db"),
            arguments: Vec::new(),
            log: folder.join("server.log"),
            environment: Vec::new(),
        })
    }

    /// Starts a server and does not wait until it listens. Its limits for clients are raised.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub fn spawn(&self) -> io::Result<Starting> {
        self.spawn_within(&UNLIMITED)
    }

    /// Starts a server with these limits, and the defaults for all others.
    fn spawn_within(&self, limits: &[&str]) -> io::Result<Starting> {
        let log = OpenOptions::new().create(true).append(true).open(&self.log)?;
        let mut command = Command::new(&self.binary);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn", "--database"])
            .arg(&self.database)
            .args(&self.arguments)
            .args(limits)
            .env_clear()
            // Finished matches are packed at the next start.
            .env("LUSORIA_PACK_AFTER", "0")
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log);
        let (started, spawned_at) = (Instant::now(), now_ms());
        let mut child = command.spawn()?;
        let output = child.stdout.take().expect("it is piped");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // Only the first line is needed.
                let _ = sender.send(line);
            }
        });
        Ok(Starting { child: ChildGuard(child), lines, started, spawned_at })
    }

    /// Starts a server and waits until it listens.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn start(&self) -> Result<Process, NotStarted> {
        self.spawn()?.listening()
    }

    /// Runs `lusoria admin` on its database, and waits for it. A running server carries the command out.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub fn admin(&self, words: &[&str]) -> io::Result<Output> {
        let mut command = Command::new(&self.binary);
        command.arg("admin").args(words).arg("--database").arg(&self.database).env_clear().output()
    }

    /// Starts a server with a new database in that folder and with these limits, and waits until it listens.
    ///
    /// # Errors
    /// A sentence, if it does not listen.
    pub fn start_anew(binary: &Path, folder: &Path, limits: &[&str]) -> Result<Process, String> {
        let started = Self::in_folder(binary, folder).and_then(|program| program.spawn_within(limits));
        let listening = started.map_err(NotStarted::from).and_then(Starting::listening);
        listening.map_err(|error| format!("{}: {error}", folder.display()))
    }
}

impl Starting {
    /// Waits until it listens.
    ///
    /// # Errors
    /// If it ends before, or does not listen in time.
    pub fn listening(mut self) -> Result<Process, NotStarted> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                let address = line.rsplit_once("http://").and_then(|(_, address)| address.parse().ok());
                let address = address
                    .ok_or_else(|| io::Error::other(format!("the server's first line is {line:?}")))?;
                let (took, spawned_at) = (self.started.elapsed(), self.spawned_at);
                Ok(Process { child: self.child, address, took, spawned_at })
            }
            Err(mpsc::RecvTimeoutError::Timeout) => Err(NotStarted::Silent),
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(NotStarted::Ended(self.child.0.wait()?)),
        }
    }

    /// Kills it (SIGKILL).
    pub fn kill(self) {
        drop(self);
    }
}

impl ChildGuard {
    fn ask_to_stop(&self) -> io::Result<()> {
        self.signal("TERM")
    }

    fn signal(&self, name: &str) -> io::Result<()> {
        // The standard library sends no signal but SIGKILL; every shell can.
        let pid = self.0.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -\"$1\" \"$0\"", &pid, name]).status()?;
        if sent.success() { Ok(()) } else { Err(io::Error::other("the signal was not sent")) }
    }

    fn wait(&mut self) -> io::Result<ExitStatus> {
        let give_up_at = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.0.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > give_up_at {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the server does not end"));
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

impl Process {
    /// Kills it (SIGKILL).
    pub fn kill(self) {
        drop(self);
    }

    /// How it ended; none if it still runs.
    ///
    /// # Errors
    /// If the system cannot tell.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.0.try_wait()
    }

    /// Asks it to stop (SIGTERM).
    ///
    /// # Errors
    /// If the signal could not be sent.
    pub fn ask_to_stop(&self) -> io::Result<()> {
        self.child.ask_to_stop()
    }

    /// Pauses it (SIGSTOP).
    ///
    /// # Errors
    /// If the signal could not be sent.
    pub fn pause(&self) -> io::Result<()> {
        self.child.signal("STOP")
    }

    /// Continues it (SIGCONT).
    ///
    /// # Errors
    /// If the signal could not be sent.
    pub fn go_on(&self) -> io::Result<()> {
        self.child.signal("CONT")
    }

    /// Waits until it has ended by itself.
    ///
    /// # Errors
    /// If it does not end in time.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.child.0.id()
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // A process that has already ended needs no kill.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a process has aborted: SIGABRT.
pub fn has_aborted(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        const SIGABRT: i32 = 6;
        std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGABRT)
    }
    #[cfg(not(unix))]
    {
        status.code().is_none()
    }
}

/// The WAL file of a database.
pub fn log_of(database: &Path) -> PathBuf {
    beside(database, "-wal")
}

/// The bytes of a file, if it exists.
///
/// # Errors
/// If it exists and cannot be read.
pub fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// The file beside a database with that suffix.
pub fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn shell(script: &str) -> ExitStatus {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).stderr(Stdio::null()).status().expect("every unix has a shell")
    }

    #[test]
    fn a_server_that_prints_something_else_is_killed() {
        let folder = std::env::temp_dir().join(format!("lusoria-trials-server-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let binary = folder.join("server");
        fs::write(&binary, "#!/bin/sh\necho something else\nexec /bin/sleep 600\n").unwrap();
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
        let (database, log) = (folder.join("lusoria.db"), folder.join("log"));
        let program = Program { binary, database, arguments: Vec::new(), log, environment: Vec::new() };
        let starting = program.spawn().unwrap();
        let look = format!("kill -0 {}", starting.child.0.id());
        assert!(shell(&look).success(), "it runs");
        assert!(matches!(starting.listening(), Err(NotStarted::Io(_))));
        assert!(!shell(&look).success(), "it still runs");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_sigabrt_counts_as_an_abort() {
        assert!(has_aborted(shell("kill -ABRT $$")));
        assert!(!has_aborted(shell("kill -SEGV $$")));
        assert!(!has_aborted(shell("exit 134")));
    }
}
