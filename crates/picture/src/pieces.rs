//! Lists the pieces of a position with their places: piles are closer together as they grow. Equivalent to
//! `web/game/position.js` and `web/board/arrange.js`.

use std::collections::BTreeMap;

use lusoria_protocol::{CatalogueEntry, Pieces, PlaceKind, Position, SideName, TablesPosition, TaflPosition};

use crate::{
    layout::Layout,
    slab::{Family, Spot, few},
};

/// The places of pieces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlaceId {
    /// The cell with this id.
    Cell(String),
    /// A place beside the cells.
    Beside(PlaceKind, SideName),
}

/// A piece of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    side: SideName,
    place: PlaceId,
    is_king: bool,
    /// It lies under an enemy piece.
    is_pinned: bool,
}

/// The look of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// The look of the side that the catalogue names first.
    First,
    Second,
    King,
}

/// A piece in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lies {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) looks: Looks,
    /// The number of pieces in its pile, if it is the top of a high one.
    pub(crate) count: Option<usize>,
}

/// The smallest pile whose top piece shows the number.
const fn counted_from(family: Family) -> usize {
    match family {
        Family::Rows | Family::Tafl => 4,
        Family::Points => 6,
    }
}

/// The distance of a piece from the enemy piece that it pins, so that both are visible.
const OVER: f32 = 0.36;

/// The places of a position's pieces, lower ones before those on top of them.
pub(crate) fn arranged(layout: &Layout, position: &Position) -> Vec<Lies> {
    let mut places: BTreeMap<PlaceId, Vec<Piece>> = BTreeMap::new();
    for piece in pieces(layout.entry, position) {
        places.entry(piece.place.clone()).or_default().push(piece);
    }
    let mut lying = Vec::new();
    for (place, mut pieces) in places {
        let Some(&spot) = layout.spots.get(&place) else { continue };
        pieces.sort_by_key(|piece| !piece.is_pinned);
        for (spot, pile) in shares(layout, spot, pieces) {
            let counted = pile.len() >= counted_from(layout.family);
            let is_pinning = pile.first().is_some_and(|lowest| lowest.is_pinned);
            lying.extend(pile.iter().enumerate().map(|(level, piece)| {
                let (x, y) = lies(spot, is_pinning, level, pile.len());
                let count = (counted && level + 1 == pile.len()).then_some(pile.len());
                Lies { x, y, size: spot.size, looks: looks(layout.entry, piece), count }
            }));
        }
    }
    lying
}

fn looks(entry: &CatalogueEntry, piece: &Piece) -> Looks {
    match piece {
        Piece { is_king: true, .. } => Looks::King,
        Piece { side, .. } if *side == entry.sides[0].id => Looks::First,
        Piece { .. } => Looks::Second,
    }
}

/// Pieces of both sides that wait in one cell of a row are placed side by side; a pinned piece is under the
/// others.
fn shares(layout: &Layout, spot: Spot, pieces: Vec<Piece>) -> Vec<(Spot, Vec<Piece>)> {
    let first = layout.entry.sides[0].id;
    let (own, others): (Vec<Piece>, Vec<Piece>) =
        pieces.iter().cloned().partition(|piece| piece.side == first);
    if layout.family != Family::Rows || own.is_empty() || others.is_empty() {
        return vec![(spot, pieces)];
    }
    let half = |aside: f32| Spot { x: spot.x + aside, size: spot.size * 0.66, ..spot };
    vec![(half(-0.25), own), (half(0.25), others)]
}

fn lies(spot: Spot, is_pinning: bool, level: usize, count: usize) -> (f32, f32) {
    let (first, under) = if is_pinning { (OVER, 1) } else { (0.0, 0) };
    let laid = count - under;
    let each = if laid > 1 { spot.step.min((spot.room - first) / few(laid - 1)) } else { 0.0 };
    let off = if level == 0 { 0.0 } else { first + each * few(level - under) };
    (spot.x, spot.y + spot.down * off)
}

fn pieces(entry: &CatalogueEntry, position: &Position) -> Vec<Piece> {
    match position {
        Position::Tables(TablesPosition { white, black, .. }) => {
            let of = |side, pieces| tables_pieces(entry, side, pieces);
            of(SideName::White, white).chain(of(SideName::Black, black)).collect()
        }
        Position::Tafl(TaflPosition { board, .. }) => tafl_pieces(entry, board),
    }
}

fn tables_pieces(entry: &CatalogueEntry, side: SideName, pieces: &Pieces) -> impl Iterator<Item = Piece> {
    let beside = [
        (PlaceKind::Supply, pieces.supply.unwrap_or_default()),
        (PlaceKind::Bar, pieces.bar.unwrap_or_default()),
        (PlaceKind::Off, pieces.off),
    ];
    let beside = beside.map(|(kind, count)| (PlaceId::Beside(kind, side), count, 0));
    let on_cells = pieces.points.iter().filter_map(|(name, &count)| {
        let named = |cell: &&lusoria_protocol::Cell| match side {
            SideName::White => cell.names.white == *name,
            _ => cell.names.black == *name,
        };
        let cell = entry.board.cells.iter().find(named)?;
        let pinned = pieces.pinned.as_ref().is_some_and(|pinned| pinned.iter().any(|cell| cell == name));
        Some((PlaceId::Cell(cell.id.clone()), count, u8::from(pinned)))
    });
    let counted: Vec<_> = beside.into_iter().chain(on_cells).collect();
    counted.into_iter().flat_map(move |(place, count, pinned)| {
        (0..count).map(move |n| Piece { side, place: place.clone(), is_king: false, is_pinned: n < pinned })
    })
}

/// Pieces that are not on the board have been captured.
fn tafl_pieces(entry: &CatalogueEntry, board: &str) -> Vec<Piece> {
    let (defenders, attackers) = (&entry.sides[0], &entry.sides[1]);
    let ranks = board.split('/').count();
    let mut found = Vec::new();
    for (row, written) in board.split('/').enumerate() {
        let mut files = 'a'..;
        for sign in written.chars() {
            if let Some(empty) = sign.to_digit(10) {
                files.by_ref().take(empty as usize).for_each(drop);
                continue;
            }
            let Some(file) = files.next() else { continue };
            let place = PlaceId::Cell(format!("{file}{}", ranks - row));
            let side = if sign == 't' { attackers.id } else { defenders.id };
            found.push(Piece { side, place, is_king: sign == 'K', is_pinned: false });
        }
    }
    for side in [defenders, attackers] {
        let left = found.iter().filter(|piece| piece.side == side.id).count();
        let is_kingless = side.id == defenders.id && !found.iter().any(|piece| piece.is_king);
        let place = PlaceId::Beside(PlaceKind::Captured, side.id);
        found.extend((left..usize::from(side.pieces)).map(|n| Piece {
            side: side.id,
            place: place.clone(),
            is_king: is_kingless && n == left,
            is_pinned: false,
        }));
    }
    found
}
