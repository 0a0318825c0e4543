//! Rows on their way from a file to PostgreSQL.

/// A table of PostgreSQL that takes rows of a file, in an order in which a row comes after those that it
/// refers to. Counts of the games are not among them: they are counted again from the journals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Table {
    Guests,
    Tokens,
    DeviceCodes,
    Accounts,
    RecoveryCodes,
    Seeks,
    Blocks,
    Follows,
    Challenges,
    ChallengeSettings,
    SignUps,
    SignUpCodes,
    ApiTokens,
    Passkeys,
    Departures,
    Preferences,
    ServerKeys,
    PushSubscriptions,
    Matches,
    Journal,
    Deadlines,
    Secrets,
    Invitations,
    UsedKeys,
    Analyses,
    ConditionalTurns,
    Leavings,
    ModerationLog,
    EngineFlags,
    RatingChanges,
    Ratings,
    RatingsStale,
    Remarks,
    Reports,
    Sanctions,
    TalkSettings,
    TurnLosses,
    Outages,
}

impl Table {
    /// All tables.
    pub(crate) const ALL: [Self; 38] = [
        Self::Guests,
        Self::Tokens,
        Self::DeviceCodes,
        Self::Accounts,
        Self::RecoveryCodes,
        Self::Seeks,
        Self::Blocks,
        Self::Follows,
        Self::Challenges,
        Self::ChallengeSettings,
        Self::SignUps,
        Self::SignUpCodes,
        Self::ApiTokens,
        Self::Passkeys,
        Self::Departures,
        Self::Preferences,
        Self::ServerKeys,
        Self::PushSubscriptions,
        Self::Matches,
        Self::Journal,
        Self::Deadlines,
        Self::Secrets,
        Self::Invitations,
        Self::UsedKeys,
        Self::Analyses,
        Self::ConditionalTurns,
        Self::Remarks,
        Self::TalkSettings,
        Self::Reports,
        Self::Sanctions,
        Self::ModerationLog,
        Self::Leavings,
        Self::TurnLosses,
        Self::EngineFlags,
        Self::Ratings,
        Self::RatingChanges,
        Self::RatingsStale,
        Self::Outages,
    ];

    /// Its name in PostgreSQL.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Guests => "guests",
            Self::Tokens => "tokens",
            Self::DeviceCodes => "device_codes",
            Self::Accounts => "accounts",
            Self::RecoveryCodes => "recovery_codes",
            Self::Seeks => "seeks",
            Self::Blocks => "blocks",
            Self::Follows => "follows",
            Self::Challenges => "challenges",
            Self::ChallengeSettings => "challenge_settings",
            Self::SignUps => "sign_ups",
            Self::SignUpCodes => "sign_up_codes",
            Self::ApiTokens => "api_tokens",
            Self::Passkeys => "passkeys",
            Self::Departures => "departures",
            Self::Preferences => "preferences",
            Self::ServerKeys => "server_keys",
            Self::PushSubscriptions => "push_subscriptions",
            Self::Matches => "matches",
            Self::Journal => "journal",
            Self::Deadlines => "deadlines",
            Self::Secrets => "secrets",
            Self::Invitations => "invitations",
            Self::UsedKeys => "used_keys",
            Self::Analyses => "analyses",
            Self::ConditionalTurns => "conditional_turns",
            Self::Remarks => "remarks",
            Self::TalkSettings => "talk_settings",
            Self::Reports => "reports",
            Self::Sanctions => "sanctions",
            Self::ModerationLog => "moderation_log",
            Self::Leavings => "leavings",
            Self::TurnLosses => "turn_losses",
            Self::EngineFlags => "engine_flags",
            Self::Ratings => "ratings",
            Self::RatingChanges => "rating_changes",
            Self::RatingsStale => "ratings_stale",
            Self::Outages => "outages",
        }
    }

    /// The columns of its primary key.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Guests
            | Self::Matches
            | Self::Seeks
            | Self::Challenges
            | Self::SignUps
            | Self::Passkeys
            | Self::PushSubscriptions
            | Self::Remarks
            | Self::Reports
            | Self::Sanctions
            | Self::ModerationLog
            | Self::EngineFlags => "id",
            Self::Blocks => "guest, blocked",
            Self::Follows => "guest, followed",
            Self::Preferences => "guest, name",
            Self::Tokens | Self::RecoveryCodes | Self::SignUpCodes | Self::ApiTokens => "hash",
            Self::DeviceCodes
            | Self::Accounts
            | Self::ChallengeSettings
            | Self::Departures
            | Self::TalkSettings => "guest",
            Self::ServerKeys => "purpose",
            Self::Journal => "match, last",
            Self::Deadlines | Self::Secrets | Self::Invitations | Self::Analyses | Self::Leavings => "match",
            Self::UsedKeys => "guest, key",
            Self::ConditionalTurns => "match, guest",
            Self::Ratings => "guest, game, pace",
            Self::RatingChanges | Self::TurnLosses => "match, seat",
            Self::RatingsStale => "game, pace",
            Self::Outages => "ended_at, began_at",
        }
    }

    /// All its columns.
    pub(crate) const fn columns(self) -> &'static str {
        match self {
            Self::Guests => "id, name, kind, created_at, blocked_at",
            Self::Tokens => "hash, id, guest, created_at, origin, device, seen_at",
            Self::DeviceCodes => "guest, hash, expires_at",
            Self::Accounts => "guest, handle, skeleton, password, created_at",
            Self::RecoveryCodes => "hash, guest",
            Self::Seeks => "id, guest, terms, pace, seed_hash, created_at, expires_at, match",
            Self::Blocks => "guest, blocked, created_at",
            Self::Follows => "guest, followed, created_at",
            Self::Challenges => {
                "id, challenger, challenged, terms, pace, seed_hash, created_at, expires_at, state, reason"
            }
            Self::ChallengeSettings => "guest, taken, games",
            Self::SignUps => "id, policy",
            Self::SignUpCodes => "hash, expires_at",
            Self::ApiTokens => "hash, id, guest, name, scopes, created_at, expires_at, used_at",
            Self::Passkeys => {
                "id, guest, credential, cose_key, counter, is_backup_eligible, is_backed_up, name, created_at, used_at"
            }
            Self::Departures => "guest, adopter, since",
            Self::Preferences => "guest, name, value",
            Self::ServerKeys => "purpose, key",
            Self::PushSubscriptions => {
                "id, guest, session, api_token, endpoint, key, auth, language, created_at"
            }
            Self::Matches => {
                "id, game, state, listed, seat1, seat2, made_by, head, edition, updated_at, card"
            }
            Self::Journal => "match, first, last, at, events",
            Self::Deadlines => "match, at",
            Self::Secrets => "match, secret",
            Self::Invitations => "match, hash, expires_at",
            Self::UsedKeys => "guest, key, digest, match, first, at",
            Self::Analyses => "match, engine, body",
            Self::ConditionalTurns => "match, guest, turns",
            Self::Remarks => "id, match, room, guest, said_at, phrase, words",
            Self::TalkSettings => "guest, takes_text, has_childrens_mode",
            Self::Reports => "id, match, reporter, reported, reason, words, made_at, closed_at",
            Self::Sanctions => "id, guest, kind, imposed_at, until, words, read_at",
            Self::ModerationLog => "id, done_at, act, guest, match, report, until, note",
            Self::Leavings => "match, guest, left_at",
            Self::TurnLosses => "match, seat, guest, game, pace, ended_at, points, turns, lost, judge",
            Self::EngineFlags => {
                "id, guest, game, pace, raised_at, points, matches, turns, lost, expected, closed_at"
            }
            Self::Ratings => {
                "guest, game, pace, version, number, matches, points, deviation, volatility, ended_at, better_sides"
            }
            Self::RatingChanges => {
                "match, seat, guest, opponent, game, pace, number, at, constants, points_before, deviation_before, \
                 volatility_before, points, deviation, volatility, taken_back_at"
            }
            Self::RatingsStale => "game, pace",
            Self::Outages => "began_at, ended_at",
        }
    }
}

/// Rows of a table, each as a JSON object of its columns.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) table: Table,
    pub(crate) rows: Vec<String>,
}
