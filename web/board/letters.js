// The size of letters on a board.
//
// A board is drawn in cells, and a letter is a third of one: tools that check font sizes would read that as less than a
// pixel. So letters are drawn in hundredths of a cell, and scaled.

/** One pixel of a font, in cells. */
export const LETTER = 0.01;

/** Where a text stands. @param {number} x @param {number} y in cells */
export const writtenAt = (x, y) => `translate(${x} ${y}) scale(${LETTER})`;
