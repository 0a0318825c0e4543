//! The place of the database.

use std::{fmt, path::PathBuf, str::FromStr};

/// The place of the database.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabasePlace {
    /// A SQLite file, for one server.
    File(PathBuf),
    /// The URL of a PostgreSQL database, which many servers may share. It may contain a password, so it is
    /// never shown.
    Postgres(String),
}

/// A URL of another kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a database is a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
pub struct BadDatabase;

impl FromStr for DatabasePlace {
    type Err = BadDatabase;

    fn from_str(text: &str) -> Result<Self, BadDatabase> {
        if ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Ok(Self::Postgres(text.to_owned()));
        }
        if text.is_empty() || text.contains("://") { Err(BadDatabase) } else { Ok(Self::File(text.into())) }
    }
}

impl fmt::Debug for DatabasePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Postgres(_) => f.write_str("Postgres(..)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_file_or_postgresql() {
        assert_eq!("club.db".parse(), Ok(DatabasePlace::File("club.db".into())));
        for url in ["postgres://zeno:hunter2@db/club", "postgresql://db/club"] {
            let place: DatabasePlace = url.parse().expect("a URL");
            assert_eq!(place, DatabasePlace::Postgres(url.to_owned()));
            assert!(!format!("{place:?}").contains("hunter2"));
        }
        for other in ["", "mysql://db/club", "sqlite://club.db"] {
            assert_eq!(other.parse::<DatabasePlace>(), Err(BadDatabase));
        }
    }
}
