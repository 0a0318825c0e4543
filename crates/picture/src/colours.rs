//! The wooden board by daylight, as in `web/board/skins.js`, and the page's own colours.

use crate::canvas::Colour;

pub(crate) const GROUND: Colour = Colour::hex(0x00f3_ecdf);
pub(crate) const INK: Colour = Colour::hex(0x002a_2018);
pub(crate) const MUTED: Colour = Colour::hex(0x0062_523f);
pub(crate) const ACCENT: Colour = Colour::hex(0x0093_271a);
pub(crate) const ON_ACCENT: Colour = Colour::hex(0x00f6_ead6);

pub(crate) const FRAME: Colour = Colour::hex(0x006b_4226);
pub(crate) const FIELD: Colour = Colour::hex(0x00d2_a874);
pub(crate) const CUT: Colour = Colour::hex(0x0032_1a0a).faint(0.78);
pub(crate) const LIT: Colour = Colour::hex(0x00ff_e2b0).faint(0.35);
pub(crate) const BOWL: Colour = Colour::hex(0x002e_1606).faint(0.16);
pub(crate) const UNDER: Colour = Colour::hex(0).faint(0.28);
pub(crate) const SHEEN: Colour = Colour::hex(0x00ff_ffff).faint(0.07);
pub(crate) const LETTER: Colour = Colour::hex(0x005e_1f10);
pub(crate) const NUMBER: Colour = Colour::hex(0x004a_2a12);
pub(crate) const LABEL: Colour = Colour::hex(0x00f3_dfb8);
pub(crate) const DARK_POINT: Colour = Colour::hex(0x006d_3a20).faint(0.88);
pub(crate) const LIGHT_POINT: Colour = Colour::hex(0x00ec_d3a2).faint(0.88);
pub(crate) const SPECIAL: Colour = Colour::hex(0x005a_280e).faint(0.3);
pub(crate) const SHADE: Colour = Colour::hex(0x0014_0a04);
pub(crate) const GLOSS: Colour = Colour::hex(0x00ff_ffff).faint(0.45);
pub(crate) const EDGE_LIGHT: Colour = Colour::hex(0x00ff_ffff).faint(0.75);

/// The colours of a kind of piece.
pub(crate) struct Man {
    pub(crate) high: Colour,
    pub(crate) mid: Colour,
    pub(crate) low: Colour,
    pub(crate) edge: Colour,
    pub(crate) cut: Colour,
    pub(crate) rim: Colour,
    /// The colour of its number.
    pub(crate) count: Colour,
}

/// Bone.
pub(crate) const FIRST: Man = Man {
    high: Colour::hex(0x00ff_faf0),
    mid: Colour::hex(0x00f1_e4c8),
    low: Colour::hex(0x00cd_b68c),
    edge: Colour::hex(0x009c_8358),
    cut: Colour::hex(0x008d_7245),
    rim: Colour::hex(0x00a9_8f62),
    count: Colour::hex(0x0033_240f),
};

/// Ebony.
pub(crate) const SECOND: Man = Man {
    high: Colour::hex(0x005a_4a42),
    mid: Colour::hex(0x002b_211d),
    low: Colour::hex(0x0013_0d0b),
    edge: Colour::hex(0x0007_0403),
    cut: Colour::hex(0x00d5_ac62),
    rim: Colour::hex(0x00ff_f0dc).faint(0.26),
    count: Colour::hex(0x00ff_ffff),
};

/// The king, of gold.
pub(crate) const KING: Man = Man {
    high: Colour::hex(0x00ff_e9a8),
    mid: Colour::hex(0x00df_ae45),
    low: Colour::hex(0x0096_651a),
    edge: Colour::hex(0x005e_3c0c),
    cut: Colour::hex(0x004a_2c06),
    rim: Colour::hex(0x005e_3c0c),
    count: Colour::hex(0x0033_240f),
};
