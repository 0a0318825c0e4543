//! The connections that read.

use futures_util::future::BoxFuture;
use sqlx_core::error::Error;
use sqlx_postgres::{PgConnection, PgPool, PgPoolOptions};
use std::time::Duration;
use tokio::time::timeout;

use super::{
    failure::{Failure, breaks_connection},
    open::Target,
};
use crate::StoreError;

/// The connections that read, opened as they are needed.
pub(super) struct Readers {
    pool: PgPool,
    connections: u32,
    answer_timeout: Duration,
}

impl Readers {
    pub(super) fn new(target: &Target, connections: u32) -> Self {
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(target.connect_timeout)
            // One that has broken is noticed by its first statement, which is tried again.
            .test_before_acquire(false);
        let pool = pool.connect_lazy_with(target.options.clone());
        Self { pool, connections, answer_timeout: target.answer_timeout }
    }

    /// Reads. What meets a broken connection is read again over another one.
    pub(super) async fn read<T>(
        &self,
        read: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<T, Error>>,
    ) -> Result<T, StoreError> {
        let mut broken = 0;
        loop {
            let mut connection = self.pool.acquire().await.map_err(|error| match error {
                Error::PoolClosed => StoreError::Closed,
                error => Failure::before_commit(&error).into(),
            })?;
            let error = match timeout(self.answer_timeout, read(&mut connection)).await {
                Ok(Ok(found)) => return Ok(found),
                Ok(Err(error)) if !breaks_connection(&error) => {
                    return Err(Failure::before_commit(&error).into());
                }
                Ok(Err(error)) => Failure::before_commit(&error),
                Err(_) => Failure::Busy("the database does not answer".to_owned()),
            };
            drop(connection.detach());
            broken += 1;
            if broken > self.connections {
                return Err(error.into());
            }
        }
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}
