//! PostgreSQL: a server of one's own, or one that all tests share.
//!
//! [`Postgres::start`] starts a server that its owner may kill and start again. [`Database::new`] makes a
//! database on a server that all test processes of a user share, because `initdb` takes seconds and a
//! database some milliseconds.
//!
//! The shared server outlasts the process that starts it. Who uses it holds a shared lock on a file,
//! which the system takes back however the process ends. A watchdog, a process of its own, tries every
//! few seconds to get the lock for itself: then nobody uses the server, and the watchdog ends it and
//! deletes its folder before it lets go.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    os::unix::{
        fs::{PermissionsExt, chown},
        net::UnixStream,
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// The superuser of the servers.
pub const USER: &str = "lusoria";
/// Their password, which is asked for over TCP alone.
pub const PASSWORD: &str = "a password for tests";

/// Where Debian and others put the programs.
const FOLDERS: [&str; 3] = ["/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt/postgresql"];
/// How long a server may take to start or to stop.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long the deletion of a database is waited for; it goes on by itself.
const DROPPED_WITHIN: Duration = Duration::from_secs(2);
/// How often ports are tried: another program may take one before the server does.
const PORTS_TRIED: u32 = 5;

/// A server that belongs to one test or trial. It ends with this.
pub struct Postgres {
    folder: TempDir,
    port: u16,
    settings: Vec<String>,
    server: Option<Child>,
}

impl Postgres {
    /// Makes an empty server and starts it, with settings such as `max_connections=20`.
    ///
    /// # Errors
    /// If PostgreSQL is not installed, or the server does not start.
    pub fn start(settings: &[&str]) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("lusoria-postgres-").tempdir_in(base())?;
        init(folder.path())?;
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
                // Of those that were killed, the last may still be about to end.
                Err(_) if child.try_wait()?.is_some() && Instant::now() < until => {}
                done => return done,
            }
        }
    }

    /// Stops it in order: connections are ended, everything is on the disk.
    ///
    /// # Errors
    /// If it does not end.
    pub fn stop(&mut self) -> io::Result<()> {
        self.end("INT")
    }

    /// Kills all its processes at once, as a loss of power would.
    ///
    /// # Errors
    /// If it does not end.
    pub fn kill(&mut self) -> io::Result<()> {
        let Some(server) = &self.server else { return Ok(()) };
        // Those of its connections are its children.
        let children = format!("/proc/{0}/task/{0}/children", server.id());
        let children = fs::read_to_string(children).unwrap_or_default();
        // It first: it would start others.
        self.end("KILL")?;
        children.split_whitespace().try_for_each(|child| signal("KILL", child))
    }

    fn end(&mut self, name: &str) -> io::Result<()> {
        let Some(mut server) = self.server.take() else { return Ok(()) };
        signal(name, &server.id().to_string())?;
        server.wait().map(drop)
    }

    /// The port on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The URL of a database, over TCP and with the password.
    pub fn url(&self, database: &str) -> String {
        tcp_url(self.port, database)
    }

    /// Makes an empty database.
    ///
    /// # Errors
    /// If it is there already, or the server does not run.
    pub fn create_database(&self, name: &str) -> io::Result<()> {
        create_database(self.folder.path(), self.port, name)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Nobody reads the folder again.
        let _ = self.end("QUIT");
    }
}

/// A database on the server that all tests share. It is deleted with this.
pub struct Database {
    server: &'static Shared,
    name: String,
}

impl Database {
    /// Makes an empty database, and starts the server if it does not run.
    ///
    /// # Errors
    /// If PostgreSQL is not installed, or the server does not start.
    pub fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let server = Shared::get()?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        create_database(&server.folder, server.port, &name)?;
        Ok(Self { server, name })
    }

    /// Makes an empty database whose `clock_timestamp()` tells the time of [`Self::set_time`]: a function of its
    /// own comes before the system's.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_own_time() -> io::Result<Self> {
        let database = Self::new()?;
        database.set_time(0)?;
        database.run(&format!(
            "CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE \
             AS $$ SELECT to_timestamp(pg_read_file('{}')::float8 / 1000) $$; \
             ALTER DATABASE {} SET search_path = public, pg_catalog",
            database.clock().display(),
            database.name
        ))?;
        Ok(database)
    }

    /// Sets the time of a database that has its own, in milliseconds since the epoch.
    ///
    /// # Errors
    /// If the file that holds it cannot be written.
    pub fn set_time(&self, ms: u64) -> io::Result<()> {
        // Replaced as a whole: the server may be reading it.
        let mut next = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o644))
            .tempfile_in(&self.server.folder)?;
        write!(next, "{ms}")?;
        next.persist(self.clock())?;
        Ok(())
    }

    /// The file that holds its time.
    fn clock(&self) -> PathBuf {
        self.server.folder.join(format!("{}.clock", self.name))
    }

    /// Its URL, by way of a socket in the file system and without a password.
    pub fn url(&self) -> String {
        let (folder, port) = (self.server.folder.display(), self.server.port);
        format!("postgres://{USER}@localhost/{}?host={folder}&port={port}", self.name)
    }

    /// Its URL over TCP, with the password.
    pub fn tcp_url(&self) -> String {
        tcp_url(self.server.port, &self.name)
    }

    /// The port of its server on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.server.port
    }

    /// Runs SQL in it, beside whatever the program under test does. Returns what it prints.
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn run(&self, sql: &str) -> io::Result<String> {
        let mut psql = client("psql", &self.server.folder, self.server.port)?;
        let output = psql.args(["-qAt", "-v", "ON_ERROR_STOP=1", "-c", sql, &self.name]).output()?;
        checked("psql", &output)?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let Shared { folder, port, .. } = self.server;
        let drop = client("dropdb", folder, *port)
            .and_then(|mut command| command.args(["--force", "--if-exists", &self.name]).spawn());
        // The server waits for connections that are being made, perhaps by tasks of this very thread.
        let until = Instant::now() + DROPPED_WITHIN;
        if let Ok(mut drop) = drop {
            while matches!(drop.try_wait(), Ok(None)) && Instant::now() < until {
                thread::sleep(Duration::from_millis(5));
            }
        }
        // What is left goes with the server.
        let _ = fs::remove_file(self.clock());
    }
}

/// The server that all test processes of a user share.
struct Shared {
    folder: PathBuf,
    port: u16,
    /// Held to the end of the process.
    _in_use: File,
}

impl Shared {
    fn get() -> io::Result<&'static Self> {
        static SERVER: OnceLock<Result<Shared, String>> = OnceLock::new();
        let server = SERVER.get_or_init(|| Self::find_or_start().map_err(|error| error.to_string()));
        server.as_ref().map_err(|why| io::Error::other(why.clone()))
    }

    fn find_or_start() -> io::Result<Self> {
        // A server of another version or with other settings is another one.
        let key = fingerprint(&format!("{} {SETTINGS:?}", programs()?.display()));
        let user =
            fs::metadata("/proc/self").map_or(0, |process| std::os::unix::fs::MetadataExt::uid(&process));
        let folder = base().join(format!("lusoria-shared-postgres-{user}-{key:08x}"));
        let lock = folder.with_extension("lock");
        let in_use = OpenOptions::new().create(true).append(true).open(&lock)?;
        loop {
            in_use.lock_shared()?;
            if let Some(port) = running(&folder) {
                return Ok(Self { folder, port, _in_use: in_use });
            }
            // Letting go between the two kinds of lock: the next one to get it looks again.
            in_use.unlock()?;
            in_use.lock()?;
            if running(&folder).is_none() {
                start_shared(&folder, &lock)?;
            }
            in_use.unlock()?;
        }
    }
}

/// The settings of the shared server. Commits are as durable as those of any other.
const SETTINGS: [&str; 4] = ["max_connections=400", "shared_buffers=64MB", "jit=off", "max_wal_size=256MB"];

/// The port of the shared server, if it runs.
fn running(folder: &Path) -> Option<u16> {
    let port = fs::read_to_string(folder.join("port")).ok()?.trim().parse().ok()?;
    UnixStream::connect(socket(folder, port)).ok()?;
    Some(port)
}

/// Starts the shared server and its watchdog. The lock must be held for nobody else.
fn start_shared(folder: &Path, lock: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    fs::create_dir(folder)?;
    init(folder)?;
    let settings = SETTINGS.map(str::to_owned);
    let (mut child, port) = 'started: {
        let mut last = io::Error::other("no port was tried");
        for _ in 0..PORTS_TRIED {
            let port = free_port()?;
            let mut child = spawn(folder, port, &settings)?;
            match wait_until_ready(folder, port, &mut child) {
                Ok(()) => break 'started (child, port),
                Err(error) => {
                    child.kill()?;
                    child.wait()?;
                    last = error;
                }
            }
        }
        return Err(last);
    };
    if let Err(error) = spawn_watchdog(folder, lock, child.id()) {
        child.kill()?;
        return Err(error);
    }
    fs::write(folder.join("port"), port.to_string())
}

/// Ends the server once nobody holds the lock. It is a process of its own, because tests are killed.
fn spawn_watchdog(folder: &Path, lock: &Path, server: u32) -> io::Result<()> {
    const WATCH: &str = "while sleep 3; do \
         if flock --exclusive --nonblock 9; then \
             kill -QUIT \"$2\"; while kill -0 \"$2\"; do sleep 0.1; done; rm -rf \"$1\"; exit; \
         fi; \
         kill -0 \"$2\" || exit; \
     done 9>>\"$3\"";
    let mut watchdog = Command::new("bash");
    watchdog
        .args(["-c", WITHOUT_INHERITED_FILES, "watchdog", "bash", "-c", WATCH, "watchdog"])
        .arg(folder)
        .arg(server.to_string())
        .arg(lock);
    watchdog.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    // It ends by itself.
    watchdog.spawn().map(drop).map_err(|error| missing(&error, "bash", "bash"))
}

/// Makes the files of a server in a folder.
fn init(folder: &Path) -> io::Result<()> {
    if let Some((uid, gid)) = unprivileged()? {
        chown(folder, Some(uid), Some(gid))?;
    }
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
    // In its folder, where a server that is killed leaves nothing behind.
    postgres.args(["-c", "dynamic_shared_memory_type=mmap"]);
    for setting in settings {
        postgres.args(["-c", setting]);
    }
    // A group of its own: a signal to that of the test is not meant for it.
    postgres
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .map_err(|error| missing(&error, "bash", "bash"))
}

/// Runs a program without the files of its parents, but for the first three: else the server would hold a
/// lock of `flock cargo test`, or the pipe on which somebody waits for the end of the tests.
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

/// A program that talks to the server.
fn client(name: &str, folder: &Path, port: u16) -> io::Result<Command> {
    let mut client = program(name)?;
    client.stdin(Stdio::null()).arg("-h").arg(folder).args(["-p", &port.to_string(), "-U", USER]);
    Ok(client)
}

/// The socket of a server in the file system.
fn socket(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!(".s.PGSQL.{port}"))
}

fn tcp_url(port: u16, database: &str) -> String {
    format!("postgres://{USER}:{}@127.0.0.1:{port}/{database}", PASSWORD.replace(' ', "%20"))
}

/// A program of PostgreSQL, to be run as a user who may.
fn program(name: &str) -> io::Result<Command> {
    program_in(name, &programs()?)
}

fn program_in(name: &str, folder: &Path) -> io::Result<Command> {
    let mut command = Command::new(folder.join(name));
    // Neither the folder where tests run nor its parents may be open to that user.
    command.current_dir("/").env_remove("PGOPTIONS");
    if let Some((uid, gid)) = unprivileged()? {
        command.uid(uid).gid(gid);
    }
    Ok(command)
}

/// The folder of the programs of the latest version that is installed.
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

/// Where the folders of servers are: in memory if there is enough of it, because each database of a test is
/// thousands of pages to sync.
fn base() -> PathBuf {
    const MEMORY: &str = "/dev/shm";
    const ENOUGH_MIB: u64 = 1_024;
    let free = Command::new("df").args(["-BM", "--output=avail", MEMORY]).stderr(Stdio::null()).output();
    let free = free.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let mib = free.and_then(|text| text.lines().nth(1)?.trim().strip_suffix('M')?.parse::<u64>().ok());
    if mib.is_some_and(|mib| mib >= ENOUGH_MIB) { PathBuf::from(MEMORY) } else { std::env::temp_dir() }
}

/// Whom to run the server as: PostgreSQL refuses root. None if this process is not root's.
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

/// A port that nobody listens on.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn signal(name: &str, process: &str) -> io::Result<()> {
    // One that has ended already is no error.
    Command::new("kill")
        .args(["-s", name, process])
        .stderr(Stdio::null())
        .status()
        .map(drop)
        .map_err(|error| missing(&error, "kill", "procps"))
}

/// What a program said, if it failed.
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

/// A number that tells texts apart (FNV-1a).
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(folder: &Path, port: u16, database: &str) -> bool {
        let mut psql = client("psql", folder, port).expect("installed");
        psql.args(["-qc", "SELECT 1", database]).output().expect("run").status.success()
    }

    #[test]
    fn databases_of_the_shared_server_are_apart_and_go_with_their_tests() {
        let (one, two) = (Database::new().expect("made"), Database::new().expect("made"));
        assert_ne!(one.name(), two.name());
        let Shared { folder, port, .. } = one.server;
        assert!(answers(folder, *port, &one.name) && answers(folder, *port, &two.name));
        let name = one.name.clone();
        drop(one);
        assert!(!answers(folder, *port, &name));
        assert!(answers(folder, *port, &two.name));
    }

    #[test]
    fn a_database_tells_the_time_that_was_set() {
        let database = Database::with_own_time().expect("made");
        for ms in [0, 1_700_000_000_123, 1_699_999_999_999] {
            database.set_time(ms).expect("set");
            let told = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
            assert_eq!(database.run(told).expect("told"), ms.to_string());
        }
    }

    #[test]
    fn a_server_of_ones_own_is_killed_and_started_again() {
        let mut server = Postgres::start(&["shared_buffers=16MB"]).expect("started");
        server.create_database("one").expect("made");
        for end in [Postgres::kill, Postgres::stop] {
            end(&mut server).expect("ended");
            assert!(!answers(server.folder.path(), server.port, "one"));
            server.start_again().expect("started");
            assert!(answers(server.folder.path(), server.port, "one"));
        }
    }
}
