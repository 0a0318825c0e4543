//! Errors: problem details (RFC 9457) with a stable code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Event, ScopeName};

/// An error. Programs match `code`; people read `detail`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[cfg_attr(feature = "schema", schema(example = json!({
    "type": "/problems/not_your_turn", "title": "It is not your turn", "status": 409,
    "code": "not_your_turn", "detail": "it is White's turn"
})))]
pub struct Problem {
    /// The address at which the code is explained, relative to this server.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of error, in a few words; the same for each code.
    pub title: String,
    /// The HTTP status.
    #[cfg_attr(feature = "schema", schema(minimum = 400, maximum = 599))]
    pub status: u16,
    /// The kind of error, for programs.
    pub code: Code,
    /// The error here, for people.
    pub detail: String,
    /// The id of the request. Give it to the server's operator: their log has it too. Over HTTP it equals the header
    /// `X-Request-Id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The time until which it holds, in milliseconds since the epoch; absent if it does not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// The seconds after which to try again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
    /// The limit that was exceeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The number of the illegal step, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The reason why a step is illegal or a position impossible, for translations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The scopes of which an API token needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<ScopeName>>,
    /// The correct `seq` of a turn or a takeback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_seq: Option<u32>,
    /// For a turn that comes too late: the events since the one to which it responds; at most 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Event>>,
    /// For a body that is not JSON: the line of the error, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column of the error, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// The reason why a step is illegal or a position impossible: a code, and the values in its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[cfg_attr(feature = "schema", schema(example = json!({"code": "blocked", "params": {"cell": "5", "pieces": "2"}})))]
pub struct Reason {
    /// A stable code.
    pub code: String,
    /// The values in the text.
    pub params: BTreeMap<String, String>,
}

impl Problem {
    /// A problem with this code and these details.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("/problems/{}", code.as_str()),
            title: code.title().to_owned(),
            status: code.status(),
            code,
            detail: detail.into(),
            request_id: None,
            until: None,
            retry_after_s: None,
            limit: None,
            step: None,
            reason: None,
            scopes: None,
            expected_seq: None,
            events: None,
            line: None,
            column: None,
        }
    }
}

impl Problem {
    /// Adds the events since.
    #[must_use]
    pub fn with_events(self, events: Vec<Event>) -> Self {
        Self { events: Some(events), ..self }
    }

    /// Adds the limit that was exceeded.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Adds the time until which it holds.
    #[must_use]
    pub fn with_until(self, until: Option<u64>) -> Self {
        Self { until, ..self }
    }

    /// Adds the seconds to wait.
    #[must_use]
    pub fn with_retry_after_s(self, retry_after_s: u64) -> Self {
        Self { retry_after_s: Some(retry_after_s), ..self }
    }
}

/// A problem with the title of its code.
impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self::new(code, code.title())
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])+ $name:ident $text:literal $status:literal $title:literal,)+) => {
        /// The kinds of error. 400 and 422 mean that a request does not match the schema; 409 that it does, but the
        /// match or the rules do not allow it now. New ones may be added within this version of the API.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $($(#[$doc])+ $name,)+
        }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Its HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }

            /// Its meaning, in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)+ }
            }
        }
    };
}

codes! {
    // --- the form of a request ---
    /// The body, or a message, is not JSON.
    InvalidJson "invalid_json" 400 "This is not JSON",
    /// A part of the path is malformed.
    InvalidPath "invalid_path" 400 "A part of the path is malformed",
    /// A parameter of the query is malformed or unknown.
    InvalidQuery "invalid_query" 400 "The query is malformed",
    /// The query contains a password, token or code.
    SecretInUrl "secret_in_url" 400 "A secret must not be in a URL",
    /// A header is malformed.
    InvalidHeader "invalid_header" 400 "A header is malformed",
    /// The body is incomplete.
    BrokenBody "broken_body" 400 "The body could not be read",
    /// The password is among the most common ones.
    CommonPassword "common_password" 422 "This password is too common",
    /// A field is missing, unknown, of the wrong type or out of its range.
    InvalidBody "invalid_body" 422 "The body does not have the form it must have",
    /// The body is not a record of a match.
    UnreadableRecord "unreadable_record" 422 "This is not a record of a match",
    /// There is nothing at this path.
    NotFound "not_found" 404 "There is nothing here",
    /// The path exists, but not with this method.
    MethodNotAllowed "method_not_allowed" 405 "This path does not have this method",
    /// None of the types in `Accept` is available.
    NotAcceptable "not_acceptable" 406 "None of the types asked for can be had here",
    /// The request did not arrive in time.
    RequestTimeout "request_timeout" 408 "The request took too long",
    /// The body is too long.
    BodyTooLarge "body_too_large" 413 "The body is too long",
    /// The head of the request is too long.
    HeadTooLarge "head_too_large" 431 "The head of the request is too long",
    /// The type of the body is not accepted here.
    UnsupportedMediaType "unsupported_media_type" 415 "The body must be application/json",
    /// Too many requests.
    TooManyRequests "too_many_requests" 429 "Too many requests",
    /// Too many new guests from this address.
    TooManyGuests "too_many_guests" 429 "Too many new guests",

    // --- the caller ---
    /// The request needs a token.
    Unauthorized "unauthorized" 401 "This needs a token",
    /// The token is unknown or has been revoked.
    UnknownToken "unknown_token" 401 "This token is not known",
    /// The API token has expired.
    TokenExpired "token_expired" 401 "This token has expired",
    /// The server's operator has blocked this guest.
    Blocked "blocked" 403 "You have been blocked on this server",
    /// There is no account with this handle, or the password or recovery code is wrong.
    WrongCredentials "wrong_credentials" 403 "The handle, password or code is wrong",
    /// Too many wrong passwords or codes from this address.
    TooManyAttempts "too_many_attempts" 429 "Too many wrong passwords",
    /// The passkey's response is invalid: forged or malformed, or the passkey was used meanwhile.
    WrongPasskey "wrong_passkey" 403 "The passkey's answer is wrong",
    /// The passkey's response was made on a page of another site.
    WrongOrigin "wrong_origin" 403 "The passkey was used on another site",
    /// No account has this passkey, or it belongs to another account.
    UnknownPasskey "unknown_passkey" 403 "This passkey is not known",
    /// The challenge was used before, has expired, or never existed.
    UnknownPasskeyChallenge "unknown_passkey_challenge" 409 "This passkey challenge is not good",
    /// Sign-ups are closed on this server.
    SignUpsClosed "sign_ups_closed" 403 "This server opens no accounts now",
    /// Opening an account on this server needs a code from its operator.
    SignUpCodeRequired "sign_up_code_required" 403 "An account here takes a code from the operator",
    /// The API token has none of the scopes that the operation needs.
    MissingScope "missing_scope" 403 "The token may not do this",
    /// The operation needs a session; no API token can do it.
    SessionRequired "session_required" 403 "No API token may do this",
    /// You are not a player of this match.
    NotAPlayer "not_a_player" 403 "You are not a player of this match",
    /// You did not create this match.
    NotTheCreator "not_the_creator" 403 "You did not make this match",
    /// Only a guest with an invitation may join this match.
    ByInvitationOnly "by_invitation_only" 403 "This match is by invitation",

    // --- missing things ---
    /// There is no such game.
    NoSuchGame "no_such_game" 404 "There is no such game",
    /// There is no such match.
    NoSuchMatch "no_such_match" 404 "There is no such match",
    /// You have no such session.
    NoSuchSession "no_such_session" 404 "There is no such session",
    /// You have no API token with that id.
    NoSuchToken "no_such_token" 404 "There is no such API token",
    /// The invitation, device code or sign-up code was spent or withdrawn, has expired, or never existed.
    UnknownCode "unknown_code" 404 "This code is not good",

    /// The events that you know beyond the last one were lost: the journals were restored from a backup. Forget the
    /// match, and read it from the beginning or from a snapshot.
    AheadOfJournal "ahead_of_journal" 409 "You have read more than has happened",

    // --- accounts ---
    /// You have no account.
    NoAccount "no_account" 404 "You have no account",
    /// You have an account already.
    HasAccount "has_account" 409 "You have an account already",
    /// Another account has this handle, or a similar one.
    HandleTaken "handle_taken" 409 "This handle is taken",
    /// This handle is reserved.
    HandleReserved "handle_reserved" 409 "This handle is reserved",
    /// Your account has the most API tokens allowed.
    TooManyTokens "too_many_tokens" 409 "You have too many API tokens",
    /// Your account has the most passkeys allowed.
    TooManyPasskeys "too_many_passkeys" 409 "You have too many passkeys",
    /// Your account has the most preferences allowed.
    TooManyPreferences "too_many_preferences" 409 "You have too many preferences",
    /// An account has this passkey already.
    PasskeyAdded "passkey_added" 409 "This passkey was added before",
    /// You have no passkey with that id.
    NoSuchPasskey "no_such_passkey" 404 "There is no such passkey",
    /// Without it you could not sign in any more: it is your only passkey and there is no password, or your password
    /// and there is no passkey.
    LastWayIn "last_way_in" 409 "It is the only way to sign in",
    /// No guest has the token for the adoption; perhaps it was revoked.
    UnknownGuestToken "unknown_guest_token" 409 "No guest has this token",
    /// The guest to adopt is blocked, or is being removed already.
    GuestBlocked "guest_blocked" 409 "This guest is blocked",
    /// The guest to adopt has an account.
    GuestHasAccount "guest_has_account" 409 "This guest has an account",
    /// One of the two is a person, the other a bot.
    OtherKind "other_kind" 409 "A person does not adopt a bot, nor a bot a person",
    /// You and the guest have played each other.
    PlayedEachOther "played_each_other" 409 "You have played each other",
    /// This server cannot use passkeys: its operator has not configured an address at which browsers allow them.
    NoPasskeys "no_passkeys" 409 "This server cannot use passkeys",
    /// This server sends no push messages.
    NoPush "no_push" 409 "This server sends no push messages",
    /// The endpoint does not belong to a push service that this server uses.
    PushEndpointRefused "push_endpoint_refused" 409 "This server sends no messages there",
    /// You have no push subscription with that id.
    NoSuchPushSubscription "no_such_push_subscription" 404 "There is no such push subscription",
    /// Tokens of this kind of account cannot have that scope.
    WrongScope "wrong_scope" 409 "This scope is not for your account",
    /// It is too late to declare the account a bot's.
    HasPlayed "has_played" 409 "You have matches already",

    // --- other people ---
    /// The other guest is you.
    Yourself "yourself" 409 "That is you",
    /// There is no such guest.
    NoSuchGuest "no_such_guest" 404 "There is no such guest",
    /// You have blocked too many people.
    TooManyBlocks "too_many_blocks" 409 "You have blocked too many people",
    /// One of you has blocked the other.
    NotWelcome "not_welcome" 403 "You do not play each other",
    /// You have too many open seeks.
    TooManySeeks "too_many_seeks" 409 "You have too many seeks",
    /// You have no such seek.
    NoSuchSeek "no_such_seek" 404 "There is no such seek",
    /// The seek was already answered.
    SeekAnswered "seek_answered" 409 "The seek was answered",
    /// You have too many open challenges.
    TooManyChallenges "too_many_challenges" 409 "You have made too many challenges",
    /// They have too many open challenges.
    TooManyChallengesToThem "too_many_challenges_to_them" 409 "Too many challenges wait for them",
    /// They accept no challenges, or only from people they follow.
    ChallengeNotTaken "challenge_not_taken" 403 "They do not take your challenge",
    /// They accept challenges only to other games.
    OtherGames "other_games" 409 "They do not play this game",
    /// You have no such challenge, or it has expired.
    NoSuchChallenge "no_such_challenge" 404 "There is no such challenge",
    /// The challenge was already answered or withdrawn.
    ChallengeEnded "challenge_ended" 409 "The challenge has ended",
    /// You follow too many people.
    TooManyFollows "too_many_follows" 409 "You follow too many people",

    // --- talk and conduct ---
    /// Talk is off on this server.
    TalkOff "talk_off" 403 "There is no talk on this server",
    /// The room is closed to you: only players use the players' room, and players use the watchers' room only after
    /// the match has ended.
    OtherRoom "other_room" 403 "You are not in this room",
    /// Nobody can read it: nobody has joined, the computer plays, you play both sides, or the match ended more than
    /// three days ago.
    NoTalk "no_talk" 409 "There is no talk in this match",
    /// You, the others or this server use phrases only.
    NoText "no_text" 403 "There are only phrases here",
    /// You sent too many remarks in a short time.
    TooMuchTalk "too_much_talk" 429 "You say too much",
    /// The server's operator has muted you, until the time in `until` or permanently.
    Muted "muted" 403 "You have been muted",
    /// The server's operator has banned you from playing and talking, until the time in `until` or permanently.
    Banned "banned" 403 "You have been banned",
    /// You have left several live matches, and are not paired in others until the time in `until`.
    LeftTooOften "left_too_often" 403 "You have left too many matches",
    /// You have sent the most reports allowed in a day.
    TooManyReports "too_many_reports" 429 "You have made too many reports",
    /// They do not play in this match, and have no remark in it that you can read.
    NotInMatch "not_in_match" 409 "They are not in this match",

    // --- making a match ---
    /// An option that the game does not have.
    UnknownOption "unknown_option" 409 "The game does not have this option",
    /// A side that the game does not have.
    UnknownSide "unknown_side" 409 "The game does not have this side",
    /// You have the most unfinished matches allowed.
    TooManyMatches "too_many_matches" 409 "You have too many unfinished matches",
    /// Only players with accounts can play rated matches or choose opponents by rating.
    AccountNeeded "account_needed" 403 "This needs an account",
    /// Such a match is never rated: it has no clock or not the game's own options, the computer plays or one player
    /// plays both seats, or it is a single game where only pairs are rated.
    NotRated "not_rated" 409 "Such a match is not rated",
    /// The match does not wait for an invited guest.
    NotInviting "not_inviting" 409 "This match does not wait for somebody invited",
    /// The key was used for another request.
    KeyReused "key_reused" 409 "This idempotency key was used for another request",

    // --- tournaments ---
    /// There is no such tournament.
    NoSuchTournament "no_such_tournament" 404 "There is no such tournament",
    /// Only the organiser can do this.
    NotTheOrganiser "not_the_organiser" 403 "You do not organise this tournament",
    /// You organise too many tournaments that have not ended.
    TooManyTournaments "too_many_tournaments" 409 "You organise too many tournaments",
    /// A name has 1 to 60 visible characters.
    TournamentName "tournament_name" 422 "This is not a name for a tournament",
    /// A description has at most 2,000 characters.
    TournamentDescription "tournament_description" 422 "The description is too long",
    /// A reason has 1 to 200 visible characters.
    TournamentReason "tournament_reason" 422 "This is not a reason that all can read",
    /// The matches of a tournament need a clock.
    TournamentNeedsClock "tournament_needs_clock" 422 "A tournament needs a clock",
    /// The start has passed.
    BeginsInThePast "begins_in_the_past" 422 "A tournament cannot start in the past",
    /// The start is more than a year ahead.
    BeginsTooLate "begins_too_late" 422 "A tournament starts within a year",
    /// A pairing waits 1 to 30 minutes for both entrants.
    WaitOutOfRange "wait_out_of_range" 422 "A pairing waits 1 to 30 minutes",
    /// A round robin lasts 15 minutes to 365 days.
    EndsAtOutOfRange "ends_at_out_of_range" 422 "A round robin lasts 15 minutes to 365 days",
    /// A Swiss has 1 to 15 rounds.
    RoundsOutOfRange "rounds_out_of_range" 422 "A Swiss has 1 to 15 rounds",
    /// Rounds of a Swiss start 10 minutes to 31 days after one another.
    EveryOutOfRange "every_out_of_range" 422 "Rounds start 10 minutes to 31 days after one another",
    /// The matches would grow beyond 99 points, or are not played to points.
    PointsMoreOutOfRange "points_more_out_of_range" 422 "The matches would grow too long",
    /// An arena needs a live clock.
    ArenaByCorrespondence "arena_by_correspondence" 422 "An arena needs a live clock",
    /// An arena lasts 15 minutes to 7 days.
    LastsOutOfRange "lasts_out_of_range" 422 "An arena lasts 15 minutes to 7 days",
    /// The format does not admit this number of entrants.
    EntrantsMaxOutOfRange "entrants_max_out_of_range" 422 "The format has other numbers of entrants",
    /// The lowest rating is above the highest.
    RatingRangeEmpty "rating_range_empty" 422 "Nobody has such a rating",
    /// A list has at most 150 players.
    TooManyPlayersListed "too_many_players_listed" 422 "A list has at most 150 players",
    /// Somebody has entered: only the name, the description and a later start can be changed.
    HasEntrants "has_entrants" 409 "Somebody has entered already",
    /// The tournament has begun.
    TournamentHasBegun "tournament_has_begun" 409 "The tournament has begun",
    /// The tournament has not begun.
    TournamentNotBegun "tournament_not_begun" 409 "The tournament has not begun",
    /// The tournament has ended.
    TournamentHasEnded "tournament_has_ended" 409 "The tournament has ended",
    /// The tournament has the most entrants.
    TournamentFull "tournament_full" 409 "The tournament is full",
    /// You have entered already.
    AlreadyEntered "already_entered" 409 "You have entered already",
    /// You, or the player named, have not entered.
    NotEntered "not_entered" 409 "They have not entered",
    /// You have withdrawn from this tournament.
    HasWithdrawn "has_withdrawn" 409 "They have withdrawn",
    /// You, or the player named, were excluded from this tournament.
    IsExcluded "is_excluded" 403 "They were excluded",
    /// It is too late to enter.
    EntryClosed "entry_closed" 409 "It is too late to enter",
    /// Only people may enter.
    PeopleOnly "people_only" 403 "Only people may enter",
    /// Only bots may enter.
    BotsOnly "bots_only" 403 "Only bots may enter",
    /// You have not ended enough rated matches of this game and pace.
    TooFewRatedMatches "too_few_rated_matches" 403 "You need more rated matches",
    /// Your rating is outside the range of this tournament.
    RatingNotAdmitted "rating_not_admitted" 403 "Your rating is not admitted",
    /// Your account is too young for this tournament.
    AccountTooYoung "account_too_young" 403 "Your account is too young",
    /// You are not on the list of this tournament.
    NotOnTheList "not_on_the_list" 403 "You are not on the list",
    /// The code is missing or wrong.
    WrongCode "wrong_code" 403 "This is not the code",
    /// The tournament has had too many events to say again that you are here.
    TooManyEvents "too_many_events" 409 "The tournament has too many events",
    /// This format has no such thing.
    NotThisFormat "not_this_format" 409 "This format has no such thing",
    /// You have had the byes of half a point that a tournament gives, those of a late entry included.
    TooManyByes "too_many_byes" 409 "You have had all your byes",
    /// There is no such round to come.
    NoSuchRound "no_such_round" 409 "There is no such round to come",
    /// The last round has no byes on request.
    NoByeInLastRound "no_bye_in_last_round" 409 "The last round has no byes",
    /// Too few entrants are there to start.
    TooFewEntrants "too_few_entrants" 409 "Too few entrants are there",
    /// The tournament is stopped.
    TournamentStopped "tournament_stopped" 409 "The tournament is stopped",
    /// The tournament is not stopped.
    TournamentNotStopped "tournament_not_stopped" 409 "The tournament is not stopped",
    /// Matches of the round are still being played.
    RoundStillPlayed "round_still_played" 409 "The round is still being played",
    /// The round is not over.
    RoundOpen "round_open" 409 "The round is not over",
    /// No round is open.
    NoRoundOpen "no_round_open" 409 "No round is open",
    /// All rounds have been paired.
    AllRoundsPaired "all_rounds_paired" 409 "All rounds have been paired",
    /// An entrant cannot be paired with themselves.
    PairedWithSelf "paired_with_self" 409 "An entrant cannot play themselves",
    /// An entrant is paired twice.
    PairedTwice "paired_twice" 409 "An entrant is paired twice",
    /// An entrant is not there to be paired.
    EntrantNotThere "entrant_not_there" 409 "An entrant is not there",
    /// At most one entrant who is there may be left out.
    EntrantsLeftOut "entrants_left_out" 409 "Entrants are left out",
    /// A round needs a pairing.
    NoPairings "no_pairings" 409 "A round needs a pairing",
    /// There is no such pairing.
    NoSuchPairing "no_such_pairing" 409 "There is no such pairing",
    /// A result has 0 to 2 half points each and 2 together at most; a knock-out needs a winner.
    HalfPointsOutOfRange "half_points_out_of_range" 422 "This is not a result",
    /// The next round has been paired with this result.
    NextRoundPaired "next_round_paired" 409 "The next round rests on this result",

    // --- refusals of a match ---
    /// Both seats are taken.
    Full "full" 409 "Both seats are taken",
    /// You cannot join your own match.
    OwnMatch "own_match" 409 "You cannot join your own match",
    /// The match has ended.
    MatchOver "match_over" 409 "The match is over",
    /// The match has not ended yet.
    MatchNotOver "match_not_over" 409 "The match is not over yet",
    /// There is nothing to roll out in this event: it is not a turn, the turn had only one way to be played, the game
    /// has no dice, or today's rules no longer allow the turn.
    NoChoice "no_choice" 409 "Nothing was chosen in this event",
    /// No game is being played yet.
    NotPlaying "not_playing" 409 "No game is being played yet",
    /// A seed must be revealed before the first turn.
    SeedNotRevealed "seed_not_revealed" 409 "A seed is still to be revealed",
    /// You have no seed to reveal.
    NoSeedToReveal "no_seed_to_reveal" 409 "You have no seed to reveal",
    /// The seed does not match the hash that you sent.
    SeedMismatch "seed_mismatch" 409 "This is not the seed that you committed to",
    /// It is the other side's turn.
    NotYourTurn "not_your_turn" 409 "It is not your turn",
    /// The turn responds to another event than the one that gave the present turn.
    WrongSeq "wrong_seq" 409 "The turn answers another event",
    /// Another turn was already played in response to that event.
    AlreadyAnswered "already_answered" 409 "Another turn already answers that event",
    /// Conditional turns exist only in correspondence matches against somebody else, and lines of them only in games
    /// without dice.
    NoConditionalTurns "no_conditional_turns" 409 "This match knows no such conditional turns",
    /// A step is illegal.
    IllegalStep "illegal_step" 409 "A step is not legal",
    /// The turn is incomplete.
    TurnIncomplete "turn_incomplete" 409 "The turn is not complete",
    /// You have already offered a draw this turn.
    AlreadyOffered "already_offered" 409 "You have already made this offer",
    /// There is no offer to answer.
    NoOffer "no_offer" 409 "There is no offer to answer",
    /// Turns are taken back only between people, or against the computer, in an unrated match of no tournament.
    NoTakebacks "no_takebacks" 409 "There are no takebacks here",
    /// You have played no turn of this game.
    NothingToTakeBack "nothing_to_take_back" 409 "There is no turn to take back",
    /// The event is not your last turn.
    NotLastTurn "not_last_turn" 409 "That is not your last turn",
    /// You have taken back the most turns that a match allows.
    TooManyTakebacks "too_many_takebacks" 409 "You have taken back too many turns",
    /// Both sides have made their first turn.
    TooLateToAbort "too_late_to_abort" 409 "It is too late to abort",
    /// The match has a clock, which decides.
    HasClock "has_clock" 409 "This match has a clock",
    /// It is your own turn: there is nothing to claim.
    OwnTurn "own_turn" 409 "It is your own turn",
    /// The opponent has not been away for long enough.
    NotGone "not_gone" 409 "Your opponent has not been gone for long enough",
    /// A rematch has been offered already, by you or to you.
    RematchOffered "rematch_offered" 409 "A rematch has been offered already",
    /// The rematch has been created already.
    RematchMade "rematch_made" 409 "The rematch has been made already",
    /// An aborted match has no rematch.
    NoRematch "no_rematch" 409 "A match that was broken off has no rematch",
    /// The match did not change any rating.
    NoRating "no_rating" 409 "The match has changed no rating",
    /// The rating of the match was already revoked.
    RatingTakenBack "rating_taken_back" 409 "The rating was taken back already",
    /// The time had run out.
    TimeOver "time_over" 409 "The time had run out",

    /// There are hints only against the computer, or if you play both sides, and on your turn.
    NoHints "no_hints" 409 "There are no hints here",

    // --- the rules without a match ---
    /// The position is impossible.
    ImpossiblePosition "impossible_position" 409 "This position is impossible",
    /// The game is not played with these dice.
    WrongDice "wrong_dice" 409 "These dice do not fit the game",
    /// The text is not a turn of this position.
    BadNotation "bad_notation" 409 "This is not a turn of this position",

    // --- the socket ---
    /// The first message must be `hello`.
    HelloRequired "hello_required" 401 "The first message must be hello",
    /// There is no such operation.
    UnknownOp "unknown_op" 404 "There is no such operation",
    /// You have said `hello` already.
    AlreadyReady "already_ready" 409 "You have said hello already",
    /// You watch the most matches allowed for a connection.
    TooManyWatches "too_many_watches" 409 "You watch too many matches",
    /// You do not watch this match.
    NotWatching "not_watching" 409 "You do not watch this match",

    // --- the server ---
    /// The server has an internal error.
    Internal "internal" 500 "Something is wrong with the server",
    /// The server cannot do this now: try again.
    Unavailable "unavailable" 503 "The server cannot do this now",
    /// The server is stopping: connect again.
    Stopping "stopping" 503 "The server is stopping",
    /// Too many connections.
    TooManyConnections "too_many_connections" 503 "Too many connections",
}
