//! Reasons why a step is illegal, in words for players.

use super::{
    Turn,
    pieces::{Place, cells},
    road::{Pace, Road, entry},
    rules::{Entering, Waiting},
};
use crate::{Die, Game, Side, Step};

/// The reason that a step is illegal. Cells are named on the mover's path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The step names no die.
    #[error("a step must say which die it plays")]
    NoDie,
    /// A place that the board does not have.
    #[error("{game} has no place called \"{place}\" to move from or to")]
    UnknownPlace {
        /// The game.
        game: Game,
        /// The text given as a place.
        place: String,
    },
    /// The game is won: dice left over are void.
    #[error("all your pieces are off: the game is over")]
    GameWon,
    /// Every die is played.
    #[error("all your dice are played")]
    NoDiceLeft,
    /// That value is not among the dice left.
    #[error("there is no {die} left among your dice")]
    DieNotLeft {
        /// The value.
        die: Die,
    },
    /// No piece of the mover is there.
    #[error("you have no piece {}", on(.from))]
    NoPiece {
        /// The place.
        from: String,
    },
    /// No value of the roll can enter the piece that the turn owes.
    #[error("no die can bring in a piece, so the whole turn is lost")]
    TurnLost,
    /// The piece lies under an enemy piece.
    #[error("your piece on {cell} is pinned until the enemy leaves that cell")]
    Pinned {
        /// The cell.
        cell: String,
    },
    /// Pieces on the bar come first.
    #[error("you must first bring in your pieces from the bar")]
    BarFirst,
    /// Pieces in the middle row come first.
    #[error("you must first bring your pieces back from the middle row")]
    MiddleFirst,
    /// The first phase: dice bring pieces in.
    #[error("while pieces wait in the supply, a {die} can only bring one of them in")]
    SupplyFirst {
        /// The die.
        die: Die,
    },
    /// The first phase: nothing moves past the first cells.
    #[error("no piece may move past {cell} while others wait in the supply")]
    ZoneClosed {
        /// The last cell that may be reached.
        cell: String,
    },
    /// Pieces stay in the first row while the supply lasts.
    #[error("row A stays closed while pieces wait in the supply: none may move past {cell}")]
    GateClosed {
        /// The last cell of the row.
        cell: String,
    },
    /// The die leads to another place.
    #[error("a {die} from {} leads to {expected}, not to {to}", whence(.from))]
    WrongTarget {
        /// The die.
        die: Die,
        /// The place that the piece comes from.
        from: String,
        /// The target of the step.
        to: String,
        /// The right target of the die.
        expected: String,
    },
    /// Bearing off needs all pieces in the last six cells.
    #[error("you can bear off only when all your pieces are in the last six cells: there is one {}", on(.elsewhere))]
    NotHome {
        /// A place that still holds pieces.
        elsewhere: String,
    },
    /// Bearing off needs all pieces free.
    #[error("you cannot bear off while your piece on {cell} is pinned")]
    PinnedAtHome {
        /// The cell.
        cell: String,
    },
    /// A larger die bears off only the farthest piece.
    #[error("a {die} cannot bear off from {from} while your piece on {farther} is farther from the end")]
    FartherFirst {
        /// The die.
        die: Die,
        /// The cell.
        from: String,
        /// The farthest cell that holds a piece.
        farther: String,
    },
    /// Enemy pieces block the cell.
    #[error("{cell} is blocked by {count} {side} {}", if *.count == 1 { "piece" } else { "pieces" })]
    Blocked {
        /// The cell.
        cell: String,
        /// The number of enemy pieces there.
        count: u8,
        /// The enemy's name.
        side: &'static str,
    },
    /// A blot that cannot be hit yet.
    #[error(
        "{cell} is blocked: a single piece on {cell} is safe until {side} has brought in all its pieces and moved one past {last}"
    )]
    Sheltered {
        /// The cell.
        cell: String,
        /// The enemy's name.
        side: &'static str,
        /// The last cell that shelters.
        last: String,
    },
    /// After this step no piece could enter.
    #[error("this turn must bring in a piece, and after this step it could not")]
    EntryOwed,
    /// After this step fewer dice could be played than required.
    #[error("this would leave a die unplayable: another order plays {most} dice in all")]
    WastesDice {
        /// How many dice the turn must play in total.
        most: u8,
    },
}

fn on(place: &str) -> String {
    match place {
        "supply" => "in the supply".to_owned(),
        "bar" => "on the bar".to_owned(),
        "off" => "off the board that could come back".to_owned(),
        _ if place.starts_with('m') => format!("on {place} in the middle row"),
        _ => format!("on {place}"),
    }
}

fn whence(place: &str) -> String {
    match place {
        "supply" | "bar" => format!("the {place}"),
        _ => place.to_owned(),
    }
}

impl Illegal {
    /// A stable code for programs and translations.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoDie => "no_die",
            Self::UnknownPlace { .. } => "unknown_place",
            Self::GameWon => "game_won",
            Self::NoDiceLeft => "no_dice_left",
            Self::DieNotLeft { .. } => "die_not_left",
            Self::NoPiece { .. } => "no_piece",
            Self::TurnLost => "turn_lost",
            Self::Pinned { .. } => "pinned",
            Self::BarFirst => "bar_first",
            Self::MiddleFirst => "middle_first",
            Self::SupplyFirst { .. } => "supply_first",
            Self::ZoneClosed { .. } => "zone_closed",
            Self::GateClosed { .. } => "gate_closed",
            Self::WrongTarget { .. } => "wrong_target",
            Self::NotHome { .. } => "not_home",
            Self::PinnedAtHome { .. } => "pinned_at_home",
            Self::FartherFirst { .. } => "farther_first",
            Self::Blocked { .. } => "blocked",
            Self::Sheltered { .. } => "sheltered",
            Self::EntryOwed => "entry_owed",
            Self::WastesDice { .. } => "wastes_dice",
        }
    }

    /// The values in the words, by name, for translations.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::NoDie
            | Self::GameWon
            | Self::NoDiceLeft
            | Self::TurnLost
            | Self::BarFirst
            | Self::MiddleFirst
            | Self::EntryOwed => vec![],
            Self::UnknownPlace { game, place } => vec![("game", game.to_string()), ("place", place.clone())],
            Self::DieNotLeft { die } | Self::SupplyFirst { die } => vec![("die", die.to_string())],
            Self::NoPiece { from } => vec![("from", from.clone())],
            Self::Pinned { cell }
            | Self::ZoneClosed { cell }
            | Self::GateClosed { cell }
            | Self::PinnedAtHome { cell } => vec![("cell", cell.clone())],
            Self::WrongTarget { die, from, to, expected } => vec![
                ("die", die.to_string()),
                ("from", from.clone()),
                ("to", to.clone()),
                ("expected", expected.clone()),
            ],
            Self::NotHome { elsewhere } => vec![("elsewhere", elsewhere.clone())],
            Self::FartherFirst { die, from, farther } => {
                vec![("die", die.to_string()), ("from", from.clone()), ("farther", farther.clone())]
            }
            Self::Blocked { cell, count, side } => {
                vec![("cell", cell.clone()), ("count", count.to_string()), ("side", (*side).to_owned())]
            }
            Self::Sheltered { cell, side, last } => {
                vec![("cell", cell.clone()), ("side", (*side).to_owned()), ("last", last.clone())]
            }
            Self::WastesDice { most } => vec![("most", most.to_string())],
        }
    }
}

impl Turn {
    /// The step by places, if it is legal now.
    pub(super) fn judge(&self, step: &Step) -> Result<Pace, Illegal> {
        let (rules, own) = (self.road.rules, &self.progress.own);
        let die = step.die.ok_or(Illegal::NoDie)?;
        let named = |name: &str| {
            let unknown = || Illegal::UnknownPlace { game: rules.game(), place: name.to_owned() };
            rules.place_named(name).ok_or_else(unknown)
        };
        let (from, to) = (named(&step.from)?, named(&step.to)?);
        if self.progress.has_won() {
            return Err(Illegal::GameWon);
        }
        if self.progress.hand.is_empty() {
            return Err(Illegal::NoDiceLeft);
        }
        if self.progress.hand.count(die) == 0 {
            return Err(Illegal::DieNotLeft { die });
        }
        if from == Place::OFF || own.count(from) == 0 {
            return Err(Illegal::NoPiece { from: step.from.clone() });
        }
        let pace = Pace { die, from, to };
        if self.road.paces(own, die).all(|allowed| allowed != pace) {
            return Err(self.obstacle(pace));
        }
        if self.owed == 0 {
            // The board allows the step and yet no die may be played, because nothing can enter.
            return Err(Illegal::TurnLost);
        }
        let mut found = super::compulsion::Found::default();
        if self.keeps_dice(pace, &mut found) {
            return Ok(pace);
        }
        let after = self.progress.after(&self.road, pace);
        Err(match self.road.most(&after, self.owed - 1, &mut found) {
            None => Illegal::EntryOwed,
            Some(_) => Illegal::WastesDice { most: self.playable },
        })
    }

    /// The reason why the board itself does not allow a step.
    fn obstacle(&self, Pace { die, from, to }: Pace) -> Illegal {
        let (road, own) = (&self.road, &self.progress.own);
        let rules = road.rules;
        let name = |place| rules.name(place).to_owned();
        if from.is_cell() && own.pinned() & from.bit() != 0 {
            return Illegal::Pinned { cell: name(from) };
        }
        if own.count(Place::BAR) > 0 && from != Place::BAR {
            return Illegal::BarFirst;
        }
        if let Waiting::MiddleRow { .. } = rules.waiting
            && own.occupied() >> rules.length() != 0
            && !(from.is_cell() && from.index() >= rules.length())
        {
            return Illegal::MiddleFirst;
        }
        if let Some(closed) = self.first_phase(die, from) {
            return closed;
        }
        let expected = destination(road, die, from);
        if expected != to {
            return Illegal::WrongTarget { die, from: name(from), to: name(to), expected: name(expected) };
        }
        if let Entering::EachTurn { gate: Some(gate) } = rules.entering
            && own.count(Place::SUPPLY) > 0
            && (to == Place::OFF || to.index() >= gate)
        {
            return Illegal::GateClosed { cell: name(Place::cell(gate - 1)) };
        }
        if to == Place::OFF { self.no_exit(die, from) } else { self.barrier(to) }
    }

    /// The refusal by the first phase, which is checked before the target of the die.
    fn first_phase(&self, die: Die, from: Place) -> Option<Illegal> {
        let (road, own) = (&self.road, &self.progress.own);
        let Entering::First { zone, shift } = road.rules.entering else { return None };
        if own.count(Place::SUPPLY) == 0 || from == Place::SUPPLY {
            return None;
        }
        if !road.shifts(die, shift) {
            return Some(Illegal::SupplyFirst { die });
        }
        let past = destination(road, die, from).index() >= zone;
        past.then(|| Illegal::ZoneClosed { cell: road.rules.name(Place::cell(zone - 1)).to_owned() })
    }

    fn no_exit(&self, die: Die, from: Place) -> Illegal {
        let (rules, own) = (self.road.rules, &self.progress.own);
        let name = |place| rules.name(place).to_owned();
        let outside = own.occupied() & ((1 << rules.home()) - 1);
        let waiting = [Place::SUPPLY, Place::BAR].into_iter().filter(|&place| own.count(place) > 0);
        if let Some(elsewhere) = waiting.chain(cells(outside)).next() {
            return Illegal::NotHome { elsewhere: name(elsewhere) };
        }
        if let Some(cell) = cells(own.pinned()).next() {
            return Illegal::PinnedAtHome { cell: name(cell) };
        }
        let farthest = cells(own.occupied()).next().unwrap_or(from);
        Illegal::FartherFirst { die, from: name(from), farther: name(farthest) }
    }

    fn barrier(&self, to: Place) -> Illegal {
        let rules = self.road.rules;
        let side: Side = self.start().to_move().other();
        let count = self.start().pieces(side).count(rules.across(to));
        let (cell, side) = (rules.name(to).to_owned(), rules.side_name(side));
        match rules.shelter() {
            Some(zone) if count == 1 => {
                Illegal::Sheltered { cell, side, last: rules.name(Place::cell(zone - 1)).to_owned() }
            }
            _ => Illegal::Blocked { cell, count, side },
        }
    }
}

/// The target of the die from there, ignoring obstacles.
fn destination(road: &Road, die: Die, from: Place) -> Place {
    let length = road.rules.length();
    if !from.is_cell() {
        return entry(die);
    }
    let to = from.index() + die.value();
    if from.index() >= length {
        Place::cell(to - length - 1)
    } else if to < length {
        Place::cell(to)
    } else {
        Place::OFF
    }
}
