//! Tournaments: their events, and what lists show of them.
//!
//! An append is a compare-and-set on the head. What a match adds follows whatever head there is; so a tournament is
//! locked after everything else.

use lusoria_play::{Millis, PlayerId, TournamentId};
use sqlx::Error;
use uuid::Uuid;

use super::{Store, accounts, appends::use_key, guests};
use crate::{
    HEADS_MAX, NewTournament, StoreError, StoreFuture, TOURNAMENTS_PER_ORGANISER_MAX, TournamentAppend,
    TournamentAppending, TournamentCreation, TournamentDue, TournamentEvent, TournamentFilter,
    TournamentListing, TournamentNote, TournamentPage, TournamentPlace, TournamentRow, TournamentStage,
    sql::{
        Done, Tx, Undo, args, first_refused,
        value::{AnyRow, Ids, Row},
    },
    text::corrupt,
};

/// The columns of a [`TournamentRow`].
macro_rules! columns {
    () => {
        "id, organiser, head, game, stage, listed, at, card, wake_at"
    };
}

/// At most `$3` rows that meet a condition, beyond the place of `$1` and `$2` in that order.
macro_rules! rows {
    ($beyond:literal, $order:literal, $and:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM tournaments WHERE (at, id) ",
            $beyond,
            " ($1, $2)",
            $and,
            " ORDER BY at ",
            $order,
            ", id ",
            $order,
            " LIMIT $3"
        )
    };
}

pub(super) const SOONEST: &str = rows!(">", "ASC", " AND listed AND stage = $4");
const SOONEST_OF_GAME: &str = rows!(">", "ASC", " AND listed AND stage = $4 AND game = $5");
const NEWEST: &str = rows!("<", "DESC", " AND listed AND stage = $4");
pub(super) const NEWEST_OF_GAME: &str = rows!("<", "DESC", " AND listed AND stage = $4 AND game = $5");
pub(super) const ALL: &str = rows!("<", "DESC", "");
const OF_GUEST: &str = rows!(
    "<",
    "DESC",
    " AND (listed OR $5) AND id IN (SELECT tournament FROM tournament_entrants WHERE guest = $4 \
     UNION SELECT id FROM tournaments WHERE organiser = $4)"
);
const PLAYED_BY: &str = rows!(
    "<",
    "DESC",
    " AND stage = 'running' AND id IN (SELECT tournament FROM tournament_entrants WHERE guest = $4)"
);
const SOME: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM tournaments WHERE id IN (SELECT unhex(value) FROM json_each($1)) AND listed"
);
const ONE: &str = concat!("SELECT ", columns!(), " FROM tournaments WHERE id = $1");
pub(super) const DUE: &str =
    "SELECT id, wake_at FROM tournaments WHERE wake_at <= $1 ORDER BY wake_at, id LIMIT $2";
pub(super) const NEXT_WAKE: &str = "SELECT min(wake_at) FROM tournaments";

/// `seq`, `at`, `event`.
impl Row for TournamentEvent {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { seq: row.get(0)?, at: row.get(1)?, event: row.get(2)? })
    }
}

/// `id`, `organiser`, `head`, `game`, `stage`, `listed`, `at`, `card`, `wake_at`.
impl Row for TournamentRow {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let listing = TournamentListing {
            game: row.get(3)?,
            stage: row.get(4)?,
            listed: row.get(5)?,
            at: row.get(6)?,
            card: row.get(7)?,
            wake_at: row.get(8)?,
        };
        Ok(Self { id: row.get(0)?, organiser: row.get(1)?, head: row.get(2)?, listing })
    }
}

/// `id`, `wake_at`.
impl Row for TournamentDue {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self { id: row.get(0)?, at: row.get(1)? })
    }
}

impl Store {
    /// Stores a new tournament. The transaction checks that its organiser has an account, is not blocked, and organises
    /// fewer than [`TOURNAMENTS_PER_ORGANISER_MAX`] that have not ended. After an unknown outcome the same request can
    /// be made again.
    pub fn create_tournament(&self, new: NewTournament) -> StoreFuture<'_, TournamentCreation> {
        Box::pin(async move {
            must_follow(0, &new.events)?;
            self.write(new.organiser.0, new, |tx, new| Box::pin(create(tx, new))).await
        })
    }

    /// Appends events to a tournament, a compare-and-set on its head, or corrects what lists show of it. After an
    /// unknown outcome, read the events and decide again.
    pub fn append_tournament(&self, append: TournamentAppend) -> StoreFuture<'_, TournamentAppending> {
        Box::pin(async move {
            if !append.events.is_empty() {
                must_follow(append.head, &append.events)?;
            }
            self.write(append.id.0, append, |tx, new| Box::pin(async { Ok(write(tx, new).await?) })).await
        })
    }

    /// Reads what lists show of a tournament.
    pub fn tournament(&self, id: TournamentId) -> StoreFuture<'_, Option<TournamentRow>> {
        self.first(ONE, args![id])
    }

    /// Reads what lists show of some tournaments, at most [`HEADS_MAX`], in any order. Those that are not public are left
    /// out.
    pub fn listed_tournaments(&self, ids: Vec<TournamentId>) -> StoreFuture<'_, Vec<TournamentRow>> {
        self.all(SOME, args![Ids::of(ids.into_iter().take(HEADS_MAX).map(|id| id.0))])
    }

    /// Reads at most `limit` events of a tournament with numbers greater than `since`, in order.
    pub fn tournament_events(
        &self,
        id: TournamentId,
        since: u32,
        limit: u32,
    ) -> StoreFuture<'_, Vec<TournamentEvent>> {
        let select = "SELECT seq, at, event FROM tournament_events WHERE tournament = $1 AND seq > $2 \
             ORDER BY seq LIMIT $3";
        Box::pin(async move {
            let events: Vec<TournamentEvent> = self.all(select, args![id, since, limit]).await?;
            if events.iter().zip(since.saturating_add(1)..).any(|(event, seq)| event.seq != seq) {
                return Err(corrupt(format!("the events of tournament {id} have a gap")));
            }
            Ok(events)
        })
    }

    /// Reads the heads of some tournaments, at most [`HEADS_MAX`], in any order. Those that do not exist are left out.
    pub fn tournament_heads(&self, ids: Vec<TournamentId>) -> StoreFuture<'_, Vec<(TournamentId, u32)>> {
        let select = "SELECT id, head FROM tournaments WHERE id IN (SELECT unhex(value) FROM json_each($1))";
        self.all(select, args![Ids::of(ids.into_iter().take(HEADS_MAX).map(|id| id.0))])
    }

    /// Lists a page of at most `limit` tournaments (at least 1) after that place.
    pub fn tournaments(
        &self,
        filter: TournamentFilter,
        after: Option<TournamentPlace>,
        limit: u32,
    ) -> StoreFuture<'_, TournamentPage> {
        Box::pin(async move {
            let is_upcoming =
                matches!(filter, TournamentFilter::Listed { stage: TournamentStage::Announced, .. });
            let (at, id) = match after {
                Some((at, id)) => (at, id.0),
                None if is_upcoming => (0, Uuid::nil()),
                None => (Millis::MAX, Uuid::max()),
            };
            // One more than asked for tells whether there is another page.
            let mut args = args![at, id, u64::from(limit) + 1];
            let sql = match filter {
                TournamentFilter::Listed { stage, game } => {
                    args.extend(args![stage]);
                    args.extend(game.map(crate::sql::value::argument));
                    match (is_upcoming, game) {
                        (true, None) => SOONEST,
                        (true, Some(_)) => SOONEST_OF_GAME,
                        (false, None) => NEWEST,
                        (false, Some(_)) => NEWEST_OF_GAME,
                    }
                }
                TournamentFilter::Of { guest, with_unlisted } => {
                    args.extend(args![guest, with_unlisted]);
                    OF_GUEST
                }
                TournamentFilter::PlayedBy(guest) => {
                    args.extend(args![guest]);
                    PLAYED_BY
                }
                TournamentFilter::All => ALL,
            };
            let mut rows: Vec<TournamentRow> = self.all(sql, args).await?;
            let has_more = rows.len() > limit as usize;
            rows.truncate(limit as usize);
            let next = rows.last().filter(|_| has_more).map(|row| (row.listing.at, row.id));
            Ok(TournamentPage { rows, next })
        })
    }

    /// Finds tournaments that must be woken at or before `now`, the earliest first.
    pub fn tournaments_due(&self, now: Millis, limit: u32) -> StoreFuture<'_, Vec<TournamentDue>> {
        self.all(DUE, args![now, limit])
    }

    /// Finds when the next tournament must be woken.
    pub fn next_tournament_wake(&self) -> StoreFuture<'_, Option<Millis>> {
        self.one(NEXT_WAKE, args![])
    }
}

/// Checks that events follow number `head`.
fn must_follow(head: u32, events: &[TournamentEvent]) -> Result<(), StoreError> {
    if events.is_empty() || events.iter().zip(head + 1..).any(|(event, seq)| event.seq != seq) {
        return Err(StoreError::Failed(format!("the events of a tournament do not follow number {head}")));
    }
    Ok(())
}

async fn create(tx: &mut Tx, new: &NewTournament) -> Done<TournamentCreation> {
    // In the order of appends, which use keys before they hold guests.
    let use_key = new.key.iter().map(|key| use_key(key, new.id.0, 1)).collect();
    if first_refused(tx, use_key).await?.is_some() {
        return Ok(TournamentCreation::KeyUsed);
    }
    if let Some(other) = instead(tx, new).await? {
        return Err(Undo::With(other));
    }
    let last = new.events.last().expect("it was checked that there are events");
    let listing = &new.listing;
    let insert = "INSERT INTO tournaments \
         (id, organiser, head, last_at, game, stage, listed, at, card, wake_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let row = args![
        new.id,
        new.organiser,
        last.seq,
        last.at,
        listing.game,
        listing.stage,
        listing.listed,
        listing.at,
        &listing.card,
        listing.wake_at,
    ];
    tx.queue(insert, row).await?;
    for event in &new.events {
        add_event(tx, new.id, event).await?;
    }
    Ok(TournamentCreation::Created)
}

/// Locks the organiser. What becomes of a new tournament if it need not or must not be made.
async fn instead(tx: &mut Tx, new: &NewTournament) -> Result<Option<TournamentCreation>, Error> {
    if guests::lock(tx, new.organiser).await?.is_none_or(|guest| guest.blocked_at.is_some()) {
        return Ok(Some(TournamentCreation::GuestGone));
    }
    if !accounts::exists(tx, new.organiser).await? {
        return Ok(Some(TournamentCreation::NoAccount));
    }
    let same = "SELECT 1 FROM tournaments WHERE id = $1 AND organiser = $2";
    if tx.exists(same, args![new.id, new.organiser]).await? {
        return Ok(Some(TournamentCreation::Created));
    }
    let unfinished = "SELECT count(*) FROM tournaments WHERE organiser = $1 AND stage <> 'ended'";
    let unfinished: u32 = tx.one(unfinished, args![new.organiser]).await?;
    Ok((unfinished >= TOURNAMENTS_PER_ORGANISER_MAX).then_some(TournamentCreation::TooMany))
}

async fn write(tx: &mut Tx, new: &TournamentAppend) -> Result<TournamentAppending, Error> {
    let (id, listing) = (new.id, &new.listing);
    if !new.entered.is_empty() {
        let hold = "SELECT id FROM guests WHERE id IN (SELECT unhex(value) FROM json_each($1)) \
             AND blocked_at IS NULL AND id IN (SELECT guest FROM accounts) ORDER BY id";
        let ids = Ids::of(new.entered.iter().map(|guest| guest.0));
        let there: Vec<PlayerId> = tx.hold_all(hold, args![ids]).await?;
        if let Some(gone) = new.entered.iter().find(|guest| !there.contains(guest)) {
            return Ok(TournamentAppending::GuestGone(*gone));
        }
    }
    let update = "UPDATE tournaments SET head = $3, last_at = COALESCE($4, last_at), game = $5, stage = $6, \
         listed = $7, at = $8, card = $9, wake_at = $10 WHERE id = $1 AND head = $2";
    let last = new.events.last();
    let row = args![
        id,
        new.head,
        last.map_or(new.head, |event| event.seq),
        last.map(|event| event.at),
        listing.game,
        listing.stage,
        listing.listed,
        listing.at,
        &listing.card,
        listing.wake_at,
    ];
    if tx.execute(update, row).await? == 0 {
        return Ok(TournamentAppending::MovedOn);
    }
    for event in &new.events {
        add_event(tx, id, event).await?;
    }
    let enter = "INSERT INTO tournament_entrants (guest, tournament) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    let leave = "DELETE FROM tournament_entrants WHERE guest = $1 AND tournament = $2";
    for (guests, sql) in [(&new.entered, enter), (&new.left, leave)] {
        for guest in guests {
            tx.queue(sql, args![*guest, id]).await?;
        }
    }
    Ok(TournamentAppending::Appended)
}

async fn add_event(tx: &mut Tx, id: TournamentId, event: &TournamentEvent) -> Result<(), Error> {
    let insert = "INSERT INTO tournament_events (tournament, seq, at, event) VALUES ($1, $2, $3, $4)";
    tx.queue(insert, args![id, event.seq, event.at, &event.event]).await
}

/// Adds to a tournament what a match adds at that time, or at the time of its last event if that is later.
pub(super) async fn add_note(tx: &mut Tx, note: &TournamentNote, at: Millis) -> Result<(), Error> {
    let update = "UPDATE tournaments SET head = head + 1, \
             last_at = CASE WHEN last_at > $2 THEN last_at ELSE $2 END, \
             wake_at = CASE WHEN wake_at < $2 THEN wake_at ELSE $2 END \
         WHERE id = $1 RETURNING head, last_at";
    if let Some((seq, at)) = tx.first(update, args![note.id, at]).await? {
        add_event(tx, note.id, &TournamentEvent { seq, at, event: note.event.clone() }).await?;
    }
    Ok(())
}
