//! Runs other programs: cargo and Python.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::Outcome;

/// The repository's root, wherever cargo was called from.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository")
}

/// The target folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The folder in which `setup` installs Node.js, if the system's is too old.
pub(crate) fn node_folder() -> PathBuf {
    target().join("node")
}

/// The folders in which programs are searched: our own Node.js, `PATH`, and Debian's folder for servers,
/// which is often missing in `PATH`.
fn folders() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let own = node_folder().join("node_modules").join("node").join("bin");
    std::iter::once(own).chain(named).chain(std::iter::once(PathBuf::from("/usr/sbin")))
}

/// The file of a program.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    folders().map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A command that runs in the root.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).env("PATH", path());
    command
}

/// [`folders`] in the form of `PATH`.
fn path() -> OsString {
    std::env::join_paths(folders()).expect("the folders come from PATH, and the others have no colon")
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

/// Runs a command to its end and returns its output.
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

/// Whether a command can be run and succeeds, without showing its output.
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

pub(crate) fn shown(command: &Command) -> String {
    let mut words = vec![program_name(command)];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

fn program_name(command: &Command) -> String {
    let path = Path::new(command.get_program());
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
