// A diagram of the rules: a board as the page renders it, as a standalone SVG file. Runs in a page of the server, with
// the page's own modules.

import "../board/board.js";
import { nameOf, placeOf } from "../game/places.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH_PX = 800;
const RATIO = { rows: 2.3, points: 1.4, tafl: 1.15 };

/** The CSS properties to copy into the drawing, with their default values. */
const STYLES = {
  fill: "rgb(0, 0, 0)",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-opacity": "1",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "stroke-dasharray": "none",
  "paint-order": "normal",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  "font-size": "16px",
  "font-weight": "400",
  "font-family": "",
  "letter-spacing": "normal",
};

/** The properties that are not inherited. */
const OWN = { opacity: "1", "stop-color": "rgb(0, 0, 0)", "stop-opacity": "1" };

/**
 * Draws an entry of `diagrams.json`.
 * @param {any} entry the game in the catalogue
 * @param {any} diagram
 * @returns {Promise<string>}
 */
export async function draw(entry, diagram) {
  const board = /** @type {any} */ (document.createElement("lusoria-board"));
  document.body.replaceChildren(board);
  document.documentElement.style.setProperty("color-scheme", "light");
  const position = diagram.position ?? bare(entry);
  const side = position.to_move;
  const place = (/** @type {string} */ name) => placeOf(entry, side, name);
  const way = ({ from, to }) => ({ from: place(from), to: place(to) });
  const steps = [...(diagram.moves ?? []), ...(diagram.choices ?? [])];
  board.style.width = `${WIDTH_PX}px`;
  Object.assign(board, {
    entry, position, viewer: entry.sides[0].id, flat: true,
    arrows: steps.map(way),
    marks: (diagram.marks ?? []).map((name) => ({ place: place(name), kind: "hint" })),
  });
  await board.updateComplete;
  board.style.height = `${WIDTH_PX / RATIO[board.layout.held.family]}px`;
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const { width, height, spots, slab, held } = board.layout;
  const extra = [
    ...(diagram.refused ?? []).map((step) => refused(spots, way(step))),
    ...(diagram.travel ?? []).map((of, nth) => travelled(entry, spots, of, nth)),
  ];
  const dice = diagram.dice ?? [];
  const deep = height + (dice.length ? 1.5 : 0);
  const parts = [...board.renderRoot.querySelectorAll("svg")].map((drawing) => [...drawing.children].map((part) => plain(part, {})).join(""));
  const cast = dice.map((die, nth) => thrown(die, width / 2 + (nth - (dice.length - 1) / 2) * 1.4, height + 0.8));
  // On a board with few pieces, the others would lie beside it like captured ones.
  const whole = held.family === "tafl" ? [slab.x, slab.y, slab.w, slab.h] : [0, 0, width, deep];
  return `<svg xmlns="${SVG}" viewBox="${whole.map(round).join(" ")}">${parts.join("")}${extra.join("")}${cast.join("")}</svg>\n`;
}

/** An empty board. @param {any} entry */
function bare(entry) {
  if (entry.id === "tablut") return { board: Array(9).fill("9").join("/"), to_move: "attackers" };
  const none = () => ({ points: {}, supply: 0, bar: 0, off: 0, pinned: [] });
  return { white: none(), black: none(), to_move: "white" };
}

/** Elements without visible content or only for input; and words, because pages in all languages show the same drawing. */
const LEFT_OUT = ".grain, pattern, .tray-name, .places, .targets, .lifted, filter, circle.can";

/** Serialises an element, with its computed styles. @param {Element} element @param {Record<string, string>} above the styles of its parent */
function plain(element, above) {
  if (element.matches(LEFT_OUT)) return "";
  const style = getComputedStyle(element);
  if (style.display === "none") return "";
  const looks = {};
  const attributes = [];
  for (const { name, value } of element.attributes) {
    if (/^(class|style|role|tabindex|aria-|data-)/.test(name) || name in STYLES || name in OWN) continue;
    attributes.push(`${name}="${shortened(value)}"`);
  }
  for (const [name, usual] of Object.entries(STYLES)) {
    const value = style.getPropertyValue(name);
    looks[name] = value;
    if (value !== (above[name] ?? usual)) attributes.push(`${name}="${shortened(value).replaceAll('"', "'")}"`);
  }
  for (const [name, usual] of Object.entries(OWN)) {
    const value = style.getPropertyValue(name);
    const counts = name === "opacity" || element.tagName === "stop";
    if (counts && value !== usual) attributes.push(`${name}="${value}"`);
  }
  const inside = [...element.children].map((child) => plain(child, looks)).join("");
  const text = element.childElementCount ? "" : escaped(element.textContent.trim());
  if (element.tagName === "g" && !inside) return "";
  const head = [element.tagName, ...attributes].join(" ");
  return inside || text ? `<${head}>${inside}${text}</${element.tagName}>` : `<${head}/>`;
}

/** Numbers need at most three digits. @param {string} text */
const shortened = (text) => text.replace(/-?\d*\.\d{4,}/g, (number) => String(round(Number(number)))).replace(/\s+/g, " ");

/** @param {number} number */
const round = (number) => Math.round(number * 1000) / 1000;

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** An illegal step: its arrow, crossed out. @param {Map<string, any>} spots @param {{from: string, to: string}} way */
function refused(spots, { from, to }) {
  const [a, b] = [spots.get(from), spots.get(to)];
  const [x, y] = [round((a.x + b.x) / 2), round((a.y + b.y) / 2)];
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const end = [round(b.x - (0.3 * (b.x - a.x)) / long), round(b.y - (0.3 * (b.y - a.y)) / long)];
  const cross = `M${round(x - 0.24)} ${round(y - 0.24)}l.48 .48m0-.48l-.48 .48`;
  return `<g fill="none" stroke-linecap="round"><path d="M${round(a.x)} ${round(a.y)}L${end.join(" ")}" stroke="#fff" `
    + `stroke-width=".2" stroke-opacity=".8"/><path d="M${round(a.x)} ${round(a.y)}L${end.join(" ")}" stroke="#8d1d13" `
    + `stroke-width=".1" stroke-dasharray=".22 .2"/><path d="${cross}" stroke="#fff" stroke-width=".26"/>`
    + `<path d="${cross}" stroke="#8d1d13" stroke-width=".14"/></g>`;
}

/** The route of a side around the board. @param {any} entry @param {Map<string, any>} spots @param {string} side @param {number} nth */
function travelled(entry, spots, side, nth) {
  const colour = nth === 0 ? "#fff8e6" : "#201612";
  const edge = nth === 0 ? "#201612" : "#fff8e6";
  const aside = (nth - 0.5) * 0.34;
  const path = entry.board.paths[side];
  const points = path.map((name) => spots.get(placeOf(entry, side, nameOf(entry, side, name))) ?? spots.get(placeOf(entry, side, name)))
    .map(({ x, y }) => `${round(x + aside)} ${round(y + aside)}`);
  const id = `tip-${side}`;
  const line = `M${points.join("L")}`;
  return `<defs><marker id="${id}" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" `
    + `orient="auto"><path d="M0 0L10 5L0 10z" fill="${colour}" stroke="${edge}"/></marker></defs>`
    + `<g fill="none" stroke-linejoin="round"><path d="${line}" stroke="${edge}" stroke-width=".2"/>`
    + `<path d="${line}" stroke="${colour}" stroke-width=".13" marker-end="url(#${id})"/></g>`;
}

const PIPS = [[], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]]];

/** A die. @param {number} die @param {number} x @param {number} y */
function thrown(die, x, y) {
  const pips = PIPS[die].map(([across, down]) => `<circle cx="${across * 0.27}" cy="${down * 0.27}" r=".095"/>`);
  return `<g transform="translate(${round(x)} ${round(y)})"><rect x="-.54" y="-.54" width="1.08" height="1.08" rx=".2" `
    + `fill="#fbf4e2" stroke="#8d7245" stroke-width=".05"/><g fill="#33240f">${pips.join("")}</g></g>`;
}
