//! What is moved here from a file: one transaction, in which no server can use the database.

use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt as _, TryStreamExt as _};
use sqlx::{AssertSqlSafe, Error, Executor as _, Postgres, QueryBuilder, query, query_scalar};
use tokio::time::timeout;
use uuid::Uuid;

use super::{open::Target, open_error::OpenError, options::PostgresOptions};
use crate::{
    OUTAGE_AFTER_MS,
    failure::Failure,
    moved_rows::{Column, Kind, TABLES, Table},
    sql::{
        Tx, args,
        value::{AnyRow, Value},
    },
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

/// Rows, each with the values of its columns.
type Rows<'d> = BoxStream<'d, Result<Vec<Value>, DestinationError>>;

/// A database that a file is moved to.
pub(crate) struct Destination {
    target: Target,
    tx: Tx,
}

const HAS_TABLES: &str = "SELECT to_regclass('cluster') IS NOT NULL AND to_regclass('nodes') IS NOT NULL \
     AND to_regclass('matches') IS NOT NULL AND to_regclass('guests') IS NOT NULL";
/// By the clock of the database, as beats are noted.
const RUNNING: &str = "SELECT string_agg(name, ', ' ORDER BY name) FROM nodes \
     WHERE seen_at >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $1";
const IS_USED: &str =
    "SELECT EXISTS (SELECT FROM matches) OR EXISTS (SELECT FROM guests WHERE kind <> 'computer')";
/// `counted` is of counts, which are not moved.
const COLUMNS: &str = "SELECT attname::text, atttypid::regtype::text, COALESCE(attnum = ANY (indkey), false) \
     FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary \
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attname <> 'counted' \
     ORDER BY attnum";
/// What is read back is in the order of its key: the planner knows nothing yet of how many rows there are.
const BEGIN: &str = "BEGIN; \
     SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
     SET LOCAL lock_timeout = '5s'; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off";
/// In the order in which nodes lock them.
const LOCKED: &str = "pulse, cluster, nodes, leases";
const TAKE_OVER: &str =
    "WITH seen AS (UPDATE pulse SET at = $2) UPDATE cluster SET history = $1, era = era + 1";

impl Destination {
    /// Connects to the database. Changes nothing.
    pub(crate) async fn connect(url: &str) -> Result<Self, DestinationError> {
        let target = Target::parse(url, &PostgresOptions::default())?;
        let tx = target.connect().await.map_err(|error| OpenError::of(&target.place, &error))?;
        Ok(Self { target, tx })
    }

    /// Where it is, without the password.
    pub(crate) fn place(&self) -> &str {
        &self.target.place
    }

    /// Runs a statement, and waits for its answer.
    async fn run<T>(
        &mut self,
        statement: impl AsyncFnOnce(&mut Tx) -> Result<T, Error>,
    ) -> Result<T, DestinationError> {
        match timeout(ANSWER_WITHIN, statement(&mut self.tx)).await {
            Ok(done) => Ok(done.map_err(|error| OpenError::of(&self.target.place, &error))?),
            Err(_) => Err(OpenError::no_answer(&self.target.place).into()),
        }
    }

    async fn has_tables(&mut self) -> Result<bool, DestinationError> {
        self.run(async |tx| tx.one(HAS_TABLES, args![]).await).await
    }

    /// Which history the database has; none if it has no tables.
    pub(crate) async fn history(&mut self) -> Result<Option<Uuid>, DestinationError> {
        if !self.has_tables().await? {
            return Ok(None);
        }
        self.run(async |tx| tx.first("SELECT history FROM cluster", args![]).await).await
    }

    /// # Errors
    /// If servers run on the database, or it has guests or matches.
    pub(crate) async fn check_unused(&mut self) -> Result<(), DestinationError> {
        if !self.has_tables().await? {
            return Ok(());
        }
        let nodes: Option<String> =
            self.run(async |tx| tx.one(RUNNING, args![OUTAGE_AFTER_MS]).await).await?;
        let place = self.place().to_owned();
        if let Some(nodes) = nodes {
            return Err(DestinationError::NodesRun { place, nodes });
        }
        let is_used: bool = self.run(async |tx| tx.one(IS_USED, args![]).await).await?;
        if is_used { Err(DestinationError::NotEmpty { place }) } else { Ok(()) }
    }

    /// Migrates the database as a server does, begins the transaction, and locks the tables against servers.
    ///
    /// # Errors
    /// As [`Self::check_unused`].
    pub(crate) async fn begin(&mut self) -> Result<(), DestinationError> {
        // Before anything is changed, and again when no server can come between.
        self.check_unused().await?;
        self.target.prepare().await?;
        self.run(async |tx| tx.script(BEGIN).await).await?;
        self.script(format!("LOCK TABLE {LOCKED}, {TABLES} IN ACCESS EXCLUSIVE MODE")).await?;
        self.check_unused().await?;
        // What migrations have put there, and times without servers.
        self.script(format!("TRUNCATE leases, {TABLES}")).await
    }

    async fn script(&mut self, sql: String) -> Result<(), DestinationError> {
        self.run(async |tx| tx.postgres()?.execute(AssertSqlSafe(sql)).await.map(drop)).await
    }

    /// The tables that are moved.
    pub(crate) async fn tables(&mut self) -> Result<Vec<Table>, DestinationError> {
        let mut tables = Vec::new();
        for name in TABLES.split(", ") {
            let found: Vec<(String, String, bool)> =
                self.run(async |tx| tx.all(COLUMNS, args![name]).await).await?;
            let column = |(name, kind, is_key): (String, String, bool)| match Kind::of(&kind) {
                Some(kind) => Ok(Column { name, kind, is_key }),
                None => Err(kind),
            };
            let columns = found.into_iter().map(column).collect::<Result<Vec<_>, _>>().map_err(|kind| {
                let why = format!("{name} has a column of the type {kind}");
                OpenError::Foreign { place: self.place().to_owned(), why }
            })?;
            tables.push(Table { name, columns });
        }
        Ok(tables)
    }

    /// Writes rows of a table.
    pub(crate) async fn insert(
        &mut self,
        table: &Table,
        rows: Vec<Vec<Value>>,
    ) -> Result<(), DestinationError> {
        let insert = format!("INSERT INTO {} ({}) ", table.name, table.names());
        let mut insert = QueryBuilder::<Postgres>::new(insert);
        insert.push_values(rows, |mut values, row| {
            for value in row {
                match value {
                    Value::Integer(value) => values.push_bind(value),
                    Value::Real(value) => values.push_bind(value),
                    Value::Boolean(value) => values.push_bind(value),
                    Value::Text(value) => values.push_bind(value),
                    Value::Bytes(value) => values.push_bind(value),
                    Value::Id(value) => values.push_bind(value),
                };
            }
        });
        let insert = insert.build();
        self.run(async |tx| insert.execute(tx.postgres()?).await.map(drop)).await
    }

    /// Compares how many rows a table has.
    ///
    /// # Errors
    /// If it is another number.
    pub(crate) async fn compare_count(
        &mut self,
        table: &Table,
        count: usize,
    ) -> Result<(), DestinationError> {
        let select = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name));
        let found: i64 =
            self.run(async |tx| query_scalar::<Postgres, _>(select).fetch_one(tx.postgres()?).await).await?;
        if usize::try_from(found) == Ok(count) {
            return Ok(());
        }
        Err(self.differs(format!("{}: there are {found} rows, and should be {count}", table.name)))
    }

    /// Reads the rows of a table back, in the order of its key.
    pub(crate) fn rows<'d>(&'d mut self, table: &'d Table) -> Result<Rows<'d>, DestinationError> {
        let place = &self.target.place;
        // In the order of a file.
        let order = table.order("\"C\"");
        let select = format!("SELECT {} FROM {} ORDER BY {order}", table.names(), table.name);
        let connection = self.tx.postgres().map_err(|error| OpenError::of(place, &error))?;
        let rows = query::<Postgres>(AssertSqlSafe(select)).fetch(connection);
        let rows = stream::try_unfold(rows, move |mut rows| async move {
            let row = timeout(ANSWER_WITHIN, rows.try_next()).await;
            let row = row.map_err(|_| OpenError::no_answer(place))?;
            let values = row.and_then(|row| row.map(|row| table.read(&AnyRow::Postgres(&row))).transpose());
            let values = values.map_err(|error| OpenError::of(place, &error))?;
            Ok::<_, DestinationError>(values.map(|values| (values, rows)))
        });
        Ok(rows.boxed())
    }

    pub(crate) fn differs(&self, what: String) -> DestinationError {
        DestinationError::Differs { place: self.place().to_owned(), what }
    }

    /// Continues a history in the database; servers ran until then, in milliseconds since the epoch.
    pub(crate) async fn take_over(
        &mut self,
        history: Uuid,
        ran_until: Option<i64>,
    ) -> Result<(), DestinationError> {
        self.run(async |tx| tx.execute(TAKE_OVER, args![history, ran_until]).await).await.map(drop)
    }

    /// Commits what was written.
    ///
    /// # Errors
    /// [`DestinationError::Unknown`] if it is not known whether it was committed; with others it was not.
    pub(crate) async fn commit(&mut self) -> Result<(), DestinationError> {
        let unknown = |why| DestinationError::Unknown { place: self.target.place.clone(), why };
        match timeout(ANSWER_WITHIN, self.tx.script("COMMIT")).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(match Failure::of_commit(&error) {
                Failure::Unknown(why) => unknown(why),
                _ => OpenError::of(&self.target.place, &error).into(),
            }),
            Err(_) => Err(unknown("no answer".to_owned())),
        }
    }

    /// Tells the planner how many rows there are. Without it servers would find things slowly until the database
    /// does it by itself.
    pub(crate) async fn analyze(mut self) {
        let analyze = async |tx: &mut Tx| tx.script("SET statement_timeout = 0; ANALYZE").await;
        if let Err(error) = self.run(analyze).await {
            tracing::warn!(%error, "ANALYZE failed; the database does it later by itself");
        }
        // It has done its work, whether or not the server hears of the end.
        let _ = timeout(self.target.connect_timeout, self.tx.close()).await;
    }
}

#[cfg(test)]
mod tests {
    use lusoria_services::postgres::Database;

    use super::*;

    /// A table that a later migration adds is moved, too, or named here.
    #[tokio::test]
    async fn every_table_is_moved() {
        /// What nodes share while they run, what expires within minutes, what is counted again, and what migrations
        /// write.
        const NOT_MOVED: [&str; 11] = [
            "_sqlx_migrations",
            "cluster",
            "game_counting",
            "game_counts",
            "leases",
            "nodes",
            "page_files",
            "pages",
            "pulse",
            "releases",
            "spent_challenges",
        ];
        let database = Database::new().expect("a database");
        let mut destination = Destination::connect(&database.url()).await.expect("connected");
        destination.target.prepare().await.expect("migrated");
        let tables = "SELECT table_name FROM information_schema.tables \
             WHERE table_schema = 'public' AND table_type = 'BASE TABLE'";
        let found = database.run(tables).expect("read");
        let mut found: Vec<&str> = found.lines().filter(|name| !NOT_MOVED.contains(name)).collect();
        found.sort_unstable();
        let mut moved: Vec<&str> = TABLES.split(", ").collect();
        moved.sort_unstable();
        assert_eq!(found, moved);
        for table in destination.tables().await.expect("all columns are known") {
            assert!(table.columns.iter().any(|column| column.is_key), "{table:?}");
        }
    }
}
