//! Talk: what was said in matches, and how guests talk.

use lusoria_play::{Level, MatchId, Millis, Phrase, Player, PlayerId, RemarkId, TalkRoom};
use rusqlite::Connection;

use super::{
    SqliteStore,
    creation::number_of,
    moderation::{held, sanction},
    readers::Readers,
    sql::{execute, exists, first, one, rows},
    text::{column, corrupt, match_id, millis, player_id, player_kind, remark_id},
    writer::Writer,
};
use crate::{
    NewRemark, REMARKS_AT_ONCE_MAX, REMARKS_PER_MATCH_MAX, Remark, RemarkAdding, Said, SanctionKind,
    StoreError, StoreFuture, TEXT_AFTER_MATCHES, TalkSettings, Talker, Talks, talk::too_fast,
};

impl Talks for SqliteStore {
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
    let guest = new.by.0.to_string();
    let add = writer.write(move |connection| {
        if !exists(connection, "SELECT 1 FROM guests WHERE id = ?1 AND blocked_at IS NULL", [&guest])? {
            return Ok(Ok(RemarkAdding::GuestGone));
        }
        let Some(number) = number_of(connection, new.of)? else { return Ok(Ok(RemarkAdding::NoSuchMatch)) };
        for kind in [SanctionKind::Ban, SanctionKind::Mute] {
            if let Some(row) = held(connection, &guest, kind, new.said_at)? {
                return Ok(Err(row));
            }
        }
        let lately = "SELECT said_at FROM remarks WHERE guest_id = ?1 ORDER BY id DESC LIMIT ?2";
        let lately: Vec<(i64,)> = rows(connection, lately, (&guest, REMARKS_AT_ONCE_MAX))?;
        let lately: Vec<Millis> = lately.into_iter().filter_map(|(at,)| millis(at).ok()).collect();
        if let Some(wait_ms) = too_fast(&lately, new.said_at) {
            return Ok(Ok(RemarkAdding::TooFast(wait_ms)));
        }
        let count = "SELECT COUNT(*) FROM remarks WHERE guest_id = ?1 AND match = ?2";
        let (count,): (u32,) = one(connection, count, (&guest, number))?;
        if count >= REMARKS_PER_MATCH_MAX {
            return Ok(Ok(RemarkAdding::TooMany));
        }
        let insert = "INSERT INTO remarks (id, match, room, guest_id, said_at, phrase, words) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let (phrase, words) = new.said.columns();
        let (id, at) = (new.id.0.into_bytes(), column(new.said_at));
        execute(connection, insert, (id, number, new.room.as_str(), &guest, at, phrase, words))?;
        Ok(Ok(RemarkAdding::Added))
    });
    match add.await? {
        Ok(adding) => Ok(adding),
        Err(row) => sanction(row).map(RemarkAdding::Sanctioned),
    }
}

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT remarks.id, matches.id, room, guest_id, guests.name, guests.kind, said_at, phrase, words \
             FROM remarks JOIN guests ON guests.id = guest_id JOIN matches ON matches.number = remarks.match ",
            $which
        )
    };
}

const IN_ROOM: &str = select!(
    "WHERE remarks.match = (SELECT number FROM matches WHERE id = ?1) AND room = ?2 ORDER BY remarks.id DESC LIMIT ?3"
);
const BY_GUEST: &str = select!("WHERE guest_id = ?1 AND remarks.id > ?2 ORDER BY remarks.id LIMIT ?3");

type RemarkRow = ([u8; 16], [u8; 16], String, String, String, String, i64, Option<String>, Option<String>);

fn remark((id, of, room, by, name, kind, said_at, phrase, words): RemarkRow) -> Result<Remark, StoreError> {
    let by = player_id(&by)?;
    let kind = player_kind(by, &kind)?;
    Ok(Remark {
        id: remark_id(id),
        of: match_id(of),
        room: TalkRoom::named(&room).ok_or_else(|| corrupt(format!("there is no room \"{room}\"")))?,
        by: Player { id: by, name, kind },
        said_at: millis(said_at)?,
        said: said(phrase, words)?,
    })
}

/// What the columns `phrase` and `words` say.
fn said(phrase: Option<String>, words: Option<String>) -> Result<Said, StoreError> {
    match (phrase, words) {
        (Some(phrase), _) => {
            let named = Phrase::named(&phrase).map(Said::Phrase);
            named.ok_or_else(|| corrupt(format!("there is no phrase \"{phrase}\"")))
        }
        (None, Some(words)) => Ok(Said::Words(words)),
        (None, None) => Err(corrupt("a remark says nothing")),
    }
}

async fn in_room(
    readers: &Readers,
    of: MatchId,
    room: TalkRoom,
    limit: u32,
) -> Result<Vec<Remark>, StoreError> {
    let by = (of.0.into_bytes(), room.as_str(), limit);
    let found: Vec<RemarkRow> = readers.read(move |connection| rows(connection, IN_ROOM, by)).await?;
    found.into_iter().rev().map(remark).collect()
}

async fn by_guest(
    readers: &Readers,
    guest: PlayerId,
    after: Option<RemarkId>,
    limit: u32,
) -> Result<Vec<Remark>, StoreError> {
    let after = after.map_or_else(Vec::new, |id| id.0.into_bytes().to_vec());
    let by = (guest.0.to_string(), after, limit);
    let found: Vec<RemarkRow> = readers.read(move |connection| rows(connection, BY_GUEST, by)).await?;
    found.into_iter().map(remark).collect()
}

const TALKER: &str = "SELECT kind, accounts.created_at, COALESCE(takes_text, 0), COALESCE(has_childrens_mode, 0) \
     FROM guests LEFT JOIN accounts ON accounts.guest_id = guests.id \
     LEFT JOIN talk_settings ON talk_settings.guest_id = guests.id WHERE guests.id = ?1";

/// The matches in one of the seats, at most so many.
macro_rules! finished {
    ($own:literal, $other:literal) => {
        concat!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM matches WHERE ",
            $own,
            " = ?1 AND state = 'finished' AND ",
            $other,
            " IS NOT NULL AND ",
            $other,
            " <> ?1 AND +",
            $other,
            " NOT BETWEEN ?2 AND ?3 LIMIT ?4)"
        )
    };
}

const FINISHED_IN_1: &str = finished!("seat1", "seat2");
const FINISHED_IN_2: &str = finished!("seat2", "seat1");

type TalkerRow = (String, Option<i64>, bool, bool, u32);

fn talker_row(connection: &Connection, guest: PlayerId) -> rusqlite::Result<Option<TalkerRow>> {
    let found = first(connection, TALKER, [guest.0.to_string()])?;
    let Some((kind, since, takes_text, has_childrens_mode)) = found else { return Ok(None) };
    let [lowest, .., highest] = Level::ALL.map(|level| level.player_id().0.into_bytes());
    let mut matches = 0;
    for sql in [FINISHED_IN_1, FINISHED_IN_2] {
        let (count,): (u32,) =
            one(connection, sql, (guest.0.into_bytes(), lowest, highest, TEXT_AFTER_MATCHES))?;
        matches += count;
    }
    Ok(Some((kind, since, takes_text, has_childrens_mode, matches.min(TEXT_AFTER_MATCHES))))
}

async fn talkers(readers: &Readers, guests: Vec<PlayerId>) -> Result<Vec<Talker>, StoreError> {
    let found: Vec<(PlayerId, TalkerRow)> = readers
        .read(move |connection| {
            let row = |guest: &PlayerId| {
                talker_row(connection, *guest).map(|row| row.map(|row| (*guest, row))).transpose()
            };
            guests.iter().filter_map(row).collect()
        })
        .await?;
    let talker = |(guest, row): (PlayerId, TalkerRow)| {
        let (kind, since, takes_text, has_childrens_mode, matches) = row;
        Ok(Talker {
            guest,
            kind: player_kind(guest, &kind)?,
            account_since: since.map(millis).transpose()?,
            settings: TalkSettings { takes_text, has_childrens_mode },
            matches,
        })
    };
    found.into_iter().map(talker).collect()
}

async fn set_settings(writer: &Writer, guest: PlayerId, settings: TalkSettings) -> Result<bool, StoreError> {
    let guest = guest.0.to_string();
    let set = writer.write(move |connection| {
        if !exists(connection, "SELECT 1 FROM accounts WHERE guest_id = ?1", [&guest])? {
            return Ok(false);
        }
        let upsert = "INSERT INTO talk_settings (guest_id, takes_text, has_childrens_mode) VALUES (?1, ?2, ?3) \
             ON CONFLICT (guest_id) DO UPDATE SET takes_text = excluded.takes_text, \
             has_childrens_mode = excluded.has_childrens_mode";
        execute(connection, upsert, (&guest, settings.takes_text, settings.has_childrens_mode))?;
        Ok(true)
    });
    Ok(set.await?)
}
