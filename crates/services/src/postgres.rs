//! PostgreSQL servers: one for a single test, or one shared by all tests.
//!
//! [`Postgres::start`] starts a server that its owner may kill and start again; [`Database::new`] creates a
//! database on a shared one.

mod database;
mod standby;

use std::{
    fs::{self, OpenOptions, Permissions},
    io,
    net::{Ipv4Addr, TcpListener, TcpStream},
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::authority::Authority;

pub use database::Database;

/// The superuser of the servers.
pub const USER: &str = "lusoria";
/// Their password, which is required only over TCP.
pub const PASSWORD: &str = "a password for tests";

/// Folders in which Debian and others install the programs.
const FOLDERS: [&str; 3] = ["/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt/postgresql"];
/// How long a server may take to start or to stop.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server for one test or trial. It ends when this is dropped.
pub struct Postgres {
    folder: TempDir,
    port: u16,
    settings: Vec<String>,
    server: Option<Child>,
}

impl Postgres {
    /// Creates an empty server and starts it, with settings such as `max_connections=20`.
    ///
    /// # Errors
    /// If PostgreSQL is not installed, or the server does not start.
    pub fn start(settings: &[&str]) -> io::Result<Self> {
        Self::start_with(settings, &[])
    }

    /// Starts a server that also accepts TLS.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_with_tls(authority: &Authority) -> io::Result<Self> {
        let files = ["server.pem", "server.key"].map(|name| (name, authority.file(name)));
        Self::start_with(&["ssl=on", "ssl_cert_file=server.pem", "ssl_key_file=server.key"], &files)
    }

    /// Starts a server with these additional files.
    fn start_with(settings: &[&str], files: &[(&str, PathBuf)]) -> io::Result<Self> {
        let folder = own_folder()?;
        init(folder.path())?;
        for (name, from) in files {
            let to = folder.path().join("data").join(name);
            fs::copy(from, &to)?;
            fs::set_permissions(&to, Permissions::from_mode(0o600))?;
            own(&to)?;
        }
        let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        let mut server = Self { folder, port: free_port()?, settings, server: None };
        server.start_again()?;
        Ok(server)
    }

    /// Starts it again after [`Self::stop`] or [`Self::kill`], on the same port.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start_again(&mut self) -> io::Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let child = spawn(self.folder.path(), self.port, &self.settings)?;
            let child = self.server.insert(child);
            match wait_until_ready(self.folder.path(), self.port, child) {
                // The last killed process may still be ending.
                Err(_) if child.try_wait()?.is_some() && Instant::now() < until => {}
                done => return done,
            }
        }
    }

    /// Stops it in order: ends the connections, and writes everything to disk.
    ///
    /// # Errors
    /// If it does not end.
    pub fn stop(&mut self) -> io::Result<()> {
        self.end("INT")
    }

    /// Kills all its processes at once, as a power failure would.
    ///
    /// # Errors
    /// If it does not end.
    pub fn kill(&mut self) -> io::Result<()> {
        let Some(server) = &self.server else { return Ok(()) };
        // Its connections are its child processes.
        let children = format!("/proc/{0}/task/{0}/children", server.id());
        let children = fs::read_to_string(children).unwrap_or_default();
        // The server first, because it would start others.
        self.end("KILL")?;
        children.split_whitespace().try_for_each(|child| signal("KILL", child))
    }

    fn end(&mut self, name: &str) -> io::Result<()> {
        let Some(mut server) = self.server.take() else { return Ok(()) };
        signal(name, &server.id().to_string())?;
        server.wait().map(drop)
    }

    /// Whether it has ended by itself.
    ///
    /// # Errors
    /// If the system cannot say.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        self.server.as_mut().map_or(Ok(true), |server| Ok(server.try_wait()?.is_some()))
    }

    /// Its folder; the database files are in `data`.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The port on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The URL of a database, over TCP and with the password.
    pub fn url(&self, database: &str) -> String {
        tcp_url(self.port, database)
    }

    /// Creates an empty database.
    ///
    /// # Errors
    /// If it exists already, or the server does not run.
    pub fn create_database(&self, name: &str) -> io::Result<()> {
        create_database(self.folder.path(), self.port, name)
    }

    /// The command that runs SQL in a database and prints the result.
    ///
    /// # Errors
    /// If PostgreSQL is not installed.
    pub fn psql(&self, database: &str, sql: &str) -> io::Result<Command> {
        psql(self.folder.path(), self.port, database, sql)
    }

    /// Runs SQL in a database. Returns the output.
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn run(&self, database: &str, sql: &str) -> io::Result<String> {
        output_of("psql", self.psql(database, sql)?)
    }

    /// Checks all tables and indexes of a database (`pg_amcheck`). Returns the damage found.
    ///
    /// # Errors
    /// If they cannot be checked.
    pub fn damage(&self, database: &str) -> io::Result<Option<String>> {
        /// The exit code if something is damaged.
        const DAMAGED: i32 = 2;
        let mut check = client("pg_amcheck", self.folder.path(), self.port)?;
        let output = check.args(["--install-missing", "--heapallindexed", "-d", database]).output()?;
        if output.status.code() == Some(DAMAGED) {
            return Ok(Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()));
        }
        checked("pg_amcheck", &output).map(|()| None)
    }
}

/// Changes the owner of a file or folder to the user of the servers.
///
/// # Errors
/// If this process may not.
pub fn own(path: &Path) -> io::Result<()> {
    unprivileged()?.map_or(Ok(()), |(uid, gid)| chown(path, Some(uid), Some(gid)))
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // The folder is not used again.
        let _ = self.end("QUIT");
    }
}

/// A folder for one test's server.
fn own_folder() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("lusoria-postgres-").tempdir_in(base())?;
    own(folder.path())?;
    Ok(folder)
}

/// Creates the files of a server in a folder.
fn init(folder: &Path) -> io::Result<()> {
    let password = folder.join("password");
    fs::write(&password, PASSWORD)?;
    let mut initdb = program("initdb")?;
    initdb.arg("-D").arg(folder.join("data")).args(["-U", USER, "-E", "UTF8", "--locale=C", "--no-sync"]);
    initdb
        .args(["--auth-local=trust", "--auth-host=scram-sha-256"])
        .arg(format!("--pwfile={}", password.display()));
    checked("initdb", &initdb.stdin(Stdio::null()).output()?)
}

/// Starts the server's process, with its log in the folder.
fn spawn(folder: &Path, port: u16, settings: &[String]) -> io::Result<Child> {
    let log = OpenOptions::new().create(true).append(true).open(folder.join("log"))?;
    let mut postgres = program_in("bash", Path::new(""))?;
    postgres.args(["-c", WITHOUT_INHERITED_FILES, "postgres"]).arg(programs()?.join("postgres"));
    postgres
        .arg("-D")
        .arg(folder.join("data"))
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-k"])
        .arg(folder);
    // In its folder, where a killed server leaves nothing behind.
    postgres.args(["-c", "dynamic_shared_memory_type=mmap"]);
    for setting in settings {
        postgres.args(["-c", setting]);
    }
    // A process group of its own, so that signals to the test's group do not reach it.
    postgres
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .map_err(|error| missing(&error, "bash", "bash"))
}

/// Runs a program without the open files of its parents, except the first three. Otherwise the server would
/// hold a lock of `flock cargo test`, or a pipe that somebody reads until the tests end.
const WITHOUT_INHERITED_FILES: &str = "for fd in /dev/fd/*; do \
         fd=${fd##*/}; if [ \"$fd\" -gt 2 ]; then eval \"exec $fd>&-\"; fi; \
     done; exec \"$@\"";

/// Waits until the server accepts connections.
fn wait_until_ready(folder: &Path, port: u16, server: &mut Child) -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if server.try_wait()?.is_some() {
            break;
        }
        // It listens before it is ready.
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
            && client("psql", folder, port)?.args(["-qc", "SELECT", "postgres"]).output()?.status.success()
        {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(20));
    }
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    Err(io::Error::other(format!("PostgreSQL does not start on port {port}:\n{log}")))
}

fn create_database(folder: &Path, port: u16, name: &str) -> io::Result<()> {
    checked("createdb", &client("createdb", folder, port)?.arg(name).output()?)
}

/// A client program for the server.
fn client(name: &str, folder: &Path, port: u16) -> io::Result<Command> {
    let mut client = program(name)?;
    client.stdin(Stdio::null()).arg("-h").arg(folder).args(["-p", &port.to_string(), "-U", USER]);
    Ok(client)
}

fn psql(folder: &Path, port: u16, database: &str, sql: &str) -> io::Result<Command> {
    let mut psql = client("psql", folder, port)?;
    psql.args(["-qAt", "-v", "ON_ERROR_STOP=1", "-c", sql, database]);
    Ok(psql)
}

/// The socket of a server in the file system.
fn socket(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!(".s.PGSQL.{port}"))
}

fn tcp_url(port: u16, database: &str) -> String {
    format!("postgres://{USER}:{}@127.0.0.1:{port}/{database}", PASSWORD.replace(' ', "%20"))
}

/// A program of PostgreSQL, run as an allowed user.
fn program(name: &str) -> io::Result<Command> {
    program_in(name, &programs()?)
}

fn program_in(name: &str, folder: &Path) -> io::Result<Command> {
    let mut command = Command::new(folder.join(name));
    // That user may have no access to the folder of the tests or its parents.
    command.current_dir("/").env_remove("PGOPTIONS");
    if let Some((uid, gid)) = unprivileged()? {
        command.uid(uid).gid(gid);
    }
    Ok(command)
}

/// The folder of the latest installed version's programs.
fn programs() -> io::Result<PathBuf> {
    let is_complete =
        |folder: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file());
    if let Some(path) = std::env::var_os("PATH")
        && let Some(found) = std::env::split_paths(&path).find(is_complete)
    {
        return Ok(found);
    }
    let versions = FOLDERS.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut found: Vec<_> = versions.map(|version| version.path().join("bin")).filter(is_complete).collect();
    found.extend(FOLDERS.iter().map(|folder| Path::new(folder).join("bin")).filter(is_complete));
    found.sort_by_key(|folder| {
        let version = folder.parent().and_then(Path::file_name).and_then(|version| version.to_str());
        version.and_then(|version| version.parse::<u32>().ok())
    });
    found.pop().ok_or_else(|| {
        let what = "initdb and postgres are not installed: apt-get install postgresql";
        io::Error::new(io::ErrorKind::NotFound, what)
    })
}

/// The parent of the servers' folders: in memory if there is enough, because each database of a test is
/// thousands of pages to sync.
fn base() -> PathBuf {
    const MEMORY: &str = "/dev/shm";
    const ENOUGH_MIB: u64 = 1_024;
    let free = Command::new("df").args(["-BM", "--output=avail", MEMORY]).stderr(Stdio::null()).output();
    let free = free.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let mib = free.and_then(|text| text.lines().nth(1)?.trim().strip_suffix('M')?.parse::<u64>().ok());
    if mib.is_some_and(|mib| mib >= ENOUGH_MIB) { PathBuf::from(MEMORY) } else { std::env::temp_dir() }
}

/// The user to run the server as, because PostgreSQL refuses root. None if this process is not root's.
fn unprivileged() -> io::Result<Option<(u32, u32)>> {
    use std::os::unix::fs::MetadataExt;
    if fs::metadata("/proc/self").is_ok_and(|process| process.uid() != 0) {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let ids_of = |name: &str| {
        let mut fields =
            users.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.split(':').skip(1);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    let found = ids_of("postgres").or_else(|| ids_of("nobody"));
    found
        .map(Some)
        .ok_or_else(|| io::Error::other("there is neither a user postgres nor nobody to run PostgreSQL as"))
}

/// A free port.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn signal(name: &str, process: &str) -> io::Result<()> {
    // A process that has already ended is no error.
    Command::new("kill")
        .args(["-s", name, process])
        .stderr(Stdio::null())
        .status()
        .map(drop)
        .map_err(|error| missing(&error, "kill", "procps"))
}

/// The output of a program.
fn output_of(name: &str, mut command: Command) -> io::Result<String> {
    let output = command.output()?;
    checked(name, &output)?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The error output of a program, if it failed.
fn checked(name: &str, output: &Output) -> io::Result<()> {
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{name} failed: {}", said.trim())))
}

fn missing(error: &io::Error, program: &str, package: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{program} cannot be run: {error} (apt-get install {package})"))
}

/// A fingerprint of a text (FNV-1a).
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn answers(folder: &Path, port: u16, database: &str) -> bool {
        let mut psql = client("psql", folder, port).expect("installed");
        psql.args(["-qc", "SELECT 1", database]).output().expect("run").status.success()
    }

    #[test]
    fn a_private_server_is_killed_and_started_again() {
        let mut server = Postgres::start(&["shared_buffers=16MB"]).expect("started");
        server.create_database("one").expect("made");
        for end in [Postgres::kill, Postgres::stop] {
            end(&mut server).expect("ended");
            assert!(!answers(server.folder.path(), server.port, "one"));
            assert!(server.has_ended().expect("known"));
            server.start_again().expect("started");
            assert!(answers(server.folder.path(), server.port, "one"));
            assert!(!server.has_ended().expect("known"));
        }
        assert_eq!(server.damage("one").expect("checked"), None);
    }
}
