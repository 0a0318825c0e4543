//! Journals of matches with random legal turns, each made from its number and the seed alone.

use lusoria_dice::{Chain, Game as GameDice, Secret, lot, seed_hash, throw};
use lusoria_play::{
    Admission, Bytes32, Chance, Clock, Colours, Command, Creation, Length, Match, MatchId, Millis, Player,
    PlayerId, PlayerKind, Recorded, Seat, Seed, SeedBrought, Terms, Throw,
};
use lusoria_rules::{Die, Game, Variant};
use uuid::Uuid;

/// When the matches begin, in milliseconds since the epoch.
const BEGIN: Millis = 1_790_000_000_000;

/// The longest time that a turn takes, in milliseconds; no clock runs out.
const TURN_MS: usize = 20_000;

/// The commands after which every eighth match is resigned.
const RESIGNED_AFTER: u32 = 30;

/// A finished match, with its journal.
pub(crate) struct Played {
    pub(crate) state: Match,
    pub(crate) journal: Vec<Recorded>,
}

/// Plays the match of that number: it depends on the number and the seed alone.
pub(crate) fn play(game: Game, number: u64, seed: u64) -> Played {
    let mut random = Random { seed: format!("{seed}/{}/{number}", game.id()), drawn: 0 };
    let id = MatchId(random.id());
    let chain = Secret::new(random.bytes()).chain();
    let commitment = Bytes32(chain.commitment());
    let players = [1, 2].map(|place| Player {
        id: PlayerId(random.id()),
        name: format!("Guest {}", 2 * number + place),
        kind: PlayerKind::Person,
    });
    let [creator, joiner] = players.clone();
    let clock = match number % 3 {
        0 => Clock::None {},
        1 => Clock::Fischer { base_ms: 3_600_000, increment_ms: 30_000 },
        _ => Clock::Days { days: 2 },
    };
    let points = if number.is_multiple_of(4) { 3 } else { 1 };
    let terms = Terms {
        variant: Variant::standard(game),
        length: Length::Points(points),
        clock,
        colours: Colours::Lot,
        admission: Admission::Open,
        rated: false,
    };
    let mut chance = Dice { id, chain, random };
    let creation = Creation {
        id,
        terms,
        creator,
        commitment,
        seed: SeedBrought::Nothing,
        made_by: None,
        joiner: None,
        rematch_of: None,
        tournament: None,
    };
    let (mut state, mut journal) = Match::create(creation, BEGIN, &mut chance).expect("terms in their range");
    let mut now = BEGIN;
    let mut commands = 0;
    let mut next = Some(Command::Join { player: joiner, seed: None });
    while let Some(command) = next {
        now += 500 + Millis::try_from(chance.random.below(TURN_MS)).expect("a short time");
        journal.extend(state.apply(&command, now, &mut chance).expect("it is legal"));
        commands += 1;
        let is_resigned = number % 8 == 7 && commands == RESIGNED_AFTER;
        next = if state.end().is_some() {
            None
        } else if is_resigned {
            Some(Command::Resign { by: players[0].id, whole_match: true })
        } else {
            Some(turn(&state, &mut chance.random))
        };
    }
    Played { state, journal }
}

/// A random legal turn.
fn turn(state: &Match, random: &mut Random) -> Command {
    let to_play = state.to_play().expect("a running match has a turn");
    let mut turn = state.turn().expect("a running match has a turn");
    let mut steps = Vec::new();
    while !turn.is_complete() {
        let mut legal = turn.steps();
        let step = legal.swap_remove(random.below(legal.len()));
        turn.play(&step).expect("it is legal");
        steps.push(step);
    }
    let by = state.player(to_play.seat).expect("both seats are taken").id;
    Command::Turn { by, answers: to_play.given_by, steps, thought: None, lag_ms: 0 }
}

/// Bytes that depend on a text and on how many were drawn before.
struct Random {
    seed: String,
    drawn: u64,
}

impl Random {
    fn bytes(&mut self) -> [u8; 32] {
        self.drawn += 1;
        seed_hash(&format!("{}/{}", self.seed, self.drawn))
    }

    fn below(&mut self, below: usize) -> usize {
        let [one, two, three, four, ..] = self.bytes();
        usize::try_from(u32::from_le_bytes([one, two, three, four])).expect("32 bits") % below
    }

    fn id(&mut self) -> Uuid {
        let bytes = self.bytes();
        let rest = bytes.first_chunk().expect("ten of 32 bytes");
        uuid::Builder::from_unix_timestamp_millis(BEGIN, rest).into_uuid()
    }
}

/// The dice of a match, made as the server makes them.
struct Dice {
    id: MatchId,
    chain: Chain,
    random: Random,
}

impl Dice {
    fn secret_of(&self, game: u16) -> Secret {
        self.chain.secret(game).expect("a match has fewer games than the chain secrets")
    }

    fn public<'a>(&self, number: u16, seeds: (&'a Seed, &'a Seed)) -> GameDice<'a> {
        GameDice { match_id: self.id.0, number, seeds: (seeds.0.as_str(), seeds.1.as_str()) }
    }
}

impl Chance for Dice {
    fn throw(&mut self, which: Throw<'_>, dice: usize) -> Vec<Die> {
        let public = self.public(which.game, which.seeds);
        let values = throw(&self.secret_of(which.game), public, which.index, dice);
        values.into_iter().map(|value| Die::new(value).expect("the scheme throws 1 to 6")).collect()
    }

    fn lot(&mut self, game: u16, seeds: (&Seed, &Seed)) -> Seat {
        let lot = lot(&self.secret_of(game), self.public(game, seeds));
        Seat::try_from(lot).expect("the draw is 1 or 2")
    }

    fn secret(&mut self, game: u16) -> Bytes32 {
        Bytes32(*self.secret_of(game).reveal())
    }

    fn seed(&mut self) -> Seed {
        let id = self.random.id().simple().to_string();
        Seed::try_from(id).expect("hexadecimal digits are a seed")
    }

    fn seed_hash(&mut self, seed: &Seed) -> Bytes32 {
        Bytes32(seed_hash(seed.as_str()))
    }
}
