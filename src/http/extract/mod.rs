//! Extractors: the parts of a request that handlers use. Each reports errors as problems.

mod body;
mod caller;
mod format;
mod key;
mod path;
mod preferences;
mod query;

pub(super) use body::{Body, OptionalBody, SENT_RECORD_BYTES_MAX, declared_bytes, sent_record};
pub(super) use caller::{Guest, Viewer, Who};
pub(super) use format::{
    ExportForm, Format, NDJSON, RecordForm, RecordsForm, TableForm, accepts_json, prefers_markdown,
    prefers_pages,
};
pub(super) use key::Key;
#[cfg(test)]
pub(super) use key::KeyHeader;
#[cfg(test)]
pub(super) use path::{
    ApiTokenPath, ChallengePath, GamePath, GuestPath, HandlePath, MatchPath, PairPath, PasskeyPath,
    PlayerRatingPath, PushSubscriptionPath, RatingPath, SeekPath, SessionPath, TournamentPath,
};
pub(super) use path::{
    OfApiToken, OfChallenge, OfGame, OfGuest, OfMatch, OfPair, OfPasskey, OfPlayer, OfPlayerRating,
    OfPushSubscription, OfRating, OfSeek, OfSession, OfTournament,
};
pub(super) use preferences::preferences;
pub(super) use query::{Limit, NoParameters, Query};
