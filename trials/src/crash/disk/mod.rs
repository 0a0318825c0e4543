//! A disk that loses unsynced writes, is full, or fails to sync: the shim `shim/disk.c`, preloaded into the
//! server. And a small one.

mod changes;
mod cut;
mod small;

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use clap::ValueEnum;
use rand::rngs::StdRng;

pub(super) use cut::LostWrites;
pub(super) use small::SmallDisk;

/// The source of the shim.
const SOURCE: &str = include_str!("../../../shim/disk.c");

/// The duration of a sync, as on flash storage, in microseconds.
const SYNC_US: u32 = 2_000;

/// Which syncs do nothing although the disk reports success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Lie {
    /// All of them
    Everything,
    /// Those of the WAL, as if the server ran with `synchronous` below FULL
    Log,
    /// Those of the database itself: what was copied into it is lost together with the WAL
    Database,
}

impl Lie {
    /// The suffix of the names of the files that are not synced.
    const fn names_end(self) -> &'static str {
        match self {
            Self::Everything => "",
            Self::Log => "-wal",
            Self::Database => ".db",
        }
    }
}

/// A compiled shim.
#[derive(Debug, Clone)]
pub(super) struct Shim {
    library: PathBuf,
}

/// The disk under one database.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    shim: Shim,
    logs: PathBuf,
    database: PathBuf,
    lie: Option<Lie>,
}

impl Shim {
    /// Compiles it with the system's C compiler.
    ///
    /// # Errors
    /// A sentence, if this system cannot preload a library, or has no C compiler.
    pub(super) fn build(folder: &Path) -> Result<Self, String> {
        if !cfg!(target_os = "linux") {
            return Err("it preloads a library into the server, which needs Linux".to_owned());
        }
        let (source, library) = (folder.join("disk.c"), folder.join("disk.so"));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&source, SOURCE))
            .map_err(|error| format!("{}: {error}", source.display()))?;
        let mut compile = Command::new("cc");
        compile.args(["-O2", "-Wall", "-shared", "-fPIC", "-pthread", "-o"]).arg(&library).arg(&source);
        let compiled = compile.arg("-ldl").stdin(Stdio::null()).status();
        match compiled {
            Ok(status) if status.success() => Ok(Self { library }),
            Ok(status) => Err(format!("cc could not compile {}: {status}", source.display())),
            Err(error) => Err(format!("it needs a C compiler, cc: {error}")),
        }
    }
}

impl Disk {
    /// A disk under the database, with its logs in the folder.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub(super) fn new(shim: Shim, logs: PathBuf, database: PathBuf, lie: Option<Lie>) -> io::Result<Self> {
        fs::create_dir_all(&logs)?;
        Ok(Self { shim, logs, database, lie })
    }

    /// The environment variables that the server needs.
    pub(super) fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mut environment = vec![
            ("LD_PRELOAD", self.shim.library.clone().into()),
            ("LUSORIA_DISK_FILES", self.database.clone().into()),
            ("LUSORIA_DISK_LOGS", self.logs.clone().into()),
            ("LUSORIA_DISK_SYNC_US", SYNC_US.to_string().into()),
        ];
        environment.extend(self.lie.map(|lie| ("LUSORIA_DISK_LIES", lie.names_end().into())));
        environment
    }

    /// Limits the disk: from now on only that many bytes can be added.
    pub(super) fn fill(&self, bytes_left: u64) -> io::Result<()> {
        // With one rename: the server may read it at any time.
        let new = self.logs.join("full.new");
        fs::write(&new, bytes_left.to_string())?;
        fs::rename(new, self.logs.join("full"))
    }

    /// Lifts the limit.
    pub(super) fn make_room(&self) -> io::Result<()> {
        fs::remove_file(self.logs.join("full"))
    }

    /// Makes the next sync of the WAL fail. A sync of the database itself may fail too: its content is still
    /// in the WAL, and is copied again.
    pub(super) fn fail_next_sync(&self) -> io::Result<()> {
        fs::write(self.logs.join("eio"), "")
    }

    /// Whether a sync has failed since.
    pub(super) fn has_failed(&self) -> bool {
        !self.logs.join("eio").exists()
    }

    /// Cuts the power, after the server was killed: unsynced writes are lost, all of them or a part.
    /// Afterwards the disk is no longer full.
    pub(super) fn cut(&self, random: &mut StdRng) -> io::Result<LostWrites> {
        let folder = self.database.parent().expect("a database lies in a folder");
        cut::cut(&self.logs, folder, random)
    }
}
