//! The versions of the tables.

use std::{path::Path, sync::LazyLock};

use sqlx::{
    SqlSafeStr, SqliteConnection,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use super::open_error::{OpenError, of_sqlite};

/// The files in `migrations/`, in order: number, name, text. `sqlx::migrate!` would list them
/// by itself, but would have SQLite compiled twice, and not see when a file is added.
const MIGRATIONS: [(i64, &str, &str); 6] = [
    (1, "first", include_str!("../../../../migrations/0001_first.sql")),
    (2, "computer", include_str!("../../../../migrations/0002_computer.sql")),
    (3, "analyses", include_str!("../../../../migrations/0003_analyses.sql")),
    (4, "operating", include_str!("../../../../migrations/0004_operating.sql")),
    (5, "sessions", include_str!("../../../../migrations/0005_sessions.sql")),
    (6, "commits", include_str!("../../../../migrations/0006_commits.sql")),
];

pub(super) static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| {
    let migration = |(number, name, text): (i64, &'static str, &'static str)| {
        Migration::new(number, name.into(), MigrationType::Simple, text.into_sql_str(), false)
    };
    Migrator::with_migrations(MIGRATIONS.map(migration).to_vec())
});

/// The version that this server knows: the number of the last migration.
pub(super) fn latest() -> i64 {
    MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Brings the tables up to date.
pub(super) async fn migrate(path: &Path, connection: &mut SqliteConnection) -> Result<(), OpenError> {
    // `inspect` has refused a database that is not ours, or newer.
    MIGRATOR.run(connection).await.map_err(|error| match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => of_sqlite(path, error),
        other => OpenError::Database { path: path.to_owned(), error: other.into() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_migration_in_its_place() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
        files.sort();
        let known = MIGRATIONS.map(|(number, name, _)| format!("{number:04}_{name}.sql"));
        assert_eq!(files, known);
    }
}
