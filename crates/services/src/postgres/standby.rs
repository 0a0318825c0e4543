//! A standby of a server.

use std::{
    io,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use super::{PATIENCE, Postgres, USER, checked, free_port, own_folder, program};

impl Postgres {
    /// Starts a standby. From now on this server acknowledges no commit that the standby does not have.
    ///
    /// # Errors
    /// If it does not start.
    pub fn standby(&self) -> io::Result<Self> {
        let folder = own_folder()?;
        let mut copy = program("pg_basebackup")?;
        copy.arg("-h").arg(self.folder.path()).args(["-p", &self.port.to_string(), "-U", USER]);
        // Writes which server to follow.
        copy.args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "-D"])
            .arg(folder.path().join("data"));
        checked("pg_basebackup", &copy.stdin(Stdio::null()).output()?)?;
        let settings = self.settings.clone();
        let mut standby = Self { folder, port: free_port()?, settings, server: None };
        standby.start_again()?;
        self.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")?;
        self.run("postgres", "SELECT pg_reload_conf()")?;
        let until = Instant::now() + PATIENCE;
        while self.run("postgres", "SELECT sync_state FROM pg_stat_replication")? != "sync" {
            if Instant::now() > until {
                return Err(io::Error::other("the standby does not follow"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(standby)
    }

    /// Makes a standby the primary.
    ///
    /// # Errors
    /// If it is not a standby.
    pub fn promote(&self) -> io::Result<()> {
        self.run("postgres", "SELECT pg_promote()").map(drop)
    }
}
