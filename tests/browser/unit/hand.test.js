import assert from "node:assert/strict";
import { test } from "node:test";

import { Hand } from "../../../web/board/hand.js";
import { layOut } from "../../../web/board/layout.js";
import { entryOf } from "./vectors.js";

globalThis.SVGElement ??= class extends EventTarget {};

const one = { from: "13", to: "15", steps: [{ die: 2, from: "13", to: "15" }], dice: [2] };
const both = { from: "13", to: "18", steps: [one.steps[0], { die: 3, from: "15", to: "18" }], dice: [2, 3] };
const other = { from: "16", to: "18", steps: [{ die: 2, from: "16", to: "18" }], dice: [2] };

/** A board that only records what it is told. */
function boardWith(moves) {
  const told = [];
  return {
    told,
    open: moves,
    isWaiting: false,
    next: () => undefined,
    layout: layOut(entryOf("zeno"), { width: 1000, height: 500 }),
    play: (move) => told.push(["play", move]),
    refuse: (tried) => told.push(["refuse", tried]),
    mark: () => {},
    putBack: () => told.push(["back"]),
    holdsOwn: (place) => place === "20",
    focusPlace: (place) => told.push(["focus", place]),
    enterAt: () => {},
  };
}

/** Presses a key on a place. */
function press(hand, place, key) {
  const svg = new SVGElement();
  svg.dataset = { place };
  hand.attach(svg);
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key });
  svg.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a tap selects a piece, a second one moves it", () => {
  const board = boardWith([one, both, other]);
  const hand = new Hand(board);
  hand.tap("13");
  assert.deepEqual([...hand.targets.keys()], ["15", "18"]);
  hand.tap("18");
  assert.deepEqual(board.told, [["play", both]]);
});

test("a tap on the selected piece deselects it, on another one selects that", () => {
  const hand = new Hand(boardWith([one, other]));
  hand.tap("13");
  hand.tap("16");
  assert.equal(hand.chosen, "16");
  hand.tap("16");
  assert.equal(hand.chosen, null);
});

test("an illegal move is refused: a piece, and a place", () => {
  const board = boardWith([one]);
  const hand = new Hand(board);
  hand.tap("20");
  hand.tap("5");
  hand.tap("13");
  hand.tap("5");
  assert.deepEqual(board.told, [
    ["refuse", { from: "20" }],
    ["refuse", { from: "13", to: "5" }],
  ]);
});

test("a piece that can no longer move is deselected", () => {
  const board = boardWith([one]);
  const hand = new Hand(board);
  hand.tap("13");
  board.open = [other];
  hand.refresh();
  assert.equal(hand.chosen, null);
});

test("keys select, put back, play a die and move from place to place", () => {
  const board = boardWith([one, both]);
  const hand = new Hand(board);
  assert.ok(press(hand, "13", "Enter"));
  assert.equal(hand.chosen, "13");
  assert.ok(press(hand, "15", "Escape"));
  assert.equal(hand.chosen, null);
  press(hand, "13", " ");
  press(hand, "13", "2");
  press(hand, "13", "ArrowRight");
  assert.deepEqual(board.told, [
    ["focus", "13"],
    ["play", one],
    ["focus", "14"],
  ]);
});

test("keys without a use here are left to the page", () => {
  const hand = new Hand(boardWith([one]));
  assert.equal(press(hand, "13", "u"), false);
  assert.equal(press(hand, "13", "2"), false);
  assert.equal(press(hand, "13", "Escape"), false);
  assert.equal(press(hand, "13", "Tab"), false);
});

test("a click plays the next die where the board has an order, and selects where it has none", () => {
  const board = { ...boardWith([one, both, other]), next: (place) => (place === "13" ? one : undefined) };
  const hand = new Hand(board);
  hand.click("13");
  hand.click("16");
  assert.equal(hand.chosen, "16");
  hand.click("18");
  assert.deepEqual(board.told, [["play", one], ["play", other]]);
});

test("clicks before the response to a move are played after it", () => {
  const board = { ...boardWith([one, other]), next: (place) => ({ 13: one, 16: other })[place], isWaiting: true };
  board.play = (move) => {
    board.told.push(["play", move]);
    board.isWaiting = true;
  };
  const hand = new Hand(board);
  for (const place of ["5", "16", "13"]) hand.click(place);
  hand.refresh();
  assert.deepEqual(board.told, [], "as long as the answer is not there");
  board.isWaiting = false;
  hand.refresh();
  assert.deepEqual(board.told, [["play", other]], "what cannot be done any more is not even refused");
  board.isWaiting = false;
  hand.refresh();
  assert.deepEqual(board.told, [["play", other], ["play", one]]);
});
