//! Talk: what was said in matches, and how guests talk.

use std::sync::Arc;

use lusoria_play::{Level, MatchId, Millis, Phrase, Player, PlayerId, RemarkId, TalkRoom};
use sqlx_core::{query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::Postgres;
use uuid::Uuid;

use super::{
    PostgresStore,
    guests::lock,
    moderation::{held, sanction},
    readers::Readers,
    writer::Writer,
};
use crate::{
    NewRemark, REMARKS_AT_ONCE_MAX, REMARKS_PER_MATCH_MAX, Remark, RemarkAdding, Said, SanctionKind,
    StoreError, StoreFuture, TEXT_AFTER_MATCHES, TalkSettings, Talker, Talks,
    talk::too_fast,
    text::{column, corrupt, millis, player_kind},
};

impl Talks for PostgresStore {
    fn add_remark(&self, new: NewRemark) -> StoreFuture<'_, RemarkAdding> {
        Box::pin(add(&self.writer, new))
    }

    fn remarks(&self, of: MatchId, room: TalkRoom, limit: u32) -> StoreFuture<'_, Vec<Remark>> {
        Box::pin(in_room(&self.readers, of, room, limit))
    }

    fn remarks_by(
        &self,
        guest: PlayerId,
        after: Option<RemarkId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Remark>> {
        Box::pin(by_guest(&self.readers, guest, after, limit))
    }

    fn talkers(&self, guests: Vec<PlayerId>) -> StoreFuture<'_, Vec<Talker>> {
        Box::pin(talkers(&self.readers, guests))
    }

    fn set_talk_settings(&self, guest: PlayerId, settings: TalkSettings) -> StoreFuture<'_, bool> {
        Box::pin(set_settings(&self.writer, guest, settings))
    }
}

async fn add(writer: &Writer, new: NewRemark) -> Result<RemarkAdding, StoreError> {
    let new = Arc::new(new);
    let add = writer.write(new.by.0, {
        move |connection| {
            let new = Arc::clone(&new);
            Box::pin(async move {
                // Locked, so that of two remarks at once the second sees the first.
                if !matches!(lock(connection, new.by).await?, Some((.., None))) {
                    return Ok(Ok(RemarkAdding::GuestGone));
                }
                let has_match = "SELECT id FROM matches WHERE id = $1 FOR SHARE";
                let found = query_scalar::<Postgres, Uuid>(has_match).bind(new.of.0);
                if found.fetch_optional(&mut *connection).await?.is_none() {
                    return Ok(Ok(RemarkAdding::NoSuchMatch));
                }
                for kind in [SanctionKind::Ban, SanctionKind::Mute] {
                    if let Some(row) = held(connection, new.by.0, kind, new.said_at).await? {
                        return Ok(Err(row));
                    }
                }
                let lately = "SELECT said_at FROM remarks WHERE guest = $1 ORDER BY id DESC LIMIT $2";
                let lately = query_scalar::<Postgres, i64>(lately).bind(new.by.0);
                let lately = lately.bind(i64::from(REMARKS_AT_ONCE_MAX)).fetch_all(&mut *connection).await?;
                let lately: Vec<Millis> = lately.into_iter().filter_map(|at| millis(at).ok()).collect();
                if let Some(wait_ms) = too_fast(&lately, new.said_at) {
                    return Ok(Ok(RemarkAdding::TooFast(wait_ms)));
                }
                let count = "SELECT count(*) FROM remarks WHERE guest = $1 AND match = $2";
                let count = query_scalar::<Postgres, i64>(count).bind(new.by.0).bind(new.of.0);
                if count.fetch_one(&mut *connection).await? >= i64::from(REMARKS_PER_MATCH_MAX) {
                    return Ok(Ok(RemarkAdding::TooMany));
                }
                let insert = "INSERT INTO remarks (id, match, room, guest, said_at, phrase, words) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
                let (phrase, words) = new.said.columns();
                let insert = query::<Postgres>(insert).bind(new.id.0).bind(new.of.0).bind(new.room.as_str());
                let insert = insert.bind(new.by.0).bind(column(new.said_at)).bind(phrase).bind(words);
                insert.execute(connection).await?;
                Ok(Ok(RemarkAdding::Added))
            })
        }
    });
    match add.await? {
        Ok(adding) => Ok(adding),
        Err(row) => sanction(row).map(RemarkAdding::Sanctioned),
    }
}

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT remarks.id, match, room, guest, guests.name, guests.kind, said_at, phrase, words \
             FROM remarks JOIN guests ON guests.id = guest ",
            $which
        )
    };
}

const IN_ROOM: &str = select!("WHERE match = $1 AND room = $2 ORDER BY remarks.id DESC LIMIT $3");
const BY_GUEST: &str = select!("WHERE guest = $1 AND remarks.id > $2 ORDER BY remarks.id LIMIT $3");

type RemarkRow = (Uuid, Uuid, String, Uuid, String, String, i64, Option<String>, Option<String>);

fn remark((id, of, room, by, name, kind, said_at, phrase, words): RemarkRow) -> Result<Remark, StoreError> {
    let by = PlayerId(by);
    let kind = player_kind(by, &kind)?;
    let said = match (phrase, words) {
        (Some(phrase), _) => {
            let named = Phrase::named(&phrase).map(Said::Phrase);
            named.ok_or_else(|| corrupt(format!("there is no phrase \"{phrase}\"")))?
        }
        (None, Some(words)) => Said::Words(words),
        (None, None) => return Err(corrupt("a remark says nothing")),
    };
    Ok(Remark {
        id: RemarkId(id),
        of: MatchId(of),
        room: TalkRoom::named(&room).ok_or_else(|| corrupt(format!("there is no room \"{room}\"")))?,
        by: Player { id: by, name, kind },
        said_at: millis(said_at)?,
        said,
    })
}

async fn in_room(
    readers: &Readers,
    of: MatchId,
    room: TalkRoom,
    limit: u32,
) -> Result<Vec<Remark>, StoreError> {
    let found: Vec<RemarkRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(IN_ROOM).bind(of.0).bind(room.as_str());
            Box::pin(select.bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    found.into_iter().rev().map(remark).collect()
}

async fn by_guest(
    readers: &Readers,
    guest: PlayerId,
    after: Option<RemarkId>,
    limit: u32,
) -> Result<Vec<Remark>, StoreError> {
    let after = after.map_or_else(Uuid::nil, |id| id.0);
    let found: Vec<RemarkRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(BY_GUEST).bind(guest.0).bind(after);
            Box::pin(select.bind(i64::from(limit)).fetch_all(connection))
        })
        .await?;
    found.into_iter().map(remark).collect()
}

const TALKERS: &str = "SELECT guests.id, kind, accounts.created_at, COALESCE(takes_text, false), \
     COALESCE(has_childrens_mode, false), \
     (SELECT count(*) FROM (SELECT FROM matches WHERE seat1 = guests.id AND state = 'finished' \
     AND seat2 IS NOT NULL AND seat2 <> guests.id AND seat2 <> ALL ($2) LIMIT $3) AS first) \
     + (SELECT count(*) FROM (SELECT FROM matches WHERE seat2 = guests.id AND state = 'finished' \
     AND seat1 <> guests.id AND seat1 <> ALL ($2) LIMIT $3) AS second) \
     FROM guests LEFT JOIN accounts ON accounts.guest = guests.id \
     LEFT JOIN talk_settings ON talk_settings.guest = guests.id WHERE guests.id = ANY ($1)";

type TalkerRow = (Uuid, String, Option<i64>, bool, bool, i64);

async fn talkers(readers: &Readers, guests: Vec<PlayerId>) -> Result<Vec<Talker>, StoreError> {
    let guests: Vec<Uuid> = guests.into_iter().map(|guest| guest.0).collect();
    let levels = Level::ALL.map(|level| level.player_id().0).to_vec();
    let found: Vec<TalkerRow> = readers
        .read(|connection| {
            let select = query_as::<Postgres, _>(TALKERS).bind(guests.clone()).bind(levels.clone());
            Box::pin(select.bind(i64::from(TEXT_AFTER_MATCHES)).fetch_all(connection))
        })
        .await?;
    let talker = |(guest, kind, since, takes_text, has_childrens_mode, matches): TalkerRow| {
        let guest = PlayerId(guest);
        Ok(Talker {
            guest,
            kind: player_kind(guest, &kind)?,
            account_since: since.map(millis).transpose()?,
            settings: TalkSettings { takes_text, has_childrens_mode },
            matches: u32::try_from(matches).unwrap_or(u32::MAX).min(TEXT_AFTER_MATCHES),
        })
    };
    found.into_iter().map(talker).collect()
}

async fn set_settings(writer: &Writer, guest: PlayerId, settings: TalkSettings) -> Result<bool, StoreError> {
    let set = writer.write(guest.0, move |connection| {
        Box::pin(async move {
            let upsert = "INSERT INTO talk_settings (guest, takes_text, has_childrens_mode) \
                 SELECT guest, $2, $3 FROM accounts WHERE guest = $1 FOR SHARE \
                 ON CONFLICT (guest) DO UPDATE SET takes_text = excluded.takes_text, \
                 has_childrens_mode = excluded.has_childrens_mode";
            let upsert = query::<Postgres>(upsert).bind(guest.0);
            let upsert = upsert.bind(settings.takes_text).bind(settings.has_childrens_mode);
            Ok(upsert.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(set.await?)
}
