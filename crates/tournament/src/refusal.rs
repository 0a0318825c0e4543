//! Refusals of commands.

use lusoria_play::TermsError;

use crate::{Conditions, Settings, Tournament};

/// The reason that a command was refused. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The name.
    #[error("a name has 1 to {max} characters", max = Settings::NAME_MAX)]
    Name,
    /// The description.
    #[error("a description has at most {max} characters", max = Settings::DESCRIPTION_MAX)]
    Description,
    /// The reason.
    #[error("a reason has 1 to {max} characters", max = Settings::REASON_MAX)]
    Reason,
    /// The terms of the matches.
    #[error(transparent)]
    Terms(TermsError),
    /// Matches without a clock may never end.
    #[error("the matches of a tournament need a clock")]
    NoClock,
    /// The start has passed.
    #[error("a tournament cannot start in the past")]
    BeginsInThePast,
    /// The start is too far ahead.
    #[error("a tournament starts within a year")]
    BeginsTooLate,
    /// The wait for both entrants.
    #[error("a pairing waits 1 to 30 minutes for both entrants")]
    Wait,
    /// The end of a round robin.
    #[error("a round robin lasts 15 minutes to 365 days")]
    EndsAt,
    /// The number of rounds of a Swiss.
    #[error("a Swiss has 1 to {max} rounds", max = Settings::ROUNDS_MAX)]
    Rounds,
    /// The time between two rounds.
    #[error("the rounds of a Swiss start 10 minutes to 31 days after one another")]
    Every,
    /// The growing length of a knock-out.
    #[error("only matches to points grow by round, to 99 points at most in the sixth")]
    PointsMore,
    /// An arena is live.
    #[error("an arena needs a live clock")]
    ArenaByCorrespondence,
    /// The length of an arena.
    #[error("an arena lasts 15 minutes to 7 days")]
    Lasts,
    /// The most entrants.
    #[error("the format does not admit this number of entrants")]
    EntrantsMax,
    /// The range of ratings is empty.
    #[error("the lowest rating is above the highest")]
    RatingRange,
    /// The list of players.
    #[error("a list has at most {max} players", max = Conditions::PLAYERS_MAX)]
    PlayersMax,
    /// Entrants have agreed to the settings.
    #[error("somebody has entered: only the name, the description and a later start can be changed")]
    HasEntrants,
    /// It is too late for this.
    #[error("the tournament has begun")]
    HasBegun,
    /// It is too early for this.
    #[error("the tournament has not begun")]
    NotBegun,
    /// It is over.
    #[error("the tournament has ended")]
    HasEnded,
    /// No more entrants.
    #[error("the tournament is full")]
    Full,
    /// The player has entered.
    #[error("you have entered already")]
    AlreadyEntered,
    /// The player has not entered.
    #[error("they have not entered")]
    NotEntered,
    /// The entrant has left for good.
    #[error("they have withdrawn from this tournament")]
    HasWithdrawn,
    /// The entrant was excluded.
    #[error("they were excluded from this tournament")]
    IsExcluded,
    /// It is too late to enter.
    #[error("it is too late to enter")]
    EntryClosed,
    /// Bots may not enter.
    #[error("only people may enter")]
    PeopleOnly,
    /// People may not enter.
    #[error("only bots may enter")]
    BotsOnly,
    /// Not enough rated matches.
    #[error("you have not ended enough rated matches of this game")]
    RatedMatches,
    /// The rating is outside the range.
    #[error("your rating is outside the range of this tournament")]
    Rating,
    /// The account is too young.
    #[error("your account is too young for this tournament")]
    AccountAge,
    /// The player is not on the list.
    #[error("you are not on the list of this tournament")]
    NotListed,
    /// The code is missing or wrong.
    #[error("this is not the code of this tournament")]
    Code,
    /// The tournament has as many events as it may.
    #[error("the tournament has more than {max} events", max = Tournament::EVENTS_OPEN_MAX)]
    TooManyEvents,
    /// The format does not know this.
    #[error("this format has no such thing")]
    NotThisFormat,
    /// No more byes on request.
    #[error("at most {max} byes of half a point, those of a late entry included", max = Tournament::BYES_MAX)]
    TooManyByes,
    /// The round does not exist, or has been paired.
    #[error("there is no such round to come")]
    NoSuchRound,
    /// The last round has no byes on request.
    #[error("the last round has no byes on request")]
    LastRound,
    /// Too few are there to start.
    #[error("too few entrants are there")]
    TooFew,
    /// It is stopped.
    #[error("the tournament is stopped")]
    Stopped,
    /// It is not stopped.
    #[error("the tournament is not stopped")]
    NotStopped,
    /// Matches are being played.
    #[error("matches of the round are still being played")]
    StillPlaying,
    /// The round is not over.
    #[error("the round is not over")]
    RoundOpen,
    /// Nothing waits to be played.
    #[error("no round is open")]
    NoRoundOpen,
    /// There are no more rounds.
    #[error("all rounds have been paired")]
    AllRoundsPaired,
    /// A pairing of one entrant.
    #[error("an entrant cannot play themselves")]
    PairedWithSelf,
    /// An entrant has two pairings.
    #[error("an entrant is paired twice")]
    PairedTwice,
    /// The entrant cannot be paired.
    #[error("an entrant is not there to be paired")]
    NotThere,
    /// Entrants have no pairing.
    #[error("at most one entrant who is there may be left out")]
    LeftOut,
    /// There is nothing to pair.
    #[error("a round needs a pairing")]
    NoPairings,
    /// The pairing does not exist.
    #[error("there is no such pairing")]
    NoSuchPairing,
    /// The points of a result.
    #[error("a result has 0 to 2 half points each and 2 together at most; a knock-out needs a winner")]
    HalfPoints,
    /// The next round rests on this result.
    #[error("the next round has been paired with this result")]
    NextRoundPaired,
}

impl Refusal {
    /// A stable code, in `snake_case`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Name => "tournament_name",
            Self::Description => "tournament_description",
            Self::Reason => "tournament_reason",
            Self::Terms(_) => "tournament_terms",
            Self::NoClock => "tournament_needs_clock",
            Self::BeginsInThePast => "begins_in_the_past",
            Self::BeginsTooLate => "begins_too_late",
            Self::Wait => "wait_out_of_range",
            Self::EndsAt => "ends_at_out_of_range",
            Self::Rounds => "rounds_out_of_range",
            Self::Every => "every_out_of_range",
            Self::PointsMore => "points_more_out_of_range",
            Self::ArenaByCorrespondence => "arena_by_correspondence",
            Self::Lasts => "lasts_out_of_range",
            Self::EntrantsMax => "entrants_max_out_of_range",
            Self::RatingRange => "rating_range_empty",
            Self::PlayersMax => "too_many_players_listed",
            Self::HasEntrants => "has_entrants",
            Self::HasBegun => "tournament_has_begun",
            Self::NotBegun => "tournament_not_begun",
            Self::HasEnded => "tournament_has_ended",
            Self::Full => "tournament_full",
            Self::AlreadyEntered => "already_entered",
            Self::NotEntered => "not_entered",
            Self::HasWithdrawn => "has_withdrawn",
            Self::IsExcluded => "is_excluded",
            Self::EntryClosed => "entry_closed",
            Self::PeopleOnly => "people_only",
            Self::BotsOnly => "bots_only",
            Self::RatedMatches => "too_few_rated_matches",
            Self::Rating => "rating_not_admitted",
            Self::AccountAge => "account_too_young",
            Self::NotListed => "not_on_the_list",
            Self::Code => "wrong_code",
            Self::TooManyEvents => "too_many_events",
            Self::NotThisFormat => "not_this_format",
            Self::TooManyByes => "too_many_byes",
            Self::NoSuchRound => "no_such_round",
            Self::LastRound => "no_bye_in_last_round",
            Self::TooFew => "too_few_entrants",
            Self::Stopped => "tournament_stopped",
            Self::NotStopped => "tournament_not_stopped",
            Self::StillPlaying => "round_still_played",
            Self::RoundOpen => "round_open",
            Self::NoRoundOpen => "no_round_open",
            Self::AllRoundsPaired => "all_rounds_paired",
            Self::PairedWithSelf => "paired_with_self",
            Self::PairedTwice => "paired_twice",
            Self::NotThere => "entrant_not_there",
            Self::LeftOut => "entrants_left_out",
            Self::NoPairings => "no_pairings",
            Self::NoSuchPairing => "no_such_pairing",
            Self::HalfPoints => "half_points_out_of_range",
            Self::NextRoundPaired => "next_round_paired",
        }
    }
}
