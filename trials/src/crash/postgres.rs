//! A PostgreSQL that belongs to a world, with one database for one server.

use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use lusoria_services::postgres::{self, Postgres};

use super::{
    TrialError,
    disk::SmallDisk,
    error::{broken, promised},
};

/// The name of the database.
const NAME: &str = "lusoria";

/// The server's node name. The next server has the same one.
const NODE: &str = "one";

/// The WAL fits on a small disk.
const SETTINGS: [&str; 2] = ["min_wal_size=32MB", "max_wal_size=64MB"];

/// The folder below that of PostgreSQL where the small disk is mounted.
const MOUNTED: &str = "small";

/// Fills a segment of the WAL, and begins the next one.
const FILL_WAL: &str = "SELECT pg_logical_emit_message(false, 'trial', repeat('x', 1 << 20)) \
     FROM generate_series(1, 16); SELECT pg_switch_wal()";

/// The most segments that the WAL has until its disk is full.
const SEGMENTS_MAX: u32 = 16;

/// Whether the server has noted an outage that ended after that time, and has noted since that it runs: then
/// it knows of the outage.
const OUTAGE_KNOWN: &str = "SELECT coalesce(max(ended_at), 0) >= {} AND max(ended_at) < (SELECT at FROM pulse) \
     FROM outages";

/// How long a server may take to note an outage, once it is ready.
const NOTED_WITHIN: Duration = Duration::from_secs(10);

/// How long PostgreSQL may take to recover, or to stop trying.
const RECOVERS_WITHIN: Duration = Duration::from_secs(30);

/// How often to poll.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The part that is on a small disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnSmallDisk {
    /// The tables and indexes.
    Tables,
    /// The WAL.
    Wal,
}

/// A PostgreSQL with a database.
pub(super) struct PostgresDatabase {
    // It is unmounted before the folder in which it is mounted is removed.
    small_disk: Option<SmallDisk>,
    server: Postgres,
}

impl PostgresDatabase {
    /// Starts it with an empty database; on request with a part of it on a small disk, which only root can
    /// mount.
    pub(super) fn start(part: Option<OnSmallDisk>) -> io::Result<Self> {
        let server = Postgres::start(&SETTINGS)?;
        let mount = || SmallDisk::mount(&server.folder().join(MOUNTED));
        let small_disk = part.map(|_| mount()).transpose()?;
        let mut database = Self { small_disk, server };
        match part {
            None => database.server.create_database(NAME)?,
            Some(OnSmallDisk::Tables) => database.create_on_small_disk()?,
            Some(OnSmallDisk::Wal) => {
                database.server.create_database(NAME)?;
                database.move_wal()?;
            }
        }
        Ok(database)
    }

    fn create_on_small_disk(&self) -> io::Result<()> {
        let folder = self.small_disk().folder().join("tables");
        std::fs::create_dir(&folder)?;
        postgres::own(&folder)?;
        self.server.run("postgres", &format!("CREATE TABLESPACE small LOCATION '{}'", folder.display()))?;
        self.server.run("postgres", &format!("CREATE DATABASE {NAME} TABLESPACE small"))?;
        Ok(())
    }

    fn move_wal(&mut self) -> io::Result<()> {
        let wal = self.server.folder().join("data/pg_wal");
        let moved = self.small_disk().folder().join("pg_wal");
        self.server.stop()?;
        // Across file systems, and keeping its owner.
        let status = Command::new("mv").arg(&wal).arg(&moved).status()?;
        if !status.success() {
            return Err(io::Error::other(format!("the WAL cannot be moved: {status}")));
        }
        std::os::unix::fs::symlink(moved, wal)?;
        self.server.start_again()
    }

    /// The address of the database, for the server's command line.
    pub(super) fn url(&self) -> PathBuf {
        self.server.url(NAME).into()
    }

    /// The other arguments of a server with this name.
    pub(super) fn arguments(node: Option<&str>) -> Vec<OsString> {
        ["--node", node.unwrap_or(NODE)].map(Into::into).to_vec()
    }

    /// Kills all its processes.
    pub(super) fn kill(&mut self) -> io::Result<()> {
        tokio::task::block_in_place(|| self.server.kill())
    }

    /// Starts it again after it was killed, or ended by itself.
    pub(super) fn start_again(&mut self) -> io::Result<()> {
        tokio::task::block_in_place(|| self.server.start_again())
    }

    /// Holds the lock on a table in a session that ends by itself.
    pub(super) fn lock(&self, table: &str, held: Duration) -> io::Result<Child> {
        let lock = format!(
            "BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({}); ROLLBACK",
            held.as_secs_f64()
        );
        self.server.psql(NAME, &lock)?.stdout(Stdio::null()).spawn()
    }

    /// Waits until the server knows of an outage that ended after that time, in milliseconds since the epoch.
    pub(super) fn until_outage_known(&self, ended_after: u64) -> Result<(), TrialError> {
        let is_known = OUTAGE_KNOWN.replace("{}", &ended_after.to_string());
        tokio::task::block_in_place(|| {
            let until = Instant::now() + NOTED_WITHIN;
            while self.server.run(NAME, &is_known)? != "t" {
                promised!(
                    Instant::now() < until,
                    "the server notes no outage that ended after {ended_after}"
                );
                std::thread::sleep(LOOK_EVERY);
            }
            Ok(())
        })
    }

    /// What is wrong with its tables and indexes.
    pub(super) fn damage(&self) -> io::Result<Option<String>> {
        self.server.damage(NAME)
    }

    /// The small disk.
    pub(super) fn small_disk(&self) -> &SmallDisk {
        self.small_disk.as_ref().expect("the kinds that need one have one")
    }

    /// Fills the disk of the WAL until PostgreSQL stops at once (PANIC). Then it recovers or, without space,
    /// ends.
    pub(super) fn fill_wal(&mut self) -> Result<(), TrialError> {
        tokio::task::block_in_place(|| {
            self.small_disk().leave(0)?;
            let has_stopped = (0..SEGMENTS_MAX).any(|_| self.server.run(NAME, FILL_WAL).is_err());
            promised!(has_stopped, "PostgreSQL continues without space for its WAL");
            let until = Instant::now() + RECOVERS_WITHIN;
            while !self.server.has_ended()? && self.server.run(NAME, "SELECT").is_err() {
                promised!(
                    Instant::now() < until,
                    "PostgreSQL neither recovers nor ends without space for its WAL"
                );
                std::thread::sleep(LOOK_EVERY);
            }
            Ok(())
        })
    }

    /// Frees space on the small disk, and starts PostgreSQL again if it has ended.
    pub(super) fn make_room(&mut self) -> Result<(), TrialError> {
        self.small_disk().make_room()?;
        if self.server.has_ended()? {
            self.start_again()
                .map_err(|why| broken!("PostgreSQL does not start when space is free: {why}"))?;
        }
        Ok(())
    }
}
