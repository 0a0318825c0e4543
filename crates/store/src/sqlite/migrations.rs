//! The versions of the tables.

use std::time::Instant;

use rusqlite::Connection;
use sha2::{Digest, Sha384};

/// A step from one version of the tables to the next.
pub(super) struct Migration {
    /// The version that it leads to.
    pub(super) version: i64,
    name: &'static str,
    sql: &'static str,
}

impl Migration {
    const fn new(version: i64, name: &'static str, sql: &'static str) -> Self {
        Self { version, name, sql }
    }

    /// The checksum that is kept when it has been applied.
    pub(super) fn checksum(&self) -> Vec<u8> {
        Sha384::digest(self.sql).to_vec()
    }
}

/// The files in `migrations/`, in order.
pub(super) const MIGRATIONS: [Migration; 17] = [
    Migration::new(1, "first", include_str!("../../../../migrations/0001_first.sql")),
    Migration::new(2, "computer", include_str!("../../../../migrations/0002_computer.sql")),
    Migration::new(3, "analyses", include_str!("../../../../migrations/0003_analyses.sql")),
    Migration::new(4, "operating", include_str!("../../../../migrations/0004_operating.sql")),
    Migration::new(5, "sessions", include_str!("../../../../migrations/0005_sessions.sql")),
    Migration::new(6, "commits", include_str!("../../../../migrations/0006_commits.sql")),
    Migration::new(JOURNAL, "journal", include_str!("../../../../migrations/0007_journal.sql")),
    Migration::new(8, "accounts", include_str!("../../../../migrations/0008_accounts.sql")),
    Migration::new(9, "club", include_str!("../../../../migrations/0009_club.sql")),
    Migration::new(
        10,
        "challenges_passkeys",
        include_str!("../../../../migrations/0010_challenges_passkeys.sql"),
    ),
    Migration::new(11, "departures", include_str!("../../../../migrations/0011_departures.sql")),
    Migration::new(12, "push", include_str!("../../../../migrations/0012_push.sql")),
    Migration::new(13, "preferences", include_str!("../../../../migrations/0013_preferences.sql")),
    Migration::new(
        14,
        "conditional_turns",
        include_str!("../../../../migrations/0014_conditional_turns.sql"),
    ),
    Migration::new(15, "company", include_str!("../../../../migrations/0015_company.sql")),
    Migration::new(16, "fair_play", include_str!("../../../../migrations/0016_fair_play.sql")),
    Migration::new(17, "server_keys", include_str!("../../../../migrations/0017_server_keys.sql")),
];

/// From this version on events are in the journal in order of arrival. A database of an earlier one
/// is copied into a new file ([`super::rebuild`]).
pub(super) const JOURNAL: i64 = 7;

/// The version that this server knows: the number of the last migration.
pub(super) const LATEST: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Which migrations were applied. The table has this name since the first release.
const APPLIED: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
";

/// Applies the migrations that a database lacks, up to a version. It must be new, or the last step
/// not lead over [`JOURNAL`]. `inspect` has refused a database that is not ours, or newer.
pub(super) fn apply(connection: &mut Connection, up_to: i64) -> rusqlite::Result<()> {
    connection.execute_batch(APPLIED)?;
    let last = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";
    let last: i64 = connection.query_row(last, [], |row| row.get(0))?;
    let missing = |migration: &&Migration| (last + 1..=up_to).contains(&migration.version);
    for migration in MIGRATIONS.iter().filter(missing) {
        let started = Instant::now();
        let transaction = connection.transaction()?;
        transaction.execute_batch(migration.sql)?;
        let took = i64::try_from(started.elapsed().as_nanos()).unwrap_or(i64::MAX);
        transaction.execute(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (?1, ?2, TRUE, ?3, ?4)",
            (migration.version, migration.name, migration.checksum(), took),
        )?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_migration_in_its_place() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        // Those of PostgreSQL are in a folder of their own.
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        let mut files: Vec<_> = files.map(|file| file.file_name().into_string().unwrap()).collect();
        files.sort();
        let known = MIGRATIONS.map(|migration| format!("{:04}_{}.sql", migration.version, migration.name));
        assert_eq!(files, known);
    }
}
