// What a board shows of a moment.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./device.js";
import { entryOf } from "./vectors.js";

const { pastView } = await import("../../../web/match/view.js");

test("each place of the last turn is marked once, however many pieces came or went there", () => {
  const steps = [
    { die: 6, from: "24", to: "18" },
    { die: 2, from: "24", to: "22" },
    { die: 4, from: "22", to: "18" },
  ];
  const { marks } = pastView(entryOf("tavla"), /** @type {any} */ ({ last: { side: "white", steps } }));
  assert.ok(marks.every(({ kind }) => kind === "last"));
  const places = marks.map(({ place }) => place);
  assert.equal(places.length, 3);
  assert.equal(new Set(places).size, 3);
});
