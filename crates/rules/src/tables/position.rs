//! Valid positions of dice games.

use super::{
    dice::{Hand, rolls},
    pieces::{PIECES, Pieces, Place, cells},
    road::Road,
    rules::{Entering, Rules, Scoring, Waiting},
    turn::Turn,
};
use crate::{BySide, Mother, Outcome, Reason, Side, Variant};

/// A position between two turns: all pieces, and the side to move.
///
/// Small; two positions are equal exactly if they are indistinguishable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    rules: &'static Rules,
    pieces: BySide<Pieces>,
    to_move: Side,
}

impl Position {
    /// The starting position. White is to move, unless an opening throw decides otherwise (see
    /// [`Position::with_to_move`]).
    pub fn start(rules: &'static Rules) -> Self {
        let mut pieces = Pieces::default();
        let place = match rules.entering {
            Entering::Placed => Place::cell(0),
            Entering::Free | Entering::EachTurn { .. } | Entering::First { .. } => Place::SUPPLY,
        };
        pieces.set(place, PIECES);
        Self { rules, pieces: BySide { white: pieces, black: pieces }, to_move: rules.game().first_to_move() }
    }

    pub(super) const fn new(rules: &'static Rules, pieces: BySide<Pieces>, to_move: Side) -> Self {
        Self { rules, pieces, to_move }
    }

    /// Its rules.
    #[inline]
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The game and its options.
    pub const fn variant(&self) -> Variant {
        self.rules.variant()
    }

    /// The side that rolls next.
    #[inline]
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// The same pieces with that side to move.
    #[must_use]
    pub const fn with_to_move(mut self, side: Side) -> Self {
        self.to_move = side;
        self
    }

    /// How many pieces the side has borne off, 0 to 15.
    #[inline]
    pub const fn off(&self, side: Side) -> u8 {
        self.pieces(side).count(Place::OFF)
    }

    /// The side's pip count: the least sum of dice that it needs to bear everything off. A piece on the
    /// side's first cell counts the length of the path (24 or 36), one on its last cell 1, one in the supply
    /// or on the bar one more than the length. A piece on middle cell *m* counts as if it were on outer cell
    /// *m* − 1, where its count begins.
    pub fn pips(&self, side: Side) -> u32 {
        let pieces = self.pieces(side);
        let length = self.rules.length();
        let beyond = u32::from(length) + 1;
        let waiting = u32::from(pieces.count(Place::SUPPLY) + pieces.count(Place::BAR));
        cells(pieces.occupied())
            .map(|cell| {
                let index = u32::from(cell.index());
                let way = if cell.index() < length {
                    beyond - 1 - index
                } else {
                    beyond + u32::from(length) - index
                };
                u32::from(pieces.count(cell)) * way
            })
            .sum::<u32>()
            + waiting * beyond
    }

    /// The other side's points if `loser` resigns or runs out of time now: 1, or 2 where that counts double
    /// and `loser` has borne off nothing.
    pub fn loss_points(&self, loser: Side) -> u8 {
        match self.rules.scoring {
            Scoring::Mars { .. } if self.off(loser) == 0 => 2,
            Scoring::Mars { .. } | Scoring::Plain => 1,
        }
    }

    /// Whether the turns of both sides would pass for every roll (the guard of rules/README.md).
    pub fn is_dead(&self) -> bool {
        let rolls = rolls(self.rules.game().dice());
        Side::BOTH.into_iter().all(|side| {
            let position = self.with_to_move(side);
            rolls.iter().all(|roll| {
                let hand = Hand::of_roll(self.rules, roll).expect("rolls have the game's number of dice");
                let (road, progress) = Road::of(&position, hand);
                // One die is enough to show that the turn does not pass.
                matches!(road.most(&progress, 1, &mut super::compulsion::Found::default()), None | Some(0))
            })
        })
    }

    /// The board as text for a terminal: White's pieces as `W`, Black's as `B`, each with their number; cells
    /// named on White's path.
    pub fn drawing(&self) -> String {
        (self.rules.drawing)(self)
    }

    /// Counts the positions after `depth` turns, over the distinct rolls of each, as vectors/perft.json does.
    /// A finished game counts once.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.outcome().is_some() {
            return 1;
        }
        let turns = rolls(self.rules.game().dice());
        let turns =
            turns.iter().map(|roll| Turn::new(*self, roll).expect("rolls have the game's number of dice"));
        if depth == 1 {
            return turns.map(|turn| turn.ends(usize::MAX).positions.len() as u64).sum();
        }
        turns.flat_map(|turn| turn.ends(usize::MAX).positions).map(|end| end.perft(depth - 1)).sum()
    }

    /// The end of the game, if the pieces alone show it; a dead position is judged when a turn passes.
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|&side| self.off(side) == PIECES);
        match (winner, self.rules.scoring) {
            (Some(winner), _) => {
                let points = self.loss_points(winner.other());
                let reason = if points == 2 { Reason::Mars } else { Reason::BorneOff };
                Some(Outcome { winner: Some(winner), points, reason })
            }
            (None, Scoring::Plain) => None,
            (None, Scoring::Mars { mother }) => self.mothers(mother),
        }
    }

    /// The result of pinned first cells, if any.
    fn mothers(&self, mother: Mother) -> Option<Outcome> {
        let first = Place::cell(0);
        let pinned = |side| self.pieces(side).pinned() & first.bit() != 0;
        if pinned(Side::White) && pinned(Side::Black) {
            return Some(Outcome { winner: None, points: 0, reason: Reason::DeadDraw });
        }
        let winner = match mother {
            Mother::PlayOn => None,
            Mother::DoubleLoss => {
                let wins = |side: &Side| pinned(side.other()) && self.pieces(*side).count(first) == 0;
                Side::BOTH.into_iter().find(wins)
            }
        }?;
        Some(Outcome { winner: Some(winner), points: 2, reason: Reason::Mother })
    }

    #[inline]
    pub(super) const fn pieces(&self, side: Side) -> &Pieces {
        self.pieces.get(side)
    }

    /// The position after the mover's pieces have become `own`, hitting on the
    /// cells of `hits`.
    pub(super) fn played(&self, own: Pieces, hits: u64) -> Self {
        let mut enemy = *self.pieces.get(self.to_move.other());
        for cell in super::pieces::cells(hits) {
            let hit = self.rules.across(cell);
            let waits = match self.rules.waiting {
                Waiting::MiddleRow { .. } => Place::cell(23 + hit.index().min(23 - hit.index()) + 1),
                Waiting::Bar | Waiting::Nowhere => Place::BAR,
            };
            enemy.carry(hit, waits);
        }
        if self.rules.pins() {
            let mut pinned = 0;
            for cell in super::pieces::cells(own.occupied() & !own.pinned()) {
                let below = self.rules.across(cell);
                if enemy.count(below) > 0 {
                    pinned |= below.bit();
                }
            }
            enemy.set_pinned(pinned);
        }
        let mut after = *self;
        *after.pieces.get_mut(self.to_move) = own;
        *after.pieces.get_mut(self.to_move.other()) = enemy;
        after
    }
}
