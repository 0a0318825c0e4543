//! What each operation requires of its caller. The check over HTTP and over the socket, the `security` of
//! each operation in the OpenAPI document, and docs/scopes.md are all derived from this table.
//!
//! No scope covers passwords, sessions, codes or API tokens: a leaked token cannot create others. Permission
//! to play includes permission to read, because a player who gets no news of their match counts as gone.

use lusoria_protocol::{Code, Problem, Scope};

use crate::app::{
    Caller,
    people::api_tokens::{is_for, names},
    problem,
};

/// What an operation requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing. A token changes nothing.
    Anyone,
    /// Nothing. Callers with one of these scopes see their own data too.
    Viewer(&'static [Scope]),
    /// Any token.
    Token,
    /// The token of a session, or an API token with one of these scopes.
    Scope(&'static [Scope]),
    /// The token of a session. API tokens are refused.
    Session,
}

/// Scopes that may read a person's own matches. Those that may play include it.
const READ: &[Scope] = &[Scope::MatchRead, Scope::MatchPlay, Scope::BotPlay];

/// Scopes that may play. An account can have tokens with only one of the two.
const PLAY: &[Scope] = &[Scope::MatchPlay, Scope::BotPlay];

/// Scopes that may seek an opponent.
const SEEK: &[Scope] = &[Scope::SeekWrite];

/// Scopes that may read talk as a participant.
const HEAR: &[Scope] = &[Scope::MatchRead, Scope::MatchPlay, Scope::BotPlay, Scope::TalkWrite];

/// Scopes that may organise, enter and direct tournaments.
const DIRECT: &[Scope] = &[Scope::TournamentWrite];

/// Scopes that may manage push subscriptions.
const NOTIFY: &[Scope] = &[Scope::NotifyWrite];

macro_rules! operations {
    ($($name:ident $needs:expr,)+) => {
        /// An operation of the API.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each is described at its handler")]
        pub enum Operation {
            $($name,)+
        }

        impl Operation {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// What it requires of its caller.
            pub const fn needs(self) -> Access {
                match self {
                    $(Self::$name => $needs,)+
                }
            }
        }
    };
}

operations! {
    // --- what is public ---
    CreateGuest Access::Anyone,
    SpendDeviceCode Access::Anyone,
    SignIn Access::Anyone,
    Recover Access::Anyone,
    SignInChallenge Access::Anyone,
    SignInWithPasskey Access::Anyone,
    Games Access::Anyone,
    Game Access::Anyone,
    Statistics Access::Anyone,
    GameStatistics Access::Anyone,
    GameCounts Access::Anyone,
    Tv Access::Anyone,
    Rules Access::Anyone,
    EvaluatePosition Access::Anyone,
    Matches Access::Anyone,
    LobbyEvents Access::Anyone,
    LookInvitation Access::Anyone,
    Record Access::Anyone,
    Judge Access::Anyone,
    Analysis Access::Anyone,
    Evaluate Access::Anyone,
    Rollout Access::Anyone,
    Players Access::Anyone,
    Player Access::Anyone,
    Against Access::Anyone,
    RatingCurve Access::Anyone,
    Leaderboard Access::Anyone,
    PlayerMatches Access::Viewer(READ),
    PlayerRecords Access::Viewer(READ),
    Snapshot Access::Viewer(READ),
    Events Access::Viewer(READ),
    Legal Access::Viewer(READ),

    PushServerKey Access::Anyone,

    // --- the caller ---
    Me Access::Token,
    RevokeToken Access::Token,
    Token Access::Token,
    Account Access::Scope(&[Scope::AccountRead]),
    Rename Access::Session,
    OpenAccount Access::Session,
    DeclareBot Access::Session,
    Preferences Access::Session,
    ChangePreferences Access::Session,
    ApiTokens Access::Session,
    CreateApiToken Access::Session,
    RevokeApiToken Access::Session,
    EraseAccount Access::Session,
    EraseGuest Access::Session,
    Adopt Access::Session,
    Archive Access::Session,
    ChangePassword Access::Session,
    RemovePassword Access::Session,
    ReplaceRecoveryCodes Access::Session,
    PasskeyChallenge Access::Session,
    Passkeys Access::Session,
    AddPasskey Access::Session,
    RenamePasskey Access::Session,
    RemovePasskey Access::Session,
    MakeDeviceCode Access::Session,
    Sessions Access::Session,
    RevokeSession Access::Session,
    RevokeOtherSessions Access::Session,

    // --- other people ---
    CreateSeek Access::Scope(SEEK),
    Seeks Access::Scope(SEEK),
    WaitingSeeks Access::Viewer(SEEK),
    WithdrawSeek Access::Scope(SEEK),
    CreateChallenge Access::Scope(&[Scope::ChallengeWrite]),
    Challenges Access::Scope(&[Scope::ChallengeRead, Scope::ChallengeWrite]),
    AcceptChallenge Access::Scope(&[Scope::ChallengeWrite]),
    DeclineChallenge Access::Scope(&[Scope::ChallengeWrite]),
    WithdrawChallenge Access::Scope(&[Scope::ChallengeWrite]),
    ChallengeSettings Access::Scope(&[Scope::ChallengeRead, Scope::ChallengeWrite, Scope::PreferenceWrite]),
    SetChallengeSettings Access::Scope(&[Scope::PreferenceWrite]),
    Follows Access::Scope(&[Scope::FollowRead, Scope::FollowWrite]),
    Follow Access::Scope(&[Scope::FollowWrite]),
    Unfollow Access::Scope(&[Scope::FollowWrite]),
    Blocks Access::Scope(&[Scope::FollowRead, Scope::FollowWrite]),
    Block Access::Scope(&[Scope::FollowWrite]),
    Unblock Access::Scope(&[Scope::FollowWrite]),

    // --- tournaments ---
    Tournaments Access::Anyone,
    Entrants Access::Anyone,
    Standings Access::Anyone,
    Pairings Access::Anyone,
    TournamentEvents Access::Anyone,
    TournamentRecords Access::Viewer(DIRECT),
    TournamentLuck Access::Anyone,
    TournamentCalendar Access::Anyone,
    PlayerCalendar Access::Viewer(DIRECT),
    Tournament Access::Viewer(DIRECT),
    PlayerTournaments Access::Viewer(DIRECT),
    CreateTournament Access::Scope(DIRECT),
    EditTournament Access::Scope(DIRECT),
    EnterTournament Access::Scope(DIRECT),
    DirectTournament Access::Scope(DIRECT),

    // --- talk and conduct ---
    Talk Access::Viewer(HEAR),
    Say Access::Scope(&[Scope::TalkWrite]),
    TalkSettings Access::Scope(&[Scope::AccountRead, Scope::TalkWrite]),
    SetTalkSettings Access::Session,
    CreateReport Access::Scope(&[Scope::ReportWrite]),
    Standing Access::Scope(&[Scope::AccountRead]),
    ReadWarnings Access::Session,

    // --- push messages ---
    PushSubscriptions Access::Scope(NOTIFY),
    PutPushSubscription Access::Scope(NOTIFY),
    RemovePushSubscription Access::Scope(NOTIFY),

    // --- your matches ---
    MyMatches Access::Scope(READ),
    MyRecords Access::Scope(READ),
    MyEvents Access::Scope(READ),
    CreateMatch Access::Scope(PLAY),
    Join Access::Scope(PLAY),
    RevealSeed Access::Scope(PLAY),
    SpendInvitation Access::Scope(PLAY),
    Invite Access::Scope(PLAY),
    WithdrawInvitation Access::Scope(PLAY),
    Hint Access::Scope(PLAY),
    ConditionalTurns Access::Scope(PLAY),
    SetConditionalTurns Access::Scope(PLAY),
    PlayTurn Access::Scope(PLAY),
    Building Access::Scope(PLAY),
    Takeback Access::Scope(PLAY),
    Resign Access::Scope(PLAY),
    Abort Access::Scope(PLAY),
    Claim Access::Scope(PLAY),
    Draw Access::Scope(PLAY),
    Rematch Access::Scope(PLAY),
}

impl Operation {
    /// Whether a banned guest may still call it. They may resign or withdraw what they have, read everything,
    /// and change their own settings.
    const fn is_for_the_banned(self) -> bool {
        !matches!(
            self,
            Self::Say
                | Self::CreateReport
                | Self::CreateSeek
                | Self::CreateChallenge
                | Self::AcceptChallenge
                | Self::CreateTournament
                | Self::EditTournament
                | Self::DirectTournament
                | Self::CreateMatch
                | Self::Join
                | Self::RevealSeed
                | Self::SpendInvitation
                | Self::Invite
                | Self::Hint
                | Self::SetConditionalTurns
                | Self::PlayTurn
                | Self::Building
                | Self::Takeback
                | Self::Claim
                | Self::Draw
                | Self::Rematch
        )
    }

    /// Whether its response is the same for every caller.
    pub const fn ignores_callers(self) -> bool {
        matches!(self.needs(), Access::Anyone)
    }

    /// Checks whether the caller may call it. Returns the caller, or none if the operation ignores callers.
    ///
    /// # Errors
    /// `unauthorized` without a token where one is needed; `missing_scope` or `session_required` if an API
    /// token is not enough; `banned`.
    pub fn permit(self, caller: Option<&Caller>) -> Result<Option<&Caller>, Problem> {
        match (self.needs(), caller) {
            (Access::Anyone, _) | (Access::Viewer(_), None) => Ok(None),
            (Access::Viewer(scopes), Some(caller)) => Ok(Some(caller).filter(|caller| caller.may(scopes))),
            (Access::Token | Access::Scope(_) | Access::Session, None) => Err(problem::unauthorized()),
            (Access::Token, Some(caller)) => Ok(Some(caller)),
            (Access::Scope(scopes), Some(caller)) if caller.may(scopes) => match caller.ban() {
                Some(ban) if !self.is_for_the_banned() => Err(problem::banned(ban)),
                Some(_) | None => Ok(Some(caller)),
            },
            (Access::Scope(scopes), Some(caller)) => Err(missing_scope(caller, scopes)),
            (Access::Session, Some(caller)) => caller.session().map(|_| Some(caller)),
        }
    }
}

/// The problem for an API token that has none of these scopes. Names those of them that the account could
/// have.
fn missing_scope(caller: &Caller, scopes: &[Scope]) -> Problem {
    let scopes: Vec<Scope> = scopes.iter().copied().filter(|scope| is_for(*scope, caller.kind())).collect();
    let told = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ");
    let detail = format!("this needs an API token with the scope {told}, or the token of a session");
    Problem { scopes: Some(names(&scopes)), ..Problem::new(Code::MissingScope, detail) }
}
