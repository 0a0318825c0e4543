//! Dice that one checks oneself: a seed of one's own, what the server bound itself to, and what
//! came of it.

use lusoria_dice::seed_hash;
use lusoria_protocol::{
    EventKind, Hash, MatchId, MatchState, PlayerSeed, Record, Seat, SeatSeed, Snapshot,
    socket::{Op, SeedOf},
};

use super::{Ending, Failure, Session, fresh_key, hexadecimal, random_text};
use crate::{
    client::fetch,
    replay::judge,
    terminal::{
        keep::KeptDice,
        output::Output,
        telling::{clipped, named},
    },
};

/// How many faults of a match are told.
const FAULTS_TOLD: usize = 5;

impl<O: Output> Session<O> {
    /// Draws a seed, keeps it, and says by which hash one is bound to it.
    pub(super) fn commit_to_a_seed(&mut self) -> Result<Hash, Failure> {
        let seed = fresh_seed()?;
        let hash = hash_of(&seed);
        self.keep.keep_seed(self.me, &hash, &seed)?;
        Ok(hash)
    }

    /// A seed to join a match with; what the server bound itself to before is kept with it.
    pub(super) fn seed_for(&mut self, open: &Snapshot) -> Result<PlayerSeed, Failure> {
        let kept = self.keep.dice(self.me, open.id)?;
        let seed = match kept.and_then(|kept| kept.seed) {
            Some(seed) => seed,
            None => fresh_seed()?,
        };
        let dice = KeptDice { commitment: Some(open.dice.commitment.clone()), seed: Some(seed.clone()) };
        self.keep.keep_dice(self.me, open.id, &dice)?;
        Ok(seed)
    }

    /// Keeps what is seen of the dice for the first time; what was kept before stays.
    pub(super) fn keep_what_is_seen(&mut self) -> Result<(), Failure> {
        let Some(table) = &self.table else { return Ok(()) };
        let now = &table.now;
        let kept = self.keep.dice(self.me, now.id)?;
        let mut dice = kept.clone().unwrap_or(KeptDice { commitment: None, seed: None });
        dice.commitment.get_or_insert_with(|| now.dice.commitment.clone());
        let mut moved = Vec::new();
        for &seat in table.mine() {
            if let Some(SeatSeed::Committed { seed_hash }) = seed_of(now, seat)
                && let Some(seed) = self.keep.seed(self.me, seed_hash)?
            {
                dice.seed = Some(seed);
                moved.push(seed_hash.clone());
            }
        }
        if kept.as_ref() != Some(&dice) {
            self.keep.keep_dice(self.me, now.id, &dice)?;
        }
        for hash in moved {
            self.keep.forget_seed(self.me, &hash);
        }
        Ok(())
    }

    /// Reveals one's seed as soon as both seats are taken.
    pub(super) async fn reveal(&mut self) -> Result<(), Failure> {
        let Some(table) = &self.table else { return Ok(()) };
        if table.now.state != MatchState::AwaitingSeeds {
            return Ok(());
        }
        let id = table.now.id;
        let bound = table.mine().iter().find_map(|&seat| match seed_of(&table.now, seat) {
            Some(SeatSeed::Committed { seed_hash }) => Some(seed_hash.clone()),
            Some(SeatSeed::Brought { .. } | SeatSeed::Drawn { .. }) | None => None,
        });
        let Some(hash) = bound else { return Ok(()) };
        let kept = self.keep.dice(self.me, id)?.and_then(|kept| kept.seed);
        match kept.filter(|seed| hash_of(seed) == hash) {
            Some(seed) => {
                let key = Some(fresh_key()?);
                self.ask_surely(Op::Seed(SeedOf { id, key, seed })).await.map(drop)
            }
            None => self.say("The seed for the dice is kept elsewhere: go on where you made the match."),
        }
    }

    pub(super) fn tell_dice(&mut self) -> Result<(), Failure> {
        let Some(table) = &self.table else { return self.say("That can be told at a match only.") };
        let mut lines = vec![format!("commitment  {}", table.now.dice.commitment.as_str())];
        for (number, seat) in [(1, Seat::One), (2, Seat::Two)] {
            let told = match seed_of(&table.now, seat) {
                Some(SeatSeed::Brought { seed }) => format!("{} (brought)", seed.as_str()),
                Some(SeatSeed::Drawn { seed }) => format!("{} (drawn by the server)", seed.as_str()),
                Some(SeatSeed::Committed { seed_hash }) => format!("bound by {}", seed_hash.as_str()),
                None => "not known yet".to_owned(),
            };
            lines.push(format!("seed {number}      {told}"));
        }
        self.say(&lines.join("\n"))
    }

    pub(super) async fn save_record(&mut self, file: &str) -> Result<(), Failure> {
        let Some(table) = &self.table else { return self.say("There is no match in the hall.") };
        let id = table.now.id;
        match fetch(self.link.origin(), &record_path(id)).await {
            Err(why) => self.say(&format!("No record: {}", clipped(&why.to_string(), 200))),
            Ok(bytes) => match write_new(file, &bytes) {
                Ok(()) => self.say(&format!("{file}: {} bytes", bytes.len())),
                Err(why) => self.say(&format!("{file}: {why}")),
            },
        }
    }

    /// Checks a match that is over: its dice against what was kept, and every turn.
    pub(super) async fn check_dice(&mut self) -> Result<(), Failure> {
        let Some(table) = &self.table else { return Ok(()) };
        let id = table.now.id;
        let fetched = fetch(self.link.origin(), &record_path(id)).await;
        let record: Record = match fetched.map(|bytes| serde_json::from_slice(&bytes)) {
            Ok(Ok(record)) => record,
            Ok(Err(why)) => {
                let why = clipped(&why.to_string(), 200);
                return self.say(&format!("The record cannot be read, so the dice are not checked: {why}"));
            }
            Err(why) => {
                let why = clipped(&why.to_string(), 200);
                return self.say(&format!("There is no record yet, so the dice are not checked: {why}"));
            }
        };
        let kept = self.keep.dice(self.me, id)?;
        let Some(table) = &self.table else { return Ok(()) };
        let names = [Seat::One, Seat::Two].map(|seat| named(table, seat));
        let mine = table.mine().to_vec();
        let (lines, sound) = verdict(&record, id, kept.as_ref(), &mine);
        if !sound {
            self.ending = Ending::NotSound;
            return self.say(&format!("{}\n({} against {})", lines.join("\n"), names[0], names[1]));
        }
        self.say(&lines.join("\n"))
    }
}

/// What came of the check, in lines, and whether all is well.
fn verdict(record: &Record, id: MatchId, kept: Option<&KeptDice>, mine: &[Seat]) -> (Vec<String>, bool) {
    let mut faults = Vec::new();
    if record.id != id {
        faults.push("the record is of another match".to_owned());
    }
    let commitment = record.events.iter().find_map(|event| match &event.kind {
        EventKind::Created { commitment, .. } => Some(commitment),
        _ => None,
    });
    let (kept_commitment, kept_seed) =
        kept.map_or((None, None), |kept| (kept.commitment.as_ref(), kept.seed.as_ref()));
    if kept_commitment.is_some() && kept_commitment != commitment {
        faults.push("the commitment is not the one that was told before the first throw".to_owned());
    }
    let seeds = mine.iter().filter_map(|&seat| final_seed(record, seat));
    let brought: Vec<&PlayerSeed> = seeds.collect();
    let own = kept_seed.is_some_and(|seed| brought.contains(&seed));
    let has_games = record.events.iter().any(|event| matches!(event.kind, EventKind::GameStarted { .. }));
    if kept_seed.is_some() && has_games && !own {
        faults.push("the seed in the record is not the one that you brought".to_owned());
    }
    let report = judge(record);
    faults.extend(report.faults.iter().map(ToString::to_string));
    if !faults.is_empty() {
        let more = (faults.len() + report.faults_more).saturating_sub(FAULTS_TOLD);
        let mut lines = vec!["THIS MATCH IS NOT SOUND:".to_owned()];
        lines.extend(faults.iter().take(FAULTS_TOLD).map(|fault| format!("  {}", clipped(fault, 200))));
        if more > 0 {
            lines.push(format!("  and {more} more faults"));
        }
        return (lines, false);
    }
    let throws: u32 = report.games.iter().map(|game| game.throws).sum();
    let turns: u32 = report.games.iter().map(|game| game.turns).sum();
    if report.games.is_empty() {
        return (Vec::new(), true);
    }
    let bound = if kept_commitment.is_some() { ", bound to before the first" } else { "" };
    let seeded = if own { ", with your own seed in them" } else { "" };
    let line = match throws {
        0 => format!("Checked: {turns} turns and the lot for the sides are as they must be{seeded}."),
        _ => format!(
            "Checked: {throws} throws computed anew{bound}{seeded}, and {turns} turns, are as they must be."
        ),
    };
    (vec![line], true)
}

fn final_seed(record: &Record, seat: Seat) -> Option<&PlayerSeed> {
    let seed = match seat {
        Seat::One => &record.dice.seeds.one,
        Seat::Two => record.dice.seeds.two.as_ref()?,
    };
    match seed {
        SeatSeed::Brought { seed } | SeatSeed::Drawn { seed } => Some(seed),
        SeatSeed::Committed { .. } => None,
    }
}

const fn seed_of(now: &Snapshot, seat: Seat) -> Option<&SeatSeed> {
    match seat {
        Seat::One => Some(&now.dice.seeds.one),
        Seat::Two => now.dice.seeds.two.as_ref(),
    }
}

fn fresh_seed() -> Result<PlayerSeed, Failure> {
    Ok(random_text()?.parse().expect("hexadecimal digits are a seed"))
}

fn hash_of(seed: &PlayerSeed) -> Hash {
    hexadecimal(&seed_hash(seed.as_str())).parse().expect("the hexadecimal digits of 32 bytes are a hash")
}

fn record_path(id: MatchId) -> String {
    format!("/api/v1/matches/{id}/record")
}

/// Writes a file that is not there yet.
fn write_new(path: &str, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)
}
