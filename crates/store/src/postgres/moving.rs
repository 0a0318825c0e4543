//! What is moved here from a file: one transaction, in which no server can use the database.

use sqlx_core::{
    connection::Connection, error::Error, executor::Executor, query::query, query_as::query_as,
    query_scalar::query_scalar, sql_str::AssertSqlSafe,
};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    failure::{Failure, breaks_connection},
    open::Target,
    open_error::OpenError,
    options::PostgresOptions,
};
use crate::{
    OUTAGE_AFTER_MS,
    moving::{Batch, MoveError, TABLES, Table},
    text::column,
};

/// A database that a file is moved to.
pub(crate) struct Arrival {
    target: Target,
    connection: PgConnection,
}

/// By the clock of the database, as beats are noted.
const RUNNING: &str = "SELECT string_agg(name, ', ' ORDER BY name) FROM nodes \
     WHERE seen_at >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $1";
/// All statements together may take long, and each of them, too. What is compared is found by its key:
/// the database knows nothing yet of how much there is.
const BEGIN: &str = "BEGIN; \
     SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
     SET LOCAL lock_timeout = '5s'; \
     SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";
const IS_USED: &str = "SELECT EXISTS (SELECT FROM matches) OR EXISTS (SELECT FROM journal) \
     OR EXISTS (SELECT FROM guests WHERE kind <> 'computer')";
const TAKE_OVER: &str = "WITH seen AS (UPDATE pulse SET at = $2) UPDATE cluster SET history = $1";

impl Arrival {
    /// Connects to the database, and migrates it as a server does.
    pub(crate) async fn connect(url: &str) -> Result<Self, OpenError> {
        let target = Target::parse(url, &PostgresOptions::default())?;
        target.prepare().await?;
        let connection = target.connect().await.map_err(|error| OpenError::of(&target.place, &error))?;
        Ok(Self { target, connection })
    }

    /// Where it is, without the password.
    pub(crate) fn place(&self) -> String {
        self.target.place.clone()
    }

    fn failed(&self, error: &Error) -> MoveError {
        OpenError::of(&self.target.place, error).into()
    }

    /// Which history the database has. Waits for a transaction that may be taking over another.
    pub(crate) async fn history(&mut self) -> Result<Uuid, MoveError> {
        let history = query_scalar::<Postgres, _>("SELECT history FROM cluster");
        let history = history.fetch_one(&mut self.connection).await;
        history.map_err(|error| self.failed(&error))
    }

    /// Begins, and locks the database against servers; nothing may be there.
    pub(crate) async fn lock_empty(&mut self) -> Result<(), MoveError> {
        let running = query_scalar::<Postgres, Option<String>>(RUNNING).bind(column(OUTAGE_AFTER_MS));
        let running = running.fetch_one(&mut self.connection).await.map_err(|error| self.failed(&error))?;
        if let Some(nodes) = running {
            return Err(MoveError::NodesRun { place: self.place(), nodes });
        }
        let names = TABLES.iter().map(|table| table.name).collect::<Vec<_>>().join(", ");
        let begun: Result<bool, Error> = async {
            self.connection.execute(BEGIN).await?;
            let lock = format!("LOCK TABLE cluster, pulse, nodes, leases, {names} IN ACCESS EXCLUSIVE MODE");
            self.connection.execute(AssertSqlSafe(lock)).await?;
            let is_used = query_scalar::<Postgres, _>(IS_USED).fetch_one(&mut self.connection).await?;
            // Of what is there nobody made anything: the computer, times without servers.
            let clear = format!("TRUNCATE leases, {names}");
            self.connection.execute(AssertSqlSafe(clear)).await?;
            Ok(is_used)
        }
        .await;
        if begun.map_err(|error| self.failed(&error))? {
            return Err(MoveError::NotEmpty { place: self.place() });
        }
        Ok(())
    }

    /// Writes the rows.
    pub(crate) async fn write(&mut self, batch: &Batch) -> Result<(), MoveError> {
        let Table { name, columns, .. } = batch.table;
        let insert = format!(
            "INSERT INTO {name} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{name}, $1::json)"
        );
        let insert = query::<Postgres>(AssertSqlSafe(insert)).bind(array(&batch.rows));
        let written = insert.execute(&mut self.connection).await;
        written.map(drop).map_err(|error| self.failed(&error))
    }

    /// Reads the rows back.
    ///
    /// # Errors
    /// If one is missing or another.
    pub(crate) async fn compare(&mut self, batch: &Batch) -> Result<(), MoveError> {
        let Table { name, key, columns } = batch.table;
        let select = format!(
            "SELECT row_to_json(found)::text FROM (SELECT {columns} FROM {name} \
             WHERE ({key}) IN (SELECT {key} FROM json_populate_recordset(NULL::{name}, $1::json))) AS found"
        );
        let select = query_as::<Postgres, (String,)>(AssertSqlSafe(select)).bind(array(&batch.rows));
        let found = select.fetch_all(&mut self.connection).await.map_err(|error| self.failed(&error))?;
        let found: Vec<String> = found.into_iter().map(|(row,)| row).collect();
        match difference(&batch.rows, &found) {
            None => Ok(()),
            Some(what) => Err(self.differs(format!("a row of {name} {what}"))),
        }
    }

    /// Compares how many rows each table has.
    ///
    /// # Errors
    /// If it is another number.
    pub(crate) async fn compare_counts(&mut self, counts: &[usize]) -> Result<(), MoveError> {
        for (table, count) in TABLES.iter().zip(counts) {
            let select = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name));
            let found: i64 = query_scalar::<Postgres, _>(select)
                .fetch_one(&mut self.connection)
                .await
                .map_err(|error| self.failed(&error))?;
            if usize::try_from(found) != Ok(*count) {
                let what = format!("{} has {found} rows, and should have {count}", table.name);
                return Err(self.differs(what));
            }
        }
        Ok(())
    }

    fn differs(&self, what: String) -> MoveError {
        MoveError::Differs { place: self.place(), what }
    }

    /// Goes on with a history; servers ran until then.
    pub(crate) async fn take_over(&mut self, history: Uuid, ran_until: Option<i64>) -> Result<(), MoveError> {
        let take_over = query::<Postgres>(TAKE_OVER).bind(history).bind(ran_until);
        let taken = take_over.execute(&mut self.connection).await;
        taken.map(drop).map_err(|error| self.failed(&error))
    }

    /// Commits what has arrived.
    ///
    /// # Errors
    /// [`MoveError::Unknown`] if nobody knows whether it was committed; with others it was not.
    pub(crate) async fn commit(mut self) -> Result<(), MoveError> {
        if let Err(error) = self.connection.execute("COMMIT").await {
            let failed = match Failure::of_commit(&error) {
                Failure::Unknown(why) => MoveError::Unknown { place: self.place(), why },
                _ => self.failed(&error),
            };
            return Err(failed);
        }
        // Without it servers would find things slowly until the database does it by itself.
        if let Err(error) = self.connection.execute("SET statement_timeout = 0; ANALYZE").await
            && !breaks_connection(&error)
        {
            tracing::warn!(%error, "counting what has arrived failed; the database does it later");
        }
        // It has done its work, whether or not the server hears of the end.
        let _ = self.connection.close().await;
        Ok(())
    }
}

fn array(rows: &[String]) -> String {
    format!("[{}]", rows.join(","))
}

/// What is not as it should be, if anything: names no value, since some are secret.
fn difference(expected: &[String], found: &[String]) -> Option<String> {
    let parsed = |rows: &[String]| {
        let rows = rows.iter().map(|row| serde_json::from_str::<serde_json::Value>(row).ok());
        let mut rows: Vec<String> = rows.map(|row| row.unwrap_or_default().to_string()).collect();
        rows.sort_unstable();
        rows
    };
    let (expected, found) = (parsed(expected), parsed(found));
    if expected == found {
        return None;
    }
    let missing = expected.iter().find(|row| found.binary_search(row).is_err());
    let row: serde_json::Value = missing.and_then(|row| serde_json::from_str(row).ok()).unwrap_or_default();
    let id = ["match", "id", "guest"].iter().find_map(|name| row[name].as_str());
    Some(format!("of {} is missing or another", id.unwrap_or("nobody")))
}

#[cfg(test)]
mod tests {
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
        ] {
            let told = difference(&expected, &other).expect("they differ");
            assert!(told.contains(&format!("of {of} ")), "{told}");
        }
    }
}
