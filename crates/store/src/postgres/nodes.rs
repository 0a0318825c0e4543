//! The nodes that run on the database, and what they share.
//!
//! Time is that of the database: never before a time that was noted. Each beat is one short transaction,
//! which locks the one row of `pulse` first, so that beats come one after the other.

use futures_util::future::BoxFuture;
use lusoria_play::Millis;
use sqlx_core::{
    error::Error, executor::Executor, query::query, query_as::query_as, query_scalar::query_scalar,
};
use sqlx_postgres::{PgConnection, Postgres};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::{
    failure::Failure,
    migrations::KNOWN,
    open::Target,
    readers::Readers,
    session::{Session, Undo},
    writer::Writer,
};
use crate::{
    Beat, Era, JoinError, NewNode, Node, NodeId, OUTAGE_AFTER_MS, Outage, SeenNode, SeenNodes, StoreError,
    text::{column, millis},
};

/// The connection of the beat, which waits for no other write.
pub(super) struct Pulse {
    /// None once it is closed.
    session: Mutex<Option<Session>>,
}

/// A beat as it is read, before its columns are converted.
type Beaten = (i64, (Uuid, i64), Vec<(Uuid, String, String, i64, i64)>);

const LOCK: &str = "SELECT at FROM pulse FOR UPDATE";
const NOW: &str = "SELECT greatest($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)";
const NOTE: &str = "UPDATE pulse SET at = $1";
const OUTAGE: &str = "INSERT INTO outages (began_at, ended_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
/// In one order, so that it and what changes the seeks of several guests do not wait for each other.
const PROLONG_SEEKS: &str = "UPDATE seeks SET expires_at = expires_at + $2 - $1 WHERE id IN \
     (SELECT id FROM seeks WHERE match IS NULL AND expires_at > $1 ORDER BY id FOR UPDATE)";
const PROLONG_CHALLENGES: &str = "UPDATE challenges SET expires_at = expires_at + $2 - $1 WHERE id IN \
     (SELECT id FROM challenges WHERE state = 'waiting' AND expires_at > $1 ORDER BY id FOR UPDATE)";
/// Waits for the appends that know the present era.
const NEXT_ERA: &str = "UPDATE cluster SET era = era + 1";
const CLUSTER: &str = "SELECT history, era FROM cluster";
const SEE: &str = "UPDATE nodes SET seen_at = $2 WHERE id = $1";
const RUNNING: &str = "SELECT id, name, release, since, seen_at FROM nodes WHERE seen_at >= $1 ORDER BY id";
const IS_NAME_TAKEN: &str =
    "SELECT EXISTS (SELECT FROM nodes WHERE name = $1 AND id <> $2 AND seen_at >= $3)";
const IS_ALONE: &str = "SELECT NOT EXISTS (SELECT FROM nodes WHERE id <> $1 AND seen_at >= $2)";
const TAKE_NAME: &str = "DELETE FROM nodes WHERE name = $1 OR id = $2";
const ADD: &str =
    "INSERT INTO nodes (id, name, release, migration, since, seen_at) VALUES ($1, $2, $3, $4, $5, $5)";
const REMOVE: &str = "DELETE FROM nodes WHERE id = $1";

/// The times of a beat.
struct Times {
    /// When a node was last noted.
    noted: Option<i64>,
    now: i64,
}

impl Times {
    /// Waits for other beats, and reads the clock.
    async fn begin(connection: &mut PgConnection) -> Result<Self, Error> {
        let noted: Option<i64> = query_scalar::<Postgres, _>(LOCK).fetch_one(&mut *connection).await?;
        let now = query_scalar::<Postgres, _>(NOW).bind(noted.unwrap_or(0)).fetch_one(connection).await?;
        Ok(Self { noted, now })
    }

    /// Since when a node that runs was noted.
    fn running_since(&self) -> i64 {
        self.now - column(OUTAGE_AFTER_MS)
    }

    /// Notes a node; if the last one is more than `gap_max` ago, that is an outage,
    /// during which seeks wait on.
    async fn note(&self, connection: &mut PgConnection, gap_max: Millis) -> Result<(), Error> {
        match self.noted.filter(|noted| self.now - noted > column(gap_max)) {
            Some(noted) => {
                query::<Postgres>(OUTAGE).bind(noted).bind(self.now).execute(&mut *connection).await?;
                for prolong in [PROLONG_SEEKS, PROLONG_CHALLENGES] {
                    let prolong = query::<Postgres>(prolong).bind(noted).bind(self.now);
                    prolong.execute(&mut *connection).await?;
                }
                query::<Postgres>(NEXT_ERA).execute(&mut *connection).await?;
            }
            // A beat that is lost makes an outage longer by a second, and saves a sync.
            None => {
                connection.execute("SET LOCAL synchronous_commit = off").await?;
            }
        }
        query::<Postgres>(NOTE).bind(self.now).execute(connection).await.map(drop)
    }

    async fn read(&self, connection: &mut PgConnection) -> Result<Beaten, Error> {
        let cluster = query_as::<Postgres, _>(CLUSTER).fetch_one(&mut *connection).await?;
        let nodes = query_as::<Postgres, _>(RUNNING).bind(self.running_since()).fetch_all(connection).await?;
        Ok((self.now, cluster, nodes))
    }
}

fn beat_of((time, (history, era), nodes): Beaten) -> Result<Beat, StoreError> {
    let node = |(id, name, release, since, seen_at)| {
        Ok(Node { id: NodeId(id), name, release, since: millis(since)?, seen_at: millis(seen_at)? })
    };
    let nodes = nodes.into_iter().map(node).collect::<Result<_, StoreError>>()?;
    Ok(Beat { time: millis(time)?, era: Era(millis(era)?), history, nodes })
}

impl Pulse {
    pub(super) fn new(target: &Target) -> Self {
        Self { session: Mutex::new(Some(Session::new(target.of_pulse()))) }
    }

    pub(super) async fn join(&self, node: NewNode) -> Result<Beat, JoinError> {
        let name = node.name.clone();
        let joined = self.transact(move |connection| {
            let node = node.clone();
            Box::pin(async move {
                let times = Times::begin(connection).await?;
                let taken = query_scalar::<Postgres, bool>(IS_NAME_TAKEN).bind(&node.name).bind(node.id.0);
                if taken.bind(times.running_since()).fetch_one(&mut *connection).await? {
                    return Err(Undo::With(None));
                }
                let is_alone =
                    query_scalar::<Postgres, bool>(IS_ALONE).bind(node.id.0).bind(times.running_since());
                let gap_max = if is_alone.fetch_one(&mut *connection).await? { 0 } else { OUTAGE_AFTER_MS };
                times.note(connection, gap_max).await?;
                query::<Postgres>(TAKE_NAME)
                    .bind(&node.name)
                    .bind(node.id.0)
                    .execute(&mut *connection)
                    .await?;
                let add = query::<Postgres>(ADD).bind(node.id.0).bind(&node.name).bind(&node.release);
                add.bind(KNOWN).bind(times.now).execute(&mut *connection).await?;
                Ok(Some(times.read(connection).await?))
            })
        });
        match joined.await? {
            Some(beaten) => Ok(beat_of(beaten)?),
            None => Err(JoinError::NameTaken(name)),
        }
    }

    pub(super) async fn beat(&self, node: NodeId) -> Result<Beat, StoreError> {
        let beaten = self.transact(move |connection| {
            Box::pin(async move {
                let times = Times::begin(connection).await?;
                let see =
                    query::<Postgres>(SEE).bind(node.0).bind(times.now).execute(&mut *connection).await?;
                if see.rows_affected() == 1 {
                    times.note(connection, OUTAGE_AFTER_MS).await?;
                }
                Ok(times.read(connection).await?)
            })
        });
        beat_of(beaten.await?)
    }

    pub(super) async fn leave(&self, node: NodeId) -> Result<(), StoreError> {
        self.transact(move |connection| {
            Box::pin(async move {
                let times = Times::begin(connection).await?;
                let removed = query::<Postgres>(REMOVE).bind(node.0).execute(&mut *connection).await?;
                if removed.rows_affected() == 1 {
                    times.note(connection, OUTAGE_AFTER_MS).await?;
                }
                Ok(())
            })
        })
        .await
    }

    async fn transact<T: Send>(
        &self,
        work: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<T, Undo<T>>> + Send + Sync,
    ) -> Result<T, StoreError> {
        let mut session = self.session.lock().await;
        let session = session.as_mut().ok_or(Failure::Closed)?;
        Ok(session.transact(&work).await?)
    }

    pub(super) async fn close(&self) {
        if let Some(mut session) = self.session.lock().await.take() {
            session.close().await;
        }
    }
}

const NOTE_BUS: &str = "UPDATE nodes SET bus = $2 WHERE id = $1";

/// Notes whether messages of the others reach a node.
pub(super) async fn note_bus(writer: &Writer, node: NodeId, is_connected: bool) -> Result<(), StoreError> {
    let noted = writer.write(node.0, move |connection| {
        Box::pin(async move {
            let noted = query::<Postgres>(NOTE_BUS).bind(node.0).bind(is_connected);
            noted.execute(connection).await.map(drop).map_err(Undo::Error)
        })
    });
    Ok(noted.await?)
}

/// A node as its row is read.
type Seen = (Uuid, String, String, i64, i64, Option<bool>);

const ALL: &str = "SELECT id, name, release, since, seen_at, bus FROM nodes ORDER BY name, id";

/// All nodes that have not left.
pub(super) async fn all(readers: &Readers) -> Result<SeenNodes, StoreError> {
    let (now, rows): (i64, Vec<Seen>) = readers
        .read(|connection| {
            Box::pin(async move {
                let now = query_scalar::<Postgres, _>(NOW).bind(0_i64).fetch_one(&mut *connection).await?;
                Ok((now, query_as::<Postgres, _>(ALL).fetch_all(connection).await?))
            })
        })
        .await?;
    let running_since = now - column(OUTAGE_AFTER_MS);
    let seen = |(id, name, release, since, seen_at, bus): Seen| {
        let node = Node { id: NodeId(id), name, release, since: millis(since)?, seen_at: millis(seen_at)? };
        Ok(SeenNode { node, runs: seen_at >= running_since, bus })
    };
    let nodes = rows.into_iter().map(seen).collect::<Result<_, StoreError>>()?;
    Ok(SeenNodes { at: millis(now)?, nodes })
}

/// Begins another history.
pub(super) async fn begin_new_history(target: Target) -> Result<(), StoreError> {
    let mut session = Session::new(target);
    let another = "UPDATE cluster SET history = gen_random_uuid(), era = era + 1";
    let begun = session
        .transact(&move |connection: &mut PgConnection| {
            Box::pin(async move {
                query::<Postgres>(another).execute(connection).await.map(drop).map_err(Undo::Error)
            })
        })
        .await;
    session.close().await;
    Ok(begun?)
}

/// The outages that ended after `since`.
pub(super) async fn outages(readers: &Readers, since: Millis) -> Result<Vec<Outage>, StoreError> {
    let after = "SELECT began_at, ended_at FROM outages WHERE ended_at > $1 ORDER BY ended_at, began_at";
    let found: Vec<(i64, i64)> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(after).bind(column(since)).fetch_all(connection)))
        .await?;
    found.into_iter().map(|(from, until)| Ok(Outage { from: millis(from)?, until: millis(until)? })).collect()
}
