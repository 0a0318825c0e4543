//! Converts every layer's errors into problem details. This is the only place, and it is exhaustive.
//!
//! Refusals of the rules or a match keep their own words. Internal errors go to the log; the client only
//! learns that the request failed and whether to try again.

use lusoria_play::Refusal;
use lusoria_protocol::{Code, Problem, Reason};
use lusoria_rules::{DiceError, Illegal, NotationError, SetupError};

use crate::{
    app::limits::rate_limiters::RateLimited,
    live::{CommandError, WAITING_OF_GUEST_MAX},
};
use lusoria_store::{Ban, PasskeyId, PushSubscriptionId, Sanction, SanctionKind, StoreError};

/// How long to wait before trying again when the server is busy, in seconds.
const BUSY_RETRY_S: u64 = 1;
/// How long to wait until there may be free space on the disk, in seconds.
const FULL_RETRY_S: u64 = 5;
/// How long to wait until a match of the computer against itself may have ended, in seconds.
const WATCHED_RETRY_S: u64 = 60;
/// How long to wait for a server that restarts, in seconds.
const RESTART_RETRY_S: u64 = 2;

/// The problem for a command that `live` did not carry out.
pub(super) fn command(error: CommandError) -> Problem {
    match error {
        CommandError::NoSuchMatch => Code::NoSuchMatch.into(),
        CommandError::Refused(why) => refusal(&why),
        CommandError::Terms(why) => lusoria_wire::out_of_range(&why),
        CommandError::QueueFull => {
            Problem::new(Code::Unavailable, "too many commands are waiting for this match")
                .with_limit(WAITING_OF_GUEST_MAX as u64)
                .with_retry_after_s(BUSY_RETRY_S)
        }
        // The caller looks up the earlier use of the key; what arrives here had no key.
        CommandError::KeyUsed => key_reused(),
        // A deleted caller is refused by their token, so this is about the opponent.
        CommandError::GuestGone(_) => opponent_gone(),
        CommandError::InvitationGone => unknown_code(),
        // The pairing tries another one; a guest who accepts a challenge is told its state.
        CommandError::SeekGone | CommandError::ChallengeGone => unavailable(),
        CommandError::Store(why) => store(why),
        CommandError::Stopping => stopping(),
    }
}

/// The problem for a match's refusal.
pub(super) fn refusal(why: &Refusal) -> Problem {
    let code = match why {
        Refusal::NotAPlayer => Code::NotAPlayer,
        Refusal::Full => Code::Full,
        Refusal::OwnMatch => Code::OwnMatch,
        Refusal::Over => Code::MatchOver,
        Refusal::NotOver => Code::MatchNotOver,
        Refusal::NotPlaying { waiting_for_seed: true } => Code::SeedNotRevealed,
        Refusal::NotPlaying { waiting_for_seed: false } => Code::NotPlaying,
        Refusal::NoSeedToReveal => Code::NoSeedToReveal,
        Refusal::SeedMismatch => Code::SeedMismatch,
        Refusal::NotYourTurn { .. } => Code::NotYourTurn,
        Refusal::WrongSeq { .. } => Code::WrongSeq,
        Refusal::AlreadyAnswered { .. } => Code::AlreadyAnswered,
        Refusal::Illegal { .. } => Code::IllegalStep,
        Refusal::Incomplete { .. } => Code::TurnIncomplete,
        Refusal::AlreadyOffered => Code::AlreadyOffered,
        Refusal::NoOffer => Code::NoOffer,
        Refusal::NoTakebacks => Code::NoTakebacks,
        Refusal::NothingToTakeBack => Code::NothingToTakeBack,
        Refusal::NotLastTurn { .. } => Code::NotLastTurn,
        Refusal::TooManyTakebacks => Code::TooManyTakebacks,
        Refusal::TooLateToAbort => Code::TooLateToAbort,
        Refusal::HasClock => Code::HasClock,
        Refusal::OwnTurn => Code::OwnTurn,
        Refusal::NotGone { .. } => Code::NotGone,
        Refusal::RematchOffered => Code::RematchOffered,
        Refusal::RematchMade => Code::RematchMade,
        Refusal::NoRematch => Code::NoRematch,
        Refusal::NoRating => Code::NoRating,
        Refusal::RatingTakenBack => Code::RatingTakenBack,
        Refusal::TimeOver { .. } => Code::TimeOver,
    };
    let problem = Problem::new(code, why.to_string());
    match why {
        Refusal::Illegal { index, why } => illegal_step(*index, why),
        Refusal::WrongSeq { expected, .. } => Problem { expected_seq: Some(*expected), ..problem },
        Refusal::NotLastTurn { last, .. } => Problem { expected_seq: Some(*last), ..problem },
        Refusal::NotGone { gone_ms, needed_ms } => {
            problem.with_retry_after_s(needed_ms.saturating_sub(*gone_ms).div_ceil(1_000))
        }
        _ => problem,
    }
}

/// Lines of conditional turns are for games without dice.
pub(super) fn no_lines() -> Problem {
    Problem::new(Code::NoConditionalTurns, "lines are for games without dice; `forced` is for all")
}

/// There are more lines than can be stored.
pub(super) fn too_many_lines() -> Problem {
    let limit = lusoria_play::ConditionalTurns::LINES_MAX;
    Problem::new(Code::InvalidBody, format!("lines: at most {limit}")).with_limit(limit as u64)
}

/// A line has an error; `number` counts from 0.
pub(super) fn in_line(number: usize, problem: Problem) -> Problem {
    Problem { detail: format!("lines[{number}]: {}", problem.detail), ..problem }
}

/// A step is not legal; `index` counts from 0.
pub(super) fn illegal_step(index: usize, why: &Illegal) -> Problem {
    Problem {
        step: u32::try_from(index).ok(),
        reason: Some(reason(why)),
        ..Problem::new(Code::IllegalStep, format!("step {}: {why}", index + 1))
    }
}

fn reason(why: &Illegal) -> Reason {
    let params = why.params().into_iter().map(|(name, value)| (name.to_owned(), value));
    Reason { code: why.code().to_owned(), params: params.collect() }
}

/// The problem for an error of the store.
#[expect(clippy::needless_pass_by_value, reason = "it is used as a function of map_err")]
pub(super) fn store(why: StoreError) -> Problem {
    match &why {
        StoreError::Busy(_) => {
            tracing::warn!(%why, "the store is busy");
            unavailable()
        }
        StoreError::Closed => stopping(),
        StoreError::Full(_) => {
            // The store logged it once, when it began.
            tracing::debug!(%why, "the store is full");
            full()
        }
        StoreError::Unknown(_) => {
            tracing::error!(%why, "commit with unknown outcome");
            let detail = "it is unknown whether this was done: check before you try again";
            Problem::new(Code::Unavailable, detail).with_retry_after_s(BUSY_RETRY_S)
        }
        StoreError::Corrupt(_) | StoreError::Failed(_) => {
            tracing::error!(%why, "the store failed");
            internal()
        }
    }
}

/// Notes a refusal in the log and the metrics before it is told, and marks it with the id of its request.
pub(crate) fn refused(problem: Problem, request_id: Option<String>) -> Problem {
    let code = problem.code.as_str();
    metrics::counter!("lusoria_refusals_total", "code" => code).increment(1);
    let id = request_id.as_deref();
    if problem.status >= 500 {
        tracing::warn!(request_id = id, code, "refused");
    } else {
        tracing::debug!(request_id = id, code, "refused");
    }
    Problem { request_id, ..problem }
}

/// An internal error; the log has the details.
pub(crate) fn internal() -> Problem {
    Problem::new(Code::Internal, "internal server error; it has been logged")
}

/// The server cannot do this now.
pub(crate) fn unavailable() -> Problem {
    Problem::new(Code::Unavailable, "nothing has been changed; try again").with_retry_after_s(BUSY_RETRY_S)
}

/// The disk is full.
pub(super) fn full() -> Problem {
    let detail = "the server's disk is full: nothing has been changed; try again later";
    Problem::new(Code::Unavailable, detail).with_retry_after_s(FULL_RETRY_S)
}

/// Checks that the client has not read events that do not exist, from another history.
///
/// # Errors
/// `ahead_of_journal` if `since` lies beyond the head.
pub(crate) fn within_head(since: u32, head: u32) -> Result<(), Problem> {
    if since <= head {
        return Ok(());
    }
    let detail = format!("{since} is beyond the last event, {head}; discard the match and read it again");
    Err(Problem::new(Code::AheadOfJournal, detail))
}

/// Too many repeats wait for the response to the same request.
pub(super) fn too_many_again(limit: usize) -> Problem {
    Problem::new(Code::Unavailable, "too many repeats of this request are waiting for its response")
        .with_limit(limit as u64)
        .with_retry_after_s(BUSY_RETRY_S)
}

/// The response took too long.
pub(crate) fn too_slow() -> Problem {
    let detail =
        "the response took too long; the request may have been carried out: check before you try again";
    Problem::new(Code::Unavailable, detail).with_retry_after_s(BUSY_RETRY_S)
}

/// The server is stopping.
pub(crate) fn stopping() -> Problem {
    Problem::new(Code::Stopping, "nothing has been changed; connect again")
        .with_retry_after_s(RESTART_RETRY_S)
}

/// A guest has created too many unfinished matches.
pub(super) fn too_many_matches(limit: u32) -> Problem {
    let detail = format!("a guest can have created at most {limit} unfinished matches: abort some");
    Problem::new(Code::TooManyMatches, detail).with_limit(limit.into())
}

/// The computer already plays as many matches with a guest as it may.
pub(super) fn too_many_with_computer(limit: u32) -> Problem {
    let detail =
        format!("the computer plays at most {limit} matches at a time with a guest: end some of yours");
    Problem::new(Code::TooManyMatches, detail).with_limit(limit.into())
}

/// The computer already plays as many matches against itself as it may.
pub(super) fn too_many_against_itself(limit: u32) -> Problem {
    let detail =
        format!("the computer plays at most {limit} matches at a time against itself: come back later");
    Problem::new(Code::Unavailable, detail).with_limit(limit.into()).with_retry_after_s(WATCHED_RETRY_S)
}

/// A client asks too often.
impl From<RateLimited> for Problem {
    fn from(RateLimited { retry_after }: RateLimited) -> Self {
        too_often(Code::TooManyRequests, retry_after)
    }
}

/// Too many new guests come from one address.
pub(super) fn too_many_guests(RateLimited { retry_after }: RateLimited) -> Problem {
    too_often(Code::TooManyGuests, retry_after)
}

/// There were too many wrong passwords.
pub(super) fn too_many_attempts(retry_after_ms: u64) -> Problem {
    too_often(Code::TooManyAttempts, std::time::Duration::from_millis(retry_after_ms))
}

fn too_often(code: Code, retry_after: std::time::Duration) -> Problem {
    let retry_after_s = retry_after.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX).max(1);
    Problem::new(code, format!("try again in {retry_after_s} s")).with_retry_after_s(retry_after_s)
}

/// The steps of turns being built were shown too often in a match.
pub(super) fn shown_too_often() -> Problem {
    let detail = "this match has shown too many turns being built in this second; show only the latest";
    Problem::new(Code::TooManyRequests, detail).with_retry_after_s(1)
}

/// There is no token where one is needed.
pub(crate) fn unauthorized() -> Problem {
    Problem::new(
        Code::Unauthorized,
        "send a guest's token as \"Authorization: Bearer TOKEN\"; POST /api/v1/guests creates one",
    )
}

/// An unknown token.
pub(crate) fn unknown_token() -> Problem {
    Problem::new(Code::UnknownToken, "this token is not known; perhaps it was revoked")
}

/// An expired API token.
pub(super) fn token_expired() -> Problem {
    Problem::new(Code::TokenExpired, "this API token has expired; its owner can make another one")
}

/// An API token is used for an operation that needs a session.
pub(super) fn session_required() -> Problem {
    Problem::new(Code::SessionRequired, "this needs the token of a session: no API token may do it")
}

/// The operator has banned the caller.
pub(super) fn banned(ban: &Ban) -> Problem {
    imposed(Code::Banned, ban.until, ban.words.as_deref())
}

/// The operator has muted or banned the caller.
pub(super) fn sanctioned(sanction: &Sanction) -> Problem {
    let code = match sanction.kind {
        SanctionKind::Ban => Code::Banned,
        // A warning is never the reason of a refusal.
        SanctionKind::Mute | SanctionKind::Warning => Code::Muted,
    };
    imposed(code, sanction.until, sanction.words.as_deref())
}

fn imposed(code: Code, until: Option<u64>, words: Option<&str>) -> Problem {
    let problem = match words {
        Some(words) => Problem::new(code, words),
        None => Problem::from(code),
    };
    problem.with_until(until)
}

/// An account has as many API tokens as it can.
pub(super) fn too_many_tokens(limit: u32) -> Problem {
    let detail = format!("an account can have at most {limit} API tokens: revoke some");
    Problem::new(Code::TooManyTokens, detail).with_limit(limit.into())
}

/// An account has as many passkeys as it can have.
pub(super) fn too_many_passkeys(limit: u32) -> Problem {
    let detail = format!("an account can have at most {limit} passkeys: remove some");
    Problem::new(Code::TooManyPasskeys, detail).with_limit(limit.into())
}

/// The account has no passkey with that id.
pub(super) fn no_such_passkey(id: PasskeyId) -> Problem {
    Problem::new(Code::NoSuchPasskey, format!("you have no passkey {id}"))
}

/// Browsers allow no passkeys at this server's address, or the server does not know its address.
pub(super) fn no_passkeys() -> Problem {
    let detail =
        "passkeys need a server whose operator has set --public-url to an address with HTTPS and a domain";
    Problem::new(Code::NoPasskeys, detail)
}

/// A passkey was used elsewhere or removed while its answer was checked.
pub(super) fn passkey_used() -> Problem {
    Problem::new(Code::WrongPasskey, "the passkey was used or removed meanwhile; try again")
}

/// A browser's answer with a passkey is refused.
pub(super) fn passkey(why: lusoria_passkey::Error) -> Problem {
    use lusoria_passkey::Error;
    let code = match why {
        Error::WrongOrigin | Error::CrossOrigin => Code::WrongOrigin,
        Error::Malformed
        | Error::WrongType
        | Error::WrongChallenge
        | Error::WrongRelyingParty
        | Error::UserAbsent
        | Error::UserUnverified
        | Error::WrongBackup
        | Error::UnsupportedAlgorithm
        | Error::UnsupportedAttestation
        | Error::WrongCredential
        | Error::WrongUserHandle
        | Error::WrongSignature
        | Error::Cloned => Code::WrongPasskey,
    };
    Problem::new(code, why.to_string())
}

/// The operator has not set the server's address, or has turned push messages off.
pub(super) fn no_push() -> Problem {
    let detail = "push messages need a server whose operator has set --public-url, and not --push off";
    Problem::new(Code::NoPush, detail)
}

/// A guest has no push subscription with that id.
pub(super) fn no_such_push_subscription(id: PushSubscriptionId) -> Problem {
    Problem::new(Code::NoSuchPushSubscription, format!("you have no push subscription {id}"))
}

/// Exactly one proof is needed, a password or a passkey; none or both were given.
pub(super) fn password_or_passkey() -> Problem {
    Problem::new(Code::InvalidBody, "the body needs one of `password` and `passkey`")
}

/// Erasing an account needs a proof besides the session.
pub(super) fn erase_with_proof() -> Problem {
    let detail =
        "you have an account: erase it with DELETE /api/v1/me/account, which takes its password or a passkey";
    Problem::new(Code::HasAccount, detail)
}

/// An account needs a way to sign in.
pub(super) fn way_in_required() -> Problem {
    Problem::new(Code::InvalidBody, "the body needs `password`, `passkey` or both")
}

/// The last way to sign in cannot be removed.
pub(super) fn last_way_in() -> Problem {
    let detail = "you could not sign in any more: set a password or add a passkey first";
    Problem::new(Code::LastWayIn, detail)
}

/// A password that attackers try first.
pub(super) fn common_password() -> Problem {
    let detail = "this password is among the first that attackers try; choose a few unrelated words";
    Problem::new(Code::CommonPassword, detail)
}

/// An account that has played can no longer become a bot.
pub(super) fn has_played() -> Problem {
    Problem::new(
        Code::HasPlayed,
        "only an account without any match can be declared a bot's; make another one",
    )
}

/// A code that was spent, withdrawn, has expired or never existed; the response does not say which.
pub(super) fn unknown_code() -> Problem {
    Problem::new(Code::UnknownCode, "this code is used up, withdrawn, expired or unknown")
}

/// The match can only be joined with its invitation.
pub(super) fn by_invitation_only() -> Problem {
    Problem::new(Code::ByInvitationOnly, "this match can only be joined with its invitation")
}

/// The caller has no seat in the match.
pub(super) fn not_a_player() -> Problem {
    refusal(&Refusal::NotAPlayer)
}

/// The player who offered the rematch is blocked or deleted.
pub(super) fn opponent_gone() -> Problem {
    Problem::new(Code::NoRematch, "the player who offered this rematch may no longer play")
}

/// The match does not wait for an invited player.
pub(super) fn not_inviting() -> Problem {
    Problem::new(
        Code::NotInviting,
        "only an open match that was created for an invited player can have an invitation",
    )
}

/// The idempotency key belongs to another request.
pub(super) fn key_reused() -> Problem {
    Problem::new(Code::KeyReused, "this key was used for another request; take a new one for each")
}

/// Hints are not allowed here.
pub(super) fn no_hints() -> Problem {
    Problem::new(
        Code::NoHints,
        "hints are available on your own turn, against the computer or when you play both sides",
    )
}

/// A position that is impossible.
pub(super) fn impossible_position(why: &SetupError) -> Problem {
    let params = why.side().map(|side| ("side".to_owned(), side.to_lowercase()));
    let reason = Reason { code: why.code().to_owned(), params: params.into_iter().collect() };
    Problem { reason: Some(reason), ..Problem::new(Code::ImpossiblePosition, why.to_string()) }
}

/// Dice that do not fit the game.
pub(super) fn wrong_dice(why: &DiceError) -> Problem {
    Problem::new(Code::WrongDice, why.to_string())
}

/// A text that is not a legal turn of the position.
pub(super) fn bad_notation(why: &NotationError) -> Problem {
    Problem::new(Code::BadNotation, why.to_string())
}

#[cfg(test)]
mod tests {
    use lusoria_play::Seat;
    use lusoria_rules::{Game, Position, Side, Step, Variant};

    use super::*;

    fn refusals() -> Vec<Refusal> {
        let step = Step { die: None, from: "e8".to_owned(), to: "e9".to_owned() };
        let mut turn = Position::start(Variant::standard(Game::Tablut)).turn(&[]).unwrap();
        vec![
            Refusal::NotAPlayer,
            Refusal::Full,
            Refusal::OwnMatch,
            Refusal::Over,
            Refusal::NotOver,
            Refusal::NotPlaying { waiting_for_seed: true },
            Refusal::NotPlaying { waiting_for_seed: false },
            Refusal::NoSeedToReveal,
            Refusal::SeedMismatch,
            Refusal::NotYourTurn { game: Game::Zeno, side: Side::White },
            Refusal::WrongSeq { given: 1, expected: 2 },
            Refusal::AlreadyAnswered { given: 1, turned: 2 },
            Refusal::Illegal { index: 0, why: turn.play(&step).unwrap_err() },
            Refusal::Incomplete { left: 1 },
            Refusal::AlreadyOffered,
            Refusal::NoOffer,
            Refusal::NoTakebacks,
            Refusal::NothingToTakeBack,
            Refusal::NotLastTurn { given: 1, last: 2 },
            Refusal::TooManyTakebacks,
            Refusal::TooLateToAbort,
            Refusal::HasClock,
            Refusal::OwnTurn,
            Refusal::NotGone { gone_ms: 1, needed_ms: 1_502 },
            Refusal::RematchOffered,
            Refusal::RematchMade,
            Refusal::NoRematch,
            Refusal::NoRating,
            Refusal::RatingTakenBack,
            Refusal::TimeOver { seat: Seat::One },
        ]
    }

    #[test]
    fn a_refusal_keeps_its_code_and_its_words() {
        for why in refusals() {
            let problem = refusal(&why);
            assert_eq!((problem.code.as_str(), problem.detail), (why.code(), why.to_string()));
        }
    }

    #[test]
    fn an_illegal_step_says_which_and_why() {
        let problem = refusal(&refusals()[12]);
        assert_eq!(problem.step, Some(0));
        let reason = problem.reason.unwrap();
        assert_eq!((reason.code.as_str(), reason.params["cell"].as_str()), ("in_the_way", "e9"));
    }

    #[test]
    fn a_refused_client_is_told_how_long_to_wait() {
        assert_eq!(refusal(&Refusal::NotGone { gone_ms: 1, needed_ms: 1_502 }).retry_after_s, Some(2));
        let too_often = RateLimited { retry_after: std::time::Duration::from_millis(1) };
        assert_eq!(Problem::from(too_often).retry_after_s, Some(1));
    }

    #[test]
    fn an_internal_error_tells_the_client_nothing() {
        for why in [
            StoreError::Busy("inside".into()),
            StoreError::Full("inside".into()),
            StoreError::Corrupt("inside".into()),
            StoreError::Closed,
            StoreError::Unknown("inside".into()),
            StoreError::Failed("inside".into()),
        ] {
            let problem = store(why);
            assert!(problem.status >= 500);
            assert!(!problem.detail.contains("inside"));
        }
    }
}
