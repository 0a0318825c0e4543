//! Tournaments: what an organiser chooses, and what entrants and organisers command.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Clock, EntryCode, Game, GuestId, Options};

const fn one() -> u16 {
    1
}

const fn yes() -> bool {
    true
}

const fn wait_ms() -> u64 {
    3 * 60_000
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(number: &u16) -> bool {
    *number == 0
}

/// Announces a tournament. You organise it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    schema(example = json!({
        "name": "Friday Swiss", "format": {"kind": "swiss"}, "game": "tavla",
        "clock": {"kind": "fischer", "base_ms": 180_000, "increment_ms": 2_000},
        "begins_at": 1_790_000_000_000_u64
    }))
)]
pub struct CreateTournament {
    /// Its name.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 60))]
    pub name: String,
    /// What entrants should know, in plain text with line breaks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_length = 2000))]
    pub description: String,
    /// How entrants are paired.
    pub format: TournamentFormat,
    /// The game.
    pub game: Game,
    /// The game's options.
    #[serde(default)]
    pub options: Options,
    /// Points to win each match: 1 is a single game, more is a series.
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 99, default = 1))]
    pub points: u16,
    /// Pairs instead: each match has 2 games with the sides exchanged. Refused beside other `points` than 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock of each match; one is needed.
    pub clock: Clock,
    /// Whether the matches change ratings. Refused for matches that are never rated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// When it begins: from now on, at most a year ahead.
    pub begins_at: u64,
    /// How long a live pairing of a Swiss or a knock-out waits for both entrants; 3 minutes if left out.
    #[serde(default = "wait_ms")]
    #[cfg_attr(feature = "schema", schema(minimum = 60_000, maximum = 1_800_000, default = 180_000))]
    pub wait_ms: u64,
    /// Whether lists show it. An unlisted one is reached by its id only.
    #[serde(default = "yes")]
    #[cfg_attr(feature = "schema", schema(default = true))]
    pub listed: bool,
    /// Who may enter. Everybody with an account if left out.
    #[serde(default)]
    pub conditions: EntryConditions,
}

/// Changes a tournament: what is left out stays. While somebody is entered only `name`, `description` and a later
/// `begins_at` can be changed, after the start only the first two.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EditTournament {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 60))]
    pub name: Option<String>,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 2000))]
    pub description: Option<String>,
    /// How entrants are paired. If it admits fewer entrants than before, `entrants_max` becomes the most that it
    /// admits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<TournamentFormat>,
    /// The game, together with `options`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Game>,
    /// The game's options; its own if only `game` is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Options>,
    /// Points to win each match, together with `games`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 99))]
    pub points: Option<u16>,
    /// 2 for pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// Whether the matches change ratings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<bool>,
    /// When it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins_at: Option<u64>,
    /// How long a live pairing waits for both entrants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 60_000, maximum = 1_800_000))]
    pub wait_ms: Option<u64>,
    /// Whether lists show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<bool>,
    /// Who may enter. Replaces all conditions, the list and the code too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<EntryConditions>,
}

/// How entrants are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TournamentFormat {
    /// Everybody meets everybody. 3 to 16 entrants.
    RoundRobin {
        /// When unplayed pairings are forfeited: 15 minutes to 365 days after the start.
        ends_at: u64,
        /// Whether rounds open one after the other. Otherwise all are open from the start.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_round: bool,
    },
    /// Entrants with equal scores meet. 4 to 500 entrants.
    Swiss {
        /// The number of rounds; if left out, ⌈log₂ n⌉ + 1 of n entrants.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 15))]
        rounds: Option<u8>,
        /// The time between the starts of two rounds; if left out, a round starts when the last one has ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(minimum = 600_000, maximum = 2_678_400_000_u64))]
        every_ms: Option<u64>,
    },
    /// Who loses is out. 4 to 64 entrants.
    Knockout {
        /// What decides the seeds.
        #[serde(default)]
        seeding: Seeding,
        /// Whether those who lose go on in a second bracket.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        consolation: bool,
        /// How many points longer the matches of each round are than those of the one before.
        #[serde(default, skip_serializing_if = "is_zero")]
        points_more_by_round: u16,
    },
    /// Who is free is paired at once. 2 to 500 entrants; live clocks only.
    Arena {
        /// How long it lasts: 15 minutes to 7 days.
        #[cfg_attr(feature = "schema", schema(minimum = 900_000, maximum = 604_800_000))]
        lasts_ms: u64,
    },
}

/// What decides the seeds of a knock-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Seeding {
    /// The ratings at entry; equal ones at random.
    #[default]
    Rating,
    /// The lot alone.
    Lot,
}

/// Who may enter, as the organiser sets it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EntryConditions {
    /// People, bots or both.
    #[serde(default)]
    pub who: WhoEnters,
    /// The most entrants; as many as the format allows if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 500))]
    pub entrants_max: Option<u16>,
    /// How many rated matches of this game and pace they must have ended.
    #[serde(default)]
    pub rated_matches_min: u32,
    /// The lowest rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_min: Option<u16>,
    /// The highest rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_max: Option<u16>,
    /// How old their account must be.
    #[serde(default)]
    pub account_age_ms_min: u64,
    /// Only these players, if not empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 150))]
    pub players: Vec<GuestId>,
    /// The code of invitation that they must give; nobody can read it later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<EntryCode>,
}

/// People, bots or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhoEnters {
    /// People only.
    People,
    /// Bots only.
    Bots,
    /// Both.
    #[default]
    Both,
}

/// A command of a player who takes part, or wants to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum TournamentEntry {
    /// Enters.
    Enter {
        /// The code of invitation, if one is asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<EntryCode>,
    },
    /// "I am at the board, ready to play": checks in, and ends a pause and an absence. It lasts 10 minutes.
    Here {},
    /// Do not pair me until I say that I am here.
    Pause {},
    /// Leaves for good; before the start you can enter again. A running match is resigned.
    Withdraw {},
    /// Asks for a bye of half a point.
    AskBye {
        /// The round, which is not paired yet.
        round: u16,
    },
}

/// A command of the organiser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum TournamentDirection {
    /// Starts now.
    Start {},
    /// Stops: nothing is paired and no deadline passes. Running matches go on.
    Stop {
        /// The reason, for all to read.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
        reason: String,
    },
    /// Goes on; open deadlines are later by the time that it was stopped.
    Resume {},
    /// Closes a round: forfeits what is not played. Only while no match is being played.
    NextRound {
        /// The round to close. If it is closed already, nothing changes, so that the request can be repeated.
        round: u16,
    },
    /// Pairs the next round of a Swiss by hand.
    Pair {
        /// The pairings, the first board first.
        pairings: Vec<PairByHand>,
    },
    /// Decides a pairing.
    SetResult {
        /// The pairing.
        pairing: u32,
        /// The half points of its first and second entrant: 0 to 2 each and 2 together at most.
        half_points: [u8; 2],
        /// The reason, for all to read.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
        reason: String,
    },
    /// Excludes an entrant. A running match of theirs is resigned.
    Exclude {
        /// The player.
        player: GuestId,
        /// The reason, for all to read.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
        reason: String,
    },
    /// Ends it for good.
    End {
        /// The reason, for all to read.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
        reason: String,
    },
}

/// A pairing by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PairByHand {
    /// The number of the entrant who takes seat 1 and plays White.
    pub first: u16,
    /// The number of the other entrant.
    pub second: u16,
}
