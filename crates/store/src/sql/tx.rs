//! A connection to either database, and statements on it.
//!
//! One text serves both: `$1` is the first argument, ids are 16 bytes or `uuid`, times and counts are `bigint`, and
//! what only one of them knows stands in [`Tx::either`]. Where one connection alone writes, as on SQLite, rows need no
//! locks.

use std::collections::BTreeSet;

use futures_util::TryStreamExt;
use sqlx::{
    AssertSqlSafe, Connection as _, Either, Error, Executor as _, PgConnection, Postgres, SqliteConnection,
    postgres::{PgArguments, PgRow},
    query::Query,
    sqlite::{SqliteQueryResult, SqliteRow},
};

use super::{
    file::FileConnection,
    value::{AnyRow, Row, Value},
};

/// A connection to one of the databases; in a write, its transaction.
pub(crate) enum Tx {
    /// To a file.
    Sqlite(FileConnection),
    /// To a server.
    Postgres(PgConnection),
}

/// A statement of several that run together.
pub(crate) struct Statement {
    sql: &'static str,
    args: Vec<Value>,
    /// Locks rows on PostgreSQL.
    lock: &'static str,
}

impl Statement {
    pub(crate) const fn new(sql: &'static str, args: Vec<Value>) -> Self {
        Self { sql, args, lock: "" }
    }

    /// As [`Tx::lock_all`].
    pub(crate) const fn locking(sql: &'static str, args: Vec<Value>) -> Self {
        Self { sql, args, lock: LOCK }
    }

    /// As [`Tx::hold_all`].
    pub(crate) const fn holding(sql: &'static str, args: Vec<Value>) -> Self {
        Self { sql, args, lock: HOLD }
    }
}

const LOCK: &str = " FOR NO KEY UPDATE";
const HOLD: &str = " FOR SHARE";

/// What one of them came to.
pub(crate) enum Answer {
    Sqlite(Vec<SqliteRow>, SqliteQueryResult),
    Postgres(Vec<PgRow>, u64),
}

impl Answer {
    /// How many rows it changed.
    pub(crate) fn changed(&self) -> u64 {
        match self {
            Self::Sqlite(_, done) => done.rows_affected(),
            Self::Postgres(_, changed) => *changed,
        }
    }

    /// The number of the last row that has been added to a table of a file; none on a server.
    pub(crate) fn last_number(&self) -> Option<i64> {
        match self {
            Self::Sqlite(_, done) => Some(done.last_insert_rowid()),
            Self::Postgres(..) => None,
        }
    }

    /// The rows of a query.
    pub(crate) fn all<R: Row>(&self) -> Result<Vec<R>, Error> {
        match self {
            Self::Sqlite(rows, _) => rows.iter().map(|row| R::read(&AnyRow::Sqlite(row))).collect(),
            Self::Postgres(rows, _) => rows.iter().map(|row| R::read(&AnyRow::Postgres(row))).collect(),
        }
    }
}

impl Tx {
    /// The text for the database that this is.
    pub(crate) const fn either(&self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => sqlite,
            Self::Postgres(_) => postgres,
        }
    }

    /// Runs a statement. Returns how many rows it changed.
    pub(crate) async fn execute(&mut self, sql: &'static str, args: Vec<Value>) -> Result<u64, Error> {
        count_arguments(sql, &args);
        Ok(match self {
            Self::Sqlite(to) => to.execute(sql, args).await?.rows_affected(),
            Self::Postgres(to) => on_postgres(sql, args)?.execute(&mut *to).await?.rows_affected(),
        })
    }

    /// Runs a statement of which nobody asks more than that it does not fail. On SQLite it is queued: it goes with the
    /// next one that somebody asks more of, and so does its error; at the latest with the commit.
    pub(crate) async fn queue(&mut self, sql: &'static str, args: Vec<Value>) -> Result<(), Error> {
        match self {
            Self::Sqlite(to) => {
                count_arguments(sql, &args);
                to.queue(sql, args).await
            }
            Self::Postgres(_) => self.execute(sql, args).await.map(drop),
        }
    }

    /// Undoes a transaction.
    pub(crate) async fn roll_back(&mut self) -> Result<(), Error> {
        if let Self::Sqlite(to) = self {
            to.forget();
        }
        self.script("ROLLBACK").await
    }

    /// Commits a transaction. An error says whether the commit itself met it: if not, nothing is committed.
    pub(crate) async fn commit(&mut self) -> Result<(), (Error, bool)> {
        match self {
            Self::Sqlite(to) => to.commit().await,
            Self::Postgres(_) => self.script("COMMIT").await.map_err(|error| (error, true)),
        }
    }

    /// Runs statements without arguments.
    pub(crate) async fn script(&mut self, sql: &'static str) -> Result<(), Error> {
        match self {
            Self::Sqlite(to) => to.script(sql).await,
            Self::Postgres(to) => to.execute(sqlx::raw_sql(sql)).await.map(drop),
        }
    }

    /// Runs statements one after the other; on SQLite without waiting in between. Returns what each came to.
    pub(crate) async fn run_all(&mut self, statements: Vec<Statement>) -> Result<Vec<Answer>, Error> {
        for Statement { sql, args, .. } in &statements {
            count_arguments(sql, args);
        }
        if let Self::Sqlite(to) = self {
            let texts = statements.into_iter().map(|statement| (statement.sql, statement.args));
            let done = to.run_all(texts.collect()).await?;
            return Ok(done.into_iter().map(|(rows, done)| Answer::Sqlite(rows, done)).collect());
        }
        let mut done = Vec::with_capacity(statements.len());
        for Statement { sql, args, lock } in statements {
            let text = AssertSqlSafe([sql, lock].concat());
            let query = sqlx::query_with::<Postgres, _>(text, postgres_arguments(args)?);
            let mut steps = self.postgres()?.fetch_many(query);
            let (mut rows, mut changed) = (Vec::new(), 0);
            while let Some(step) = steps.try_next().await? {
                match step {
                    Either::Left(done) => changed += done.rows_affected(),
                    Either::Right(row) => rows.push(row),
                }
            }
            done.push(Answer::Postgres(rows, changed));
        }
        Ok(done)
    }

    /// All rows of a query.
    pub(crate) async fn all<R: Row>(&mut self, sql: &'static str, args: Vec<Value>) -> Result<Vec<R>, Error> {
        count_arguments(sql, &args);
        match self {
            Self::Sqlite(of) => {
                let rows = of.all(sql, args).await?;
                rows.iter().map(|row| R::read(&AnyRow::Sqlite(row))).collect()
            }
            Self::Postgres(of) => {
                let rows = on_postgres(sql, args)?.fetch_all(&mut *of).await?;
                rows.iter().map(|row| R::read(&AnyRow::Postgres(row))).collect()
            }
        }
    }

    /// The first row of a query, if it has any.
    pub(crate) async fn first<R: Row>(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Option<R>, Error> {
        count_arguments(sql, &args);
        match self {
            Self::Sqlite(of) => {
                let row = of.first(sql, args).await?;
                row.map(|row| R::read(&AnyRow::Sqlite(&row))).transpose()
            }
            Self::Postgres(of) => {
                let row = on_postgres(sql, args)?.fetch_optional(&mut *of).await?;
                row.map(|row| R::read(&AnyRow::Postgres(&row))).transpose()
            }
        }
    }

    /// The row of a query that always has one.
    pub(crate) async fn one<R: Row>(&mut self, sql: &'static str, args: Vec<Value>) -> Result<R, Error> {
        self.first(sql, args).await?.ok_or(Error::RowNotFound)
    }

    /// Whether a query has a row.
    pub(crate) async fn exists(&mut self, sql: &'static str, args: Vec<Value>) -> Result<bool, Error> {
        struct Any;
        impl Row for Any {
            fn read(_: &AnyRow<'_>) -> Result<Self, Error> {
                Ok(Self)
            }
        }
        Ok(self.first::<Any>(sql, args).await?.is_some())
    }

    /// As [`Self::first`], of rows of one table: nobody else changes them before the transaction ends.
    pub(crate) async fn lock_first<R: Row>(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Option<R>, Error> {
        Ok(self.lock_all(sql, args).await?.into_iter().next())
    }

    /// As [`Self::all`], of rows of one table: nobody else changes them before the transaction ends. Two that lock the
    /// same rows must do it in one order.
    pub(crate) async fn lock_all<R: Row>(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Vec<R>, Error> {
        self.all_with(sql, LOCK, args).await
    }

    /// As [`Self::lock_all`], but other transactions may hold the same rows.
    pub(crate) async fn hold_all<R: Row>(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Vec<R>, Error> {
        self.all_with(sql, HOLD, args).await
    }

    async fn all_with<R: Row>(
        &mut self,
        sql: &'static str,
        lock: &'static str,
        args: Vec<Value>,
    ) -> Result<Vec<R>, Error> {
        let Self::Postgres(of) = self else { return self.all(sql, args).await };
        count_arguments(sql, &args);
        let locking = AssertSqlSafe([sql, lock].concat());
        let query = sqlx::query_with::<Postgres, _>(locking, postgres_arguments(args)?);
        let rows = query.fetch_all(&mut *of).await?;
        rows.iter().map(|row| R::read(&AnyRow::Postgres(row))).collect()
    }

    /// The connection to a server, for what PostgreSQL alone knows.
    ///
    /// # Errors
    /// If it is to a file.
    pub(crate) fn postgres(&mut self) -> Result<&mut PgConnection, Error> {
        match self {
            Self::Sqlite(_) => Err(Error::Protocol("a file is not a PostgreSQL server".to_owned())),
            Self::Postgres(connection) => Ok(connection),
        }
    }

    /// The connection to a file, for what SQLite alone knows.
    ///
    /// # Errors
    /// If it is to a server.
    pub(crate) fn sqlite(&mut self) -> Result<&mut SqliteConnection, Error> {
        match self {
            Self::Sqlite(file) => Ok(file.connection()),
            Self::Postgres(_) => Err(Error::Protocol("a server is not a file".to_owned())),
        }
    }

    /// Ends a transaction that has only read. What it met comes before what its end meets.
    pub(crate) async fn end_reading<T>(&mut self, read: Result<T, Error>) -> Result<T, Error> {
        let ended = self.script("COMMIT").await;
        let read = read?;
        ended.map(|()| read)
    }

    /// Asks whether the connection still stands.
    pub(crate) async fn ping(&mut self) -> Result<(), Error> {
        match self {
            Self::Sqlite(of) => of.connection().ping().await,
            Self::Postgres(of) => of.ping().await,
        }
    }

    /// Ends the connection in order.
    pub(crate) async fn close(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(of) => of.close().await,
            Self::Postgres(of) => of.close().await,
        }
    }
}

fn on_postgres(sql: &'static str, args: Vec<Value>) -> Result<Query<'static, Postgres, PgArguments>, Error> {
    Ok(sqlx::query_with(sql, postgres_arguments(args)?))
}

fn postgres_arguments(args: Vec<Value>) -> Result<PgArguments, Error> {
    let mut arguments = PgArguments::default();
    for value in args {
        value.add_to_postgres(&mut arguments).map_err(Error::Encode)?;
    }
    Ok(arguments)
}

/// SQLite takes an argument that is missing for null, without a word.
fn count_arguments(sql: &str, args: &[Value]) {
    if cfg!(debug_assertions) && !sql.contains('?') {
        // Plain arguments are counted by SQLite.
        let digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count();
        let numbers = sql.split('$').skip(1).filter_map(|part| part[..digits(part)].parse().ok());
        let found: BTreeSet<usize> = numbers.collect();
        assert!(found.into_iter().eq(1..=args.len()), "{} arguments are given: {sql}", args.len());
    }
}
