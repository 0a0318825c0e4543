//! Appends to the journals of matches: nearly all that is ever written. All of a batch are one statement.

use lusoria_play::{PlayerId, Seat};
use sqlx::{Error, PgConnection, Postgres, postgres::PgArguments, query::QueryAs, query_as};
use uuid::Uuid;

use super::creation::NewEntry;
use crate::{
    Append, Card, KeyUse, SecretHash, StoreError,
    append_row::AppendRow,
    db::RatingEntry,
    error::Refused,
    model::guests_named_by,
    text::{column, state_column},
};

/// An append, converted to columns before it is queued.
pub(crate) struct Entry {
    id: Uuid,
    head: i64,
    edition: i64,
    era: i64,
    events: AppendRow,
    /// Players who must be guests and not blocked.
    guests: Vec<Uuid>,
    columns: MatchColumns,
    key: Option<Key>,
    /// The hash of the invitation to spend.
    spends: Option<Vec<u8>>,
}

/// What some appends do beside.
pub(super) struct More {
    /// The rematch to store.
    pub(super) create: Option<NewEntry>,
    /// What it changes of ratings.
    pub(super) ratings: RatingEntry,
}

/// The columns of a match that an append writes.
pub(super) struct MatchColumns {
    pub(super) deadline: Option<i64>,
    pub(super) state: &'static str,
    pub(super) listed: bool,
    pub(super) seat2: Option<Uuid>,
    pub(super) card: String,
}

impl MatchColumns {
    pub(super) fn of(deadline: Option<u64>, card: &Card) -> Self {
        Self {
            deadline: deadline.map(column),
            state: state_column(card.state()),
            listed: card.is_listed(),
            seat2: card.player(Seat::Two).map(|player| player.0),
            card: card_column(card),
        }
    }
}

pub(super) fn card_column(card: &Card) -> String {
    serde_json::to_string(card).expect("a card is plain data")
}

/// An idempotency key to use up.
pub(super) struct Key {
    pub(super) guest: Uuid,
    pub(super) name: String,
    pub(super) digest: Vec<u8>,
    pub(super) at: i64,
}

impl Key {
    pub(super) fn of(key: KeyUse) -> Self {
        Self { guest: key.guest.0, name: key.key, digest: key.digest.to_vec(), at: column(key.at) }
    }
}

impl Entry {
    /// Converts an append, and what it does beside if that takes a transaction of its own.
    pub(super) fn of(append: Append) -> Result<(Self, Option<More>), StoreError> {
        let events = AppendRow::of(append.of.head, &append.events)?;
        let entry = Self {
            id: append.id.0,
            head: i64::from(append.of.head),
            edition: i64::from(append.of.edition),
            era: column(append.era.0),
            guests: guests_named_by(&append.events, append.key.as_ref()).map(|guest| guest.0).collect(),
            columns: MatchColumns::of(append.deadline, &append.card),
            key: append.key.map(Key::of),
            spends: append.spends.map(|SecretHash(hash)| hash.to_vec()),
            events,
        };
        let (create, rates, unrates) = (append.create, append.rates, append.unrates);
        if create.is_none() && rates.is_none() && !unrates {
            return Ok((entry, None));
        }
        let create = create.map(|new| NewEntry::of(*new)).transpose()?;
        Ok((
            entry,
            Some(More {
                create,
                ratings: RatingEntry {
                    id: append.id,
                    at: append.events.first().map_or(0, |event| event.at),
                    rates,
                    unrates,
                },
            }),
        ))
    }

    pub(super) const fn id(&self) -> Uuid {
        self.id
    }

    /// Whether it depends on the match alone.
    const fn is_plain(&self) -> bool {
        self.guests.is_empty() && self.key.is_none() && self.spends.is_none()
    }

    pub(super) fn key(&self) -> Option<(Uuid, String)> {
        self.key.as_ref().map(|key| (key.guest, key.name.clone()))
    }
}

/// The rows that an append locks.
macro_rules! locked {
    () => {
        "present AS MATERIALIZED (
            SELECT era FROM cluster FOR SHARE
        ), locked AS MATERIALIZED (
            SELECT id, head, edition FROM matches WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
        )"
    };
}

/// What the appends write that are good.
macro_rules! written {
    () => {
        "moved AS (
            UPDATE matches SET head = good.last, updated_at = good.at, card = good.card,
                state = good.state, listed = good.listed, seat2 = good.seat2
            FROM good WHERE matches.id = good.id
        ), written AS (
            INSERT INTO journal (match, first, last, at, events)
            SELECT id, head + 1, last, at, events FROM good
        ), timed AS (
            INSERT INTO deadlines (match, at)
            SELECT id, deadline FROM good WHERE deadline IS NOT NULL
            ON CONFLICT (match) DO UPDATE SET at = excluded.at
        ), untimed AS (
            DELETE FROM deadlines USING good WHERE deadlines.match = good.id AND good.deadline IS NULL
        )
        "
    };
}

/// Writes what of a batch need not be refused, if some use keys, seat guests or spend invitations.
///
/// It sees what was committed when it began, and the rows that it locks as they are once it has them:
/// the era, the matches, the guests who take seats, the invitations. So nobody is blocked, and no
/// invitation withdrawn, between check and write. A match whose maker is about to be adopted has another edition by then,
/// so nobody joins it who adopts them ([`super::departures`]). Locks are taken in one order everywhere, so that
/// writers wait for each other in no circle.
const APPEND: &str = concat!(
    "WITH asked AS MATERIALIZED (
        SELECT * FROM unnest(
            $1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
            $8::text[], $9::text[], $10::boolean[], $11::uuid[], $12::bigint[],
            $13::uuid[], $14::text[], $15::bytea[], $16::bigint[], $17::bytea[]
        ) WITH ORDINALITY AS asked(
            id, head, edition, era, last, at, events,
            card, state, listed, seat2, deadline,
            key_guest, key, digest, used_at, spends, n
        )
    ), ",
    locked!(),
    ", seated AS MATERIALIZED (
        SELECT id FROM guests WHERE id = ANY ($19) AND blocked_at IS NULL ORDER BY id FOR SHARE
    ), gone AS MATERIALIZED (
        SELECT DISTINCT ON (n) n, id
        FROM unnest($18::bigint[], $19::uuid[]) WITH ORDINALITY AS named(n, id, place)
        WHERE NOT EXISTS (SELECT FROM seated WHERE seated.id = named.id) OR EXISTS (
            SELECT FROM asked JOIN matches ON matches.id = asked.id JOIN departures ON departures.guest = matches.seat1
            WHERE asked.n = named.n AND departures.adopter = named.id
        )
        ORDER BY n, place
    ), invited AS MATERIALIZED (
        SELECT i.match, i.hash, i.expires_at
        FROM locked JOIN invitations AS i ON i.match = locked.id
        WHERE i.hash = ANY ($17) FOR UPDATE OF i
    ), judged AS MATERIALIZED (
        SELECT asked.n, gone.id AS gone, CASE
            WHEN asked.era <> (SELECT era FROM present) THEN 1
            WHEN EXISTS (SELECT FROM used_keys AS u WHERE u.guest = asked.key_guest AND u.key = asked.key) THEN 2
            WHEN gone.id IS NOT NULL THEN 3
            WHEN asked.spends IS NOT NULL AND NOT EXISTS (
                SELECT FROM invited AS i
                WHERE i.match = asked.id AND i.hash = asked.spends AND i.expires_at > asked.at
            ) THEN 4
            WHEN locked.id IS NULL OR locked.head <> asked.head OR locked.edition <> asked.edition THEN 5
            ELSE 0
        END AS refused
        FROM asked LEFT JOIN locked ON locked.id = asked.id LEFT JOIN gone ON gone.n = asked.n
    ), keyed AS (
        INSERT INTO used_keys (guest, key, digest, match, first, at)
        SELECT key_guest, key, digest, id, head + 1, used_at
        FROM asked JOIN judged USING (n) WHERE refused = 0 AND key IS NOT NULL
        ORDER BY key_guest, key
        ON CONFLICT DO NOTHING
        RETURNING guest, key
    ), good AS MATERIALIZED (
        SELECT asked.*
        FROM asked JOIN judged USING (n)
        LEFT JOIN keyed ON keyed.guest = asked.key_guest AND keyed.key = asked.key
        WHERE refused = 0 AND (asked.key IS NULL OR keyed.key IS NOT NULL)
    ), spent AS (
        DELETE FROM invitations USING good
        WHERE invitations.match = good.id AND good.spends IS NOT NULL
    ), ",
    written!(),
    "SELECT judged.n, CASE WHEN refused = 0 AND good.n IS NULL THEN 2 ELSE refused END, gone
    FROM judged LEFT JOIN good ON good.n = judged.n"
);

/// The same if none does: nearly all that is ever written.
const APPEND_PLAIN: &str = concat!(
    "WITH asked AS MATERIALIZED (
        SELECT * FROM unnest(
            $1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
            $8::text[], $9::text[], $10::boolean[], $11::uuid[], $12::bigint[]
        ) WITH ORDINALITY AS asked(
            id, head, edition, era, last, at, events,
            card, state, listed, seat2, deadline, n
        )
    ), ",
    locked!(),
    ", judged AS MATERIALIZED (
        SELECT asked.*, CASE
            WHEN asked.era <> (SELECT era FROM present) THEN 1
            WHEN locked.id IS NULL OR locked.head <> asked.head OR locked.edition <> asked.edition THEN 5
            ELSE 0
        END AS refused
        FROM asked LEFT JOIN locked ON locked.id = asked.id
    ), good AS (
        SELECT * FROM judged WHERE refused = 0
    ), ",
    written!(),
    "SELECT n, refused, NULL::uuid FROM judged"
);

/// Writes the appends, which must be to different matches and with different keys. The outcomes are in
/// their order.
pub(super) async fn append(
    connection: &mut PgConnection,
    entries: &[&Entry],
) -> Result<Vec<Result<(), Refused>>, Error> {
    let is_plain = entries.iter().all(|entry| entry.is_plain());
    let query = query_as::<Postgres, (i64, i32, Option<Uuid>)>(if is_plain { APPEND_PLAIN } else { APPEND })
        .bind(column_of(entries, |entry| entry.id))
        .bind(column_of(entries, |entry| entry.head))
        .bind(column_of(entries, |entry| entry.edition))
        .bind(column_of(entries, |entry| entry.era))
        .bind(column_of(entries, |entry| entry.events.last))
        .bind(column_of(entries, |entry| entry.events.at))
        .bind(column_of(entries, |entry| &*entry.events.events))
        .bind(column_of(entries, |entry| &*entry.columns.card))
        .bind(column_of(entries, |entry| entry.columns.state))
        .bind(column_of(entries, |entry| entry.columns.listed))
        .bind(column_of(entries, |entry| entry.columns.seat2))
        .bind(column_of(entries, |entry| entry.columns.deadline));
    let query = if is_plain { query } else { bind_more(query, entries) };
    let mut judged = query.fetch_all(connection).await?;
    judged.sort_unstable_by_key(|(n, ..)| *n);
    if judged.len() != entries.len() {
        return Err(Error::Protocol("the database answered to another number of appends".to_owned()));
    }
    Ok(judged.into_iter().map(|(_, refused, gone)| outcome(refused, gone)).collect())
}

type Query<'q> = QueryAs<'q, Postgres, (i64, i32, Option<Uuid>), PgArguments>;

/// Binds what [`APPEND_PLAIN`] does not ask for.
fn bind_more<'q>(query: Query<'q>, entries: &[&'q Entry]) -> Query<'q> {
    let named =
        (1_i64..).zip(entries).flat_map(|(n, entry)| entry.guests.iter().map(move |guest| (n, *guest)));
    let (numbers, guests): (Vec<i64>, Vec<Uuid>) = named.unzip();
    query
        .bind(column_of(entries, |entry| entry.key.as_ref().map(|key| key.guest)))
        .bind(column_of(entries, |entry| entry.key.as_ref().map(|key| &*key.name)))
        .bind(column_of(entries, |entry| entry.key.as_ref().map(|key| &*key.digest)))
        .bind(column_of(entries, |entry| entry.key.as_ref().map(|key| key.at)))
        .bind(column_of(entries, |entry| entry.spends.as_deref()))
        .bind(numbers)
        .bind(guests)
}

fn column_of<'e, T>(entries: &[&'e Entry], value: impl Fn(&'e Entry) -> T) -> Vec<T> {
    entries.iter().map(|entry| value(entry)).collect()
}

fn outcome(refused: i32, gone: Option<Uuid>) -> Result<(), Refused> {
    match (refused, gone) {
        (0, _) => Ok(()),
        (1, _) => Err(Refused::Outdated),
        (2, _) => Err(Refused::KeyUsed),
        (3, Some(gone)) => Err(Refused::GuestGone(PlayerId(gone))),
        (4, _) => Err(Refused::InvitationGone),
        _ => Err(Refused::Conflict),
    }
}

/// Whether an append with a key was refused for a later reason than that its key was used.
pub(super) fn may_have_used_keys(entries: &[&Entry], outcomes: &[Result<(), Refused>]) -> bool {
    entries.iter().zip(outcomes).any(|(entry, outcome)| is_doubtful(entry, outcome))
}

const fn is_doubtful(entry: &Entry, outcome: &Result<(), Refused>) -> bool {
    match outcome {
        Err(
            Refused::GuestGone(_)
            | Refused::InvitationGone
            | Refused::SeekGone
            | Refused::ChallengeGone
            | Refused::Conflict,
        ) => entry.key.is_some(),
        Ok(()) | Err(Refused::Outdated | Refused::KeyUsed) => false,
    }
}

const USED: &str = "SELECT guest, key FROM used_keys \
     WHERE (guest, key) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))";

/// Which of the keys of these appends are used now.
pub(super) async fn used_keys(
    connection: &mut PgConnection,
    entries: &[&Entry],
) -> Result<Vec<(Uuid, String)>, Error> {
    let keys = || entries.iter().filter_map(|entry| entry.key.as_ref());
    query_as::<Postgres, _>(USED)
        .bind(keys().map(|key| key.guest).collect::<Vec<_>>())
        .bind(keys().map(|key| &*key.name).collect::<Vec<_>>())
        .fetch_all(connection)
        .await
}

/// Names that reason instead of a later one.
pub(super) fn put_used_keys_first(
    entries: &[&Entry],
    outcomes: &mut [Result<(), Refused>],
    used: &[(Uuid, String)],
) {
    for (entry, outcome) in entries.iter().zip(outcomes) {
        if is_doubtful(entry, outcome) && entry.key().is_some_and(|key| used.contains(&key)) {
            *outcome = Err(Refused::KeyUsed);
        }
    }
}
