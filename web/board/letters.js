// How large what is written on a board is.
//
// A board is drawn in cells, and a letter is a third of one: less than a pixel, for those who judge pages by the size
// of their fonts. So letters are drawn in hundredths of a cell, and scaled.

/** What one pixel of a font is, in cells. */
export const LETTER = 0.01;

/** Where something is written. @param {number} x @param {number} y in cells */
export const writtenAt = (x, y) => `translate(${x} ${y}) scale(${LETTER})`;
