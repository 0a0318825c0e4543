//! Everything that outlasts a restart: the journal of every match, guests and their tokens,
//! invitations, idempotency keys, outages.
//!
//! [`Store`] keeps it in one SQLite file, for one node, in a PostgreSQL database, which nodes share, or in memory, for
//! tests under virtual time. One text of SQL serves all three, and one conformance suite runs on them.
//! The store knows nothing of sockets, tasks or wire types.

mod append_row;
mod card;
mod challenge;
mod db;
mod departures;
mod error;
mod failure;
mod fair_play;
mod faults;
mod game_counts;
mod match_rows;
mod model;
mod moderation;
mod moved_rows;
mod moving;
mod node;
mod passkey;
pub mod postgres;
mod preferences;
mod push;
mod ratings;
mod seek;
mod server_key;
mod sql;
pub mod sqlite;
mod talk;
mod text;
mod tournament;

pub use card::{Card, CardResult, MatchRow};
pub use challenge::{
    CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding, ChallengeEnd,
    ChallengeEnding, ENDED_CHALLENGE_KEPT_MS, FOLLOWS_PER_GUEST_MAX, Following, NamedChallenge,
};
pub use db::Store;
pub use departures::{
    AdoptionBeginning, DEPARTURES_MAX, Departure, ErasureBeginning, ErasureBy, HandingOver, NewAdoption,
};
pub use error::{AppendError, JoinError, StoreError};
pub use fair_play::{EngineFlag, FlagGrounds, LossSum, NearLosses, NewFlag, TURN_LOSSES_KEPT_MS, TurnLosses};
pub use faults::{Call, Fate, Faults, Turn};
pub use game_counts::{CountRow, CountingRound, GameCountRows};
pub use lusoria_passkey::Credential;
pub use lusoria_play::{ApiTokenId, MatchStage as MatchState, PasskeyId, PushSubscriptionId, SessionId};
pub use model::{
    API_TOKENS_PER_GUEST_MAX, Account, AccountFilter, AccountOpening, Answers, ApiBearer, ApiToken,
    ApiTokenAddition, Append, Ban, Bearer, BotDeclaration, DeviceCode, Due, Guest, Head, Invitation, Journal,
    KEYS_KEPT_MS, KeptAnalysis, KeyUse, MatchFilter, MatchesOfGame, NewAccount, NewApiToken, NewMatch,
    NewSession, Page, PasswordHash, PasswordRemoval, Played, Proof, RECOVERY_CODES_MAX, Recent, SecretHash,
    Session, SessionOrigin, Shown, SignUpPolicy, SignUps, Statistics, TOKENS_PER_GUEST_MAX, Unfinished,
    UsedKey, Version,
};
pub use moderation::{
    CLOSED_REPORTS_KEPT_MS, LogRow, Moderated, Moderating, ModeratorAct, NewReport, PAST_SANCTIONS_KEPT_MS,
    REPORTS_A_DAY_MAX, Report, ReportAdding, Sanction, SanctionKind, WARNINGS_PER_GUEST_MAX,
};
pub use moving::{MoveError, MoveStage, Moved, Progress, Totals, move_to_postgres, use_again};
pub use node::{Beat, Era, HEADS_MAX, NewNode, Node, NodeId, OUTAGE_AFTER_MS, Outage, SeenNode, SeenNodes};
pub use passkey::{PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition, PasskeyRemoval, PasskeyUse, Revoking};
pub use postgres::moving::DestinationError;
pub use preferences::{PREFERENCES_PER_GUEST_MAX, PreferenceChange, PreferenceChanges, PreferenceValues};
pub use push::{PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, PushBearer, PushSubscription, PushTarget};
pub use ratings::{
    CurvePoint, LEADERBOARD_MATCHES_MIN, LeaderboardRow, RATED_PLAYERS_MAX, RatingChange, RatingKey,
    RatingMark, RatingTables, RatingsBefore, SeatChange, StoredChange, StoredRating,
};
pub use seek::{
    ANSWERED_SEEK_KEPT_MS, BLOCKS_PER_GUEST_MAX, Blocking, SEEKS_PER_GUEST_MAX, Seek, SeekAdding,
    SeekWithdrawal, WaitingSeek,
};
pub use server_key::{KeyPurpose, SecretKey};
pub use talk::{
    NewRemark, NoText, REMARKS_AT_ONCE_MAX, REMARKS_KEPT_MS, REMARKS_PER_MATCH_MAX, REMARKS_WITHIN_MS,
    Remark, RemarkAdding, Said, TEXT_AFTER_MATCHES, TEXT_AFTER_MS, TalkSettings, Talker,
};
pub use tournament::{
    NamedPlayer, NewTournament, TOURNAMENTS_PER_ORGANISER_MAX, TournamentAppend, TournamentAppending,
    TournamentCreation, TournamentDue, TournamentEvent, TournamentFilter, TournamentListing, TournamentNote,
    TournamentPage, TournamentPlace, TournamentRow, TournamentStage,
};

/// What the methods of a store return. In a box, so that they are compiled here and not in each crate that calls them.
pub type StoreFuture<'a, T, E = StoreError> = futures_util::future::BoxFuture<'a, Result<T, E>>;

/// A file of the page: its name, and what is in it.
pub type PageFile = (String, Vec<u8>);
