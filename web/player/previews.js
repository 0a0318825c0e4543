// The boards of TV channels in a small form: shows a match until the next one is loaded.

import { Watched } from "./watched.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("./channels.js").Channel} Channel */
/** @typedef {{watched: Watched, channel: Channel, stop: () => void}} Preview */

/** Event: `change`. */
export class Previews extends EventTarget {
  /** @param {import("../api/socket.js").Connection} connection used for nothing else */
  constructor(connection) {
    super();
    this.connection = connection;
    /** The matches shown, by game. @type {Map<Game, Preview>} */
    this.shown = new Map();
    /** The next matches, while they load. @type {Map<Game, Preview>} */
    this.coming = new Map();
  }

  /** Shows the present match of a channel. @param {Channel} channel */
  tune(channel) {
    const { game, match } = channel;
    const [shown, coming] = [this.shown.get(game), this.coming.get(game)];
    if (!match) return;
    for (const preview of [shown, coming]) if (preview?.watched.card.id === match.id) preview.channel = channel;
    if ((coming ?? shown)?.watched.card.id === match.id) return this.changed();
    this.coming.delete(game);
    coming?.stop();
    if (shown?.watched.card.id === match.id) return;
    const watched = new Watched(match, () => this.moved(game, watched));
    const preview = { watched, channel, stop: () => {} };
    this.coming.set(game, preview);
    preview.stop = this.connection.watch(match.id, watched);
  }

  /** @param {Game} game */
  drop(game) {
    for (const previews of [this.shown, this.coming]) {
      previews.get(game)?.stop();
      previews.delete(game);
    }
  }

  /** @param {Game} game @param {Watched} watched */
  moved(game, watched) {
    const coming = this.coming.get(game);
    // A refused match has no position, and never will.
    if (coming?.watched === watched && watched.position) {
      this.shown.get(game)?.stop();
      this.shown.set(game, coming);
      this.coming.delete(game);
    }
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
