//! The user's own check of the dice: their seed, the server's commitment, and the throws.

use lusoria_dice::seed_hash;
use lusoria_protocol::{
    Code, Hash, MatchState, PlayerSeed, RevealSeed, Seat, SeatSeed, Snapshot, socket::Op,
};
use serde::de::IgnoredAny;

use super::{
    Session, SessionError, fresh_key,
    outbox::{Attempt, Pending},
    random_text,
};
use crate::{output::Output, profile::StoredDice};
use lusoria_client::{RequestError, passes};

/// Printed when a server names another commitment than before.
const CHANGED_ITS_MIND: &str = "THIS MATCH IS NOT SOUND: the server binds itself to other dice than before. \
    It knows the seed that you brought, and could have chosen them.";

impl<O: Output> Session<O> {
    /// Draws a seed, stores it, and returns the hash that commits the user to it.
    pub(super) fn commit_to_a_seed(&mut self) -> Result<Hash, SessionError> {
        let seed = fresh_seed()?;
        let hash = hash_of(&seed);
        self.profile.keep_seed(self.me, &hash, &seed)?;
        Ok(hash)
    }

    /// A seed to join a match with; it is stored with the server's commitment. None if the commitment has
    /// changed since the match was first seen: a server that knows the seed and can still change its
    /// commitment can choose the dice.
    pub(super) fn seed_for(&mut self, open: &Snapshot) -> Result<Option<PlayerSeed>, SessionError> {
        let kept = self.profile.dice(self.me, open.id)?;
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
        let dice = StoredDice { commitment: Some(open.dice.commitment), seed: Some(seed.clone()) };
        self.profile.keep_dice(self.me, open.id, &dice)?;
        Ok(Some(seed))
    }

    /// Stores data about the dice when it is first seen; stored data is never changed.
    pub(super) fn keep_what_is_seen(&mut self) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return Ok(()) };
        let now = &current.now;
        let kept = self.profile.dice(self.me, now.id)?;
        let mut dice = kept.clone().unwrap_or(StoredDice { commitment: None, seed: None });
        dice.commitment.get_or_insert_with(|| now.dice.commitment);
        let mut moved = Vec::new();
        for &seat in current.mine() {
            if let Some(SeatSeed::Committed { seed_hash }) = now.seed(seat)
                && let Some(seed) = self.profile.seed(self.me, seed_hash)?
            {
                dice.seed = Some(seed);
                moved.push(*seed_hash);
            }
        }
        if kept.as_ref() != Some(&dice) {
            self.profile.keep_dice(self.me, now.id, &dice)?;
        }
        for hash in moved {
            self.profile.forget_seed(self.me, &hash);
        }
        Ok(())
    }

    /// Reveals the user's seed as soon as both seats are taken; tries again if the connection breaks.
    pub(super) async fn reveal(&mut self) -> Result<Attempt<()>, SessionError> {
        let Some(current) = &self.current else { return Ok(Attempt::Done(())) };
        if current.now.state != MatchState::AwaitingSeeds {
            return Ok(Attempt::Done(()));
        }
        if self.outbox.waiting.contains(&Pending::Reveal) {
            return Ok(Attempt::Later);
        }
        let id = current.now.id;
        let bound = current.mine().iter().find_map(|&seat| match current.now.seed(seat) {
            Some(SeatSeed::Committed { seed_hash }) => Some(*seed_hash),
            Some(SeatSeed::Brought { .. } | SeatSeed::Drawn { .. }) | None => None,
        });
        let Some(hash) = bound else { return Ok(Attempt::Done(())) };
        let kept = self.profile.dice(self.me, id)?.and_then(|kept| kept.seed);
        let Some(seed) = kept.filter(|seed| hash_of(seed) == hash) else {
            self.say("The seed for the dice is kept elsewhere: go on where you made the match.")?;
            return Ok(Attempt::Refused);
        };
        let key = Some(fresh_key()?);
        match self.link.ask::<IgnoredAny>(Op::command(id, key, RevealSeed { seed })).await {
            Err(RequestError::Problem(problem)) if passes(&problem) => {
                self.try_later(&problem, Pending::Reveal)
            }
            Err(RequestError::Problem(problem)) if problem.code != Code::NoSeedToReveal => {
                self.fail(&RequestError::Problem(problem))
            }
            // A seed that is revealed already was revealed before the connection broke.
            Ok(_) | Err(_) => Ok(Attempt::Done(())),
        }
    }

    pub(super) fn tell_dice(&mut self) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return self.say("That can be told at a match only.") };
        if self.records.unchecked.contains(&current.now.id) {
            let id = current.now.id;
            self.records.check(id);
        }
        let Some(current) = &self.current else { return Ok(()) };
        let mut lines = vec![format!("commitment  {}", current.now.dice.commitment)];
        for (number, seat) in [(1, Seat::One), (2, Seat::Two)] {
            let told = match current.now.seed(seat) {
                Some(SeatSeed::Brought { seed }) => format!("{} (brought)", seed.as_str()),
                Some(SeatSeed::Drawn { seed }) => format!("{} (drawn by the server)", seed.as_str()),
                Some(SeatSeed::Committed { seed_hash }) => format!("bound by {seed_hash}"),
                None => "not known yet".to_owned(),
            };
            lines.push(format!("seed {number}      {told}"));
        }
        self.say(&lines.join("\n"))
    }
}

fn fresh_seed() -> Result<PlayerSeed, SessionError> {
    Ok(random_text()?.parse().expect("hexadecimal digits are a seed"))
}

fn hash_of(seed: &PlayerSeed) -> Hash {
    Hash(seed_hash(seed.as_str()))
}
