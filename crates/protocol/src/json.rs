//! Wire types as JSON, compiled here once instead of in each crate that reads or writes them.

#[cfg(feature = "schema")]
use serde_json::Value;
#[cfg(feature = "schema")]
use utoipa::openapi::{RefOr, schema::Schema};

use crate::{
    Abort, AcceptChallenge, Account, AddPasskey, Adopt, Adopted, Analysis, Answer, ApiTokenList, BlockList,
    Building, Catalogue, CatalogueEntry, Challenge, ChallengeList, ChallengeSettings, ChangePassword,
    ChangePreferences, ChangedPassword, Claim, ConditionalTurns, ConditionalTurnsList, CreateApiToken,
    CreateChallenge, CreateGuest, CreateMatch, CreateReport, CreateSeek, CreateTournament, Created,
    CreatedApiToken, DeclineChallenge, DeviceCode, Draw, EditTournament, EntrantList, EraseAccount,
    Evaluation, EvaluationQuestion, Event, Events, FollowList, GameStatistics, Guest, HeadToHead, Health,
    Hint, HintQuestion, Invitation, JoinMatch, JudgedRecord, Leaderboard, Legal, LegalQuestion,
    LookInvitation, LuckTable, MatchList, Me, NewRecoveryCodes, Notice, OpenAccount, OpenMatches,
    OpenedAccount, OwnConduct, PairingList, Passkey, PasskeyChallenge, PasskeyChallengeRequest, PasskeyList,
    PlayTurn, PlayerList, PositionQuestion, Preferences, Problem, Profile, PushMessage, PushServerKey,
    PushSubscription, PushSubscriptionList, PutPushSubscription, RatingCurve, ReadWarnings, Record, Recover,
    RecoveryCodes, Remark, Rematch, RematchAnswer, RemovePasskey, RemovePassword, RenameGuest, RenamePasskey,
    Report, Resign, RevealSeed, RulesAnswer, RulesQuestion, Say, Seek, SeekList, SessionList,
    SetTalkSettings, SignIn, SignInWithPasskey, Snapshot, SpendDeviceCode, SpendInvitation, Standing,
    StandingRow, Standings, StatisticsList, Takeback, Talk, TalkSettings, TokenInfo, Tournament,
    TournamentBye, TournamentCard, TournamentDirection, TournamentEntry, TournamentEvent, TournamentEvents,
    TournamentList, TournamentPairing, TurnRollout, Tv, Waiting, YouInTournament,
    socket::{HelloOk, Nothing, Reply, TournamentHead, WatchOk},
    strict::{self, Misread},
};

/// Types that are written as JSON.
pub trait ToJson {
    /// The value as JSON.
    fn to_json(&self) -> Vec<u8>;
}

/// A body that is read strictly from JSON: with known fields only.
pub trait FromJson: Sized {
    /// Reads a body.
    ///
    /// # Errors
    /// If it is not JSON, or does not match the type.
    fn from_json(json: &[u8]) -> Result<Self, Misread>;

    /// The same for an optional body, which may be `null`.
    ///
    /// # Errors
    /// As [`FromJson::from_json`].
    fn from_json_or_null(json: &[u8]) -> Result<Option<Self>, Misread>;
}

impl<T: ToJson> ToJson for &T {
    fn to_json(&self) -> Vec<u8> {
        (**self).to_json()
    }
}

/// A schema as JSON.
#[cfg(feature = "schema")]
pub fn schema_as_json(schema: RefOr<Schema>) -> Value {
    serde_json::to_value(schema).expect("a schema is plain data")
}

macro_rules! written {
    ($($type:ty)*) => {$(
        impl ToJson for $type {
            fn to_json(&self) -> Vec<u8> {
                serde_json::to_vec(self).expect("wire types are plain data")
            }
        }
    )*};
}

macro_rules! read {
    ($($type:ty)*) => {$(
        impl FromJson for $type {
            fn from_json(json: &[u8]) -> Result<Self, Misread> {
                strict::read(json)
            }

            fn from_json_or_null(json: &[u8]) -> Result<Option<Self>, Misread> {
                strict::read(json)
            }
        }
    )*};
}

written! {
    Account Analysis Evaluation Answer ApiTokenList BlockList CreatedApiToken TokenInfo Catalogue CatalogueEntry Created DeviceCode Event Events Guest Health HelloOk Hint
    Invitation JudgedRecord Legal MatchList Me Nothing Notice OpenMatches Problem Record RematchAnswer Reply
    OpenedAccount RecoveryCodes RulesAnswer Seek SeekList SessionList Snapshot TournamentHead Waiting WatchOk
    HeadToHead Leaderboard PlayerList Profile RatingCurve
    GameStatistics StatisticsList TurnRollout Tv
    Challenge ChallengeList ChallengeSettings FollowList
    Tournament TournamentCard TournamentEvent TournamentEvents TournamentList YouInTournament
    EntrantList LuckTable PairingList StandingRow Standings TournamentBye TournamentPairing
    Passkey PasskeyChallenge PasskeyList
    Adopted ChangedPassword
    Preferences
    ConditionalTurns ConditionalTurnsList
    OwnConduct Remark Report Standing Talk TalkSettings
    PushMessage PushServerKey PushSubscription PushSubscriptionList
}

read! {
    AcceptChallenge ChallengeSettings CreateChallenge DeclineChallenge
    CreateTournament EditTournament TournamentDirection TournamentEntry
    Abort EvaluationQuestion Building Claim CreateApiToken CreateGuest CreateMatch CreateSeek Draw HintQuestion JoinMatch LegalQuestion LookInvitation
    PlayTurn PositionQuestion Rematch RenameGuest Resign Takeback RevealSeed RulesQuestion OpenAccount ChangePassword EraseAccount NewRecoveryCodes SignIn Recover SpendDeviceCode SpendInvitation
    AddPasskey PasskeyChallengeRequest RemovePasskey RemovePassword RenamePasskey SignInWithPasskey
    CreateReport ReadWarnings Say SetTalkSettings
    Adopt ChangePreferences ConditionalTurns PutPushSubscription
}
