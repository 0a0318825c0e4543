// The sounds of a match: bone on the wood or the stone of the board, rolling dice, a bowl of bronze. They are
// synthesised here (struck.js), so nothing is loaded; the person chooses the volume.

import { lookOf } from "../game/looks.js";
import { preferred } from "../player/preferences.js";
import { RINGS, struck } from "./struck.js";

/** @typedef {"dice" | "step" | "hit" | "turn" | "end"} Sound */
/** @typedef {import("./struck.js").Material} Material */

/**
 * A blow in a sound.
 * @typedef {object} Blow
 * @property {Material | "board"} on what is struck; "board" is the material of the board
 * @property {number} at when, in seconds
 * @property {number} loud from 0 to 1
 * @property {number} [pitch] the factor of its pitch
 */

/** The blows of a rolling die; each die bounces a little later than the previous one. @type {[number, number][]} */
const BOUNCES = [[0.2, 0.5], [0.45, 0.34], [0.61, 0.16]];

/** The delay between the bounces of two dice, in seconds. */
const LATER_S = 0.07;

/** The sound of a throw. @param {number} count of dice @returns {Blow[]} */
export const throwOf = (count) =>
  Array.from({ length: count }, (_, nth) => nth * LATER_S).flatMap((later, nth) =>
    BOUNCES.flatMap(([at, loud]) => [
      { on: /** @type {const} */ ("board"), at: at + later * (1 + at), loud: 0.7 * loud, pitch: 1.5 + 0.15 * nth },
      { on: /** @type {const} */ ("bone"), at: at + later * (1 + at) + 0.012, loud: 0.5 * loud, pitch: 1.1 },
    ]),
  );

/** @type {Record<Exclude<Sound, "dice">, Blow[]>} */
const SOUNDS = {
  step: [{ on: "board", at: 0.02, loud: 0.55 }, { on: "bone", at: 0.02, loud: 0.12 }],
  hit: [
    { on: "bone", at: 0.02, loud: 0.6 },
    { on: "board", at: 0.05, loud: 0.5 },
    { on: "board", at: 0.34, loud: 0.4, pitch: 0.88 },
  ],
  turn: [{ on: "bronze", at: 0, loud: 0.2 }, { on: "bronze", at: 0.14, loud: 0.22, pitch: 1.498 }],
  end: [0.75, 1, 1.26].map((pitch, nth) => ({ on: "bronze", at: nth * 0.2, loud: 0.26, pitch })),
};

/** The volume. */
const VOLUMES = { low: 0.3, medium: 0.65, high: 1 };

/** @type {AudioContext | undefined} */
let context;

/** The game whose board is struck. @type {string | undefined} */
let game;

/** Sets the game whose board is struck. @param {string} id of a game */
export const hearOn = (id) => {
  game = id;
};

/** Browsers allow sound only after a click or a key. */
function ready() {
  if (!preferred("sounds") || !navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

/** Plays a sound, if sounds are on. @param {Sound} sound @param {number} [count] of dice that are thrown */
export function play(sound, count = 2) {
  const audio = ready();
  if (!audio) return;
  const board = lookOf(preferred("board"), game).skin === "stone" ? "stone" : "wood";
  const volume = new GainNode(audio, { gain: VOLUMES[preferred("volume")] ?? VOLUMES.medium });
  volume.connect(audio.destination);
  for (const { on, at, loud, pitch } of sound === "dice" ? throwOf(count) : SOUNDS[sound]) {
    const samples = struck(RINGS[on === "board" ? board : on], { rate: audio.sampleRate, pitch });
    const buffer = audio.createBuffer(1, samples.length, audio.sampleRate);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(audio, { buffer });
    source.connect(new GainNode(audio, { gain: loud })).connect(volume);
    source.start(audio.currentTime + at);
  }
}
