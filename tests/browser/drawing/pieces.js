// Renders the pieces in the light of the page, which comes from the upper left.
//
// Each is a height map over a disc of radius 1, which gives the slope and so the shade of every point; turned and
// engraved details are part of that height. Each kind has several variants: no two pieces of bone are alike.

import { between, layered, noise, numbers, step } from "./noise.js";
import { mixed, painted } from "./grain.js";

/** @typedef {import("./grain.js").Colour} Colour */
/** @typedef {import("./grain.js").Picture} Picture */
/** @typedef {{across: number, down: number}} Place from the centre of a piece, in radii */
/** @typedef {[number, number, number, number]} Line from one point to another: across, down, across, down */

/**
 * The description of a piece.
 * @typedef {object} Making
 * @property {(at: Place, off: number) => number} height the height of its surface, in radii; `off` is the distance from the centre
 * @property {(at: Place, off: number) => Colour} colour the colour in plain light
 * @property {number} gloss how strongly it shines, from 0 to 1
 * @property {number} polish how small the highlight is
 * @property {Colour} wall the colour of its visible side
 */

/** The direction of the light: x to the right, y down, z towards the viewer. */
const LIGHT = unit([-0.5, -0.62, 0.6]);
const HALF_WAY = unit([LIGHT[0], LIGHT[1], LIGHT[2] + 1]);

/** @param {number[]} vector */
function unit(vector) {
  const long = Math.hypot(...vector);
  return vector.map((part) => part / long);
}

/** The part of the picture's width that a piece takes; the rest is for its edge. */
const FILLED = 0.97;

/** How much of a piece's side is visible below it, in radii. */
const WALL = 0.075;

/** The samples in each direction that a pixel averages. */
const FINER = 3;

/**
 * A piece in a square.
 * @param {number} size in pixels
 * @param {Making} making
 * @returns {Picture}
 */
export function piece(size, making) {
  const radius = (1 - WALL / 2) / FILLED;
  return painted(size, size, (x, y) => {
    const sum = [0, 0, 0, 0];
    for (let nth = 0; nth < FINER * FINER; nth += 1) {
      const dx = ((nth % FINER) + 0.5) / FINER - 0.5;
      const dy = (Math.floor(nth / FINER) + 0.5) / FINER - 0.5;
      const at = { across: (2 * (x + dx / size) - 1) * (radius + WALL / 2), down: (2 * (y + dy / size) - 1) * (radius + WALL / 2) + WALL / 2 };
      const colour = lit(at, making);
      if (!colour) continue;
      sum[3] += 1;
      for (const part of [0, 1, 2]) sum[part] += colour[part];
    }
    const [red, green, blue, seen] = sum;
    const of = seen || 1;
    return [red / of, green / of, blue / of, (255 * seen) / (FINER * FINER)];
  });
}

/** The colour of a point of a piece, its side included. @param {Place} at @param {Making} making @returns {Colour | undefined} */
function lit(at, making) {
  const off = Math.hypot(at.across, at.down);
  if (off <= 1) return shaded(at, off, making);
  // The side goes down from the edge: it is the same disc, a little lower.
  const lower = Math.hypot(at.across, at.down - WALL);
  if (lower > 1 || at.down < 0) return undefined;
  const depth = step(0, WALL, off - 1);
  const aside = between(1, 0.62, step(-0.6, 1, at.across));
  const strength = aside * between(1.05, 0.6, depth);
  return /** @type {Colour} */ (making.wall.map((part) => part * strength));
}

/** The distance for computing the slope. */
const NEAR = 0.006;

/** @param {Place} at @param {number} off @param {Making} making @returns {Colour} */
function shaded(at, off, { height, colour, gloss, polish }) {
  const over = (/** @type {number} */ across, /** @type {number} */ down) =>
    height({ across: at.across + across, down: at.down + down }, Math.hypot(at.across + across, at.down + down));
  const slope = [
    -(over(NEAR, 0) - over(-NEAR, 0)) / (2 * NEAR),
    -(over(0, NEAR) - over(0, -NEAR)) / (2 * NEAR),
    1,
  ];
  const normal = unit(slope);
  const dot = (/** @type {number[]} */ to) => normal.reduce((sum, part, nth) => sum + part * to[nth], 0);
  const diffuse = 0.5 + (0.5 * Math.max(0, dot(LIGHT))) / LIGHT[2];
  const shine = 255 * gloss * Math.max(0, dot(HALF_WAY)) ** polish;
  // Grooves are darker at their bottom: little light gets there.
  const around = (over(0.05, 0) + over(-0.05, 0) + over(0, 0.05) + over(0, -0.05)) / 4;
  const depth = Math.min(1, Math.max(0, 1 - 7 * (around - height(at, off))));
  return /** @type {Colour} */ (colour(at, off).map((part) => part * diffuse * depth + shine));
}

/** A groove: its depth at a distance from its middle. @param {number} off @param {number} wide @param {number} deep */
const groove = (off, wide, deep) => -deep * Math.exp(-((off / wide) ** 2));

/** A rounded edge: level in the middle, falling outside. @param {number} off @param {number} from the distance where it begins */
const rounded = (off, from) => (off < from ? 0 : -0.22 * ((off - from) / (1 - from)) ** 2.2);

/** @param {Place} at @param {number} angle @returns {Place} */
const turned = ({ across, down }, angle) => ({
  across: across * Math.cos(angle) - down * Math.sin(angle),
  down: across * Math.sin(angle) + down * Math.cos(angle),
});

/** @type {Colour} */ const IVORY = [242, 228, 196];
/** @type {Colour} */ const YELLOWED = [206, 174, 120];
/** @type {Colour} */ const MARROW = [134, 96, 58];

/**
 * Bone: growth rings, pores, yellow towards the edge.
 * @param {number} seed
 * @returns {(at: Place, off: number) => Colour}
 */
function bone(seed) {
  const random = numbers(seed);
  const angle = random() * Math.PI;
  const age = random();
  const aside = random() - 0.5;
  return (at, off) => {
    const { across, down } = turned(at, angle);
    const [x, y] = [across / 4 + 0.5, down / 4 + 0.5];
    const growth = 0.5 + 0.5 * layered(x, y, 3, 14, 3, seed);
    const worn = Math.min(1, Math.max(0, 0.4 * age + 0.45 * growth * (0.4 + age) + 0.3 * step(0.5, 1.1, off + 0.5 * aside * across) - 0.12));
    const vessel = step(0.5, 0.8, noise(x * 34, y * 150, 34, 150, seed + 7)) * (0.25 + 0.5 * growth);
    return mixed(mixed(IVORY, YELLOWED, worn), MARROW, 0.6 * vessel);
  };
}

/** @type {Colour} */ const EBONY = [42, 33, 30];
/** @type {Colour} */ const HEARTWOOD = [84, 60, 46];
/** @type {Colour} */ const BRASS = [222, 180, 104];

/** Ebony: nearly black, with brown streaks. @param {number} seed @returns {(at: Place, off: number) => Colour} */
function ebony(seed) {
  const angle = numbers(seed)() * Math.PI;
  return (at) => {
    const { across, down } = turned(at, angle);
    const streak = 0.5 + 0.5 * layered(across / 4 + 0.5, down / 4 + 0.5, 2, 22, 4, seed);
    return mixed(EBONY, HEARTWOOD, 0.55 * streak ** 2);
  };
}

/** The distance of a point from a line. @param {Place} at @param {Line} line */
function from({ across, down }, [ax, ay, bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.min(1, Math.max(0, ((across - ax) * dx + (down - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(across - ax - t * dx, down - ay - t * dy);
}

/** The distance of a point from the outline of six petals drawn with compasses. @param {Place} at @param {number} reach */
function petals(at, reach) {
  let least = Infinity;
  for (let nth = 0; nth < 6; nth += 1) {
    const middle = (nth * Math.PI) / 3;
    const away = Math.hypot(at.across - reach * Math.cos(middle), at.down - reach * Math.sin(middle));
    if (Math.hypot(at.across, at.down) <= reach) least = Math.min(least, Math.abs(away - reach));
  }
  return least;
}

/**
 * Signs of wear: scratches over the face, chips at the edge, a crack in a few.
 * @param {number} seed
 * @returns {(at: Place) => number} the depth to subtract from the height
 */
function wear(seed) {
  const random = numbers(seed + 2100);
  const point = () => 1.6 * random() - 0.8;
  const scratches = Array.from({ length: 5 }, () => {
    const [x, y, turn, long] = [point(), point(), random() * Math.PI, 0.2 + 0.4 * random()];
    return /** @type {Line} */ ([x, y, x + long * Math.cos(turn), y + long * Math.sin(turn)]);
  });
  const chips = Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({ turn: 2 * Math.PI * random(), wide: 0.06 + 0.08 * random() }));
  return (at) => {
    const scratched = scratches.reduce((sum, line) => sum + groove(from(at, line), 0.012, 0.011), 0);
    return chips.reduce((sum, { turn, wide }) =>
      sum + groove(Math.hypot(at.across - 1.01 * Math.cos(turn), at.down - 1.01 * Math.sin(turn)), wide, 0.11), scratched);
  };
}

/** A counter of bone with turned rings. @param {number} seed @returns {Making} */
export function boneCounter(seed) {
  const random = numbers(seed + 500);
  // Turned by hand: the rings are not quite concentric.
  const [outer, inner, aside] = [0.73 + 0.03 * random(), 0.27 + 0.03 * random(), 0.012 * (random() - 0.5)];
  const centre = (/** @type {Place} */ { across, down }) => Math.hypot(across - aside, down + aside);
  const worn = wear(seed);
  return {
    height: (at, off) => {
      const about = centre(at);
      return worn(at) + rounded(off, 0.82) + 0.02 * (about / 0.7) ** 2 * (about < 0.7 ? 1 : 0.98)
        + groove(about - outer, 0.03, 0.035) + groove(about - outer + 0.09, 0.018, 0.016)
        + groove(about - inner, 0.028, 0.035) + groove(about, 0.055, 0.08);
    },
    colour: bone(seed),
    gloss: 0.14,
    polish: 24,
    wall: [188, 160, 112],
  };
}

/** A counter of ebony with an inlaid flower of brass wire. @param {number} seed @returns {Making} */
export function ebonyCounter(seed) {
  const random = numbers(seed + 900);
  const angle = random() * Math.PI;
  const wood = ebony(seed);
  const worn = wear(seed + 40);
  const wire = (/** @type {Place} */ at, /** @type {number} */ off) => {
    const about = Math.min(petals(turned(at, angle), 0.62), Math.abs(off - 0.75));
    return 1 - step(0.018, 0.04, about);
  };
  return {
    height: (at, off) => worn(at) + rounded(off, 0.84) + 0.012 * wire(at, off) + groove(off - 0.88, 0.02, 0.02),
    colour: (at, off) => mixed(wood(at, off), BRASS, 0.9 * wire(at, off)),
    gloss: 0.26,
    polish: 34,
    wall: [24, 18, 16],
  };
}

/** A dome. @param {number} off @param {number} high */
const dome = (off, high) => high * Math.sqrt(Math.max(0.02, 1 - off * off));

/** A dome of bone with a ring and a point drilled into it. @param {number} seed @returns {Making} */
export function boneDome(seed) {
  const random = numbers(seed + 1300);
  const [ring, aside] = [0.5 + 0.04 * random(), 0.03 * (random() - 0.5)];
  const worn = wear(seed + 80);
  return {
    height: (at, off) => {
      const about = Math.hypot(at.across - aside, at.down + aside);
      return worn(at) + dome(off, 0.42) + groove(about - ring, 0.04, 0.04) + groove(about, 0.07, 0.08);
    },
    colour: bone(seed),
    gloss: 0.3,
    polish: 36,
    wall: [188, 160, 112],
  };
}

/** @type {Colour} */ const JET = [40, 38, 42];
/** @type {Colour} */ const SMOKE = [66, 60, 62];

/** A dome of jet with a cross of brass. @param {number} seed @returns {Making} */
export function jetDome(seed) {
  const random = numbers(seed + 1700);
  const angle = (random() - 0.5) * 0.5;
  const cross = (/** @type {Place} */ at) => {
    const about = turned(at, angle);
    const away = Math.min(from(about, [-0.36, -0.36, 0.36, 0.36]), from(about, [-0.36, 0.36, 0.36, -0.36]));
    return 1 - step(0.025, 0.05, away);
  };
  return {
    height: (at, off) => dome(off, 0.5) + 0.014 * cross(at),
    colour: (at) => {
      const cloud = 0.5 + 0.5 * layered(at.across / 4 + 0.5, at.down / 4 + 0.5, 4, 4, 3, seed);
      return mixed(mixed(JET, SMOKE, cloud), BRASS, 0.92 * cross(at));
    },
    gloss: 0.75,
    polish: 60,
    wall: [18, 16, 18],
  };
}

/** The crown of the king, its band below. @type {Line[]} */
const CROWN = [
  [-0.46, 0.28, -0.46, -0.24], [-0.46, -0.24, -0.23, 0.02], [-0.23, 0.02, 0, -0.42], [0, -0.42, 0.23, 0.02],
  [0.23, 0.02, 0.46, -0.24], [0.46, -0.24, 0.46, 0.28], [-0.46, 0.28, 0.46, 0.28], [-0.46, 0.43, 0.46, 0.43],
];

/** @type {Colour} */ const BRONZE = [208, 152, 70];
/** @type {Colour} */ const PATINA = [122, 110, 62];

/** The king, cast in bronze. @returns {Making} */
export function bronzeKing() {
  const crown = (/** @type {Place} */ at) => Math.min(...CROWN.map((line) => from(at, line)));
  return {
    height: (at, off) => rounded(off, 0.86) + groove(off - 0.79, 0.035, 0.05)
      + 0.1 * (1 - step(0.02, 0.085, crown(at))) + 0.03 * step(0.8, 0.9, off),
    colour: (at, off) => {
      const spot = 0.5 + 0.5 * layered(at.across / 4 + 0.5, at.down / 4 + 0.5, 6, 6, 4, 77);
      const low = step(0.05, 0.2, crown(at)) * step(0.85, 0.7, off);
      return mixed(BRONZE, PATINA, Math.min(1, 0.5 * spot * (0.4 + low)));
    },
    gloss: 0.6,
    polish: 22,
    wall: [124, 84, 30],
  };
}

/**
 * A row of pieces.
 * @param {number} size of each, in pixels
 * @param {Making[]} makings
 * @returns {Picture}
 */
export function sheet(size, makings) {
  const width = size * makings.length;
  const data = new Uint8ClampedArray(width * size * 4);
  makings.forEach((making, nth) => {
    const one = piece(size, making);
    for (let row = 0; row < size; row += 1) {
      data.set(one.data.subarray(row * size * 4, (row + 1) * size * 4), (row * width + nth * size) * 4);
    }
  });
  return { width, height: size, data };
}
