//! The claims of a text about its dice, without replaying the match.

use std::collections::BTreeSet;

use lusoria_protocol::EventKind;

use super::{ParsedText, lines::Content, parsed::ParsedEvent};
use crate::proof::{Claims, Reason};

impl ParsedText {
    /// Its claims about its dice.
    pub fn claims(&self) -> Claims {
        let created = &self.head.created;
        let EventKind::Created { game, commitment, side, .. } = created else {
            unreachable!("the tags tell of the making of the match")
        };
        let mut claims = Claims::nothing(self.head.id.0, *game, *commitment, *side);
        claims.take(1, created);
        let mut throws = self.throws.iter().peekable();
        let mut whites = self.whites.iter().peekable();
        for (seq, ParsedEvent { what, .. }) in (2..).zip(&self.said) {
            let white = whites.next_if(|(_, _, at)| *at == seq);
            let throw = throws.next_if(|throw| throw.seq == seq);
            if let Content::Event(kind) = what {
                claims.take(seq, kind);
            } else if let Content::TakenBack { to, .. } = what {
                if claims.may_happen(seq, false) {
                    claims.taken_back(seq, *to, None);
                }
            } else if claims.may_happen(seq, false) {
                if let Some(&(number, white, _)) = white {
                    claims.start(seq, number, white);
                }
                if let Some(throw) = throw {
                    claims.threw(seq, throw.index, throw.dice.iter().map(|&die| die.into()).collect());
                }
            }
        }
        let ended: BTreeSet<u16> =
            claims.games.iter().filter(|game| game.secret.is_some()).map(|game| game.number).collect();
        for (number, _) in self.secrets().filter(|(number, _)| !ended.contains(number)) {
            claims.fault(Reason::Secret, format!("a secret of game {number}, which has not ended"));
        }
        let counted = self.said.len() + 1;
        if counted != self.events {
            let why = format!("there are {counted} events, not {} as the last line says", self.events);
            claims.fault(Reason::Order, why);
        }
        claims.compare_end(self.over);
        claims
    }
}
