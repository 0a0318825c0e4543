//! The part of the store for talk: what was said in matches, and who may say and read what.

use lusoria_play::{MatchId, Millis, Phrase, Player, PlayerId, PlayerKind, RemarkId, TalkRoom};

use crate::Sanction;

/// How many remarks somebody makes within [`REMARKS_WITHIN_MS`] at most.
pub const REMARKS_AT_ONCE_MAX: u32 = 4;

/// In how long a time, in milliseconds.
pub const REMARKS_WITHIN_MS: Millis = 10_000;

/// How many remarks somebody makes in one match at most.
pub const REMARKS_PER_MATCH_MAX: u32 = 500;

/// For how long remarks are kept, in milliseconds: 90 days.
pub const REMARKS_KEPT_MS: Millis = 90 * 86_400_000;

/// So old must an account be before its holder writes in their own words, in milliseconds: a day.
pub const TEXT_AFTER_MS: Millis = 86_400_000;

/// So many matches must its holder have finished before, none of them against the computer.
pub const TEXT_AFTER_MATCHES: u32 = 5;

/// What is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A phrase, which each reader has in their own language.
    Phrase(Phrase),
    /// Words of one's own.
    Words(String),
}

impl Said {
    /// The columns `phrase` and `words`.
    pub(crate) fn columns(&self) -> (Option<&'static str>, Option<&str>) {
        match self {
            Self::Phrase(phrase) => (Some(phrase.as_str()), None),
            Self::Words(words) => (None, Some(words)),
        }
    }
}

/// Something that is to be said in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRemark {
    /// Its id, which is unique.
    pub id: RemarkId,
    /// In which match.
    pub of: MatchId,
    /// In which room.
    pub room: TalkRoom,
    /// By whom.
    pub by: PlayerId,
    /// When.
    pub said_at: Millis,
    /// What.
    pub said: Said,
}

/// Something said in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Its id.
    pub id: RemarkId,
    /// In which match.
    pub of: MatchId,
    /// In which room.
    pub room: TalkRoom,
    /// By whom, as they are called now.
    pub by: Player,
    /// When.
    pub said_at: Millis,
    /// What.
    pub said: Said,
}

/// What became of a remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemarkAdding {
    /// It is stored.
    Added,
    /// Its author has said too much lately, and may go on after so many milliseconds.
    TooFast(Millis),
    /// Its author has said [`REMARKS_PER_MATCH_MAX`] things in the match.
    TooMany,
    /// Its author is muted or banned.
    Sanctioned(Sanction),
    /// The author is gone or blocked.
    GuestGone,
    /// There is no such match.
    NoSuchMatch,
}

/// How the holder of an account talks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TalkSettings {
    /// Whether they write and read words beside phrases.
    pub takes_text: bool,
    /// Whether the account is in children's mode.
    pub has_childrens_mode: bool,
}

/// How a guest talks, and what that follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Talker {
    /// Who.
    pub guest: PlayerId,
    /// A person, a bot or the computer.
    pub kind: PlayerKind,
    /// Since when they have an account.
    pub account_since: Option<Millis>,
    /// Their settings.
    pub settings: TalkSettings,
    /// How many matches they have finished that were not against the computer, counted to [`TEXT_AFTER_MATCHES`].
    pub matches: u32,
}

/// Why somebody neither writes nor reads words of people's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoText {
    /// They are a bot or the computer.
    Bot,
    /// They have no account.
    Guest,
    /// Their account is in children's mode.
    ChildrensMode,
    /// They have not switched it on.
    NotSwitchedOn,
    /// Their account is too young.
    NewAccount,
    /// They have finished too few matches.
    FewMatches,
}

impl Talker {
    /// Why they neither write nor read words at `now`; none if they do.
    pub fn refuses_text(&self, now: Millis) -> Option<NoText> {
        let Some(since) = self.account_since else {
            return Some(if self.kind == PlayerKind::Person { NoText::Guest } else { NoText::Bot });
        };
        let reasons = [
            (self.kind != PlayerKind::Person, NoText::Bot),
            (self.settings.has_childrens_mode, NoText::ChildrensMode),
            (!self.settings.takes_text, NoText::NotSwitchedOn),
            (now < since.saturating_add(TEXT_AFTER_MS), NoText::NewAccount),
            (self.matches < TEXT_AFTER_MATCHES, NoText::FewMatches),
        ];
        reasons.into_iter().find_map(|(is_so, why)| is_so.then_some(why))
    }
}

/// After which time a remark may be made, if its author made those at `lately`, the latest first, in less than
/// [`REMARKS_WITHIN_MS`].
pub(crate) fn too_fast(lately: &[Millis], now: Millis) -> Option<Millis> {
    let oldest = *lately.get(REMARKS_AT_ONCE_MAX as usize - 1)?;
    let free_at = oldest.saturating_add(REMARKS_WITHIN_MS);
    (free_at > now).then(|| free_at - now)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn words_take_an_account_that_is_old_enough_and_has_played_and_switched_them_on() {
        let now = 10 * TEXT_AFTER_MS;
        let settings = TalkSettings { takes_text: true, has_childrens_mode: false };
        let talker = Talker {
            guest: PlayerId(Uuid::nil()),
            kind: PlayerKind::Person,
            account_since: Some(now - TEXT_AFTER_MS),
            settings,
            matches: TEXT_AFTER_MATCHES,
        };
        assert_eq!(talker.refuses_text(now), None);
        let refused = |change: fn(&mut Talker)| {
            let mut changed = talker.clone();
            change(&mut changed);
            changed.refuses_text(now)
        };
        assert_eq!(refused(|of| of.account_since = None), Some(NoText::Guest));
        assert_eq!(refused(|of| (of.account_since, of.kind) = (None, PlayerKind::Bot)), Some(NoText::Bot));
        assert_eq!(refused(|of| of.kind = PlayerKind::Bot), Some(NoText::Bot));
        assert_eq!(refused(|of| of.settings.has_childrens_mode = true), Some(NoText::ChildrensMode));
        assert_eq!(refused(|of| of.settings.takes_text = false), Some(NoText::NotSwitchedOn));
        assert_eq!(refused(|of| of.matches -= 1), Some(NoText::FewMatches));
        assert_eq!(talker.refuses_text(now - 1), Some(NoText::NewAccount));
    }

    #[test]
    fn the_fifth_remark_in_ten_seconds_waits_for_the_first() {
        assert_eq!(too_fast(&[9_000, 8_000, 7_000], 9_500), None);
        assert_eq!(too_fast(&[9_000, 8_000, 7_000, 6_000], 9_500), Some(6_500));
        assert_eq!(too_fast(&[9_000, 8_000, 7_000, 6_000], 16_000), None);
    }
}
