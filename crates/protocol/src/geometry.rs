//! The geometry of a board.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::SideName;

/// A board, exact enough to draw it without knowing the game. The unit is the width of a cell; x grows to the right
/// and y downwards, from the upper left corner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Geometry {
    /// The total width, including the places beside the board.
    pub width: f64,
    /// The total height.
    pub height: f64,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The places for pieces that are not on a cell.
    pub places: Vec<Place>,
    /// Lines and marks to draw.
    pub lines: Vec<Line>,
    /// The route of each side, if the game has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Paths>,
}

/// A cell. Pieces on it are drawn from (x, y), the middle of the cell's first piece, in
/// the direction of `stack`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Cell {
    /// White's name for it, which is unique on the board.
    pub id: String,
    /// The name of each side for it in steps and positions.
    pub names: CellNames,
    /// Its label.
    pub label: String,
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
    /// Its shape.
    pub shape: CellShape,
    /// The part of the board that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Its number on each side's route, from 1; absent if it is not on the route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
}

/// The names of a cell for each side. In tablut `white` is the defenders and `black` the attackers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CellNames {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
}

/// The number of a cell on each side's route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Order {
    /// On White's.
    pub white: u8,
    /// On Black's.
    pub black: u8,
}

/// The shape of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CellShape {
    /// A square.
    Square,
    /// A square set off from the others: tablut's throne.
    Throne,
    /// A square set off from the others: where the attackers start in tablut.
    Camp,
    /// A circle with stacked pieces.
    Circle,
    /// A long triangle that points up, with pieces from its foot upwards.
    PointUp,
    /// A long triangle that points down, with pieces from its foot downwards.
    PointDown,
}

/// The kind of pieces on a place that is not a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// Pieces not yet entered.
    Supply,
    /// Hit pieces that must enter again.
    Bar,
    /// Pieces borne off.
    Off,
    /// Captured pieces.
    Captured,
}

/// A place beside the cells, for the pieces of one side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Place {
    /// The kind of pieces there.
    pub kind: PlaceKind,
    /// Its side.
    pub side: SideName,
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
}

/// A line to draw, such as a mark that divides tables.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Line {
    /// From.
    pub x1: f64,
    /// From.
    pub y1: f64,
    /// To.
    pub x2: f64,
    /// To.
    pub y2: f64,
}

/// The cells in the order in which each side travels them, by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Paths {
    /// White's route.
    pub white: Vec<String>,
    /// Black's route.
    pub black: Vec<String>,
}
