// Inscriptions that Romans cut into their boards instead of letters: six words of six letters, one letter for each
// cell.
//
// They keep the spelling of the originals; what did not fit is left out.

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

/** A different one each day. A page keeps the one that it began with. */
const DAY = Math.floor(Date.now() / DAY_MS);

/**
 * The letter of each cell of three rows of twelve. They read from left to right and then down, however the board is
 * turned; on an upright board, columns replace rows.
 * @template {string} Id
 * @param {Map<Id, Spot>} cells
 * @param {boolean} quarter whether the board is upright
 * @param {number} [day] whose inscription it is
 * @returns {Map<Id, string>}
 */
export function inscribed(cells, quarter, day = DAY) {
  const read = [...cells].sort(([, a], [, b]) => (quarter ? a.x - b.x || a.y - b.y : a.y - b.y || a.x - b.x));
  const letters = INSCRIPTIONS[day % INSCRIPTIONS.length].join("");
  return new Map(read.map(([id], nth) => [id, letters[nth]]));
}
