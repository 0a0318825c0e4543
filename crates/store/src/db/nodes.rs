//! The nodes that run on the database, and what they share.
//!
//! Time is that of the database: never before a time that was noted. Each beat is one short transaction, which locks
//! the one row of `pulse` first, so that beats come one after the other.

use lusoria_play::Millis;
use sqlx::Error;
use uuid::Uuid;

use super::{Store, matters::clock};
use crate::{
    Beat, Call, Era, JoinError, NewNode, Node, NodeId, OUTAGE_AFTER_MS, Outage, SeenNode, SeenNodes,
    StoreError, StoreFuture,
    postgres::{migrations::KNOWN, open::Target, session::Session},
    sql::{
        Tx, Undo, args,
        value::{AnyRow, Ids, Row},
    },
};

/// `id`, `name`, `release`, `since`, `seen_at`.
impl Row for Node {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            release: row.get(2)?,
            since: row.get(3)?,
            seen_at: row.get(4)?,
        })
    }
}

/// A [`Node`], whether it runs, `bus`.
impl Row for SeenNode {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { node: Node::read(row)?, runs: row.get(5)?, bus: row.get(6)? })
    }
}

/// `began_at`, `ended_at`.
impl Row for Outage {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { from: row.get(0)?, until: row.get(1)? })
    }
}

/// Since when a node that runs was noted.
const fn running_since(now: Millis) -> Millis {
    now.saturating_sub(OUTAGE_AFTER_MS)
}

/// For seeks and challenges: locks those that waited when an outage began, in one order, because other writes lock
/// several of them, too; then has them expire so much later.
const PROLONG: [(&str, &str); 2] = [
    (
        "SELECT id FROM seeks WHERE match IS NULL AND expires_at > $1 ORDER BY id",
        "UPDATE seeks SET expires_at = expires_at + $1 WHERE id IN (SELECT unhex(value) FROM json_each($2))",
    ),
    (
        "SELECT id FROM challenges WHERE state = 'waiting' AND expires_at > $1 ORDER BY id",
        "UPDATE challenges SET expires_at = expires_at + $1 WHERE id IN (SELECT unhex(value) FROM json_each($2))",
    ),
];

/// The times of a beat.
struct Times {
    /// When a node was last noted.
    noted: Option<Millis>,
    now: Millis,
}

impl Times {
    /// Waits for other beats, and reads the clock.
    async fn begin(tx: &mut Tx, own: Millis) -> Result<Self, Error> {
        let noted: Option<Option<Millis>> = tx.lock_first("SELECT at FROM pulse", args![]).await?;
        let noted = noted.ok_or(Error::RowNotFound)?;
        Ok(Self { noted, now: clock(tx, own).await?.max(noted.unwrap_or(0)) })
    }

    /// Notes a node; if the last one is more than `gap_max` ago, that is an outage, during which seeks wait on.
    async fn note(&self, tx: &mut Tx, gap_max: Millis) -> Result<(), Error> {
        if let Some(noted) = self.noted.filter(|noted| self.now - noted > gap_max) {
            let insert = "INSERT INTO outages (began_at, ended_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            tx.queue(insert, args![noted, self.now]).await?;
            for (lock, prolong) in PROLONG {
                let waiting: Vec<Uuid> = tx.lock_all(lock, args![noted]).await?;
                tx.queue(prolong, args![self.now - noted, Ids::of(waiting)]).await?;
            }
            if !is_alone(tx) {
                // Waits for the appends that know the present era.
                tx.queue("UPDATE cluster SET era = era + 1", args![]).await?;
            }
        } else if let Tx::Postgres(_) = tx {
            // A beat that is lost makes an outage longer by a second, and saves a sync.
            tx.script("SET LOCAL synchronous_commit = off").await?;
        }
        tx.queue("UPDATE pulse SET at = $1", args![self.now]).await
    }

    async fn read(&self, tx: &mut Tx) -> Result<Beat, Error> {
        let (history, era) = tx.one("SELECT history, era FROM cluster", args![]).await?;
        let running = "SELECT id, name, release, since, seen_at FROM nodes WHERE seen_at >= $1 ORDER BY id";
        let nodes = tx.all(running, args![running_since(self.now)]).await?;
        Ok(Beat { time: self.now, era: Era(era), history, nodes })
    }
}

impl Store {
    /// Joins a node to those that run on this store; it is `now` by its own clock. If no node was
    /// running, the time since the last one did is stored as an outage, and seeks that waited then wait so much longer.
    pub fn join(&self, node: NewNode, own: Millis) -> StoreFuture<'_, Beat, JoinError> {
        self.beat_with(Call::Join(node.id, own), (node, own), |tx, (node, own)| {
            Box::pin(async move {
                let times = Times::begin(tx, *own).await?;
                if is_alone(tx) {
                    tx.queue("DELETE FROM nodes", args![]).await?;
                }
                let since = running_since(times.now);
                let taken = "SELECT 1 FROM nodes WHERE name = $1 AND id <> $2 AND seen_at >= $3";
                if tx.exists(taken, args![&node.name, node.id, since]).await? {
                    return Err(Undo::With(Err(JoinError::NameTaken(node.name.clone()))));
                }
                let others = "SELECT 1 FROM nodes WHERE id <> $1 AND seen_at >= $2";
                let gap_max =
                    if tx.exists(others, args![node.id, since]).await? { OUTAGE_AFTER_MS } else { 0 };
                times.note(tx, gap_max).await?;
                let take_name = "DELETE FROM nodes WHERE name = $1 OR id = $2";
                tx.queue(take_name, args![&node.name, node.id]).await?;
                let insert = "INSERT INTO nodes (id, name, release, migration, since, seen_at) \
                     VALUES ($1, $2, $3, $4, $5, $5)";
                tx.queue(insert, args![node.id, &node.name, &node.release, KNOWN, times.now]).await?;
                Ok(Ok(times.read(tx).await?))
            })
        })
    }

    /// Notes that a node is running, and reads what all nodes share. If no node has been noted for more
    /// than [`OUTAGE_AFTER_MS`], that time is stored as an outage, as by [`Store::join`].
    pub fn beat(&self, node: NodeId, own: Millis) -> StoreFuture<'_, Beat> {
        self.beat_with(Call::Beat(node, own), (node, own), |tx, &(node, own)| {
            Box::pin(async move {
                let times = Times::begin(tx, own).await?;
                let see = "UPDATE nodes SET seen_at = $2 WHERE id = $1";
                if tx.execute(see, args![node, times.now]).await? == 1 || is_alone(tx) {
                    times.note(tx, gap_max_of_beats(tx)).await?;
                }
                Ok(Ok(times.read(tx).await?))
            })
        })
    }

    /// Notes that a node stops at `now`.
    pub fn leave(&self, node: NodeId, own: Millis) -> StoreFuture<'_, ()> {
        self.beat_with(Call::Leave(node, own), (node, own), |tx, &(node, own)| {
            Box::pin(async move {
                let times = Times::begin(tx, own).await?;
                if tx.execute("DELETE FROM nodes WHERE id = $1", args![node]).await? == 1 || is_alone(tx) {
                    times.note(tx, gap_max_of_beats(tx)).await?;
                }
                Ok(Ok(()))
            })
        })
    }
}

/// Whether there is one node, as that of a file, whose lock it holds.
const fn is_alone(tx: &Tx) -> bool {
    matches!(tx, Tx::Sqlite(file) if file.clock.is_none())
}

/// The only node knows by itself that it stood still.
const fn gap_max_of_beats(tx: &Tx) -> Millis {
    if is_alone(tx) { Millis::MAX } else { OUTAGE_AFTER_MS }
}

/// Begins another history.
pub(crate) async fn begin_new_history(target: Target) -> Result<(), StoreError> {
    let (mut session, history) = (Session::new(target), Uuid::new_v4());
    let begun = session
        .transact(&move |tx: &mut Tx| {
            Box::pin(async move {
                let update = "UPDATE cluster SET history = $1, era = era + 1";
                tx.queue(update, args![history]).await.map_err(Undo::Error)
            })
        })
        .await;
    session.close().await;
    Ok(begun?)
}

impl Store {
    /// Notes whether messages of the other nodes reach a node. A store that is not shared notes nothing.
    pub fn note_bus(&self, node: NodeId, is_connected: bool) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if !self.is_shared() {
                return Ok(());
            }
            let update = "UPDATE nodes SET bus = $2 WHERE id = $1";
            self.execute(node.0, update, args![node, is_connected]).await.map(drop)
        })
    }

    /// Lists the nodes; those of a store that is not shared are none.
    pub fn nodes(&self) -> StoreFuture<'_, SeenNodes> {
        Box::pin(async move {
            if !self.is_shared() {
                return Ok(SeenNodes::default());
            }
            self.read(move |tx| {
                Box::pin(async move {
                    let at = clock(tx, 0).await?;
                    let select = "SELECT id, name, release, since, seen_at, seen_at >= $1, bus FROM nodes \
                     ORDER BY name, id";
                    Ok(SeenNodes { at, nodes: tx.all(select, args![running_since(at)]).await? })
                })
            })
            .await
        })
    }

    /// Lists the outages that ended after `since`, the earliest first.
    pub fn outages(&self, since: Millis) -> StoreFuture<'_, Vec<Outage>> {
        let after = "SELECT began_at, ended_at FROM outages WHERE ended_at > $1 ORDER BY ended_at, began_at";
        self.all(after, args![since])
    }
}
