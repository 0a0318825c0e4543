//! Statements, each prepared once for a connection.

use rusqlite::{Connection, Params, Row};

/// What a row of a query becomes: a tuple with a type for each column.
pub(super) trait FromRow: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error> {}

impl<T: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error>> FromRow for T {}

/// Runs a statement that returns no rows. Returns how many rows it changed.
pub(super) fn execute(connection: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<usize> {
    connection.prepare_cached(sql)?.execute(params)
}

/// All rows of a query.
pub(super) fn rows<T: FromRow>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map(params, |row| T::try_from(row))?.collect()
}

/// The first row of a query, if it has any.
pub(super) fn first<T: FromRow>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
) -> rusqlite::Result<Option<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(|row| T::try_from(row)).transpose()
}

/// The row of a query that always has one.
pub(super) fn one<T: FromRow>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
) -> rusqlite::Result<T> {
    first(connection, sql, params)?.ok_or(rusqlite::Error::QueryReturnedNoRows)
}

/// Whether a query has a row.
pub(super) fn exists(connection: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<bool> {
    connection.prepare_cached(sql)?.exists(params)
}

/// How SQLite runs a query, a line for each step.
#[cfg(test)]
pub(super) fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect("a query");
    // The plan is the same whatever the parameters are.
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().expect("a plan") {
        steps.push(row.get("detail").expect("a plan"));
    }
    steps
}
