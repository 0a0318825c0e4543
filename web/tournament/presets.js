// The organiser's form: its fields, four presets that work as they are, and what is wrong with a field.
//
// Times in the form are as `<input type="datetime-local">` writes them, in this device's time zone; durations are in the
// unit that a person would say.

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {"round_robin" | "swiss" | "knockout" | "arena"} Kind */

/**
 * The fields. A number is a text until it is sent: a person may have emptied its field.
 * @typedef {object} Form
 * @property {string} name
 * @property {string} description
 * @property {Kind} kind
 * @property {Game} game
 * @property {Record<string, string | boolean>} options
 * @property {"single" | "pair" | "series"} length
 * @property {string} points of a series
 * @property {string} clock the id of a preset of the game, "own" or "days"
 * @property {string} minutes of an own clock
 * @property {string} seconds of an own clock
 * @property {string} days for a turn
 * @property {boolean} rated
 * @property {string} begins
 * @property {string} waits minutes for which a called pairing waits
 * @property {boolean} listed
 * @property {string} rounds of a Swiss; empty: as many as its entrants need
 * @property {string} every hours from a round to the next; empty: when the last board has ended
 * @property {string} ends of a round robin
 * @property {boolean} byRound whether a round robin opens its rounds one after the other
 * @property {"rating" | "lot"} seeding
 * @property {boolean} consolation
 * @property {string} more points by which a match grows from round to round
 * @property {string} lasts minutes of an arena
 * @property {"people" | "bots" | "both"} who
 * @property {string} entrantsMax empty: as many as the format takes
 * @property {string} matchesMin
 * @property {string} ratingMin
 * @property {string} ratingMax
 * @property {string} ageMin days since the account was opened
 * @property {string} players handles of those who may enter, apart by commas or spaces; empty: everybody
 * @property {string} code that is asked at entry; empty: none
 */

/** @typedef {keyof Form} Field */

export const KINDS = /** @type {Kind[]} */ (["arena", "swiss", "knockout", "round_robin"]);

/** How many entrants a format takes. */
export const ENTRANTS = /** @type {Record<Kind, {min: number, max: number}>} */ ({
  arena: { min: 2, max: 500 },
  swiss: { min: 4, max: 500 },
  knockout: { min: 4, max: 64 },
  round_robin: { min: 3, max: 16 },
});

/** The ranges of the numbers in the form. */
export const RANGES = /** @type {const} */ ({
  points: { min: 2, max: 99 },
  minutes: { min: 1, max: 180 },
  seconds: { min: 0, max: 180 },
  days: { min: 1, max: 14 },
  waits: { min: 1, max: 30 },
  rounds: { min: 1, max: 15 },
  every: { min: 1, max: 24 * 31 },
  more: { min: 0, max: 20 },
  lasts: { min: 15, max: 7 * 24 * 60 },
  matchesMin: { min: 0, max: 1_000 },
  ratingMin: { min: 0, max: 4_000 },
  ratingMax: { min: 0, max: 4_000 },
  ageMin: { min: 0, max: 3_650 },
});

/** The fields that may be left empty. */
const OPTIONAL = /** @type {Field[]} */ (["rounds", "every", "entrantsMax", "matchesMin", "ratingMin", "ratingMax", "ageMin"]);

export const NAME_MAX = 60;
export const DESCRIPTION_MAX = 2_000;
const PLAYERS_MAX = 150;
const YEAR_MS = 365 * 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What a field of every form has at first. */
const USUAL = /** @type {Omit<Form, "begins" | "ends" | "name">} */ ({
  description: "",
  kind: "arena",
  game: "tavla",
  options: {},
  length: "single",
  points: "3",
  clock: "quick",
  minutes: "5",
  seconds: "5",
  days: "2",
  rated: false,
  waits: "3",
  listed: true,
  rounds: "",
  every: "",
  byRound: false,
  seeding: "rating",
  consolation: true,
  more: "0",
  lasts: "60",
  who: "people",
  entrantsMax: "",
  matchesMin: "",
  ratingMin: "",
  ratingMax: "",
  ageMin: "",
  players: "",
  code: "",
});

/** @typedef {keyof typeof PRESETS} Preset */

/** The presets: what differs from the usual, and when they begin. */
const PRESETS = /** @type {Record<"evening" | "club" | "cup" | "letters", {fields: Partial<Form>, beginsInMs: number, lastsMs?: number}>} */ ({
  evening: { fields: { kind: "arena", clock: "quick", lasts: "60" }, beginsInMs: HOUR_MS / 2 },
  club: { fields: { kind: "swiss", clock: "quick", waits: "3" }, beginsInMs: HOUR_MS },
  cup: { fields: { kind: "knockout", clock: "normal", length: "pair", waits: "5" }, beginsInMs: HOUR_MS },
  letters: {
    fields: { kind: "round_robin", clock: "days", days: "2", length: "pair" },
    beginsInMs: 3 * DAY_MS,
    lastsMs: 90 * DAY_MS,
  },
});

export const PRESET_NAMES = /** @type {Preset[]} */ (Object.keys(PRESETS));

/** Starts are at a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

/** A time of a field. @param {number} at */
export function localText(at) {
  const date = new Date(at);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The time that a field says; NaN if none. @param {string} text */
export const localTime = (text) => (text === "" ? NaN : new Date(text).getTime());

/**
 * The form of a preset, for a game, as good as it is.
 * @param {Preset} preset @param {number} now @param {(form: Form) => string} nameOf
 * @param {Partial<Form>} [more]
 * @returns {Form}
 */
export function presetForm(preset, now, nameOf, more = {}) {
  const { fields, beginsInMs, lastsMs = 0 } = PRESETS[preset];
  const begins = Math.ceil((now + beginsInMs) / QUARTER_MS) * QUARTER_MS;
  const ends = begins + (lastsMs || 7 * DAY_MS);
  /** @type {Form} */
  const form = { ...USUAL, name: "", begins: localText(begins), ends: localText(ends), ...fields, ...more };
  return { ...form, name: nameOf(form) };
}

/** Whether a tournament of these fields is played over days. @param {Form} form */
export const isCorrespondence = ({ clock }) => clock === "days";

/** The handles in a text. @param {string} text */
export const handlesIn = (text) => [...new Set(text.split(/[\s,;@]+/).filter(Boolean))];

/** The fields that a form of this kind shows, besides those of every kind. @type {Record<Kind, Field[]>} */
export const FIELDS_OF = {
  arena: ["lasts"],
  swiss: ["rounds", "every"],
  knockout: ["seeding", "consolation", "more"],
  round_robin: ["ends", "byRound"],
};

/** @param {Form} form @returns {Field[]} the numbers that are shown, and sent */
function numbersOf(form) {
  const { kind, clock, length } = form;
  return /** @type {Field[]} */ ([
    ...(length === "series" ? ["points"] : []),
    ...(clock === "own" ? ["minutes", "seconds"] : []),
    ...(clock === "days" ? ["days"] : ["waits"]),
    ...FIELDS_OF[kind].filter((field) => field in RANGES && (field !== "more" || length === "series")),
    "matchesMin", "ratingMin", "ratingMax", "ageMin",
  ]);
}

/** @typedef {{key: string, min?: number, max?: number}} Wrong the key of a text, and its values */

/**
 * What is wrong with a form; the server has the last word.
 * @param {Form} form @param {number} now
 * @returns {Map<Field, Wrong>} in the order of the form
 */
export function wrongIn(form, now) {
  /** @type {Map<Field, Wrong>} */
  const wrong = new Map();
  const say = (/** @type {Field} */ field, /** @type {string} */ key, values = {}) => wrong.has(field) || wrong.set(field, { key, ...values });
  const { kind } = form;
  const length = form.name.trim().length;
  if (length === 0) say("name", "empty");
  else if (length > NAME_MAX) say("name", "long", { max: NAME_MAX });
  if (form.description.trim().length > DESCRIPTION_MAX) say("description", "long", { max: DESCRIPTION_MAX });
  const begins = localTime(form.begins);
  if (Number.isNaN(begins)) say("begins", "time");
  else if (begins < now - MINUTE_MS) say("begins", "past");
  else if (begins > now + YEAR_MS) say("begins", "far");
  if (kind === "arena" && isCorrespondence(form)) say("clock", "live");
  for (const field of numbersOf(form)) {
    const range = RANGES[/** @type {keyof typeof RANGES} */ (field)];
    if (!isWhole(String(form[field]), range, OPTIONAL.includes(field))) say(field, "number", range);
  }
  if (!isWhole(form.entrantsMax, ENTRANTS[kind], true)) say("entrantsMax", "number", ENTRANTS[kind]);
  if (kind === "round_robin") {
    const ends = localTime(form.ends);
    if (Number.isNaN(ends)) say("ends", "time");
    else if (ends <= begins) say("ends", "order");
    else if (ends < begins + QUARTER_MS || ends > begins + YEAR_MS) say("ends", "lasts");
  }
  if (form.ratingMin !== "" && form.ratingMax !== "" && Number(form.ratingMin) > Number(form.ratingMax)) say("ratingMax", "range");
  if (handlesIn(form.players).length > PLAYERS_MAX) say("players", "many", { max: PLAYERS_MAX });
  return wrong;
}

/** @param {string} text @param {{min: number, max: number}} range @param {boolean} isOptional */
function isWhole(text, { min, max }, isOptional) {
  if (text.trim() === "") return isOptional;
  const number = Number(text);
  return Number.isInteger(number) && number >= min && number <= max;
}

/**
 * A form without what contradicts itself: an arena has a live clock, only series grow, a rated match has the game's own
 * options, and in some games two games.
 * @param {Form} form @param {CatalogueEntry} [entry] of its game
 * @returns {Form}
 */
export function fitted(form, entry) {
  const fit = { ...form };
  if (form.kind === "arena" && isCorrespondence(form)) fit.clock = "quick";
  if (form.length !== "series") fit.more = "0";
  if (form.rated) fit.options = {};
  if (form.rated && entry?.rated_in_pairs) fit.length = "pair";
  return fit;
}
