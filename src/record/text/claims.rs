//! What a text claims about its dice, without playing the match again.

use lusoria_protocol::EventKind;

use super::{
    Told,
    said::{Said, What},
};
use crate::record::proof::{Claims, Reason, SeedClaim};

impl Told {
    /// What it claims about its dice.
    pub fn claims(&self) -> Claims {
        let EventKind::Created { game, commitment, side, seed, .. } = &self.head.created else {
            unreachable!("the tags tell of the making of the match")
        };
        let mut claims = Claims::nothing(self.head.id.0, *game, commitment.clone(), *side);
        claims.seeds[0] = Some(SeedClaim::of(seed));
        let mut throws = self.throws.iter().peekable();
        let mut whites = self.whites.iter().peekable();
        for (seq, Said { what, .. }) in (2..).zip(&self.said) {
            if let Some(&(number, white, _)) = whites.next_if(|(_, _, at)| *at == seq) {
                claims.start(number, white);
            }
            if let Some(throw) = throws.next_if(|throw| throw.seq == seq) {
                claims.threw(seq, throw.index, throw.dice.iter().map(|&die| die.into()).collect());
            }
            let What::Event(kind) = what else { continue };
            match &**kind {
                EventKind::Joined { seed, .. } => claims.seeds[1] = Some(SeedClaim::of(seed)),
                EventKind::SeedRevealed { seat, seed } => claims.reveal(*seat, seed),
                EventKind::GameEnded { game_number, secret, .. } => claims.end(*game_number, secret),
                _ => {}
            }
        }
        let ended: Vec<u16> =
            claims.games.iter().filter(|game| game.secret.is_some()).map(|game| game.number).collect();
        for (number, _) in self.secrets().filter(|(number, _)| !ended.contains(number)) {
            claims.fault(Reason::Secret, format!("a secret of game {number}, which has not ended"));
        }
        let counted = self.said.len() + 1;
        if counted != self.events {
            let why = format!("there are {counted} events, not {} as the last line says", self.events);
            claims.fault(Reason::Order, why);
        }
        claims
    }
}
