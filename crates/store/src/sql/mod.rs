//! Statements with arguments and rows of Rust's types, for both databases, and the connections that run them.

mod at_once;
mod check;
mod file;
mod readers;
mod tx;
pub(crate) mod value;

use sqlx::Error;

pub(crate) use self::{
    at_once::at_once,
    check::{Check, first_refused},
    file::{FileConnection, SharedClock},
    readers::{Open, Readers},
    tx::{Statement, Tx},
    value::args,
};

/// Ends a transaction with nothing changed.
pub(crate) enum Undo<T> {
    /// With this outcome.
    With(T),
    /// Because of an error.
    Error(Error),
}

impl<T> From<Error> for Undo<T> {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// What a transaction comes to.
pub(crate) type Done<T> = Result<T, Undo<T>>;
