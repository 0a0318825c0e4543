//! The versions of the tables.

use std::borrow::Cow;

use sqlx::{
    Error, SqlSafeStr as _,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use crate::sql::Tx;

/// A step from one version of the tables to the next.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The version that it leads to.
    pub(super) version: i64,
    description: &'static str,
    sql: &'static str,
}

const fn step(version: i64, description: &'static str, sql: &'static str) -> Step {
    Step { version, description, sql }
}

/// All of them, in order.
pub(super) const STEPS: [Step; 1] = [step(
    1,
    "first",
    concat!(
        include_str!("../../../../migrations/0001_first/sqlite.sql"),
        include_str!("../../../../migrations/0001_first/tables.sql"),
        include_str!("../../../../migrations/0001_first/sqlite_rows.sql"),
    ),
)];

/// The version that this server knows: the number of the last step.
pub(super) const LATEST: i64 = STEPS[STEPS.len() - 1].version;

/// Applies the steps that a database lacks. `inspect` has refused one that is not ours, or newer.
pub(super) async fn apply(tx: &mut Tx, steps: &[Step]) -> Result<(), Error> {
    let migrator = Migrator {
        migrations: Cow::Owned(steps.iter().map(Step::migration).collect()),
        locking: false,
        ..Migrator::DEFAULT
    };
    migrator.run_direct(None, tx.sqlite()?, false).await.map_err(|error| match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error,
        other => other.into(),
    })
}

impl Step {
    fn migration(&self) -> Migration {
        let (description, sql) = (Cow::Borrowed(self.description), self.sql.into_sql_str());
        Migration::new(self.version, description, MigrationType::Simple, sql, false)
    }

    /// The checksum that is kept when it has been applied.
    pub(super) fn checksum(&self) -> Cow<'static, [u8]> {
        self.migration().checksum
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{
        sql::args,
        sqlite::{SqliteOptions, inspect::inspect, open::open, open_error::OpenError},
    };

    #[test]
    fn every_folder_of_migrations_is_a_step_in_its_place() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        let entries = std::fs::read_dir(folder).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
        let mut found: Vec<_> = names.collect();
        found.sort();
        assert_eq!(found, STEPS.map(|step| format!("{:04}_{}", step.version, step.description)));
    }

    /// As the next release does.
    #[tokio::test]
    async fn another_step_is_applied_once_and_then_this_release_refuses_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let sql = "ALTER TABLE guests ADD COLUMN next TEXT; UPDATE guests SET next = name";
        let next = [STEPS[0], step(LATEST + 1, "next", sql)];
        for _ in 0..2 {
            apply(&mut opened.writer, &next).await.expect("applied");
        }
        let computers = "SELECT COUNT(*), COUNT(next) FROM guests";
        let found: (i64, i64) = opened.writer.one(computers, args![]).await.expect("read");
        assert_eq!(found, (5, 5));
        let refused = inspect(&path, options.busy_timeout).await;
        let (newer, this) = (LATEST + 1, LATEST);
        assert!(
            matches!(refused, Err(OpenError::Newer { found, known, .. }) if (found, known) == (newer, this)),
            "{refused:?}"
        );
    }

    #[tokio::test]
    async fn a_step_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let options = SqliteOptions::default();
        let mut opened = open(&path, &options).await.expect("opened");
        let sql = "DELETE FROM guests; INSERT INTO nothing (one) VALUES (1)";
        let failed = apply(&mut opened.writer, &[STEPS[0], step(LATEST + 1, "next", sql)]).await;
        assert!(matches!(failed, Err(Error::Database(_))), "{failed:?}");
        let guests: i64 = opened.writer.one("SELECT COUNT(*) FROM guests", args![]).await.expect("read");
        assert_eq!(guests, 5);
        assert_eq!(inspect(&path, options.busy_timeout).await.expect("as it was"), LATEST);
    }
}
