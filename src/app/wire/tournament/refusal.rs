//! Refusals of tournaments as problems.

use lusoria_protocol::{Code, Problem, is_visible};
use lusoria_tournament::Refusal;
use lusoria_wire::out_of_range;

/// The problem for a refusal.
pub fn refused(refusal: &Refusal) -> Problem {
    let code = match refusal {
        Refusal::Terms(error) => return out_of_range(error),
        Refusal::Name => Code::TournamentName,
        Refusal::Description => Code::TournamentDescription,
        Refusal::Reason => Code::TournamentReason,
        Refusal::NoClock => Code::TournamentNeedsClock,
        Refusal::BeginsInThePast => Code::BeginsInThePast,
        Refusal::BeginsTooLate => Code::BeginsTooLate,
        Refusal::Wait => Code::WaitOutOfRange,
        Refusal::EndsAt => Code::EndsAtOutOfRange,
        Refusal::Rounds => Code::RoundsOutOfRange,
        Refusal::Every => Code::EveryOutOfRange,
        Refusal::PointsMore => Code::PointsMoreOutOfRange,
        Refusal::ArenaByCorrespondence => Code::ArenaByCorrespondence,
        Refusal::Lasts => Code::LastsOutOfRange,
        Refusal::EntrantsMax => Code::EntrantsMaxOutOfRange,
        Refusal::RatingRange => Code::RatingRangeEmpty,
        Refusal::PlayersMax => Code::TooManyPlayersListed,
        Refusal::HasEntrants => Code::HasEntrants,
        Refusal::HasBegun => Code::TournamentHasBegun,
        Refusal::NotBegun => Code::TournamentNotBegun,
        Refusal::HasEnded => Code::TournamentHasEnded,
        Refusal::Full => Code::TournamentFull,
        Refusal::AlreadyEntered => Code::AlreadyEntered,
        Refusal::NotEntered => Code::NotEntered,
        Refusal::HasWithdrawn => Code::HasWithdrawn,
        Refusal::IsExcluded => Code::IsExcluded,
        Refusal::EntryClosed => Code::EntryClosed,
        Refusal::PeopleOnly => Code::PeopleOnly,
        Refusal::BotsOnly => Code::BotsOnly,
        Refusal::RatedMatches => Code::TooFewRatedMatches,
        Refusal::Rating => Code::RatingNotAdmitted,
        Refusal::AccountAge => Code::AccountTooYoung,
        Refusal::NotListed => Code::NotOnTheList,
        Refusal::Code => Code::WrongCode,
        Refusal::TooManyEvents => Code::TooManyEvents,
        Refusal::NotThisFormat => Code::NotThisFormat,
        Refusal::TooManyByes => Code::TooManyByes,
        Refusal::NoSuchRound => Code::NoSuchRound,
        Refusal::LastRound => Code::NoByeInLastRound,
        Refusal::TooFew => Code::TooFewEntrants,
        Refusal::Stopped => Code::TournamentStopped,
        Refusal::NotStopped => Code::TournamentNotStopped,
        Refusal::StillPlaying => Code::RoundStillPlayed,
        Refusal::RoundOpen => Code::RoundOpen,
        Refusal::NoRoundOpen => Code::NoRoundOpen,
        Refusal::AllRoundsPaired => Code::AllRoundsPaired,
        Refusal::PairedWithSelf => Code::PairedWithSelf,
        Refusal::PairedTwice => Code::PairedTwice,
        Refusal::NotThere => Code::EntrantNotThere,
        Refusal::LeftOut => Code::EntrantsLeftOut,
        Refusal::NoPairings => Code::NoPairings,
        Refusal::NoSuchPairing => Code::NoSuchPairing,
        Refusal::HalfPoints => Code::HalfPointsOutOfRange,
        Refusal::NextRoundPaired => Code::NextRoundPaired,
    };
    Problem::new(code, refusal.to_string())
}

/// A reason that everybody can read, without the spaces around it.
///
/// # Errors
/// `tournament_reason` if it has characters that nobody can see.
pub fn readable_reason(reason: &str) -> Result<String, Problem> {
    let reason = reason.trim();
    if is_visible(reason) { Ok(reason.to_owned()) } else { Err(refused(&Refusal::Reason)) }
}
