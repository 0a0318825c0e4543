//! Draws what is around the board: the game, the players, and the server.

use zeno::Transform;

use crate::{
    HEIGHT_PX, Picture, Player, WIDTH_PX, board,
    canvas::{Canvas, circle, moved, svg},
    colours::{ACCENT, INK, MUTED, ON_ACCENT},
    font::{self, Voice},
    layout::Layout,
    men,
    ornaments::crown,
    pieces::Looks,
    slab::{Area, few},
};

const MARGIN: f32 = 52.0;

/// Where the board and the text are, in pixels.
struct Places {
    board: Area,
    text: Area,
    /// Whether the players are listed one below the other.
    is_column: bool,
}

/// The two arrangements: text above the board, or to the left of it.
fn places() -> [Places; 2] {
    let (wide, high) = (few(WIDTH_PX as usize), few(HEIGHT_PX as usize));
    let inner = wide - 2.0 * MARGIN;
    let above = Places {
        text: Area { x: MARGIN, y: 34.0, w: inner, h: 124.0 },
        board: Area { x: MARGIN, y: 172.0, w: inner, h: high - 172.0 - 36.0 },
        is_column: false,
    };
    let column = 330.0;
    let left = MARGIN + column + 36.0;
    let beside = Places {
        text: Area { x: MARGIN, y: 48.0, w: column, h: high - 96.0 },
        board: Area { x: left, y: 36.0, w: wide - left - 40.0, h: high - 72.0 },
        is_column: true,
    };
    [above, beside]
}

/// Draws everything, with the arrangement that makes the board larger.
pub(crate) fn draw(canvas: &mut Canvas, picture: &Picture) {
    let all = places().map(|places| {
        let layout = Layout::within(picture.entry, places.board.w, places.board.h);
        (layout.scale(places.board.w, places.board.h), layout, places)
    });
    let best = all.into_iter().max_by(|(one, ..), (other, ..)| one.total_cmp(other));
    let (scale, layout, places) = best.expect("there are two");
    let Area { x, y, w, h } = places.board;
    let (left, top) = (x + (w - layout.width * scale) / 2.0, y + (h - layout.height * scale) / 2.0);
    let put = Transform::scale(scale, scale).then_translate(left, top);
    board::draw(canvas, put, &layout, &picture.position);
    if places.is_column {
        column(canvas, picture, &layout, places.text);
    } else {
        strip(canvas, picture, &layout, places.text);
    }
}

/// Title and players above the board, the name of the server at the right.
fn strip(canvas: &mut Canvas, picture: &Picture, layout: &Layout, area: Area) {
    let own_width = signed(canvas, area.x + area.w, area.y + 42.0, true);
    let title = (picture.title.as_str(), Voice::Title);
    text(canvas, title, (area.x, area.y + 50.0), 54.0, area.w - own_width - 40.0);
    let each = area.w / 2.0;
    let mut x = area.x;
    for player in &picture.players {
        x += named(canvas, player, layout, (x, area.y + 108.0), 38.0, each) + 44.0;
    }
}

/// Title and players beside the board, the name of the server below.
fn column(canvas: &mut Canvas, picture: &Picture, layout: &Layout, area: Area) {
    signed(canvas, area.x, area.y + area.h - 8.0, false);
    let title = (picture.title.as_str(), Voice::Title);
    text(canvas, title, (area.x, area.y + 66.0), 72.0, area.w);
    let mut y = area.y + 166.0;
    for player in &picture.players {
        named(canvas, player, layout, (area.x, y), 38.0, area.w);
        y += 74.0;
    }
}

/// Draws a line of text. To be no wider than `width` it is made smaller, down to two thirds, and then cut
/// off. Returns its width.
fn text(canvas: &mut Canvas, (text, voice): (&str, Voice), (x, y): (f32, f32), high: f32, width: f32) -> f32 {
    const SMALLEST: f32 = 2.0 / 3.0;
    let Some(whole) = font::written(text, voice) else { return 0.0 };
    let high = high * (width / (whole.width * high)).clamp(SMALLEST, 1.0);
    let Some(shown) = font::written_within(text, voice, width / high) else { return 0.0 };
    canvas.fill(&shown.path, Transform::scale(high, high).then_translate(x, y), INK);
    shown.width * high
}

/// Draws a player: one of their pieces, their name, and a crown if they have won. Returns the width.
fn named(
    canvas: &mut Canvas,
    player: &Player,
    layout: &Layout,
    (x, y): (f32, f32),
    high: f32,
    width: f32,
) -> f32 {
    let is_first = player.side == layout.entry.sides[0].id;
    let looks = if is_first { Looks::First } else { Looks::Second };
    let size = high * 1.05;
    let middle = y - high * 0.3;
    let put = Transform::scale(size, size).then_translate(x + size / 2.0, middle);
    men::piece(canvas, put, layout.family, looks);
    let before = size + 14.0;
    let behind = if player.has_won { high * 1.1 } else { 0.0 };
    let written = text(canvas, (&player.name, Voice::Text), (x + before, y), high, width - before - behind);
    if player.has_won {
        let crown_at = moved(x + before + written + high * 0.55, middle);
        canvas.fill(&crown(), Transform::scale(high, high).then(&crown_at), ACCENT);
    }
    before + written + behind
}

/// Draws the mark and the name of the page, on a line at `y`; to the left of `x` or from there. Returns the
/// width.
fn signed(canvas: &mut Canvas, x: f32, y: f32, is_right: bool) -> f32 {
    const HIGH: f32 = 30.0;
    const MARK: f32 = 38.0;
    const GAP: f32 = 12.0;
    let name = font::written("Lusoria", Voice::Title).expect("the font has these letters");
    let width = MARK + GAP + name.width * HIGH;
    let left = if is_right { x - width } else { x };
    // Like `web/style/icon.svg`, which is 64 units wide.
    let scale = MARK / 64.0;
    let put = Transform::scale(scale, scale).then_translate(left, y - HIGH * 0.32 - MARK / 2.0);
    canvas.fill(&board::rounded(Area { x: 0.0, y: 0.0, w: 64.0, h: 64.0 }, 14.0), put, ACCENT);
    let middle = moved(32.0, 32.0).then(&put);
    canvas.stroke(&circle(25.5), middle, 2.5, ON_ACCENT);
    for turn in 0..6_u8 {
        let turned = Transform::rotation(zeno::Angle::from_degrees(f32::from(turn) * 60.0)).then(&middle);
        canvas.fill(&svg("M0 0A23 23 0 0 1 0 -23A23 23 0 0 1 0 0Z"), turned, ON_ACCENT);
    }
    let text_at = Transform::scale(HIGH, HIGH).then_translate(left + MARK + GAP, y);
    canvas.fill(&name.path, text_at, MUTED);
    width
}
