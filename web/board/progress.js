// The way from the position shown to the next one.

import { afterStep, follow, piecesOf } from "../game/position.js";

/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {import("../game/position.js").Piece} Piece */
/** @typedef {import("../game/position.js").Position} Position */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {{side: SideName, steps: Step[]}} Told */

/**
 * The steps that are new: the rest of a turn that was shown in part. A turn that was taken back in part has none.
 * @param {Told | undefined} before
 * @param {Told} now
 * @returns {Step[]}
 */
export function newSteps(before, now) {
  if (!before || before.side !== now.side) return now.steps;
  const shared = Math.min(before.steps.length, now.steps.length);
  const goesOn = before.steps.slice(0, shared).every((step, index) => same(step, now.steps[index]));
  return goesOn && shared ? now.steps.slice(shared) : now.steps;
}

/** @param {Step} a @param {Step} b */
const same = (a, b) => a.from === b.from && a.to === b.to && (a.die ?? 0) === (b.die ?? 0);

/**
 * The pieces after each of some steps.
 * @param {Piece[]} pieces
 * @param {CatalogueEntry} entry
 * @param {SideName} side
 * @param {Step[]} steps
 * @returns {Piece[][]}
 */
export function stagesOf(pieces, entry, side, steps) {
  let now = pieces;
  return steps.map((step) => (now = afterStep(now, entry, side, step)));
}

/**
 * The pieces of the next position, and those of the positions between if the steps lead there.
 * @param {Piece[]} before
 * @param {CatalogueEntry} entry
 * @param {SideName} side
 * @param {Step[]} steps
 * @param {Position} position
 * @returns {{pieces: Piece[], stages: Piece[][]}}
 */
export function advance(before, entry, side, steps, position) {
  const aims = piecesOf(entry, position);
  const stages = stagesOf(before, entry, side, steps);
  const leads = stages.length > 0 && alike(stages[stages.length - 1], aims);
  const pieces = before.length ? follow(before, entry, side, leads ? steps : [], position) : aims;
  return { pieces, stages: leads ? [...stages.slice(0, -1), pieces] : [pieces] };
}

/** Whether pieces lie on the same places. @param {Piece[]} some @param {Piece[]} others */
function alike(some, others) {
  const places = (/** @type {Piece[]} */ pieces) =>
    pieces.map(({ side, place }) => `${side} ${place}`).sort();
  const there = places(others);
  return places(some).every((place, index) => place === there[index]);
}
