// Legal turns of zeno for players who play at random. The numbers are those of rules/zeno.md.

// A side's pieces are counted by place: the supply, the cells 1 to 24, off, and the middle row.
const SUPPLY = 0;
const FIRST_TABLE_END = 6;
const LAST_TABLE = 19;
const LAST = 24;
const OFF = 25;
const MIDDLE = 26;
const PLACES = 38;
const PIECES = 15;

/**
 * The steps of a turn that plays as many dice as can be played; none if no die can. A turn of all dice is nearly always
 * found at once, so the load thinks little.
 */
export function turn(position, side, thrown, random) {
  const rivals = position[side === "white" ? "black" : "white"];
  const board = { own: counts(position[side]), rivals: counts(rivals), isExposed: rivals.exposed };
  board.own[SUPPLY] = position[side].supply;
  board.own[OFF] = position[side].off;
  // Whether a value can enter is judged once, when the dice are thrown (2).
  board.shifts = board.own[SUPPLY] > 0 && !thrown.some((die) => isOpen(board, die));
  const steps = [];
  const failed = new Set();
  let longest = [];

  /** Whether all these dice can be played. */
  const play = (dice) => {
    if (dice.length === 0 || board.own[OFF] === PIECES) return true;
    const key = () => `${dice} ${board.own} ${board.rivals}`;
    if (failed.size > 0 && failed.has(key())) return false;
    for (const die of new Set(dice)) {
      const left = dice.toSpliced(dice.indexOf(die), 1);
      const sources = legal(board, die);
      const first = Math.floor(random() * sources.length);
      for (let tried = 0; tried < sources.length; tried += 1) {
        const from = sources[(first + tried) % sources.length];
        const to = landing(from, die);
        const hit = board.rivals[to];
        board.own[from] -= 1;
        board.own[to] += 1;
        board.rivals[to] = 0;
        steps.push({ die, from: name(from), to: name(to) });
        if (play(left)) return true;
        if (steps.length > longest.length) longest = [...steps];
        steps.pop();
        board.rivals[to] = hit;
        board.own[to] -= 1;
        board.own[from] += 1;
      }
    }
    failed.add(key());
    return false;
  };

  return play(diceToPlay(thrown, random)) ? steps : longest;
}

function counts({ points }) {
  const counted = new Int8Array(PLACES);
  for (const cell in points) {
    counted[cell.startsWith("m") ? MIDDLE - 1 + Number(cell.slice(1)) : Number(cell)] = points[cell];
  }
  return counted;
}

function name(place) {
  if (place === SUPPLY) return "supply";
  if (place === OFF) return "off";
  return place < MIDDLE ? `${place}` : `m${place - MIDDLE + 1}`;
}

/** Each value once; of a double four times, of a triple twelve times (1). Any order will do. */
function diceToPlay(thrown, random) {
  const times = [0, 1, 4, 12];
  const values = [...new Set(thrown)].sort(() => random() - 0.5);
  return values.flatMap((die) => Array(times[thrown.filter((other) => other === die).length]).fill(die));
}

/** From the middle row the count begins on the outer cell beside it (5). */
function landing(from, die) {
  return from < MIDDLE ? Math.min(from + die, OFF) : from - MIDDLE + die;
}

/** Not blocked by two pieces, nor by one that is sheltered (3). */
function isOpen({ rivals, isExposed }, cell) {
  return rivals[cell] === 0 || (rivals[cell] === 1 && (cell > FIRST_TABLE_END || isExposed));
}

/** From where this die can be played: the middle row (5), else the supply (2), else the outer cells. */
function legal(board, die) {
  const middle = occupied(board, MIDDLE, PLACES - 1);
  if (middle.length > 0) return middle.filter((from) => isOpen(board, landing(from, die)));
  if (board.shifts) return occupied(board, 1, FIRST_TABLE_END - die).filter((from) => isOpen(board, from + die));
  if (board.own[SUPPLY] > 0) return isOpen(board, die) ? [SUPPLY] : [];
  const cells = occupied(board, 1, LAST);
  const bearsOff = (from) => cells[0] >= LAST_TABLE && (from + die === OFF || from === cells[0]);
  return cells.filter((from) => (from + die > LAST ? bearsOff(from) : isOpen(board, from + die)));
}

function occupied({ own }, first, last) {
  const found = [];
  for (let place = first; place <= last; place += 1) if (own[place] > 0) found.push(place);
  return found;
}
