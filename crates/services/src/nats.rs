//! Starts NATS servers.

use std::{
    ffi::OsStr,
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Folders in which Debian and others install the program, besides those of `PATH`.
const FOLDERS: [&str; 3] = ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often to check whether it listens.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Runs a server until it ends, a line is read, or standard input ends. The last happens however the parent
/// process ends; then the folder is deleted.
const GUARD: &str = "exec 3<&0; folder=$1; shift; \
     \"$0\" \"$@\" 3<&- & server=$!; \
     { if read -r _ <&3; then kill -KILL $server; else kill -KILL $server; rm -rf \"$folder\"; fi; } & reader=$!; \
     wait $server; \
     if [ $? -eq 137 ]; then wait $reader; else kill -KILL $reader; fi";

/// A server for one test or trial. It ends when this is dropped.
#[derive(Debug)]
pub struct Nats {
    folder: TempDir,
    settings: String,
    port: u16,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    /// Ends the server when its standard input is closed.
    guard: Child,
    /// The server's process id.
    process: u32,
}

impl Nats {
    /// Starts a server with these lines in its configuration, on a free port.
    ///
    /// # Errors
    /// If nats-server is not installed, or it does not start.
    pub fn start(settings: &str) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("lusoria-nats-").tempdir()?;
        let mut nats = Self { folder, settings: settings.to_owned(), port: 0, running: None };
        nats.start_again()?;
        Ok(nats)
    }

    /// Replaces the lines of its configuration, for the next start.
    pub fn set_settings(&mut self, settings: &str) {
        settings.clone_into(&mut self.settings);
    }

    /// Starts it again after [`Self::kill`], on the same port.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start_again(&mut self) -> io::Result<()> {
        let folder = self.folder.path();
        let ports = folder.join("ports");
        if ports.exists() {
            fs::remove_dir_all(&ports)?;
        }
        fs::create_dir(&ports)?;
        // -1 lets it choose one.
        let port = if self.port == 0 { "-1".to_owned() } else { self.port.to_string() };
        let configuration = folder.join("nats.conf");
        let (shown, settings) = (ports.display(), &self.settings);
        fs::write(
            &configuration,
            format!("host: \"127.0.0.1\"\nport: {port}\nports_file_dir: \"{shown}\"\n{settings}\n"),
        )?;
        let log = OpenOptions::new().create(true).append(true).open(folder.join("log"))?;
        let mut command = Command::new("sh");
        command.args([OsStr::new("-c"), GUARD.as_ref(), program()?.as_os_str(), folder.as_os_str()]);
        let mut guard = command
            .arg("-c")
            .arg(&configuration)
            .current_dir("/")
            // A process group of its own, so that signals to the test's group do not reach it.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        let Some((process, port)) = listening(&ports, &mut guard)? else {
            end(&mut guard)?;
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            return Err(io::Error::other(format!("nats-server does not start:\n{log}")));
        };
        self.port = port;
        self.running = Some(Running { guard, process });
        Ok(())
    }

    /// Kills it at once.
    ///
    /// # Errors
    /// If it does not end.
    pub fn kill(&mut self) -> io::Result<()> {
        match self.running.take() {
            Some(mut running) => end(&mut running.guard),
            None => Ok(()),
        }
    }

    /// Its process id, if it runs.
    pub fn process(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.process)
    }

    /// The port on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Its address, without credentials.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its log since it was first started.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn log(&self) -> io::Result<String> {
        fs::read_to_string(self.folder.path().join("log"))
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // The folder is not used again.
        let _ = self.kill();
    }
}

/// Waits until a server has written its process id and port to a file. `None` if it ends, or takes too long.
fn listening(folder: &Path, guard: &mut Child) -> io::Result<Option<(u32, u16)>> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until && guard.try_wait()?.is_none() {
        if let Some(found) = written(folder) {
            return Ok(Some(found));
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(None)
}

/// The file is `nats-server_PROCESS.ports` and says `{"nats":["nats://127.0.0.1:PORT"]}`, or `tls://`.
fn written(folder: &Path) -> Option<(u32, u16)> {
    let file = fs::read_dir(folder).ok()?.flatten().next()?.path();
    let process = file.file_stem()?.to_str()?.rsplit_once('_')?.1.parse().ok()?;
    let text = fs::read_to_string(&file).ok()?;
    let (_, after) = text.split_once("://127.0.0.1:")?;
    let (port, _) = after.split_once('"')?;
    Some((process, port.parse().ok()?))
}

/// Tells the guard to end the server, and waits until it has ended.
fn end(guard: &mut Child) -> io::Result<()> {
    if let Some(mut line) = guard.stdin.take() {
        // If the guard has ended already, so has the server.
        let _ = line.write_all(b"end\n");
    }
    guard.wait().map(drop)
}

/// The path of the program.
fn program() -> io::Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(FOLDERS.iter().map(PathBuf::from));
    let mut files = folders.map(|folder| folder.join("nats-server"));
    files.find(|file| file.is_file()).ok_or_else(|| {
        let what = "nats-server is not installed: apt-get install nats-server";
        io::Error::new(io::ErrorKind::NotFound, what)
    })
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpStream};

    use super::*;

    fn listens(nats: &Nats) -> bool {
        TcpStream::connect((Ipv4Addr::LOCALHOST, nats.port())).is_ok()
    }

    #[test]
    fn a_server_is_killed_and_started_again_on_its_port() {
        let mut nats = Nats::start("").expect("started");
        let (port, process) = (nats.port(), nats.process().expect("it runs"));
        assert!(listens(&nats));
        nats.kill().expect("killed");
        assert!(!listens(&nats));
        assert!(!Path::new(&format!("/proc/{process}")).exists());
        nats.start_again().expect("started");
        assert_eq!(nats.port(), port);
        assert!(listens(&nats));
        assert!(nats.log().expect("readable").contains("Server is ready"));
    }

    #[test]
    fn nothing_is_left_of_a_server_whose_process_was_killed() {
        let mut nats = Nats::start("").expect("started");
        let folder = nats.folder.path().to_owned();
        let mut running = nats.running.take().expect("it runs");
        // The system does the same when the process ends.
        drop(running.guard.stdin.take());
        running.guard.wait().expect("the guard ends");
        assert!(!listens(&nats));
        assert!(!folder.exists());
    }

    #[test]
    fn a_server_that_does_not_start_says_why() {
        let error = Nats::start("no_such_setting: 1").expect_err("it is not known").to_string();
        assert!(error.contains("no_such_setting"), "{error}");
    }
}
