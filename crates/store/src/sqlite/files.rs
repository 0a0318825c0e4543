//! The files of a database and those beside it: their names, their locks, their folder.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

use super::open_error::OpenError;

/// The lock file of a database in use, behind its name.
pub(super) const LOCK: &str = "-lock";

/// What SQLite keeps beside a database, behind its name: the WAL, the shared-memory index of the
/// WAL, and the rollback journal of a database without a WAL.
pub(super) const WAL: &str = "-wal";
pub(super) const SHM: &str = "-shm";
pub(super) const JOURNAL: &str = "-journal";

/// Where the number of the last commit is noted ([`super::commit_note`]), behind the name.
pub(super) const COMMIT_NOTE: &str = "-commits";

/// Where a damaged WAL is kept ([`super::recovery`]), behind the name.
pub(super) const DAMAGED_WAL: &str = "-wal-damaged";

/// The copy that a restore puts in the place of a database, behind the name of the database.
pub(super) const RESTORING: &str = "-restoring";

/// How often to open the lock file again if another process removes it meanwhile.
const TRIES: u32 = 100;

/// A name beside the database: its own with something at the end.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Takes the lock of the database. The system releases it when the process ends, however it ends.
/// SQLite's own locks would not do: they let two servers take turns.
pub(super) fn lock(path: &Path) -> Result<File, OpenError> {
    Ok(lock_made(path)?.0)
}

/// As [`lock`]; also whether this created the lock file.
fn lock_made(path: &Path) -> Result<(File, bool), OpenError> {
    let name = beside(path, LOCK);
    let failed = |error| OpenError::File { path: name.clone(), error };
    for _ in 0..TRIES {
        let new = OpenOptions::new().create_new(true).write(true).open(&name);
        let (file, made) = match new {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match OpenOptions::new().write(true).open(&name) {
                    Ok(file) => (file, false),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(failed(error)),
                }
            }
            Err(error) => return Err(failed(error)),
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, &name).map_err(failed)? => {
                if made {
                    give_to_owner_of(path, &file).map_err(failed)?;
                }
                return Ok((file, made));
            }
            // The process that held it has removed it.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    Err(OpenError::InUse(path.to_owned()))
}

/// The lock of a file that is about to be replaced, which need not be a database. On drop it
/// removes the lock file if it created it.
pub(super) struct Hold {
    _file: File,
    made: Option<PathBuf>,
}

impl Hold {
    /// Keeps every server from beginning to use the file.
    ///
    /// # Errors
    /// If one uses it.
    pub(super) fn of(path: &Path) -> Result<Self, OpenError> {
        let (file, made) = lock_made(path)?;
        Ok(Self { _file: file, made: made.then(|| beside(path, LOCK)) })
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // While it is locked: a process that has opened it sees afterwards (`is_at`) that it is gone.
        if let Some(name) = &self.made
            && let Err(error) = fs::remove_file(name)
        {
            tracing::warn!(path = %name.display(), %error, "removing the lock file failed; it stays and does no harm");
        }
    }
}

/// Creates the file if there is none, readable by its owner alone: it holds the secrets.
/// SQLite gives the WAL the same permissions.
pub(super) fn make_private(path: &Path) -> Result<File, OpenError> {
    let mut open = OpenOptions::new();
    open.create(true).truncate(false).read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    open.open(path).map_err(|error| OpenError::File { path: path.to_owned(), error })
}

/// Gives a file beside a database to the owner of the database, or, if there is none yet, of its
/// folder: the server's user must be able to open what root has created. Does nothing for
/// other users than root; if the system refuses, logs it and goes on.
#[cfg(unix)]
pub(super) fn give_to_owner_of(database: &Path, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let owner = match fs::metadata(database) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::metadata(folder_of(database))?,
        found => found?,
    };
    if file.metadata()?.uid() != owner.uid()
        && let Err(error) = fchown(file, Some(owner.uid()), Some(owner.gid()))
    {
        // For example in a container whose users do not all exist outside.
        tracing::warn!(
            path = %database.display(), %error,
            "changing the owner of a file beside the database failed; it still belongs to root"
        );
    }
    Ok(())
}

/// Elsewhere files have no such owners.
#[cfg(not(unix))]
pub(super) fn give_to_owner_of(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// Whether an open file still has that name: it may have been renamed or removed between
/// opening and locking.
pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(there) => Ok(is_one(&file.metadata()?, &there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether an open file has that name and no other one, and is a plain file of our own. What is
/// written for a database lies in a folder of its user: a link there could lead to any file.
pub(super) fn is_nothing_else(file: &File, path: &Path) -> io::Result<bool> {
    let (open, there) = (file.metadata()?, fs::symlink_metadata(path)?);
    Ok(open.is_file() && there.is_file() && is_one(&open, &there) && is_ours_alone(&open))
}

#[cfg(unix)]
fn is_ours_alone(open: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    open.nlink() == 1 && open.uid() == rustix::process::geteuid().as_raw()
}

/// Elsewhere files have no such owners.
#[cfg(not(unix))]
fn is_ours_alone(_: &fs::Metadata) -> bool {
    true
}

/// Whether two names are those of one file.
pub(super) fn are_one(one: &Path, other: &Path) -> bool {
    let by_name = || Some(fs::canonicalize(one).ok()? == fs::canonicalize(other).ok()?);
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => cfg!(unix) && is_one(&one, &other) || by_name().unwrap_or(false),
        _ => false,
    }
}

#[cfg(unix)]
fn is_one(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere a file that is open can be neither renamed nor removed.
#[cfg(not(unix))]
fn is_one(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// The folder in which a file is.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes a file if it is there.
pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Makes a rename in the folder of this file durable.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_keeps_servers_away_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let lock_file = beside(&path, LOCK);
        let hold = Hold::of(&path).expect("it is not in use");
        assert!(matches!(lock(&path), Err(OpenError::InUse(_))));
        assert!(matches!(Hold::of(&path), Err(OpenError::InUse(_))));
        // As a server that has opened the file and not locked it yet.
        let opened = File::open(&lock_file).expect("it is there");
        drop(hold);
        assert!(!lock_file.exists());
        opened.try_lock().expect("it is not locked");
        assert!(!is_at(&opened, &lock_file).expect("a file"), "what it has locked is no lock");
        let server = lock(&path).expect("it is not in use");
        assert!(is_at(&server, &lock_file).expect("a file"));
        drop(server);
        drop(Hold::of(&path).expect("it is not in use"));
        assert!(lock_file.exists(), "it was there before");
    }

    #[cfg(unix)]
    #[test]
    fn one_file_is_recognised_by_all_its_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, hard, other] =
            ["file", "link", "hard", "other"].map(|name| folder.path().join(name));
        for path in [&file, &other] {
            fs::write(path, "the same").expect("room");
        }
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        fs::hard_link(&file, &hard).expect("a link");
        assert!(are_one(&file, &link) && are_one(&hard, &file) && are_one(&file, &file));
        assert!(!are_one(&file, &other) && !are_one(&file, &folder.path().join("missing")));
    }
}
