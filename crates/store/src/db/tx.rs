//! A connection to either database, and statements on it.
//!
//! One text serves both: `$1` is the first argument, ids are 16 bytes or `uuid`, times and counts are `bigint`, and
//! what only one of them knows stands in [`Tx::either`]. Where one connection alone writes, as on SQLite, rows need no
//! locks.

use sqlx::{
    AssertSqlSafe, Connection as _, Error, Executor as _, PgConnection, SqliteConnection,
    postgres::PgArguments, query::Query, sqlite::SqliteArguments,
};
use sqlx::{Postgres, Sqlite};

use super::value::{AnyRow, Row, Value};

/// A connection to one of the databases; in a write, its transaction.
pub(crate) enum Tx {
    /// To a file.
    #[expect(dead_code, reason = "files go through it next")]
    Sqlite(SqliteConnection),
    /// To a server.
    Postgres(PgConnection),
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
            Self::Sqlite(to) => on_sqlite(sql, args)?.execute(&mut *to).await?.rows_affected(),
            Self::Postgres(to) => on_postgres(sql, args)?.execute(&mut *to).await?.rows_affected(),
        })
    }

    /// Runs statements without arguments.
    pub(crate) async fn script(&mut self, sql: &'static str) -> Result<(), Error> {
        match self {
            Self::Sqlite(to) => to.execute(sqlx::raw_sql(sql)).await.map(drop),
            Self::Postgres(to) => to.execute(sqlx::raw_sql(sql)).await.map(drop),
        }
    }

    /// All rows of a query.
    pub(crate) async fn all<R: Row>(&mut self, sql: &'static str, args: Vec<Value>) -> Result<Vec<R>, Error> {
        count_arguments(sql, &args);
        match self {
            Self::Sqlite(of) => {
                let rows = on_sqlite(sql, args)?.fetch_all(&mut *of).await?;
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
                let row = on_sqlite(sql, args)?.fetch_optional(&mut *of).await?;
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
        self.all_with(sql, " FOR NO KEY UPDATE", args).await
    }

    /// As [`Self::lock_all`], but other transactions may hold the same rows.
    pub(crate) async fn hold_all<R: Row>(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Vec<R>, Error> {
        self.all_with(sql, " FOR SHARE", args).await
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

    /// Asks whether the connection still stands.
    pub(crate) async fn ping(&mut self) -> Result<(), Error> {
        match self {
            Self::Sqlite(of) => of.ping().await,
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

fn on_sqlite(sql: &'static str, args: Vec<Value>) -> Result<Query<'static, Sqlite, SqliteArguments>, Error> {
    let mut arguments = SqliteArguments::default();
    for value in args {
        value.add_to_sqlite(&mut arguments).map_err(Error::Encode)?;
    }
    Ok(sqlx::query_with(sql, arguments))
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
    debug_assert!(
        (1..=args.len() + 1).all(|n| has_argument(sql, n) == (n <= args.len())),
        "{} arguments are given: {sql}",
        args.len()
    );
}

fn has_argument(sql: &str, n: usize) -> bool {
    let name = format!("${n}");
    sql.match_indices(&name)
        .any(|(at, _)| !sql[at + name.len()..].starts_with(|next: char| next.is_ascii_digit()))
}
