//! Databases on a server that all test processes of a user share, because `initdb` takes seconds, and
//! creating a database only milliseconds.
//!
//! The shared server outlives the process that starts it. Each user of it holds a shared lock on a file,
//! which the system releases however the process ends. A watchdog process tries every few seconds to get the
//! exclusive lock. When it gets it, nobody uses the server; the watchdog ends the server and deletes its
//! folder before it releases the lock.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Write},
    os::unix::{fs::PermissionsExt, net::UnixStream, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    USER, WITHOUT_INHERITED_FILES, base, client, create_database, fingerprint, free_port, init, missing,
    output_of, own, programs, psql, socket, spawn, tcp_url, wait_until_ready,
};

/// How long to wait for the deletion of a database, which continues by itself.
const DROPPED_WITHIN: Duration = Duration::from_secs(2);
/// How many ports are tried, because another program may take one before the server does.
const PORTS_TRIED: u32 = 5;

/// A database on the shared server. It is deleted when this is dropped.
pub struct Database {
    server: &'static Shared,
    name: String,
}

impl Database {
    /// Creates an empty database, and starts the server if it does not run.
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

    /// Creates an empty database whose `clock_timestamp()` returns the time of [`Self::set_time`]: a function
    /// in the database shadows the system's.
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

    /// Sets the time of a database with its own time, in milliseconds since the epoch.
    ///
    /// # Errors
    /// If the file with the time cannot be written.
    pub fn set_time(&self, ms: u64) -> io::Result<()> {
        // Replaced as a whole, because the server may be reading it.
        let mut next = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o644))
            .tempfile_in(&self.server.folder)?;
        write!(next, "{ms}")?;
        next.persist(self.clock())?;
        Ok(())
    }

    /// The file with its time.
    fn clock(&self) -> PathBuf {
        self.server.folder.join(format!("{}.clock", self.name))
    }

    /// Its URL, over a Unix socket and without a password.
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

    /// Runs SQL in it, at the same time as the program under test. Returns the output.
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn run(&self, sql: &str) -> io::Result<String> {
        output_of("psql", psql(&self.server.folder, self.server.port, &self.name, sql)?)
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
        // The server waits for connections that are being opened, perhaps by tasks of this very thread.
        let until = Instant::now() + DROPPED_WITHIN;
        if let Ok(mut drop) = drop {
            while matches!(drop.try_wait(), Ok(None)) && Instant::now() < until {
                thread::sleep(Duration::from_millis(5));
            }
        }
        // The rest is deleted with the server.
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
        // A server of another version or with other settings is a different one.
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
            // The lock is released between its two kinds, so the next holder checks again.
            in_use.unlock()?;
            in_use.lock()?;
            if running(&folder).is_none() {
                start_shared(&folder, &lock)?;
            }
            in_use.unlock()?;
        }
    }
}

/// The settings of the shared server. Commits are as durable as on any other.
const SETTINGS: [&str; 4] = ["max_connections=400", "shared_buffers=64MB", "jit=off", "max_wal_size=256MB"];

/// The port of the shared server, if it runs.
fn running(folder: &Path) -> Option<u16> {
    let port = fs::read_to_string(folder.join("port")).ok()?.trim().parse().ok()?;
    UnixStream::connect(socket(folder, port)).ok()?;
    Some(port)
}

/// Starts the shared server and its watchdog. The exclusive lock must be held.
fn start_shared(folder: &Path, lock: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    fs::create_dir(folder)?;
    own(folder)?;
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

/// Starts the process that ends the server once nobody holds the lock. It is a separate process, because
/// tests are killed.
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

#[cfg(test)]
mod tests {
    use super::{super::tests::answers, *};

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
}
