// Positions that are put together: what moves where, and how they are written in links.

import "./device.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { cleared, momentOf, positionOf, queryOf, setUp, setupIn, setupMoves, startOf } from "../../../web/game/setup.js";
import { piecesOf } from "../../../web/game/position.js";
import { GAMES, entryOf, vectorsOf } from "./vectors.js";

/** An entry with an option of the game. @param {string} game */
const optional = (game) => ({ ...entryOf(game), options: [{ name: "mother", values: [{ value: "loss" }, { value: "double_loss" }] }] });

/** The positions of a game's vectors, without the marks that single positions leave open. @param {string} game */
const positions = (game) => vectorsOf(game).map(({ position }) => position);

test("the pieces of a position make it again", () => {
  for (const game of GAMES) {
    const entry = entryOf(game);
    for (const position of positions(game)) {
      const made = positionOf(entry, piecesOf(entry, position), position.to_move);
      for (const { id } of entry.sides) {
        // All fifteen in the first cells: whether one has been farther, nothing tells.
        const { exposed, ...side } = position[id] ?? {};
        const { exposed: madeExposed, ...madeSide } = made[id] ?? {};
        assert.deepEqual(madeSide, { ...side, ...("supply" in madeSide ? { supply: side.supply ?? 0 } : {}), ...("bar" in madeSide ? { bar: side.bar ?? 0 } : {}), ...("pinned" in madeSide ? { pinned: side.pinned ?? [] } : {}) });
        assert.ok(!exposed || madeExposed || Object.keys(side.points).every((name) => Number(name) <= 6));
      }
      assert.deepEqual([made.board, made.to_move], [position.board, position.to_move]);
    }
  }
});

test("a link holds a position, its dice and the options of the game", () => {
  for (const game of GAMES) {
    const entry = optional(game);
    const dice = { tablut: [], tavla: [6, 5], scripta: [6, 5] }[game] ?? [1, 2, 6];
    for (const position of positions(game)) {
      const setup = { position: positionOf(entry, piecesOf(entry, position), position.to_move), dice, options: { mother: "double_loss" } };
      const query = queryOf(setup);
      assert.match(query, /^[\w=&.-]+$/, "nothing in it needs to be escaped");
      assert.deepEqual(setupIn(entry, query), setup);
    }
  }
});

test("a link that holds no position of the game is refused", () => {
  const [tavla, tablut] = [optional("tavla"), optional("tablut")];
  assert.ok(setupIn(tavla, "white=24-15&black=24-15&turn=black"));
  for (const query of ["", "white=24-15", "white=24-15&black=24-15", "white=24-15&black=24-15&turn=red", "white=24-15&black=24-14&turn=white",
    "white=24-15&black=24-16&turn=white", "white=25-15&black=24-15&turn=white", "white=24-15&black=bar-15&turn=white", "white=24-1e9&black=24-15&turn=white",
    "white=__proto__-15&black=24-15&turn=white", "white=24--15&black=24-15&turn=white", "board=9&turn=white"]) {
    assert.equal(setupIn(tavla, query), undefined, query);
  }
  const empty = "9.9.9.9.4K4.9.9.9.9";
  assert.ok(setupIn(tablut, `board=${empty}&turn=attackers`));
  for (const query of [`board=${empty}`, "board=9.9.9.9.9.9.9.9.9&turn=attackers", "board=9.9.9.9.3KK4.9.9.9.9&turn=attackers", "board=9.9.9.9.4K5.9.9.9.9&turn=attackers",
    "board=9.9.9.9.4K4.9.9.9&turn=attackers", "board=9.9.9.9.4K4.9.9.9.ttttttttt&turn=white", "board=ttttttttt.tttttttt1.9.9.4K4.9.9.9.9&turn=attackers", "board=x&turn=attackers"]) {
    assert.equal(setupIn(tablut, query), undefined, query);
  }
  assert.deepEqual(setupIn(tavla, "white=24-15&black=24-15&turn=black&dice=6&mother=none"), { ...startOf(tavla), position: { ...tavla.start, to_move: "black" } });
});

test("every piece on top goes anywhere but onto those of the other side, and no piece is lost", () => {
  for (const game of GAMES) {
    const entry = entryOf(game);
    for (const position of positions(game).slice(0, 40)) {
      const before = piecesOf(entry, position);
      const moves = setupMoves(entry, position);
      assert.ok(moves.length > 0);
      for (const move of moves.filter((_, nth) => nth % 7 === 0)) {
        const after = piecesOf(entry, setUp(entry, position, move));
        assert.equal(after.length, before.length);
        const here = after.filter(({ place }) => place === move.to);
        assert.ok(here.some(({ side }) => side === move.side), `${game} ${move.from} ${move.to}`);
        const others = here.filter(({ side }) => side !== move.side);
        assert.ok(others.length <= (game === "tavla" ? 1 : 0) && others.every(({ pinned }) => pinned), `${game} ${move.from} ${move.to}`);
      }
    }
  }
  const king = setupMoves(entryOf("tablut"), entryOf("tablut").start).filter(({ from }) => from === "e5");
  assert.ok(king.length > 0 && king.every(({ to }) => !to.startsWith("captured")), "the king stays on the board");
});

test("all pieces are put away, but a king", () => {
  const [zeno, tavla, tablut] = ["zeno", "tavla", "tablut"].map(entryOf);
  assert.deepEqual(cleared(zeno, zeno.start), zeno.start);
  assert.equal(cleared(tavla, tavla.start).white.off, 15);
  assert.deepEqual(cleared(tablut, tablut.start), { board: "9/9/9/9/4K4/9/9/9/9", to_move: "attackers" });
});

test("the moment that begins there has its side to move, and in a dice game its dice", () => {
  const name = (/** @type {string} */ side) => side;
  for (const [game, dice, seat] of /** @type {const} */ ([["tavla", [], undefined], ["tavla", [6, 5], 1], ["tablut", [], 2]])) {
    const entry = entryOf(game);
    const moment = momentOf(entry, { ...startOf(entry), dice: [...dice] }, name);
    assert.equal(moment.toPlay?.seat, seat);
    assert.deepEqual([moment.state, moment.seq, moment.players[1]?.name], ["ended", 0, entry.sides[0].id]);
  }
});
