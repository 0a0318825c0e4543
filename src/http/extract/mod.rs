//! What handlers take from a request. Each says what is wrong by a problem.

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
    Format, NDJSON, RecordForm, RecordsForm, accepts_json, prefers_markdown, prefers_pages,
};
pub(super) use key::{Key, KeyHeader};
pub(super) use path::{
    ApiTokenPath, ChallengePath, GamePath, GuestPath, HandlePath, MatchPath, OfApiToken, OfChallenge, OfGame,
    OfGuest, OfMatch, OfPair, OfPasskey, OfPlayer, OfPlayerRating, OfPushSubscription, OfRating, OfSeek,
    OfSession, PairPath, PasskeyPath, PlayerRatingPath, PushSubscriptionPath, RatingPath, SeekPath,
    SessionPath,
};
pub(super) use preferences::preferences;
pub(super) use query::{Limit, NoParameters, Query};
