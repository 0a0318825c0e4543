//! Talk in matches, and how guests talk.

use lusoria_play::{Level, MatchId, Millis, Phrase, PlayerId, RemarkId, TalkRoom};
use sqlx::Error;
use uuid::Uuid;

use super::{Store, guests, moderation::held};
use crate::{
    NewRemark, REMARKS_AT_ONCE_MAX, REMARKS_PER_MATCH_MAX, Remark, RemarkAdding, Said, SanctionKind,
    StoreFuture, TEXT_AFTER_MATCHES, TalkSettings, Talker,
    sql::{
        args,
        value::{AnyRow, Ids, Row, undecodable},
    },
    talk::too_fast,
};

macro_rules! remarks {
    ($which:literal) => {
        concat!(
            "SELECT remarks.id, match, room, guest, guests.name, guests.kind, said_at, phrase, words \
             FROM remarks JOIN guests ON guests.id = guest WHERE ",
            $which
        )
    };
}

impl Row for Remark {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let room = row.get::<String>(2)?;
        let said = match (row.get::<Option<String>>(7)?, row.get(8)?) {
            (Some(phrase), _) => Phrase::named(&phrase)
                .map(Said::Phrase)
                .ok_or_else(|| undecodable(format!("there is no phrase {phrase:?}")))?,
            (None, Some(words)) => Said::Words(words),
            (None, None) => return Err(undecodable("a remark says nothing")),
        };
        Ok(Self {
            id: row.get(0)?,
            of: row.get(1)?,
            room: TalkRoom::named(&room).ok_or_else(|| undecodable(format!("there is no room {room:?}")))?,
            by: guests::player(row, 3)?,
            said_at: row.get(6)?,
            said,
        })
    }
}

/// `id`, `name` and `kind` of the guest, since when they have an account, their settings, and how many matches.
impl Row for Talker {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let guest = guests::player(row, 0)?;
        Ok(Self {
            guest: guest.id,
            kind: guest.kind,
            account_since: row.get(3)?,
            settings: TalkSettings { takes_text: row.get(4)?, has_childrens_mode: row.get(5)? },
            matches: row.get::<u32>(6)?.min(TEXT_AFTER_MATCHES),
        })
    }
}

impl Store {
    /// Stores a remark, if its limits permit it and its author is neither muted nor banned.
    pub fn add_remark(&self, new: NewRemark) -> StoreFuture<'_, RemarkAdding> {
        self.write(new.by.0, new, |tx, new| {
            Box::pin(async move {
                // In the order of appends: the match, then guests.
                let hold = "SELECT id FROM matches WHERE id = $1";
                let is_there = !tx.hold_all::<MatchId>(hold, args![new.of]).await?.is_empty();
                // Locked, so that of two remarks at once the second sees the first.
                if guests::lock(tx, new.by).await?.is_none_or(|guest| guest.blocked_at.is_some()) {
                    return Ok(RemarkAdding::GuestGone);
                }
                if !is_there {
                    return Ok(RemarkAdding::NoSuchMatch);
                }
                for kind in [SanctionKind::Ban, SanctionKind::Mute] {
                    if let Some(sanction) = held(tx, new.by, kind, new.said_at).await? {
                        return Ok(RemarkAdding::Sanctioned(sanction));
                    }
                }
                let lately = "SELECT said_at FROM remarks WHERE guest = $1 ORDER BY id DESC LIMIT $2";
                let lately: Vec<Millis> = tx.all(lately, args![new.by, REMARKS_AT_ONCE_MAX]).await?;
                if let Some(wait_ms) = too_fast(&lately, new.said_at) {
                    return Ok(RemarkAdding::TooFast(wait_ms));
                }
                let count = "SELECT count(*) FROM remarks WHERE guest = $1 AND match = $2";
                if tx.one::<u32>(count, args![new.by, new.of]).await? >= REMARKS_PER_MATCH_MAX {
                    return Ok(RemarkAdding::TooMany);
                }
                let insert = "INSERT INTO remarks (id, match, room, guest, said_at, phrase, words) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
                let (phrase, words) = new.said.columns();
                let row = args![new.id, new.of, new.room.as_str(), new.by, new.said_at, phrase, words];
                tx.queue(insert, row).await?;
                Ok(RemarkAdding::Added)
            })
        })
    }

    /// Reads the last `limit` remarks in a room of a match, the earliest first.
    pub fn remarks(&self, of: MatchId, room: TalkRoom, limit: u32) -> StoreFuture<'_, Vec<Remark>> {
        Box::pin(async move {
            let select = remarks!("match = $1 AND room = $2 ORDER BY remarks.id DESC LIMIT $3");
            let mut found: Vec<Remark> = self.all(select, args![of, room.as_str(), limit]).await?;
            found.reverse();
            Ok(found)
        })
    }

    /// Lists at most `limit` remarks of a guest after `after`, the earliest first.
    pub fn remarks_by(
        &self,
        guest: PlayerId,
        after: Option<RemarkId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Remark>> {
        let select = remarks!("guest = $1 AND remarks.id > $2 ORDER BY remarks.id LIMIT $3");
        let after = after.map_or_else(Uuid::nil, |id| id.0);
        self.all(select, args![guest, after, limit])
    }

    /// Reads how some guests talk, in any order. Those who are not there are left out.
    pub fn talkers(&self, guests: Vec<PlayerId>) -> StoreFuture<'_, Vec<Talker>> {
        let select = "SELECT guests.id, name, kind, accounts.created_at, COALESCE(takes_text, false), \
             COALESCE(has_childrens_mode, false), \
             (SELECT count(*) FROM (SELECT 1 FROM matches WHERE seat1 = guests.id AND state = 'finished' \
             AND seat2 <> guests.id AND seat2 NOT IN (SELECT unhex(value) FROM json_each($2)) LIMIT $3) AS first) \
             + (SELECT count(*) FROM (SELECT 1 FROM matches WHERE seat2 = guests.id AND state = 'finished' \
             AND seat1 <> guests.id AND seat1 NOT IN (SELECT unhex(value) FROM json_each($2)) LIMIT $3) AS second) \
             FROM guests LEFT JOIN accounts ON accounts.guest = guests.id \
             LEFT JOIN talk_settings ON talk_settings.guest = guests.id \
             WHERE guests.id IN (SELECT unhex(value) FROM json_each($1))";
        let guests = Ids::of(guests.into_iter().map(|guest| guest.0));
        let levels = Ids::of(Level::ALL.map(|level| level.player_id().0));
        self.all(select, args![guests, levels, TEXT_AFTER_MATCHES])
    }

    /// Sets how the holder of an account talks. False if they have none.
    pub fn set_talk_settings(&self, guest: PlayerId, settings: TalkSettings) -> StoreFuture<'_, bool> {
        self.write(guest.0, (guest, settings), |tx, &(guest, settings)| {
            Box::pin(async move {
                let hold = "SELECT guest FROM accounts WHERE guest = $1";
                if tx.hold_all::<PlayerId>(hold, args![guest]).await?.is_empty() {
                    return Ok(false);
                }
                let upsert = "INSERT INTO talk_settings (guest, takes_text, has_childrens_mode) VALUES ($1, $2, $3) \
                     ON CONFLICT (guest) DO UPDATE SET takes_text = excluded.takes_text, \
                     has_childrens_mode = excluded.has_childrens_mode";
                let TalkSettings { takes_text, has_childrens_mode } = settings;
                tx.queue(upsert, args![guest, takes_text, has_childrens_mode]).await?;
                Ok(true)
            })
        })
    }
}
