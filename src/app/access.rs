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

/// Scopes that may manage push subscriptions.
const NOTIFY: &[Scope] = &[Scope::NotifyWrite];

macro_rules! operations {
    ($($name:ident $id:literal $needs:expr,)+) => {
        /// An operation of the API.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is described at its handler")]
        pub enum Operation {
            $($name,)+
        }

        impl Operation {
            /// The operation with this id in the OpenAPI document.
            pub fn of_id(id: &str) -> Option<Self> {
                match id {
                    $($id => Some(Self::$name),)+
                    _ => None,
                }
            }

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
    CreateGuest "create_guest" Access::Anyone,
    SpendDeviceCode "spend_device_code" Access::Anyone,
    SignIn "sign_in" Access::Anyone,
    Recover "recover" Access::Anyone,
    SignInChallenge "sign_in_challenge" Access::Anyone,
    SignInWithPasskey "sign_in_with_passkey" Access::Anyone,
    Games "games" Access::Anyone,
    Game "game" Access::Anyone,
    Statistics "statistics" Access::Anyone,
    GameStatistics "game_statistics" Access::Anyone,
    GameCounts "game_counts" Access::Anyone,
    Tv "tv" Access::Anyone,
    Rules "rules" Access::Anyone,
    Matches "matches" Access::Anyone,
    LobbyEvents "lobby_events" Access::Anyone,
    LookInvitation "look" Access::Anyone,
    Record "record" Access::Anyone,
    Judge "judge" Access::Anyone,
    Analysis "analysis" Access::Anyone,
    Evaluate "evaluate" Access::Anyone,
    Rollout "rollout" Access::Anyone,
    Players "players" Access::Anyone,
    Player "player" Access::Anyone,
    Against "against" Access::Anyone,
    RatingCurve "rating_curve" Access::Anyone,
    Leaderboard "leaderboard" Access::Anyone,
    PlayerMatches "player_matches" Access::Viewer(READ),
    PlayerRecords "player_records" Access::Viewer(READ),
    Snapshot "snapshot" Access::Viewer(READ),
    Events "events" Access::Viewer(READ),
    Legal "legal" Access::Viewer(READ),

    PushServerKey "push_server_key" Access::Anyone,

    // --- the caller ---
    Me "me" Access::Token,
    RevokeToken "revoke_token" Access::Token,
    Token "token" Access::Token,
    Account "account" Access::Scope(&[Scope::AccountRead]),
    Rename "rename" Access::Session,
    OpenAccount "open_account" Access::Session,
    DeclareBot "declare_bot" Access::Session,
    Preferences "preferences" Access::Session,
    ChangePreferences "change_preferences" Access::Session,
    ApiTokens "api_tokens" Access::Session,
    CreateApiToken "create_api_token" Access::Session,
    RevokeApiToken "revoke_api_token" Access::Session,
    EraseAccount "erase_account" Access::Session,
    EraseGuest "erase_guest" Access::Session,
    Adopt "adopt" Access::Session,
    Archive "archive" Access::Session,
    ChangePassword "change_password" Access::Session,
    RemovePassword "remove_password" Access::Session,
    ReplaceRecoveryCodes "replace_recovery_codes" Access::Session,
    PasskeyChallenge "passkey_challenge" Access::Session,
    Passkeys "passkeys" Access::Session,
    AddPasskey "add_passkey" Access::Session,
    RenamePasskey "rename_passkey" Access::Session,
    RemovePasskey "remove_passkey" Access::Session,
    MakeDeviceCode "make_device_code" Access::Session,
    Sessions "sessions" Access::Session,
    RevokeSession "revoke_session" Access::Session,
    RevokeOtherSessions "revoke_other_sessions" Access::Session,

    // --- other people ---
    CreateSeek "create_seek" Access::Scope(SEEK),
    Seeks "seeks" Access::Scope(SEEK),
    WaitingSeeks "waiting_seeks" Access::Viewer(SEEK),
    WithdrawSeek "withdraw_seek" Access::Scope(SEEK),
    CreateChallenge "create_challenge" Access::Scope(&[Scope::ChallengeWrite]),
    Challenges "challenges" Access::Scope(&[Scope::ChallengeRead, Scope::ChallengeWrite]),
    AcceptChallenge "accept_challenge" Access::Scope(&[Scope::ChallengeWrite]),
    DeclineChallenge "decline_challenge" Access::Scope(&[Scope::ChallengeWrite]),
    WithdrawChallenge "withdraw_challenge" Access::Scope(&[Scope::ChallengeWrite]),
    ChallengeSettings "challenge_settings" Access::Scope(&[Scope::ChallengeRead, Scope::ChallengeWrite, Scope::PreferenceWrite]),
    SetChallengeSettings "set_challenge_settings" Access::Scope(&[Scope::PreferenceWrite]),
    Follows "follows" Access::Scope(&[Scope::FollowRead, Scope::FollowWrite]),
    Follow "follow" Access::Scope(&[Scope::FollowWrite]),
    Unfollow "unfollow" Access::Scope(&[Scope::FollowWrite]),
    Blocks "blocks" Access::Scope(&[Scope::FollowRead, Scope::FollowWrite]),
    Block "block" Access::Scope(&[Scope::FollowWrite]),
    Unblock "unblock" Access::Scope(&[Scope::FollowWrite]),

    // --- talk and conduct ---
    Talk "talk" Access::Viewer(HEAR),
    Say "say" Access::Scope(&[Scope::TalkWrite]),
    TalkSettings "talk_settings" Access::Scope(&[Scope::AccountRead, Scope::TalkWrite]),
    SetTalkSettings "set_talk_settings" Access::Session,
    CreateReport "create_report" Access::Scope(&[Scope::ReportWrite]),
    Standing "standing" Access::Scope(&[Scope::AccountRead]),
    ReadWarnings "read_warnings" Access::Session,

    // --- push messages ---
    PushSubscriptions "push_subscriptions" Access::Scope(NOTIFY),
    PutPushSubscription "put_push_subscription" Access::Scope(NOTIFY),
    RemovePushSubscription "remove_push_subscription" Access::Scope(NOTIFY),

    // --- your matches ---
    MyMatches "my_matches" Access::Scope(READ),
    MyRecords "my_records" Access::Scope(READ),
    MyEvents "my_events" Access::Scope(READ),
    CreateMatch "create_match" Access::Scope(PLAY),
    Join "join" Access::Scope(PLAY),
    RevealSeed "reveal_seed" Access::Scope(PLAY),
    SpendInvitation "spend" Access::Scope(PLAY),
    Invite "invite" Access::Scope(PLAY),
    WithdrawInvitation "withdraw" Access::Scope(PLAY),
    Hint "hint" Access::Scope(PLAY),
    ConditionalTurns "conditional_turns" Access::Scope(PLAY),
    SetConditionalTurns "set_conditional_turns" Access::Scope(PLAY),
    PlayTurn "play_turn" Access::Scope(PLAY),
    Building "building" Access::Scope(PLAY),
    Takeback "takeback" Access::Scope(PLAY),
    Resign "resign" Access::Scope(PLAY),
    Abort "abort" Access::Scope(PLAY),
    Claim "claim" Access::Scope(PLAY),
    Draw "draw" Access::Scope(PLAY),
    Rematch "rematch" Access::Scope(PLAY),
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
