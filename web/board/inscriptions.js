// What Romans cut into their boards in place of letters: six words of six letters, one letter for each cell.
//
// They stand here as they were found, with their own spelling; what did not fit was left out.

/** @typedef {import("./layout.js").Spot} Spot */

export const INSCRIPTIONS = [
  // Timgad, CIL VIII 17938: to hunt, to bathe, to play, to laugh: that is to live.
  ["VENARI", "LAVARI", "LVDERE", "RIDERE", "OCCEST", "VIVERE"],
  // Rome, the catacombs of San Marco: the Parthians are slain, the Briton is beaten; play, Romans.
  ["PARTHI", "OCCISI", "BRITTO", "VICTVS", "LVDITE", "ROMANI"],
  // Rome, the catacombs of Callixtus: if the die favours you, I shall beat you by skill.
  ["SITIBI", "TESSEL", "LAFAVE", "TEGOTE", "STVDIO", "VINCAM"],
  // Rome, CIL XIV 4125: get up, make room, you cannot play; fool, be gone.
  ["LEVATE", "DALOCV", "LVDERE", "NESCIS", "IDIOTA", "RECEDE"],
  // Rome, a tavern: we have for dinner chicken, fish, ham, peacock.
  ["ABEMVS", "INCENA", "PVLLVM", "PISCEM", "PERNAM", "PAONEM"],
  // Trier: the virtue of the empire; the enemies are bound; let the Romans play.
  ["VIRTVS", "IMPERI", "HOSTES", "VINCTI", "LVDANT", "ROMANI"],
];

const DAY_MS = 24 * 60 * 60_000;

/** Every day another one. A page keeps the one that it began with. */
const DAY = Math.floor(Date.now() / DAY_MS);

/**
 * The letter of each cell of three rows of twelve. They are read from left to right and then down, however the board
 * is turned; on one that stands upright a column holds what a row held.
 * @template {string} Id
 * @param {Map<Id, Spot>} cells
 * @param {boolean} quarter whether the board stands upright
 * @param {number} [day] of which the inscription is
 * @returns {Map<Id, string>}
 */
export function inscribed(cells, quarter, day = DAY) {
  const read = [...cells].sort(([, a], [, b]) => (quarter ? a.x - b.x || a.y - b.y : a.y - b.y || a.x - b.x));
  const letters = INSCRIPTIONS[day % INSCRIPTIONS.length].join("");
  return new Map(read.map(([id], nth) => [id, letters[nth]]));
}
