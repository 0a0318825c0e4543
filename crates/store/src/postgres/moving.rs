//! What is moved here from a file: one transaction, in which no server can use the database.

use std::{collections::BTreeMap, time::Duration};

use serde_json::value::RawValue;
use sqlx::{
    AssertSqlSafe, Connection, Error, Executor, PgConnection, Postgres, query, query_as, query_scalar,
};
use tokio::time::timeout;
use uuid::Uuid;

use super::{failure::Failure, open::Target, open_error::OpenError, options::PostgresOptions};
use crate::{
    OUTAGE_AFTER_MS,
    moved_rows::{Batch, Table},
    text::column,
};

/// How long the database may take for a statement.
const ANSWER_WITHIN: Duration = Duration::from_mins(10);

/// Why rows could not be moved to a database. Nothing was committed unless the error says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// There are guests or matches already.
    #[error("the database at {place} is not empty; create another one with: createdb --encoding=UTF8")]
    NotEmpty {
        /// Where, without the password.
        place: String,
    },
    /// Servers run there.
    #[error("servers run on the database at {place}: {nodes}; stop them first")]
    NodesRun {
        /// Where, without the password.
        place: String,
        /// Their names.
        nodes: String,
    },
    /// What was read back is not what was written.
    #[error(
        "what was written to the database at {place} and read back differs, so nothing was moved: {what}"
    )]
    Differs {
        /// Where, without the password.
        place: String,
        /// What differs.
        what: String,
    },
    /// It is not known whether the rows were committed.
    #[error("the connection to the database at {place} broke during the commit: {why}")]
    Unknown {
        /// Where, without the password.
        place: String,
        /// What the system said.
        why: String,
    },
}

/// A database that a file is moved to.
pub(crate) struct Destination {
    target: Target,
    connection: PgConnection,
}

const HAS_TABLES: &str = "SELECT to_regclass('cluster') IS NOT NULL AND to_regclass('nodes') IS NOT NULL \
     AND to_regclass('matches') IS NOT NULL AND to_regclass('guests') IS NOT NULL";
/// By the clock of the database, as beats are noted.
const RUNNING: &str = "SELECT string_agg(name, ', ' ORDER BY name) FROM nodes \
     WHERE seen_at >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $1";
const IS_USED: &str =
    "SELECT EXISTS (SELECT FROM matches) OR EXISTS (SELECT FROM guests WHERE kind <> 'computer')";
/// What is compared is found by its key: the planner knows nothing yet of how many rows there are.
const BEGIN: &str = "BEGIN; \
     SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
     SET LOCAL lock_timeout = '5s'; SET LOCAL bytea_output = 'hex'; \
     SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";
/// In the order in which nodes lock them.
const LOCKED: &str = "pulse, cluster, nodes, leases";
const TAKE_OVER: &str =
    "WITH seen AS (UPDATE pulse SET at = $2) UPDATE cluster SET history = $1, era = era + 1";

impl Destination {
    /// Connects to the database. Changes nothing.
    pub(crate) async fn connect(url: &str) -> Result<Self, DestinationError> {
        let target = Target::parse(url, &PostgresOptions::default())?;
        let connection =
            target.connect_to_server().await.map_err(|error| OpenError::of(&target.place, &error))?;
        Ok(Self { target, connection })
    }

    /// Where it is, without the password.
    pub(crate) fn place(&self) -> &str {
        &self.target.place
    }

    /// Runs a statement, and waits for its answer.
    async fn run<T>(
        &mut self,
        statement: impl AsyncFnOnce(&mut PgConnection) -> Result<T, Error>,
    ) -> Result<T, DestinationError> {
        match timeout(ANSWER_WITHIN, statement(&mut self.connection)).await {
            Ok(done) => Ok(done.map_err(|error| OpenError::of(&self.target.place, &error))?),
            Err(_) => Err(OpenError::no_answer(&self.target.place).into()),
        }
    }

    async fn has_tables(&mut self) -> Result<bool, DestinationError> {
        self.run(async |connection| query_scalar::<Postgres, _>(HAS_TABLES).fetch_one(connection).await).await
    }

    /// Which history the database has; none if it has no tables.
    pub(crate) async fn history(&mut self) -> Result<Option<Uuid>, DestinationError> {
        if !self.has_tables().await? {
            return Ok(None);
        }
        let history = "SELECT history FROM cluster";
        self.run(async |connection| query_scalar::<Postgres, _>(history).fetch_optional(connection).await)
            .await
    }

    /// # Errors
    /// If servers run on the database, or it has guests or matches.
    pub(crate) async fn check_unused(&mut self) -> Result<(), DestinationError> {
        if !self.has_tables().await? {
            return Ok(());
        }
        let nodes: Option<String> = self
            .run(async |connection| {
                query_scalar::<Postgres, _>(RUNNING).bind(column(OUTAGE_AFTER_MS)).fetch_one(connection).await
            })
            .await?;
        let place = self.place().to_owned();
        if let Some(nodes) = nodes {
            return Err(DestinationError::NodesRun { place, nodes });
        }
        let is_used =
            self.run(async |connection| query_scalar::<Postgres, _>(IS_USED).fetch_one(connection).await);
        if is_used.await? { Err(DestinationError::NotEmpty { place }) } else { Ok(()) }
    }

    /// Migrates the database as a server does, begins the transaction, and locks the tables against servers.
    ///
    /// # Errors
    /// As [`Self::check_unused`].
    pub(crate) async fn begin(&mut self) -> Result<(), DestinationError> {
        // Before anything is changed, and again when no server can come between.
        self.check_unused().await?;
        self.target.prepare().await?;
        let names = Table::ALL.map(Table::name).join(", ");
        let lock = format!("LOCK TABLE {LOCKED}, {names} IN ACCESS EXCLUSIVE MODE");
        self.run(async |connection| {
            connection.execute(BEGIN).await?;
            connection.execute(AssertSqlSafe(lock)).await
        })
        .await?;
        self.check_unused().await?;
        // What migrations have put there, and times without servers.
        let clear = format!("TRUNCATE leases, {names}");
        self.run(async |connection| connection.execute(AssertSqlSafe(clear)).await).await.map(drop)
    }

    /// Writes the rows.
    pub(crate) async fn write(&mut self, batch: &Batch) -> Result<(), DestinationError> {
        let (name, columns) = (batch.table.name(), batch.table.columns());
        let insert = format!(
            "INSERT INTO {name} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{name}, $1::json)"
        );
        let insert = query::<Postgres>(AssertSqlSafe(insert)).bind(array(&batch.rows));
        self.run(async |connection| insert.execute(connection).await).await.map(drop)
    }

    /// Reads the rows back.
    ///
    /// # Errors
    /// If one is missing or another.
    pub(crate) async fn compare(&mut self, batch: &Batch) -> Result<(), DestinationError> {
        let (name, key, columns) = (batch.table.name(), batch.table.key(), batch.table.columns());
        let select = format!(
            "SELECT row_to_json(found)::text FROM (SELECT {columns} FROM {name} \
             WHERE ({key}) IN (SELECT {key} FROM json_populate_recordset(NULL::{name}, $1::json))) AS found"
        );
        let select = query_as::<Postgres, (String,)>(AssertSqlSafe(select)).bind(array(&batch.rows));
        let found = self.run(async |connection| select.fetch_all(connection).await).await?;
        let found: Vec<String> = found.into_iter().map(|(row,)| row).collect();
        difference(&batch.rows, &found).map_or(Ok(()), |what| Err(self.differs(format!("{name}: {what}"))))
    }

    /// Compares how many rows each table has.
    ///
    /// # Errors
    /// If it is another number.
    pub(crate) async fn compare_counts(
        &mut self,
        counts: &BTreeMap<Table, usize>,
    ) -> Result<(), DestinationError> {
        for table in Table::ALL {
            let count = counts.get(&table).copied().unwrap_or(0);
            let select = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name()));
            let found: i64 = self
                .run(async |connection| query_scalar::<Postgres, _>(select).fetch_one(connection).await)
                .await?;
            if usize::try_from(found) != Ok(count) {
                let what = format!("{}: there are {found} rows, and should be {count}", table.name());
                return Err(self.differs(what));
            }
        }
        Ok(())
    }

    fn differs(&self, what: String) -> DestinationError {
        DestinationError::Differs { place: self.place().to_owned(), what }
    }

    /// Has the database go on with a history; servers ran until then, in milliseconds since the epoch.
    pub(crate) async fn take_over(
        &mut self,
        history: Uuid,
        ran_until: Option<i64>,
    ) -> Result<(), DestinationError> {
        let take_over = query::<Postgres>(TAKE_OVER).bind(history).bind(ran_until);
        self.run(async |connection| take_over.execute(connection).await).await.map(drop)
    }

    /// Commits what was written.
    ///
    /// # Errors
    /// [`DestinationError::Unknown`] if it is not known whether it was committed; with others it was not.
    pub(crate) async fn commit(&mut self) -> Result<(), DestinationError> {
        let unknown = |why| DestinationError::Unknown { place: self.target.place.clone(), why };
        match timeout(ANSWER_WITHIN, self.connection.execute("COMMIT")).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(match Failure::of_commit(&error) {
                Failure::Unknown(why) => unknown(why),
                _ => OpenError::of(&self.target.place, &error).into(),
            }),
            Err(_) => Err(unknown("no answer".to_owned())),
        }
    }

    /// Has the planner know how much there is. Without it servers would find things slowly until the database
    /// does it by itself.
    pub(crate) async fn analyze(mut self) {
        let analyze = "SET statement_timeout = 0; ANALYZE";
        if let Err(error) = self.run(async |connection| connection.execute(analyze).await).await {
            tracing::warn!(%error, "ANALYZE failed; the database does it later by itself");
        }
        // It has done its work, whether or not the server hears of the end.
        let _ = timeout(self.target.connect_timeout, self.connection.close()).await;
    }
}

fn array(rows: &[String]) -> String {
    format!("[{}]", rows.join(","))
}

/// Which row is not as it should be, if any. Names no other value than an id, since some are secret.
fn difference(expected: &[String], found: &[String]) -> Option<String> {
    let in_order = |rows: &[String]| {
        let mut rows: Vec<String> = rows.iter().map(|row| in_one_form(row)).collect();
        rows.sort_unstable();
        rows
    };
    let found = in_order(found);
    if in_order(expected) == found {
        return None;
    }
    let missing = expected.iter().find(|row| found.binary_search(&in_one_form(row)).is_err());
    let row: serde_json::Value = missing.and_then(|row| serde_json::from_str(row).ok()).unwrap_or_default();
    let id = ["match", "id", "guest"].iter().find_map(|name| row[name].as_str());
    Some(match id {
        Some(id) => format!("a row of {id} is missing or another"),
        None => "a row is missing or another".to_owned(),
    })
}

/// A row without what does not matter in JSON: spaces, the order of names, how a number is written.
fn in_one_form(row: &str) -> String {
    let Ok(fields) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(row) else {
        return row.to_owned();
    };
    let in_one_form = |(name, value): (String, Box<RawValue>)| {
        let text = value.get();
        let value = match text.parse::<f64>() {
            // The standard library reads every number exactly, and writes the shortest text that is read as it.
            Ok(number) if text.contains(['.', 'e', 'E']) => number.to_string(),
            _ => serde_json::from_str::<serde_json::Value>(text)
                .map_or_else(|_| text.to_owned(), |of| of.to_string()),
        };
        format!("{name:?}: {value}")
    };
    fields.into_iter().map(in_one_form).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use lusoria_services::postgres::Database;

    use super::*;

    #[test]
    fn a_difference_is_found_in_any_row_and_column() {
        let rows = |rows: &[&str]| rows.iter().map(|&row| row.to_owned()).collect::<Vec<_>>();
        let expected = rows(&[r#"{"match": "a", "at": 1}"#, r#"{"match": "b", "at": null}"#]);
        let same = rows(&[r#"{"at":null,"match":"b"}"#, r#"{"at":1,"match":"a"}"#]);
        assert_eq!(difference(&expected, &same), None);
        for (other, of) in [
            (rows(&[r#"{"match": "a", "at": 2}"#, r#"{"match": "b", "at": null}"#]), "a"),
            (rows(&[r#"{"match": "a", "at": 1}"#, r#"{"match": "b", "at": 0}"#]), "b"),
            (rows(&[r#"{"match": "a", "at": 1}"#]), "b"),
            (rows(&[r#"{"match": "a", "at": 1}"#, r#"{"match": "b", "#]), "b"),
        ] {
            let told = difference(&expected, &other).expect("they differ");
            assert!(told.contains(&format!("of {of} ")), "{told}");
        }
    }

    /// A table or column that a later migration adds is moved, too, or named here.
    #[tokio::test]
    async fn every_column_is_moved() {
        /// What nodes share while they run, what is good for minutes, what is counted again, and what migrations write.
        const NOT_MOVED: [&str; 12] = [
            "_sqlx_migrations",
            "cluster",
            "game_counting",
            "game_counts",
            "leases",
            "match_rows",
            "nodes",
            "page_files",
            "pages",
            "pulse",
            "releases",
            "spent_challenges",
        ];
        let database = Database::new().expect("a database");
        let target = Target::parse(&database.url(), &PostgresOptions::default()).expect("a URL");
        target.prepare().await.expect("migrated");
        let columns = "SELECT table_name || ': ' || string_agg(column_name, ', ' ORDER BY column_name) \
             FROM information_schema.columns WHERE table_schema = 'public' AND column_name <> 'counted' GROUP BY table_name";
        let found = database.run(columns).expect("read");
        let mut found: Vec<&str> =
            found.lines().filter(|line| NOT_MOVED.iter().all(|name| !line.starts_with(name))).collect();
        let mut moved = Table::ALL.map(|table| {
            let mut columns: Vec<&str> = table.columns().split(", ").collect();
            columns.sort_unstable();
            format!("{}: {}", table.name(), columns.join(", "))
        });
        found.sort_unstable();
        moved.sort_unstable();
        assert_eq!(found, moved);
    }
}
