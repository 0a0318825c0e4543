//! A small disk, which can be filled.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
};

/// Its size.
const DISK_BYTES: u64 = 128 << 20;

/// The bytes by which the ballast grows at once.
const BALLAST_BYTES_AT_ONCE: u64 = 2 << 20;

/// A tmpfs that is unmounted when it is dropped.
pub(in crate::crash) struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one there, which only root may do.
    pub(in crate::crash) fn mount(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let size = format!("size={DISK_BYTES}");
        let mut mount = Command::new("mount");
        let output = mount.args(["-t", "tmpfs", "-o", &size, "lusoria-trial"]).arg(folder).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, said));
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// The folder where it is mounted.
    pub(in crate::crash) fn folder(&self) -> &Path {
        &self.folder
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let output =
            Command::new("df").args(["--block-size=1", "--output=avail"]).arg(&self.folder).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let bytes = text.lines().last().and_then(|line| line.trim().parse().ok());
        bytes.ok_or_else(|| io::Error::other(format!("df says {text:?}")))
    }

    /// Fills the disk until that many bytes are free, in small steps, so that a server that writes meanwhile
    /// never finds less.
    pub(in crate::crash) fn leave(&self, bytes: u64) -> io::Result<()> {
        self.make_room()?;
        let mut ballast = fs::File::create(self.ballast())?;
        loop {
            let more = self.free_bytes()?.saturating_sub(bytes).min(BALLAST_BYTES_AT_ONCE);
            if more == 0 {
                return Ok(());
            }
            ballast.write_all(&vec![1; usize::try_from(more).unwrap_or(usize::MAX)])?;
        }
    }

    pub(in crate::crash) fn make_room(&self) -> io::Result<()> {
        match fs::remove_file(self.ballast()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a server that was just killed may still have a file open there.
        let _ = Command::new("umount").arg("--lazy").arg(&self.folder).status();
    }
}
