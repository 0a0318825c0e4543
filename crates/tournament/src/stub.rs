//! The public methods, for those who build on them meanwhile.
use crate::*;
use lusoria_play::{MatchId, Millis, PlayerId, TournamentId};

impl Tournament {
    /// Announces a tournament.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn create(
        id: TournamentId,
        organiser: PlayerId,
        settings: Settings,
        now: Millis,
    ) -> Result<(Self, Vec<Recorded>), Refusal> {
        unimplemented!()
    }
    /// Judges a command. It may change nothing, and then there are no events.
    ///
    /// # Errors
    /// If the command is refused.
    pub fn decide(
        &self,
        command: &Command,
        now: Millis,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Recorded>, Refusal> {
        unimplemented!()
    }
    /// What is to happen by now, one step. Call it until it returns nothing.
    pub fn due(&self, now: Millis, chance: &mut dyn Chance) -> Vec<Recorded> {
        unimplemented!()
    }
    /// When [`Self::due`] may have something if no event comes before; ask when it has nothing now. Later than `now`.
    pub fn next_wake(&self, now: Millis) -> Option<Millis> {
        unimplemented!()
    }
    /// The matches that are to be made.
    pub fn matches_to_make(&self) -> Vec<ToMake> {
        unimplemented!()
    }
    /// Running matches of entrants who have withdrawn or were excluded, and the players who resign them.
    pub fn matches_to_resign(&self) -> Vec<(MatchId, PlayerId)> {
        unimplemented!()
    }
    /// Folds events, from the first one.
    ///
    /// # Errors
    /// If this program cannot have written them.
    pub fn from_events(id: TournamentId, events: &[Recorded]) -> Result<Self, Corrupt> {
        unimplemented!()
    }
    /// Folds the next event.
    ///
    /// # Errors
    /// If this program cannot have written it after the others.
    pub fn fold(&mut self, recorded: &Recorded) -> Result<(), Corrupt> {
        unimplemented!()
    }
    /// The standings, the first place first.
    pub fn standings(&self) -> Vec<Standing> {
        unimplemented!()
    }
    /// The cross-table.
    pub fn crosstable(&self) -> Vec<CrossRow> {
        unimplemented!()
    }
    /// The brackets of a knock-out that has begun.
    pub fn brackets(&self) -> Option<Brackets> {
        unimplemented!()
    }
}
/// A journal that this program cannot have written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    /// The first event is not `Created`, or another one is.
    #[error("event {seq} is out of place: {why}")]
    OutOfPlace {
        /// The event.
        seq: u32,
        /// Why.
        why: &'static str,
    },
    /// The version is unknown.
    #[error("the journal has version {0}, which this program does not know")]
    Version(u16),
}
/// A row of the standings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// From 1; equal entrants share it.
    pub place: u16,
    /// The entrant.
    pub entrant: Entrant,
    /// Half points; points of an arena.
    pub points: u16,
    /// How many matches count: played ones, without forfeits and byes.
    pub played: u16,
    /// How many they won, at the board or by forfeit.
    pub wins: u16,
    /// How many were drawn.
    pub draws: u16,
    /// How many they lost, at the board or by forfeit.
    pub losses: u16,
    /// Tie-break 1 of Swiss and round robin: half points against those with as many points, if all of them met.
    pub direct: Option<u16>,
    /// Tie-break 2: half points of the opponents, without the lowest.
    pub buchholz_cut_1: u16,
    /// Tie-break 3, in quarter points: points of opponents beaten, and half of those drawn with.
    pub sonneborn_berger: u32,
    /// The tie-break of an arena: the rating that the results are worth.
    pub performance: Option<i32>,
    /// The last round of the main bracket that they reached, of a knock-out; one more for its winner.
    pub reached: Option<u16>,
    /// Whether their results count: not those of one who left a round robin before half of it was played.
    pub counts: bool,
}
/// An entrant's row of the cross-table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossRow {
    /// The entrant.
    pub entrant: Entrant,
    /// What they have in each round that was paired, in order; a wave of an arena without them has nothing.
    pub cells: Vec<CrossCell>,
}
/// A cell of the cross-table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossCell {
    /// The round.
    pub round: u16,
    /// The pairing, if they had one.
    pub pairing: Option<PairingNo>,
    /// The opponent, if they had one.
    pub opponent: Option<Entrant>,
    /// Whether they had seat 1.
    pub is_first: bool,
    /// Half points, once it is decided; points of an arena.
    pub half_points: Option<u8>,
    /// Whether it was forfeited.
    pub is_forfeit: bool,
    /// Why they had no pairing.
    pub bye: Option<ByeWhy>,
}
/// The brackets of a knock-out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brackets {
    /// The rounds of the main bracket, the first one first, with all slots, those to come too.
    pub main: Vec<Vec<BracketSlot>>,
    /// The rounds of the consolation that were paired: round 2 of the tournament is its first.
    pub consolation: Vec<Vec<BracketSlot>>,
}
/// A slot of a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BracketSlot {
    /// The pairing, once there is one.
    pub pairing: Option<PairingNo>,
    /// Who meets, as far as known; one alone has a bye.
    pub entrants: [Option<Entrant>; 2],
    /// Who goes on.
    pub winner: Option<Entrant>,
}
