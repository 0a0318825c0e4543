// Small signs for the purpose of the trays beside a board.

/** Their paths, by the kind of place: where pieces come from, or have left. @type {Record<string, string>} */
export const SIGNS = {
  supply: "M.14 0H-.14M-.03-.12-.15 0-.03 .12",
  off: "M-.14 .01-.03 .12 .14-.11",
  captured: "M-.11-.11 .11 .11M.11-.11-.11 .11",
};
