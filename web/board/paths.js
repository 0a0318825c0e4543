// Moves from place to place with the arrow keys, as the places lie on the screen.

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest place in a direction; a place straight ahead is preferred.
 * @param {Layout} layout
 * @param {PlaceId} place
 * @param {string} key
 * @returns {PlaceId | undefined}
 */
export function neighbour({ spots }, place, key) {
  const way = WAYS[key];
  const here = spots.get(place);
  if (!way || !here) return undefined;
  /** @type {{place: PlaceId, far: number} | undefined} */
  let nearest;
  for (const [other, there] of spots) {
    if (other === place) continue;
    const ahead = (there.x - here.x) * way[0] + (there.y - here.y) * way[1];
    const aside = Math.abs((there.x - here.x) * way[1]) + Math.abs((there.y - here.y) * way[0]);
    if (ahead < 0.3 || aside > ahead * 3) continue;
    const far = ahead + aside * 2;
    if (!nearest || far < nearest.far) nearest = { place: other, far };
  }
  return nearest?.place;
}
