//! The wire types of the API, version 1: the bodies of HTTP and the messages of the WebSocket.
//!
//! With feature `schema` every type has its own JSON Schema, so that the `OpenAPI` document and the schema of the
//! socket are derived from the types that the server reads and writes. Types that are the same in the rules and in a
//! match, such as a step, a seat or a clock, come from `lusoria-rules` or `lusoria-play`; only `lusoria-wire`
//! converts the others.
//!
//! Three rules hold for all of them:
//!
//! - A request with an unknown field is refused; a client must ignore unknown fields in responses, so that responses
//!   can grow within a version.
//! - A field without a value is left out of a response. In a request, `null` means the same as leaving it out only
//!   where the schema says so.
//! - Times are whole milliseconds: since the Unix epoch in fields that end in `_at`, as
//!   a duration in fields that end in `_ms`.

mod account;
mod analysis;
mod answer;
mod api_token;
mod beside;
mod card;
mod catalogue;
mod challenge;
mod computer;
mod conditional;
mod conduct;
mod dice;
mod evaluation;
mod event;
mod geometry;
mod guest;
mod json;
mod lobby;
mod matches;
mod notice;
mod offer;
mod passkey;
mod player;
mod position;
mod preferences;
mod problem;
mod profile;
mod push;
mod rating;
mod record;
mod rollout;
mod rules;
mod scope;
mod seat;
mod seek;
mod service;
mod side;
mod snapshot;
pub mod socket;
mod statistics;
pub mod strict;
mod talk;
mod text;
mod tournament;
mod tournament_event;
mod tournament_tables;
mod tournament_view;
mod turn;
mod tv;
mod word;
mod words;

pub use account::{
    Account, Adopt, Adopted, ChangePassword, ChangedPassword, EraseAccount, NewRecoveryCodes, OpenAccount,
    OpenedAccount, Recover, RecoveryCodes, RemovePassword, SignIn,
};
pub use analysis::{
    AnalysedGame, AnalysedPass, AnalysedTurn, Analysis, AnalysisState, AnalysisTotals, BestTurn,
};
pub use answer::{Answer, Events, RematchAnswer};
pub use api_token::{
    ApiToken, ApiTokenList, CreateApiToken, CreatedApiToken, TokenDays, TokenInfo, TokenKind,
};
pub use beside::{ForMatch, Keyed};
pub use card::{MatchCard, MatchList};
pub use catalogue::{
    Catalogue, CatalogueEntry, ClockPreset, OptionEntry, OptionSetting, OptionValue, SideEntry,
};
pub use challenge::{
    AcceptChallenge, Challenge, ChallengeList, ChallengeSettings, ChallengeState, CreateChallenge,
    DeclineChallenge, FollowList,
};
pub use computer::{Chances, Computer, Hint, HintQuestion, HintedTurn, PlayerKind};
pub use conditional::{ConditionalMatch, ConditionalTurns, ConditionalTurnsList};
pub use conduct::{
    CreateReport, LeftMatch, OwnConduct, OwnReport, ReadWarnings, Report, Sanction, Standing, Warning,
};
pub use dice::{DiceView, Scheme, SeatSeed};
pub use evaluation::{
    EvaluatedTurn, Evaluation, EvaluationQuestion, PositionQuestion, TriedTurn, VARIATION_TURNS_MAX,
};
pub use event::{AbortReason, Event, EventKind, GameEnd, MatchResult};
pub use geometry::{Cell, CellNames, CellShape, Geometry, Line, Order, Paths, Place, PlaceKind};
pub use guest::{
    CreateGuest, DeviceCode, Guest, Me, RenameGuest, Session, SessionList, SessionOrigin, SignedInBy,
    SpendDeviceCode,
};
#[cfg(feature = "schema")]
pub use json::schema_as_json;
pub use json::{FromJson, ToJson};
pub use lobby::{OpenMatches, Waiting};
pub use matches::{CreateMatch, Created, Invitation, JoinMatch, LookInvitation, RevealSeed, SpendInvitation};
pub use notice::Notice;
pub use offer::{Abort, Claim, Draw, OfferAction, Rematch, Resign, ResignScope, Takeback};
pub use passkey::{
    AddPasskey, NewPasskey, Passkey, PasskeyAnswer, PasskeyChallenge, PasskeyChallengeRequest, PasskeyList,
    PasskeyOwner, RemovePasskey, RenamePasskey, SignInWithPasskey,
};
pub use player::{CardPlayer, OtherPlayer};
pub use position::{Pieces, Position, TablesPosition, TaflPosition};
pub use preferences::{ChangePreferences, Preferences};
pub use problem::{Code, Problem, Reason};
pub use profile::{AccountPlayer, GameResults, HeadToHead, PlayerList, Profile, Results, SideResults};
pub use push::{
    PushKeys, PushKind, PushMessage, PushServerKey, PushSubscription, PushSubscriptionList,
    PutPushSubscription,
};
pub use rating::{
    Leaderboard, LeaderboardPlace, MatchRatings, PlayerRating, RatedMatch, RatedSeat, Rating, RatingCurve,
};
pub use record::{
    JudgedRecord, Record, RecordDice, RecordFault, RecordFormat, RecordReport, RecordedDice, RecordedGame,
};
pub use rollout::{RolledOutTurn, TurnRollout};
pub use rules::{Outcome, RulesAnswer, RulesQuestion};
pub use scope::Scope;
pub use seat::{BySeat, Seated};
pub use seek::{BlockList, CreateSeek, RatingRange, Seek, SeekList};
pub use service::{Health, Status};
pub use side::{PlayAs, SideName};
pub use snapshot::{
    BuildingView, ClocksView, MatchState, PlayerView, RematchView, ResultView, Snapshot, TaflView,
    TakebackOffer, ToPlay,
};
pub use statistics::{
    ClockPace, ClockTimes, CountOf, CountedGame, CountedResult, CountedThrow, GameStatistics, Lengths,
    Opening, PlayersKind, Share, SideTaken, SideThrows, SideTurns, SideWins, StatisticsList, StatisticsTable,
    TakenKind,
};
pub use talk::{Remark, Say, SetTalkSettings, Speech, Talk, TalkSettings, WhyNoText};
pub use text::{
    Base64Url, Cursor, DeviceName, EntryCode, Handle, IdempotencyKey, InvalidText, LanguageTag, Name,
    Notation, OneTimeCode, PasskeyName, Password, PreferenceName, PreferenceValue, PushAuth, PushEndpoint,
    RemarkText, ReportText, ScopeName, Token, TokenName, is_visible,
};
pub use tournament::{
    CreateTournament, EditTournament, EntryConditions, PairByHand, Seeding, TournamentDirection,
    TournamentEntry, TournamentFormat, WhoEnters,
};
pub use tournament_event::{
    EventBye, EventPairing, PairingEnd, TournamentEvent, TournamentEventKind, TournamentEvents,
    TournamentSettings, WhoExcluded,
};
pub use tournament_tables::{
    EntrantList, LuckRow, LuckTable, PairedEntrant, PairingList, PairingState, ShownEntrant, StandingRow,
    Standings, TieBreak, TournamentBracket, TournamentBye, TournamentPairing,
};
pub use tournament_view::{
    EntrantPresence, OfTournament, ShownConditions, Tournament, TournamentCard, TournamentCommandName,
    TournamentList, TournamentPhase, TournamentPlayer, WhyBye, WhyEnded, YouInTournament, YourBye,
    YourPairing,
};
pub use turn::{Building, Legal, LegalQuestion, PlayTurn, Reach};
pub use tv::{Tv, TvChannel};
pub use word::{meant, word};
pub use words::plainly;

/// Types shared with a match. The API calls a player a guest, and thirty-two public bytes a hash.
pub use lusoria_play::{
    Admission, ApiTokenId, Bytes32 as Hash, Clock, Level, MatchId, MatchStage, Pace, PasskeyId, Phrase,
    PlayerId as GuestId, PushSubscriptionId, RemarkId, ReportId, ReportReason, SanctionId, Seat,
    Seed as PlayerSeed, SeekId, SessionId, TakenStep, TalkRoom, Thought, TournamentId, UnratedReason,
};
/// Types shared with the rules.
pub use lusoria_rules::{Call, Die, Game, Mother, Options, Shift, Step, Throne};

/// The most steps of a turn, or a part of one, in a request. A triple can play twelve dice; a request with more is
/// refused with the reason.
pub const STEPS_MAX: usize = 16;
