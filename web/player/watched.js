// A match that is watched in a small form: only its board and the side to move.

/** @typedef {import("../api/socket.js").MatchEvent} MatchEvent */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["Snapshot"]} Snapshot */
/** @typedef {import("../api/wire").components["schemas"]["BySeat_SideName"]} Sides */

/** A `Reader` of a `Connection`, which starts from a snapshot every time. */
export class Watched {
  /** @param {MatchCard} card @param {() => void} changed called after every change */
  constructor(card, changed) {
    this.card = card;
    this.changed = changed;
    this.isAfar = true;
    /** @type {Position | undefined} */
    this.position = undefined;
    /** @type {Sides | undefined} */
    this.sides = undefined;
    this.ended = false;
  }

  /** @returns {undefined} none: only the position matters, not its history */
  since() {
    return undefined;
  }

  /** @param {Snapshot} snapshot */
  onSnapshot(snapshot) {
    this.position = snapshot.position ?? undefined;
    this.sides = snapshot.sides ?? undefined;
    this.ended = snapshot.state === "ended";
    this.update(snapshot.updated_at, { score: snapshot.score, to_play: snapshot.to_play?.seat });
  }

  /** @param {MatchEvent} event */
  onEvent(event) {
    switch (event.type) {
      case "game_started":
        this.sides = event.sides;
        this.position = event.position;
        return this.update(event.at, { to_play: this.mover() });
      case "thrown":
        return this.update(event.at, { to_play: event.seat });
      case "turned":
        this.position = event.position;
        return this.update(event.at, { to_play: this.mover() });
      case "game_ended":
        return this.update(event.at, { score: event.score, to_play: undefined });
      case "match_ended":
        this.ended = true;
        return this.update(event.at, { state: "finished", to_play: undefined });
      default:
        return undefined;
    }
  }

  onRefused() {
    this.ended = true;
    this.changed();
  }

  /** The seat to move in the position. */
  mover() {
    const side = this.position?.to_move;
    if (!this.sides || !side) return undefined;
    return this.sides[1] === side ? 1 : 2;
  }

  /** @param {number} at @param {Partial<MatchCard>} news */
  update(at, news) {
    this.card = { ...this.card, updated_at: at, ...news };
    this.changed();
  }
}
