//! The programs that do the work: cargo, Python, and the server itself.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::Outcome;

/// How long the server may take to say where it listens.
const START_MAX: Duration = Duration::from_secs(30);

/// The repository's root, wherever cargo was called from.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository")
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// A command that runs in the root.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command to its end, with its output shown.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let shown = shown(command);
    eprintln!("$ {shown}");
    let status = command.status().map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` failed: {status}")) }
}

/// Runs a command to its end and returns what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{shown}` failed: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{shown}` printed something that is not text"))
}

/// Whether a command can be run and succeeds, without showing it.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The Python to run scripts with.
pub(crate) fn python() -> Result<&'static str, String> {
    ["python3", "python"]
        .into_iter()
        .find(|name| succeeds(command(name).args(["-c", "import sys; assert sys.version_info >= (3, 11)"])))
        .ok_or_else(|| "Python 3.11 or newer is needed, as python3".to_owned())
}

fn shown(command: &Command) -> String {
    let mut words = vec![program_name(command)];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

fn program_name(command: &Command) -> String {
    let path = Path::new(command.get_program());
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A server of our own, with its own database; it dies with this value.
pub(crate) struct Server {
    child: Child,
    folder: PathBuf,
    url: String,
}

impl Server {
    /// Builds the server and starts it on a free port, with limits that do not slow
    /// down a test. `name` names its folder under the target folder.
    pub(crate) fn start(name: &str) -> Result<Self, String> {
        run(cargo().args(["build", "--package", "lusoria"]))?;
        let folder = target().join("xtask").join(name);
        // An earlier run's database must not be found; that there is none is fine.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let binary = target().join("debug").join(format!("lusoria{}", std::env::consts::EXE_SUFFIX));
        let mut child = command(&binary)
            .arg("serve")
            .args(["--listen", "127.0.0.1:0", "--log", "warn"])
            .args(["--guest-requests-per-s", "100000", "--guest-burst", "100000"])
            .args(["--address-requests-per-s", "100000", "--address-burst", "100000"])
            .args(["--new-guests-per-hour", "100000", "--unfinished-matches", "10000"])
            .arg("--database")
            .arg(folder.join("lusoria.db"))
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", binary.display()))?;
        let stdout = child.stdout.take().expect("stdout is piped");
        let (found, url) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some(at) = line.find("http://") {
                    // Nobody waits for a second address.
                    let _ = found.send(line[at..].trim_end_matches(['/', '.', ' ']).to_owned());
                }
            }
        });
        let mut server = Self { child, folder, url: String::new() };
        server.url = url
            .recv_timeout(START_MAX)
            .map_err(|_| "the server did not say on its standard output where it listens".to_owned())?;
        Ok(server)
    }

    /// `http://host:port`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Whether it still runs.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and nothing depends on it.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
