//! Connecting: where the database is, and what it must be like.

use std::{str::FromStr, time::Duration};

use sqlx::{ConnectOptions, Connection, Error, PgConnection, Postgres, postgres::PgConnectOptions, query_as};
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    migrations::{STEPS, Step, migrate},
    open_error::OpenError,
    options::PostgresOptions,
};
use crate::sql::{Open, Tx};

/// Where the database is, and how to talk to it.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) options: PgConnectOptions,
    /// Without the password.
    pub(crate) place: String,
    pub(crate) connect_timeout: Duration,
    pub(crate) answer_timeout: Duration,
}

/// The oldest version with all that the statements use.
const VERSION_MIN: u32 = 14;
/// Another node may be migrating; most of that time is spent on indexes.
const MIGRATION_TIMEOUT: Duration = Duration::from_mins(10);

/// What a server must be like to keep what it commits.
const ABOUT: &str = "SELECT current_setting('server_version_num')::int / 10000, \
     pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', \
     current_setting('server_encoding'), current_setting('fsync'), \
     current_setting('full_page_writes'), current_setting('synchronous_commit')";

impl Target {
    pub(crate) fn parse(url: &str, options: &PostgresOptions) -> Result<Self, OpenError> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(OpenError::NotAUrl("it does not begin with postgres://".to_owned()));
        }
        let parsed =
            PgConnectOptions::from_str(url).map_err(|error| OpenError::NotAUrl(error.to_string()))?;
        let host = match parsed.get_socket() {
            Some(folder) => folder.display().to_string(),
            None => parsed.get_host().to_owned(),
        };
        let database = parsed.get_database().unwrap_or_else(|| parsed.get_username());
        let place = format!("{}@{host}:{}/{database}", parsed.get_username(), parsed.get_port());
        let ms = |time: Duration| time.as_millis().to_string();
        let settings = [
            ("synchronous_commit", "on".to_owned()),
            ("default_transaction_isolation", "read committed".to_owned()),
            ("statement_timeout", ms(options.statement_timeout)),
            // What a node holds that has stopped must be free again before the others despair.
            ("idle_in_transaction_session_timeout", ms(options.statement_timeout)),
            // The server ends a connection whose client is gone.
            ("tcp_keepalives_idle", "5".to_owned()),
            ("tcp_keepalives_interval", "2".to_owned()),
            ("tcp_keepalives_count", "3".to_owned()),
        ];
        let connect = parsed.application_name("lusoria").options(settings).disable_statement_logging();
        Ok(Self {
            options: connect,
            place,
            connect_timeout: options.connect_timeout,
            answer_timeout: options.answer_timeout,
        })
    }

    /// For the beat. A node that stops in the middle of one must not stop the others: before they
    /// take it for an outage, the database has let go of what that node holds.
    pub(crate) fn of_pulse(&self) -> Self {
        let settings = [("statement_timeout", "1500"), ("idle_in_transaction_session_timeout", "700")];
        let answer_timeout = self.answer_timeout.min(Duration::from_secs(2));
        Self { options: self.options.clone().options(settings), answer_timeout, ..self.clone() }
    }

    /// Opens a connection.
    pub(crate) async fn connect(&self) -> Result<Tx, Error> {
        self.connect_to_server().await.map(Tx::Postgres)
    }

    /// Opens connections.
    pub(crate) fn opener(&self) -> Open {
        let target = self.clone();
        Box::new(move || {
            let target = target.clone();
            Box::pin(async move { target.connect().await })
        })
    }

    /// As [`Self::connect`], for what PostgreSQL alone knows.
    pub(crate) async fn connect_to_server(&self) -> Result<PgConnection, Error> {
        timeout(self.connect_timeout, PgConnection::connect_with(&self.options))
            .await
            .unwrap_or(Err(Error::PoolTimedOut))
    }

    /// Checks the server, and migrates the database if it is of an earlier version. Returns the id of the
    /// cluster.
    pub(crate) async fn prepare(&self) -> Result<Uuid, OpenError> {
        self.prepare_by(&STEPS).await
    }

    /// As a release does that knows these migrations.
    pub(crate) async fn prepare_by(&self, steps: &[Step]) -> Result<Uuid, OpenError> {
        let mut connection =
            self.connect_to_server().await.map_err(|error| OpenError::of(&self.place, &error))?;
        let checked = timeout(self.answer_timeout, self.check(&mut connection)).await;
        checked.unwrap_or_else(|_| Err(OpenError::no_answer(&self.place)))?;
        let migrated = timeout(MIGRATION_TIMEOUT, migrate(&mut connection, &self.place, steps)).await;
        migrated.unwrap_or_else(|_| Err(OpenError::no_answer(&self.place)))?;
        let reading = query_as::<Postgres, (Uuid,)>("SELECT id FROM cluster").fetch_one(&mut connection);
        let read = timeout(self.answer_timeout, reading).await;
        let read = read.unwrap_or(Err(Error::PoolTimedOut));
        let (id,) = read.map_err(|error| OpenError::of(&self.place, &error))?;
        // It has done its work, whether or not the server hears of the end.
        let _ = timeout(self.answer_timeout, connection.close()).await;
        Ok(id)
    }

    async fn check(&self, connection: &mut PgConnection) -> Result<(), OpenError> {
        let place = || self.place.clone();
        let about: (i32, bool, String, String, String, String) = query_as::<Postgres, _>(ABOUT)
            .fetch_one(connection)
            .await
            .map_err(|error| OpenError::of(&self.place, &error))?;
        let (version, is_read_only, encoding, fsync, full_page_writes, synchronous_commit) = about;
        let found = u32::try_from(version).unwrap_or(0);
        if found < VERSION_MIN {
            return Err(OpenError::TooOld { place: place(), found });
        }
        if is_read_only {
            return Err(OpenError::ReadOnly { place: place() });
        }
        if encoding != "UTF8" {
            return Err(OpenError::Encoding { place: place(), found: encoding });
        }
        for (setting, found) in [
            ("fsync", fsync),
            ("full_page_writes", full_page_writes),
            ("synchronous_commit", synchronous_commit),
        ] {
            if found != "on" {
                return Err(OpenError::NotDurable { place: place(), setting, found });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_has_the_password() {
        let options = PostgresOptions::default();
        let target = Target::parse("postgres://zeno:hunter2@db.example:5433/club", &options).expect("a URL");
        assert_eq!(target.place, "zeno@db.example:5433/club");
        for url in ["postgres://zeno:hunter2@db.example:port/club", "mysql://zeno:hunter2@db/club", "hunter2"]
        {
            let Err(OpenError::NotAUrl(why)) = Target::parse(url, &options) else { panic!("{url} is none") };
            assert!(!why.contains("hunter2"), "{why}");
        }
    }
}
