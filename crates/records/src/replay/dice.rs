//! The dice of a record: computed if the secret is revealed, otherwise taken as recorded.

use std::collections::{HashMap, VecDeque};

use lusoria_dice::{GAMES_MAX, Game, Secret, lot, seed_hash, throw, verify::secret_fits};
use lusoria_play::{Bytes32, Chance, Seat, Seed, Throw};
use lusoria_protocol::{BySeat, Event, EventKind, Record, SeatSeed, SideName};
use lusoria_rules::Die;
use uuid::Uuid;

use super::{
    differences::Difference,
    report::{DiceChecked, FaultKind, Report},
};

/// The revealed data about the dice of a record.
pub(crate) struct Revealed {
    id: Uuid,
    dice: usize,
    games: HashMap<u16, GameDice>,
    /// The seeds that the server drew, in order.
    drawn: VecDeque<Seed>,
    seeds: (Option<Seed>, Option<Seed>),
    /// The present game of the events judged so far.
    present: u16,
}

/// The dice of a game.
#[derive(Default)]
struct GameDice {
    /// As recorded, right or wrong.
    published: Option<Bytes32>,
    /// The secret, if it leads to the commitment.
    secret: Option<Secret>,
    throws: HashMap<u32, Vec<Die>>,
    white: Option<Seat>,
}

impl Revealed {
    /// No data yet, for a match with this many dice in a throw.
    pub(crate) fn nothing(id: Uuid, dice: usize) -> Self {
        Self { id, dice, games: HashMap::new(), drawn: VecDeque::new(), seeds: (None, None), present: 0 }
    }

    /// Reads the revealed data from the events, and checks the secrets against the commitment.
    pub(super) fn of(record: &Record, report: &mut Report) -> Self {
        let mut revealed = Self::nothing(record.id.0, record.game.dice());
        let mut commitment = record.dice.commitment;
        let mut number = 0;
        for event in &record.events {
            match &event.kind {
                EventKind::Created { commitment: published, seed, .. } => {
                    commitment = *published;
                    revealed.seeds.0 = revealed.seed_of(seed);
                }
                EventKind::Joined { seed, .. } => revealed.seeds.1 = revealed.seed_of(seed),
                EventKind::SeedRevealed { seat, seed } => {
                    *match *seat {
                        Seat::One => &mut revealed.seeds.0,
                        Seat::Two => &mut revealed.seeds.1,
                    } = Some(seed.clone());
                }
                EventKind::GameStarted { game_number, sides, .. } => {
                    number = *game_number;
                    revealed.drew(number, white_seat(*sides));
                }
                EventKind::OpeningThrown { throw, white, black, .. } => {
                    revealed.threw(number, *throw, &[*white, *black]);
                }
                EventKind::Thrown { throw, dice, .. } => revealed.threw(number, *throw, dice),
                EventKind::GameEnded { game_number, secret, .. } => {
                    let fits = revealed.reveal(*game_number, *secret, commitment);
                    let checked = if fits { DiceChecked::Yes } else { DiceChecked::SecretWrong };
                    if !fits {
                        report.fault(Some(event.seq), FaultKind::Secret);
                    }
                    for game in report.games.iter_mut().filter(|game| game.number == *game_number) {
                        game.dice = checked;
                    }
                }
                EventKind::Turned { .. }
                | EventKind::Passed { .. }
                | EventKind::TakenBack { .. }
                | EventKind::TakebackOffered { .. }
                | EventKind::TakebackDeclined { .. }
                | EventKind::DrawOffered { .. }
                | EventKind::DrawDeclined { .. }
                | EventKind::Credited { .. }
                | EventKind::MatchEnded { .. }
                | EventKind::Rated { .. }
                | EventKind::Unrated { .. }
                | EventKind::RematchOffered { .. }
                | EventKind::RematchDeclined { .. }
                | EventKind::RematchAgreed { .. } => {}
            }
        }
        revealed
    }

    /// Adds the seed of a seat, in recorded order; returns the seed itself once it is known.
    pub(crate) fn seed_of(&mut self, seed: &SeatSeed) -> Option<Seed> {
        match seed {
            SeatSeed::Drawn { seed } => {
                self.drawn.push_back(seed.clone());
                Some(seed.clone())
            }
            SeatSeed::Brought { seed } => Some(seed.clone()),
            SeatSeed::Committed { .. } => None,
        }
    }

    /// Adds the seat that plays White (in a tafl game the king) in a game, right or wrong.
    pub(crate) fn drew(&mut self, game: u16, white: Seat) {
        self.games.entry(game).or_default().white.get_or_insert(white);
    }

    /// Adds a throw, right or wrong.
    pub(crate) fn threw(&mut self, game: u16, index: u32, dice: &[Die]) {
        self.games.entry(game).or_default().throws.entry(index).or_insert(dice.to_vec());
    }

    /// Adds the secret of a game without checking it: the throws and the lot stay as recorded.
    pub(crate) fn published(&mut self, game: u16, secret: Bytes32) {
        self.games.entry(game).or_default().published.get_or_insert(secret);
    }

    /// Adds the secret of a game. Returns whether it leads to the commitment.
    fn reveal(&mut self, number: u16, published: Bytes32, commitment: Bytes32) -> bool {
        let game = self.games.entry(number).or_default();
        if let Some(first) = game.published {
            return first == published && game.secret.is_some();
        }
        game.published = Some(published);
        // A limit: otherwise a record could demand endless hashing.
        let fits = number <= GAMES_MAX && secret_fits(number, &published.0, &commitment.0);
        game.secret = fits.then(|| Secret::new(published.0));
        fits
    }

    /// Notes that these events have been judged.
    pub(super) fn pass(&mut self, events: &[Event]) {
        for event in events {
            if let EventKind::GameStarted { game_number, .. } = event.kind {
                self.present = game_number;
            }
        }
    }

    /// Checks the throws in these events, which could not be replayed.
    pub(super) fn check(&mut self, events: &[Event], report: &mut Report) {
        let (Some(one), Some(two)) = self.seeds.clone() else { return };
        for event in events {
            let (index, found) = match &event.kind {
                EventKind::OpeningThrown { throw, white, black, .. } => (*throw, vec![*white, *black]),
                EventKind::Thrown { throw, dice, .. } => (*throw, dice.clone()),
                EventKind::GameStarted { game_number, .. } => {
                    self.present = *game_number;
                    continue;
                }
                _ => continue,
            };
            let Some(secret) = self.games.get(&self.present).and_then(|game| game.secret.as_ref()) else {
                continue;
            };
            let game = Game { match_id: self.id, number: self.present, seeds: (one.as_str(), two.as_str()) };
            let expected = throw(secret, game, index, self.dice);
            let found: Vec<u8> = found.into_iter().map(u8::from).collect();
            if expected != found {
                report.fault(Some(event.seq), FaultKind::Differs(Difference::new("dice", &expected, &found)));
            }
        }
    }

    fn public<'a>(&self, number: u16, seeds: (&'a Seed, &'a Seed)) -> Game<'a> {
        Game { match_id: self.id, number, seeds: (seeds.0.as_str(), seeds.1.as_str()) }
    }
}

/// The seat that plays White (in a tafl game the king).
pub(crate) const fn white_seat(sides: BySeat<SideName>) -> Seat {
    match sides.one {
        SideName::White | SideName::Defenders => Seat::One,
        SideName::Black | SideName::Attackers => Seat::Two,
    }
}

/// If the record neither reveals nor states the dice, there is no event to compare them with. But the replay
/// must continue: with constant dice, opening throws and passes would never end.
impl Chance for Revealed {
    fn throw(&mut self, which: Throw<'_>, dice: usize) -> Vec<Die> {
        let game = self.games.get(&which.game);
        let secret = game.and_then(|game| game.secret.as_ref());
        let recorded = game.and_then(|game| game.throws.get(&which.index));
        match (secret, recorded.filter(|recorded| recorded.len() == dice)) {
            (None, Some(recorded)) => recorded.clone(),
            (secret, _) => {
                let public = self.public(which.game, which.seeds);
                throw(secret.unwrap_or(&Secret::new([0; 32])), public, which.index, dice)
                    .into_iter()
                    .map(|value| Die::new(value).expect("the scheme throws 1 to 6"))
                    .collect()
            }
        }
    }

    fn lot(&mut self, game: u16, seeds: (&Seed, &Seed)) -> Seat {
        let known = self.games.get(&game);
        match known.and_then(|known| known.secret.as_ref()) {
            Some(secret) => Seat::try_from(lot(secret, self.public(game, seeds))).expect("the lot is 1 or 2"),
            None => known.and_then(|known| known.white).unwrap_or(Seat::One),
        }
    }

    fn secret(&mut self, game: u16) -> Bytes32 {
        self.games.get(&game).and_then(|game| game.published).unwrap_or(Bytes32([0; 32]))
    }

    fn seed(&mut self) -> Seed {
        let none = || Seed::try_from("none".to_owned()).expect("printable characters are a seed");
        self.drawn.pop_front().unwrap_or_else(none)
    }

    fn seed_hash(&mut self, seed: &Seed) -> Bytes32 {
        Bytes32(seed_hash(seed.as_str()))
    }
}
