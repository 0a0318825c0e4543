//! A connection to a file.
//!
//! Each statement goes to the thread of the connection and back, and on a busy machine both ways wait for a processor.
//! So statements of which nobody asks more than that they do not fail are queued, and go with the next other one.

use std::sync::Arc;

use futures_util::TryStreamExt;
use lusoria_play::Millis;
use sqlx::{
    AssertSqlSafe, Connection as _, Either, Error, Executor as _, Sqlite, SqliteConnection,
    query::Query,
    sqlite::{SqliteArguments, SqliteQueryResult, SqliteRow},
};

use super::value::Value;

/// How many statements are queued at most.
const QUEUED_MAX: usize = 16;

/// The clock of a database, which all its nodes share.
pub(crate) type SharedClock = Arc<dyn Fn() -> Millis + Send + Sync>;

/// A connection to a file, and the statements that are queued.
pub(crate) struct FileConnection {
    connection: SqliteConnection,
    queued: Vec<(&'static str, Vec<Value>)>,
    /// None if there is only one node, whose clock counts.
    pub(crate) clock: Option<SharedClock>,
}

impl FileConnection {
    pub(crate) const fn of(connection: SqliteConnection) -> Self {
        Self { connection, queued: Vec::new(), clock: None }
    }

    /// The connection. Nothing may be queued.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        debug_assert!(self.queued.is_empty(), "statements are queued");
        &mut self.connection
    }

    /// Queues a statement.
    pub(super) async fn queue(&mut self, sql: &'static str, args: Vec<Value>) -> Result<(), Error> {
        self.queued.push((sql, args));
        if self.queued.len() < QUEUED_MAX { Ok(()) } else { self.flush().await }
    }

    /// Drops what is queued.
    pub(super) fn forget(&mut self) {
        self.queued.clear();
    }

    /// Runs what is queued.
    async fn flush(&mut self) -> Result<(), Error> {
        let Some((sql, args)) = self.queued.pop() else { return Ok(()) };
        self.execute(sql, args).await.map(drop)
    }

    pub(super) async fn execute(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<SqliteQueryResult, Error> {
        let mut done = self.run_all(vec![(sql, args)]).await?;
        Ok(done.pop().map_or_else(SqliteQueryResult::default, |(_, done)| done))
    }

    /// Runs what is queued, and statements. Returns for each of these its rows and what it changed.
    pub(super) async fn run_all(
        &mut self,
        mut statements: Vec<(&'static str, Vec<Value>)>,
    ) -> Result<Vec<(Vec<SqliteRow>, SqliteQueryResult)>, Error> {
        let queued = self.queued.len();
        let all = queued + statements.len();
        let Some((sql, args)) = statements.pop() else { return Ok(Vec::new()) };
        self.queued.append(&mut statements);
        let mut done = Vec::with_capacity(all);
        self.run(sql, args, &mut done).await?;
        if done.len() != all {
            return Err(Error::Protocol(format!("{} of {all} statements have an answer", done.len())));
        }
        Ok(done.split_off(queued))
    }

    /// Runs what is queued, and commits. An error says whether the commit itself met it.
    pub(super) async fn commit(&mut self) -> Result<(), (Error, bool)> {
        let before = self.queued.len();
        let mut done = Vec::new();
        self.run("COMMIT", Vec::new(), &mut done).await.map_err(|error| (error, done.len() >= before))
    }

    /// Runs what is queued and a statement. Puts the rows of each, and what it changed, into `done`.
    async fn run(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
        done: &mut Vec<(Vec<SqliteRow>, SqliteQueryResult)>,
    ) -> Result<(), Error> {
        let query = self.behind_queued(sql, args)?;
        let mut steps = self.connection.fetch_many(query);
        let mut rows = Vec::new();
        while let Some(step) = steps.try_next().await? {
            match step {
                Either::Left(changes) => done.push((std::mem::take(&mut rows), changes)),
                Either::Right(row) => rows.push(row),
            }
        }
        Ok(())
    }

    pub(super) async fn script(&mut self, sql: &'static str) -> Result<(), Error> {
        self.flush().await?;
        self.connection.execute(sqlx::raw_sql(sql)).await.map(drop)
    }

    pub(super) async fn all(&mut self, sql: &'static str, args: Vec<Value>) -> Result<Vec<SqliteRow>, Error> {
        self.behind_queued(sql, args)?.fetch_all(&mut self.connection).await
    }

    pub(super) async fn first(
        &mut self,
        sql: &'static str,
        args: Vec<Value>,
    ) -> Result<Option<SqliteRow>, Error> {
        self.behind_queued(sql, args)?.fetch_optional(&mut self.connection).await
    }

    /// Ends the connection in order. What is queued was given up.
    pub(super) async fn close(self) -> Result<(), Error> {
        self.connection.close().await
    }

    /// What is queued and a statement, as one text.
    fn behind_queued(
        &mut self,
        sql: &'static str,
        mut args: Vec<Value>,
    ) -> Result<Query<'static, Sqlite, SqliteArguments>, Error> {
        if self.queued.is_empty() {
            return Ok(sqlx::query_with(sql, arguments(args)?));
        }
        let mut all = Vec::new();
        let mut text = String::new();
        for (queued, args) in self.queued.drain(..) {
            add(&mut text, queued, all.len());
            text.push(';');
            all.extend(args);
        }
        add(&mut text, sql, all.len());
        all.append(&mut args);
        Ok(sqlx::query_with(AssertSqlSafe(text), arguments(all)?))
    }
}

fn arguments(args: Vec<Value>) -> Result<SqliteArguments, Error> {
    let mut arguments = SqliteArguments::default();
    for value in args {
        value.add_to_sqlite(&mut arguments).map_err(Error::Encode)?;
    }
    Ok(arguments)
}

/// Adds a statement to a text that has so many arguments before it.
fn add(text: &mut String, sql: &str, before: usize) {
    if before == 0 {
        text.push_str(sql);
        return;
    }
    debug_assert!(!sql.contains('?'), "a plain ? behind other arguments would be the first: {sql}");
    let mut parts = sql.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        text.push('$');
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        match number.parse::<usize>() {
            Ok(number) => text.push_str(&(number + before).to_string()),
            // A path into JSON.
            Err(_) => text.push_str(number),
        }
        text.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_counted_on() {
        let mut text = String::new();
        add(&mut text, "DELETE FROM a WHERE b = $1 AND c = $12", 0);
        text.push(';');
        add(&mut text, "SELECT d ->> '$.e' FROM f WHERE g = $1 OR h = $10", 12);
        assert_eq!(
            text,
            "DELETE FROM a WHERE b = $1 AND c = $12;SELECT d ->> '$.e' FROM f WHERE g = $13 OR h = $22"
        );
    }
}
