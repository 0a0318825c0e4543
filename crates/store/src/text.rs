//! Converts ids, times, numbers and hashes to columns, and back.

use lusoria_play::{
    Bytes32, ChallengeSettings, ChallengesFrom, DeclineReason, FlagId, Level, MatchId, Millis, Pace,
    PlayerId, PlayerKind, RemarkId, ReportId, SanctionId, Seat, SeekTerms, Terms,
};
use lusoria_rating::Rating;
use lusoria_rules::Game;
use uuid::{NoContext, Timestamp, Uuid};

use crate::{
    ApiTokenId, Ban, ChallengeEnd, MatchState, PasskeyId, PasswordHash, PushSubscriptionId, RatingKey,
    SessionId, SessionOrigin, SignUpPolicy, StoreError, StoredRating,
};

/// 32 bytes as 64 lower-case hexadecimal digits.
pub(super) fn hex(bytes: [u8; 32]) -> String {
    Bytes32(bytes).to_string()
}

/// The reverse of [`hex`].
pub(super) fn bytes(hex: String) -> Result<[u8; 32], StoreError> {
    Bytes32::try_from(hex).map(|bytes| bytes.0).map_err(corrupt)
}

/// A time as a column; one beyond its range becomes the latest.
pub(super) fn column(time: Millis) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// The reverse of [`column`].
pub(super) fn millis(column: i64) -> Result<Millis, StoreError> {
    Millis::try_from(column).map_err(corrupt)
}

/// The number of an event.
pub(super) fn seq(column: i64) -> Result<u32, StoreError> {
    u32::try_from(column).map_err(corrupt)
}

pub(super) const fn match_id(column: [u8; 16]) -> MatchId {
    MatchId(Uuid::from_bytes(column))
}

pub(super) const fn remark_id(column: [u8; 16]) -> RemarkId {
    RemarkId(Uuid::from_bytes(column))
}

pub(super) const fn report_id(column: [u8; 16]) -> ReportId {
    ReportId(Uuid::from_bytes(column))
}

pub(super) const fn flag_id(column: [u8; 16]) -> FlagId {
    FlagId(Uuid::from_bytes(column))
}

pub(super) const fn sanction_id(column: [u8; 16]) -> SanctionId {
    SanctionId(Uuid::from_bytes(column))
}

/// An id of something that may be gone.
pub(super) fn uuid_of_column(column: &str) -> Result<Uuid, StoreError> {
    Uuid::try_parse(column).map_err(corrupt)
}

/// The last time that an id can tell: it has 48 bits of milliseconds.
const LAST_OF_IDS: Millis = (1 << 48) - 1;

/// The least id that a match made then can have: ids of version 7 begin with the time.
pub(super) fn first_id_of(at: Millis) -> Uuid {
    let at = at.min(LAST_OF_IDS);
    let seconds = at / 1_000;
    let nanos = u32::try_from(at % 1_000).expect("less than a thousand") * 1_000_000;
    let mut bytes = *Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, nanos)).as_bytes();
    bytes[6..].fill(0);
    Uuid::from_bytes(bytes)
}

pub(super) fn player_id(column: &str) -> Result<PlayerId, StoreError> {
    Uuid::try_parse(column).map(PlayerId).map_err(corrupt)
}

pub(super) fn session_id(column: &str) -> Result<SessionId, StoreError> {
    Uuid::try_parse(column).map(SessionId).map_err(corrupt)
}

pub(super) fn api_token_id(column: &str) -> Result<ApiTokenId, StoreError> {
    Uuid::try_parse(column).map(ApiTokenId).map_err(corrupt)
}

pub(super) fn passkey_id(column: &str) -> Result<PasskeyId, StoreError> {
    Uuid::try_parse(column).map(PasskeyId).map_err(corrupt)
}

/// The column `password` of an account, which cannot be null: empty if there is none. A release that knows only
/// accounts with passwords finds none right, then.
pub(super) fn password_column(password: Option<&PasswordHash>) -> &str {
    password.map_or("", |password| &password.0)
}

/// The reverse of [`password_column`].
pub(super) fn password(column: String) -> Option<PasswordHash> {
    Some(column).filter(|column| !column.is_empty()).map(PasswordHash)
}

pub(super) fn push_subscription_id(column: &str) -> Result<PushSubscriptionId, StoreError> {
    Uuid::try_parse(column).map(PushSubscriptionId).map_err(corrupt)
}

/// The ban of a row of `sanctions`, by `imposed_at`, which is null if there is none, `until` and `words`.
pub(super) fn ban(
    (imposed_at, until, words): (Option<i64>, Option<i64>, Option<String>),
) -> Result<Option<Ban>, StoreError> {
    let Some(_) = imposed_at else { return Ok(None) };
    Ok(Some(Ban { until: until.map(millis).transpose()?, words }))
}

/// The columns `origin` and `signed_in_by` of a session.
pub(super) const fn origin_columns(origin: SessionOrigin) -> (&'static str, Option<&'static str>) {
    match origin {
        SessionOrigin::Guest => ("guest", None),
        SessionOrigin::DeviceCode => ("device_code", None),
        SessionOrigin::Password => ("device_code", Some("password")),
        SessionOrigin::RecoveryCode => ("device_code", Some("recovery_code")),
        SessionOrigin::Passkey => ("device_code", Some("passkey")),
    }
}

/// The origin of a session, of `signed_in_by` or, if that is not set, of `origin`.
pub(super) fn origin(column: &str) -> Result<SessionOrigin, StoreError> {
    match column {
        "password" => Ok(SessionOrigin::Password),
        "recovery_code" => Ok(SessionOrigin::RecoveryCode),
        "passkey" => Ok(SessionOrigin::Passkey),
        "guest" => Ok(SessionOrigin::Guest),
        "device_code" => Ok(SessionOrigin::DeviceCode),
        other => Err(corrupt(format!("there is no origin \"{other}\""))),
    }
}

pub(super) const fn sign_up_policy_column(policy: SignUpPolicy) -> &'static str {
    match policy {
        SignUpPolicy::Open => "open",
        SignUpPolicy::InviteOnly => "invite_only",
        SignUpPolicy::Closed => "closed",
    }
}

pub(super) fn sign_up_policy(column: &str) -> Result<SignUpPolicy, StoreError> {
    match column {
        "open" => Ok(SignUpPolicy::Open),
        "invite_only" => Ok(SignUpPolicy::InviteOnly),
        "closed" => Ok(SignUpPolicy::Closed),
        other => Err(corrupt(format!("\"{other}\" does not say who may open an account"))),
    }
}

pub(super) const fn kind_column(kind: PlayerKind) -> &'static str {
    match kind {
        PlayerKind::Person => "person",
        PlayerKind::Bot => "bot",
        PlayerKind::Computer(_) => "computer",
    }
}

/// The kind of a guest; the level of the computer follows from its id.
pub(super) fn player_kind(id: PlayerId, column: &str) -> Result<PlayerKind, StoreError> {
    match column {
        "person" => Ok(PlayerKind::Person),
        "bot" => Ok(PlayerKind::Bot),
        "computer" => {
            let level = Level::ALL.into_iter().find(|level| level.player_id() == id);
            level.map(PlayerKind::Computer).ok_or_else(|| corrupt("a computer without a level"))
        }
        other => Err(corrupt(format!("there is no kind \"{other}\""))),
    }
}

pub(super) const fn state_column(state: MatchState) -> &'static str {
    match state {
        MatchState::Open => "open",
        MatchState::Live => "live",
        MatchState::Finished => "finished",
    }
}

pub(super) fn state(column: &str) -> Result<MatchState, StoreError> {
    match column {
        "open" => Ok(MatchState::Open),
        "live" => Ok(MatchState::Live),
        "finished" => Ok(MatchState::Finished),
        other => Err(corrupt(format!("there is no state \"{other}\""))),
    }
}

/// What somebody would play, as JSON.
pub(super) fn seek_terms_column(terms: &SeekTerms) -> String {
    serde_json::to_string(terms).expect("plain data")
}

/// The reverse of [`seek_terms_column`].
pub(super) fn seek_terms(column: &str) -> Result<SeekTerms, StoreError> {
    serde_json::from_str(column).map_err(corrupt)
}

/// What two would play, as JSON.
pub(super) fn terms_column(terms: &Terms) -> String {
    serde_json::to_string(terms).expect("plain data")
}

/// The reverse of [`terms_column`].
pub(super) fn terms(column: &str) -> Result<Terms, StoreError> {
    serde_json::from_str(column).map_err(corrupt)
}

/// Whether a challenge waits or how it ended, and why it was declined.
pub(super) const fn challenge_end_columns(end: ChallengeEnd) -> (&'static str, Option<&'static str>) {
    let reason = match end {
        ChallengeEnd::Accepted => return ("accepted", None),
        ChallengeEnd::Withdrawn => return ("withdrawn", None),
        ChallengeEnd::Declined(None) => return ("declined", None),
        ChallengeEnd::Declined(Some(reason)) => reason,
    };
    let reason = match reason {
        DeclineReason::Later => "later",
        DeclineReason::TooFast => "too_fast",
        DeclineReason::TooSlow => "too_slow",
        DeclineReason::OtherGame => "other_game",
        DeclineReason::OtherLength => "other_length",
        DeclineReason::NoBots => "no_bots",
    };
    ("declined", Some(reason))
}

/// The reverse of [`challenge_end_columns`]; none while the challenge waits.
pub(super) fn challenge_end(state: &str, reason: Option<&str>) -> Result<Option<ChallengeEnd>, StoreError> {
    Ok(Some(match (state, reason) {
        ("waiting", None) => return Ok(None),
        ("accepted", None) => ChallengeEnd::Accepted,
        ("withdrawn", None) => ChallengeEnd::Withdrawn,
        ("declined", None) => ChallengeEnd::Declined(None),
        ("declined", Some("later")) => ChallengeEnd::Declined(Some(DeclineReason::Later)),
        ("declined", Some("too_fast")) => ChallengeEnd::Declined(Some(DeclineReason::TooFast)),
        ("declined", Some("too_slow")) => ChallengeEnd::Declined(Some(DeclineReason::TooSlow)),
        ("declined", Some("other_game")) => ChallengeEnd::Declined(Some(DeclineReason::OtherGame)),
        ("declined", Some("other_length")) => ChallengeEnd::Declined(Some(DeclineReason::OtherLength)),
        ("declined", Some("no_bots")) => ChallengeEnd::Declined(Some(DeclineReason::NoBots)),
        (state, reason) => return Err(corrupt(format!("no challenge is {state:?} because of {reason:?}"))),
    }))
}

/// From whom somebody takes challenges.
pub(super) const fn taken_column(from: ChallengesFrom) -> &'static str {
    match from {
        ChallengesFrom::Everyone => "everyone",
        ChallengesFrom::Followed => "followed",
        ChallengesFrom::Nobody => "nobody",
    }
}

/// Games, by their names with spaces between them.
pub(super) fn games_column(games: &[Game]) -> String {
    games.iter().map(|game| game.id()).collect::<Vec<_>>().join(" ")
}

/// The reverse of [`taken_column`] and [`games_column`].
pub(super) fn challenge_settings(taken: &str, games: &str) -> Result<ChallengeSettings, StoreError> {
    let from = match taken {
        "everyone" => ChallengesFrom::Everyone,
        "followed" => ChallengesFrom::Followed,
        "nobody" => ChallengesFrom::Nobody,
        other => return Err(corrupt(format!("no challenges are taken from \"{other}\""))),
    };
    Ok(ChallengeSettings { from, games: games.split_whitespace().map(game).collect::<Result<_, _>>()? })
}

/// Reads the name of a game.
pub(super) fn game(column: &str) -> Result<Game, StoreError> {
    let game = Game::ALL.into_iter().find(|game| game.id() == column);
    game.ok_or_else(|| corrupt(format!("there is no game \"{column}\"")))
}

/// Reads the columns of a game and a pace.
pub(super) fn rating_key(game_column: &str, pace: &str) -> Result<RatingKey, StoreError> {
    let pace = Pace::ALL.into_iter().find(|of| of.name() == pace);
    let pace = pace.ok_or_else(|| corrupt("there is no such pace"))?;
    Ok(RatingKey { game: game(game_column)?, pace })
}

/// Reads the three columns of a rating.
pub(super) fn rating((points, deviation, volatility): (f64, f64, f64)) -> Result<Rating, StoreError> {
    Rating::new(points, deviation, volatility).map_err(corrupt)
}

/// The columns of a rating but for its three numbers: version, number, matches, when the last ended, better sides.
pub(super) fn rating_columns(stored: &StoredRating) -> [i64; 5] {
    let StoredRating { version, number, matches, ended_at, better_sides, .. } = *stored;
    [version.into(), number.into(), matches.into(), column(ended_at), better_sides.into()]
}

/// The reverse of [`rating_columns`].
pub(super) fn stored_rating(
    [version, number, matches, ended_at, better_sides]: [i64; 5],
    numbers: (f64, f64, f64),
) -> Result<StoredRating, StoreError> {
    Ok(StoredRating {
        rating: rating(numbers)?,
        version: seq(version)?,
        number: seq(number)?,
        matches: seq(matches)?,
        ended_at: millis(ended_at)?,
        better_sides: i32::try_from(better_sides).map_err(corrupt)?,
    })
}

/// Reads the column of a seat.
pub(super) fn seat(column: i64) -> Result<Seat, StoreError> {
    u8::try_from(column).map_err(corrupt).and_then(|seat| Seat::try_from(seat).map_err(corrupt))
}

/// Whether a match is played in one go or by days.
pub(super) const fn pace_column(is_by_days: bool) -> &'static str {
    if is_by_days { "days" } else { "live" }
}

/// The error for a value that cannot be decoded.
#[expect(clippy::needless_pass_by_value, reason = "so that it fits map_err")]
pub(super) fn corrupt(why: impl ToString) -> StoreError {
    StoreError::Corrupt(why.to_string())
}
