//! Places everything of a board, in units of a cell's width: the board as in the catalogue, and trays to its
//! right for pieces that are not on it. Equivalent to `web/board/layout.js`.

use std::collections::BTreeMap;

use lusoria_protocol::{CatalogueEntry, PlaceKind};

use crate::{
    pieces::PlaceId,
    slab::{Area, Family, Slab, Spot, few},
};

const LANE: f32 = 1.2;
const GAP: f32 = 0.22;
const EDGE: f32 = 0.04;

/// The shortest length of a tray.
const TRAY_MIN: f32 = 2.4;

/// A board in a box.
pub(crate) struct Layout {
    pub(crate) entry: &'static CatalogueEntry,
    pub(crate) family: Family,
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The board with its frame.
    pub(crate) slab: Area,
    /// The width of the playing field.
    pub(crate) wide: f32,
    pub(crate) high: f32,
    pub(crate) spots: BTreeMap<PlaceId, Spot>,
    pub(crate) trays: Vec<(PlaceId, Area)>,
}

impl Layout {
    /// The layout with the largest board for a box of this size.
    pub(crate) fn within(entry: &'static CatalogueEntry, width: f32, height: f32) -> Self {
        let depths: &[f32] = match Family::of(entry) {
            Family::Rows => &[1.1, 1.4, 1.75],
            Family::Points => &[3.8, 4.4, 5.0],
            Family::Tafl => &[0.0],
        };
        let all = depths.iter().map(|&deep| {
            let layout = Self::of(entry, deep);
            // On deep boards pieces can lie apart.
            let worth = layout.scale(width, height) * (1.0 + deep / 60.0);
            (worth, layout)
        });
        let best = all.max_by(|(one, _), (other, _)| one.total_cmp(other));
        best.expect("every family has depths").1
    }

    /// The size of a cell in a box of this size.
    pub(crate) fn scale(&self, width: f32, height: f32) -> f32 {
        (width / self.width).min(height / self.height)
    }

    fn of(entry: &'static CatalogueEntry, deep: f32) -> Self {
        let family = Family::of(entry);
        let Slab { w, h, wide, high, mut spots } = Slab::of(entry, deep);
        for spot in spots.values_mut() {
            spot.x += EDGE;
            spot.y += EDGE;
        }
        let names = tray_order(entry, family);
        let each = |lanes: usize| {
            let slots = few(names.len() / lanes);
            (h - GAP * (slots - 1.0)) / slots
        };
        let lanes = if names.len() < 4 || each(1) >= TRAY_MIN { 1 } else { 2 };
        let (long, across) = (each(lanes), few(lanes) * LANE + few(lanes - 1) * GAP);
        let trays: Vec<(PlaceId, Area)> = names
            .into_iter()
            .enumerate()
            .map(|(index, place)| {
                let lane = if lanes == 2 { lane_of(entry, family, &place) } else { 0.0 };
                let area = Area {
                    x: EDGE + w + GAP + lane * (LANE + GAP),
                    y: EDGE + few(index / lanes) * (long + GAP),
                    w: LANE,
                    h: long,
                };
                (place, area)
            })
            .collect();
        spots
            .extend(trays.iter().map(|(place, area)| (place.clone(), tray_spot(*area, family.piece_size()))));
        Self {
            entry,
            family,
            width: EDGE * 2.0 + w + GAP + across,
            height: EDGE * 2.0 + h,
            slab: Area { x: EDGE, y: EDGE, w, h },
            wide,
            high,
            spots,
            trays,
        }
    }

    /// The place in the picture of a point of the board.
    pub(crate) fn put(&self, x: f32, y: f32) -> (f32, f32) {
        let (side, end) = self.family.frame();
        (x + side + EDGE, y + end + EDGE)
    }

    /// The place of a cell's pieces.
    pub(crate) fn spot(&self, cell: &str) -> Spot {
        self.spots[&PlaceId::Cell(cell.to_owned())]
    }
}

/// Pieces are placed from the bottom of a tray upwards.
fn tray_spot(area: Area, size: f32) -> Spot {
    let inset = LANE / 2.0;
    let room = area.h - 2.0 * inset;
    Spot { x: area.x + inset, y: area.y + area.h - inset, down: -1.0, step: 0.36, room, size }
}

/// The places beside the board, from the top: close to where pieces enter and leave.
fn tray_order(entry: &CatalogueEntry, family: Family) -> Vec<PlaceId> {
    let (own, other) = (entry.sides[0].id, entry.sides[1].id);
    let has_supply = entry.board.places.iter().any(|place| place.kind == PlaceKind::Supply);
    let order: &[(PlaceKind, _)] = match family {
        Family::Rows => &[
            (PlaceKind::Supply, other),
            (PlaceKind::Supply, own),
            (PlaceKind::Off, other),
            (PlaceKind::Off, own),
        ],
        Family::Points if has_supply => &[
            (PlaceKind::Off, own),
            (PlaceKind::Supply, other),
            (PlaceKind::Off, other),
            (PlaceKind::Supply, own),
        ],
        Family::Points => &[(PlaceKind::Off, other), (PlaceKind::Off, own)],
        Family::Tafl => &[(PlaceKind::Captured, own), (PlaceKind::Captured, other)],
    };
    order.iter().map(|&(kind, side)| PlaceId::Beside(kind, side)).collect()
}

/// The lane of a tray where there are two: 0 is next to the board.
fn lane_of(entry: &CatalogueEntry, family: Family, place: &PlaceId) -> f32 {
    let PlaceId::Beside(kind, side) = place else { return 0.0 };
    let is_outer = match family {
        Family::Rows => *side != entry.sides[0].id,
        Family::Points | Family::Tafl => *kind == PlaceKind::Off,
    };
    f32::from(u8::from(is_outer))
}
