//! Recomputes the dice of a record, and states what that proves (docs/dice.md).
//!
//! This checks only the dice, not whether the turns were legal: it does not replay the match, not even of a
//! text.

mod claims;
mod events;
mod faults;
mod report;

pub use claims::Claims;
pub use faults::{FAULTS_MAX, Fault, Faults, Reason};

use lusoria_dice::{
    Game as DiceGame,
    verify::{Claim, Mismatch, seed_fits},
};
use lusoria_protocol::{Hash, PlayAs, PlayerSeed};

use claims::{GameClaim, SeedClaim};

/// A player's notes from before the first throw.
#[derive(Debug, Clone, Default)]
pub struct PlayerNotes {
    /// The commitment that they saw.
    pub commitment: Option<Hash>,
    /// The seed that they brought.
    pub seed: Option<PlayerSeed>,
}

/// The result of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that can be computed was computed, and is correct.
    True,
    /// Something is false.
    False,
    /// What can be computed is correct; the rest is secret until its game has ended.
    TrueSoFar,
    /// Nothing can be computed, at least not yet.
    Nothing,
}

/// The result of recomputing the dice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The faults.
    pub faults: Faults,
    /// The checks that passed, a line for each.
    pub checked: Vec<String>,
    /// The checks that are not possible yet, in words.
    pub open: Vec<String>,
    /// Assumptions of the proof that could not be checked, in words.
    pub unknown: Vec<String>,
    /// Whether the lot for colours was computed, and is correct.
    pub lot: bool,
}

impl Proof {
    /// The result of a proof.
    pub const fn verdict(&self) -> Verdict {
        match (self.faults.is_empty(), self.checked.is_empty(), self.open.is_empty()) {
            (false, _, _) => Verdict::False,
            (true, true, _) => Verdict::Nothing,
            (true, false, true) => Verdict::True,
            (true, false, false) => Verdict::TrueSoFar,
        }
    }
}

/// Recomputes everything that the claims allow.
pub fn prove(claims: &Claims, kept: &PlayerNotes) -> Proof {
    let mut proof = Proof {
        faults: claims.faults.clone(),
        checked: Vec::new(),
        open: Vec::new(),
        unknown: Vec::new(),
        lot: false,
    };
    proof.compare_kept(claims, kept);
    proof.check_seeds(claims);
    if !claims.seeds.iter().flatten().any(|seed| seed.brought) {
        let why = "whether the server chose seeds and secrets that suit each other: no player brought a seed";
        proof.unknown.push(why.to_owned());
    }
    if claims.side != PlayAs::Lot {
        let why = "whether the sides should have been drawn: they were chosen, not drawn, says the record";
        proof.unknown.push(why.to_owned());
    }
    for game in &claims.games {
        proof.check_game(claims, game);
    }
    if claims.games.is_empty() {
        proof.open.push("no game was begun: nothing was thrown".to_owned());
    } else if !claims.is_over() && !claims.is_playing() {
        proof.open.push("the match has not ended".to_owned());
    }
    proof
}

impl Proof {
    fn fault(&mut self, reason: Reason, why: impl Into<String>) {
        self.faults.add(reason, why);
    }

    fn compare_kept(&mut self, claims: &Claims, kept: &PlayerNotes) {
        match &kept.commitment {
            Some(seen) if *seen == claims.commitment => {}
            Some(seen) => {
                let why = format!(
                    "the record's commitment is {}, not the one that you saw, {}",
                    claims.commitment, seen
                );
                self.fault(Reason::Commitment, why);
            }
            None => self.unknown.push(
                "whether the commitment is the one that was shown before the first throw (--commitment)"
                    .to_owned(),
            ),
        }
        let Some(mine) = &kept.seed else {
            self.unknown.push("whether a seed is the one that you brought (--seed)".to_owned());
            return;
        };
        let known = claims.seeds.iter().flatten();
        let is_mine = |claim: &SeedClaim| {
            let fits = claim.hash.is_some_and(|hash| seed_fits(mine.as_str(), &hash.0));
            claim.brought && (claim.seed.as_ref() == Some(mine) || (claim.seed.is_none() && fits))
        };
        if !known.into_iter().any(is_mine) {
            self.fault(Reason::Seed, "neither seat brought the seed that you brought");
        }
    }

    fn check_seeds(&mut self, claims: &Claims) {
        for (seat, claim) in (1..).zip(&claims.seeds) {
            let Some(SeedClaim { hash, seed, .. }) = claim else { continue };
            match (hash, seed) {
                (Some(hash), Some(seed)) if !seed_fits(seed.as_str(), &hash.0) => {
                    let why = format!("the seed that seat {seat} revealed is not the one that it promised");
                    self.fault(Reason::Seed, why);
                }
                (_, None) => self.open.push(format!("seat {seat} has not revealed its seed")),
                (_, Some(_)) => {}
            }
        }
    }

    fn check_game(&mut self, claims: &Claims, game: &GameClaim) {
        let GameClaim { number, white, secret, throws, seqs, .. } = game;
        let Some(secret) = secret else {
            let throws = throws.len();
            self.open.push(format!(
                "game {number} has not ended: its secret, and with it {throws} throws, is not published"
            ));
            return;
        };
        // A missing seed was reported when the game began.
        let [Some(one), Some(two)] = &claims.seeds else { return };
        let (Some(one), Some(two)) = (&one.seed, &two.seed) else { return };
        let lot = (*number == 1 && claims.side == PlayAs::Lot).then(|| u8::from(*white));
        let claim = Claim {
            game: DiceGame { match_id: claims.id, number: *number, seeds: (one.as_str(), two.as_str()) },
            commitment: claims.commitment.0,
            secret: secret.0,
            throws,
            lot,
        };
        let mismatches = claim.mismatches();
        if mismatches.is_empty() {
            self.lot |= lot.is_some();
            let lot = if lot.is_some() { "the lot is the one that was drawn; " } else { "" };
            self.checked.push(format!(
                "game {number}: its secret leads to the commitment; {lot}{} throws are those that were thrown",
                throws.len()
            ));
        }
        for mismatch in mismatches {
            let reason = match &mismatch {
                Mismatch::Secret => Reason::Secret,
                Mismatch::Lot { .. } => Reason::Lot,
                Mismatch::Seeds { .. } => Reason::Seed,
                Mismatch::Numbered { .. }
                | Mismatch::Missing { .. }
                | Mismatch::PutIn { .. }
                | Mismatch::Moved { .. } => Reason::Order,
                Mismatch::Throw { .. } => Reason::Die,
            };
            let at = match &mismatch {
                Mismatch::Throw { place, .. } => Some(*place),
                _ => None,
            };
            let at = at.map_or_else(String::new, |at| format!(" (event {})", seqs[at]));
            self.fault(reason, format!("game {number}{at}: {mismatch}"));
        }
    }
}
