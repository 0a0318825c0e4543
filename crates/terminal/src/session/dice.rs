//! Dice that one checks oneself: a seed of one's own, what the server bound itself to, and what
//! came of it.

use lusoria_dice::seed_hash;
use lusoria_protocol::{
    Code, Hash, MatchState, PlayerSeed, RevealSeed, Seat, SeatSeed, Snapshot, socket::Op,
};
use serde::de::IgnoredAny;

use super::{
    Failure, Session, fresh_key, hexadecimal,
    owed::{Asked, Owed},
    random_text,
};
use crate::{keep::KeptDice, output::Output};
use lusoria_client::{AskError, passes};

/// What is told of a server that names another commitment than before.
const CHANGED_ITS_MIND: &str = "THIS MATCH IS NOT SOUND: the server binds itself to other dice than before. \
    It knows the seed that you brought, and could have chosen them.";

impl<O: Output> Session<O> {
    /// Draws a seed, keeps it, and says by which hash one is bound to it.
    pub(super) fn commit_to_a_seed(&mut self) -> Result<Hash, Failure> {
        let seed = fresh_seed()?;
        let hash = hash_of(&seed);
        self.keep.keep_seed(self.me, &hash, &seed)?;
        Ok(hash)
    }

    /// A seed to join a match with; the commitment of the server is kept with it. None if that has
    /// changed since one saw the match first: a server that has seen the seed and may still change
    /// its commitment chooses the dice.
    pub(super) fn seed_for(&mut self, open: &Snapshot) -> Result<Option<PlayerSeed>, Failure> {
        let kept = self.keep.dice(self.me, open.id)?;
        let bound = kept.as_ref().and_then(|kept| kept.commitment.as_ref());
        if bound.is_some_and(|bound| *bound != open.dice.commitment) {
            self.records.not_sound.insert(open.id);
            self.say(CHANGED_ITS_MIND)?;
            return Ok(None);
        }
        let seed = match kept.and_then(|kept| kept.seed) {
            Some(seed) => seed,
            None => fresh_seed()?,
        };
        let dice = KeptDice { commitment: Some(open.dice.commitment.clone()), seed: Some(seed.clone()) };
        self.keep.keep_dice(self.me, open.id, &dice)?;
        Ok(Some(seed))
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
            if let Some(SeatSeed::Committed { seed_hash }) = now.seed(seat)
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

    /// Reveals one's seed as soon as both seats are taken; if the connection breaks, again when it is
    /// back.
    pub(super) async fn reveal(&mut self) -> Result<Asked<()>, Failure> {
        let Some(table) = &self.table else { return Ok(Asked::Done(())) };
        if table.now.state != MatchState::AwaitingSeeds {
            return Ok(Asked::Done(()));
        }
        if self.outbox.waiting.contains(&Owed::Reveal) {
            return Ok(Asked::Later);
        }
        let id = table.now.id;
        let bound = table.mine().iter().find_map(|&seat| match table.now.seed(seat) {
            Some(SeatSeed::Committed { seed_hash }) => Some(seed_hash.clone()),
            Some(SeatSeed::Brought { .. } | SeatSeed::Drawn { .. }) | None => None,
        });
        let Some(hash) = bound else { return Ok(Asked::Done(())) };
        let kept = self.keep.dice(self.me, id)?.and_then(|kept| kept.seed);
        let Some(seed) = kept.filter(|seed| hash_of(seed) == hash) else {
            self.say("The seed for the dice is kept elsewhere: go on where you made the match.")?;
            return Ok(Asked::Refused);
        };
        let key = Some(fresh_key()?);
        match self.link.ask::<IgnoredAny>(Op::command(id, key, RevealSeed { seed })).await {
            Err(AskError::Problem(problem)) if passes(&problem) => self.try_later(&problem, Owed::Reveal),
            Err(AskError::Problem(problem)) if problem.code != Code::NoSeedToReveal => {
                self.tell_error(&AskError::Problem(problem))?;
                Ok(Asked::Refused)
            }
            // One that is revealed already was revealed before the connection broke.
            Ok(_) | Err(_) => Ok(Asked::Done(())),
        }
    }

    pub(super) fn tell_dice(&mut self) -> Result<(), Failure> {
        let Some(table) = &self.table else { return self.say("That can be told at a match only.") };
        if self.records.unchecked.contains(&table.now.id) {
            let id = table.now.id;
            self.records.check(id);
        }
        let Some(table) = &self.table else { return Ok(()) };
        let mut lines = vec![format!("commitment  {}", table.now.dice.commitment.as_str())];
        for (number, seat) in [(1, Seat::One), (2, Seat::Two)] {
            let told = match table.now.seed(seat) {
                Some(SeatSeed::Brought { seed }) => format!("{} (brought)", seed.as_str()),
                Some(SeatSeed::Drawn { seed }) => format!("{} (drawn by the server)", seed.as_str()),
                Some(SeatSeed::Committed { seed_hash }) => format!("bound by {}", seed_hash.as_str()),
                None => "not known yet".to_owned(),
            };
            lines.push(format!("seed {number}      {told}"));
        }
        self.say(&lines.join("\n"))
    }
}

fn fresh_seed() -> Result<PlayerSeed, Failure> {
    Ok(random_text()?.parse().expect("hexadecimal digits are a seed"))
}

fn hash_of(seed: &PlayerSeed) -> Hash {
    hexadecimal(&seed_hash(seed.as_str())).parse().expect("the hexadecimal digits of 32 bytes are a hash")
}
