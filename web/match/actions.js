// A player's actions besides playing: end a game or a match, or begin another.

import { factsOf, isTafl } from "../game/games.js";
import { hasTakebacks, mayTakeBack, other } from "../game/story.js";
import { t } from "../text/text.js";
import { playerName } from "./telling.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */

/** How long an opponent must have been disconnected before the game can be claimed. */
const GONE_MS = 600_000;

/**
 * An action.
 * @typedef {object} Action
 * @property {string} name its label
 * @property {string} op
 * @property {Record<string, unknown>} fields
 * @property {string} [sure] a question to confirm it
 * @property {"main" | "danger" | ""} look
 * @property {string} [idle] the reason why it is disabled for now
 * @property {boolean} [answers] whether it answers an offer of a draw or a takeback; shown beside the offer
 * @property {string} [key] its keyboard shortcut
 */

/**
 * A player's actions besides playing.
 * @param {Moment} moment
 * @param {Seat[]} seats theirs
 * @param {{here: {1: boolean, 2: boolean}, goneSince: {1?: number, 2?: number}, isWatchedOver?: boolean, tournament?: unknown}} presence
 * who is connected, whether the computer plays for the person, and the tournament, in which nothing is taken back
 * @param {number} now the server's time
 * @returns {Action[]}
 */
export function actionsOf(moment, seats, presence, now) {
  const both = seats.length === 2;
  // A player of both sides acts for the side to move.
  const mine = (both && moment.toPlay?.seat) || seats[0];
  if (!mine) return presence.isWatchedOver ? overseen(moment) : [];
  const theirs = other(mine);
  /** @type {Action[]} */
  const actions = [];
  const add = (/** @type {string} */ name, /** @type {string} */ op, fields = {}, look = "", sure = "") =>
    actions.push({ name, op, fields, look: /** @type {Action["look"]} */ (look), sure });
  if (moment.state === "open") add(t("ends.withdraw"), "abort", {}, "danger", t("ends.withdrawSure"));
  if (moment.state === "playing") {
    const early = !(moment.hasPlayed[1] && moment.hasPlayed[2]) && moment.gameNumber === 1;
    if (!both) {
      if (moment.drawOfferedBy === theirs) {
        add(t("ends.acceptDraw"), "draw", { action: "accept" }, "main", t("ends.acceptDrawSure"));
        add(t("ends.declineDraw"), "draw", { action: "decline" });
      }
      if (moment.takebackOffer?.seat === theirs) {
        const seq = moment.takebackOffer.turned;
        const sure = isTafl(moment.game) ? "ends.acceptTakebackSure" : "ends.acceptTakebackSure.dice";
        add(t("ends.acceptTakeback"), "takeback", { seq, action: "accept" }, "main", t(sure, { name: playerName(moment, theirs) }));
        add(t("ends.declineTakeback"), "takeback", { seq, action: "decline" });
      }
      for (const action of actions) action.answers = true;
      const name = playerName(moment, theirs);
      const offer = { name: t("ends.offerDraw"), op: "draw", fields: { action: "offer" }, look: /** @type {const} */ ("") };
      actions.push({ ...offer, sure: t("ends.offerDrawSure", { name }), idle: drawIdle(moment, mine, early) });
    }
    if (!both && !presence.tournament && hasTakebacks(moment, mine)) actions.push(takeback(moment, mine));
    if (early) add(t("ends.abort"), "abort", {}, "danger", t("ends.abortSure"));
    else add(t("ends.resign"), "resign", {}, "danger", resignCost(moment, mine));
    // In the last game of a pair, resigning the game is the only choice.
    if ((moment.points > 1 || (moment.games === 2 && moment.gameNumber === 1)) && !early) {
      add(t("ends.resignMatch"), "resign", { scope: "match" }, "danger", t("ends.resignMatchSure"));
    }
    const gone = presence.here[theirs] ? undefined : presence.goneSince[theirs];
    const waits = moment.clock.kind === "none" && moment.toPlay?.seat === theirs && !both;
    if (waits && gone !== undefined && now - Math.max(gone, moment.toPlay?.sinceAt ?? 0) >= GONE_MS) {
      add(t("ends.claim"), "claim", {}, "main");
    }
  }
  if (moment.state === "ended" && moment.result?.result !== "aborted" && !moment.rematch.next) {
    const { offeredBy, offered } = moment.rematch;
    const isOpen = offeredBy === theirs || (both && offeredBy);
    const canOffer = offeredBy !== mine && !offered?.includes(mine);
    if (both || isComputer(moment, theirs)) {
      // The rematch needs no consent: the computer always plays again, and so does a player of both sides.
      if (isOpen || canOffer) add(t("ends.playAgain"), "rematch", { action: isOpen ? "accept" : "offer" }, "main");
    } else if (isOpen) {
      add(t("ends.acceptRematch"), "rematch", { action: "accept" }, "main");
      add(t("ends.declineRematch"), "rematch", { action: "decline" });
    } else if (canOffer) {
      add(t("ends.rematch"), "rematch", { action: "offer" }, "main");
    }
  }
  return actions;
}

/** The actions while a finished game is shown and the next one is played: none for that next game, which is not seen yet. @param {Action[]} actions */
export const beforeSeen = (actions) =>
  actions.map((action) => (action.fields.scope === "match" ? action : { ...action, idle: t("ends.unseen") }));

/**
 * Takes back one's last turn against the computer, which the first time explains itself, or asks a person to agree.
 * @param {Moment} moment @param {Seat} mine @returns {Action}
 */
function takeback(moment, mine) {
  const seq = mayTakeBack(moment, mine);
  const noDice = isTafl(moment.game);
  const own = { op: "takeback", look: /** @type {const} */ (""), key: "b" };
  if (isComputer(moment, other(mine))) {
    const sure = moment.takebacks > 0 ? "" : t(noDice ? "ends.takeBackSure" : "ends.takeBackSure.dice");
    return { ...own, name: t("ends.takeBack"), fields: { seq }, sure, idle: seq === undefined ? t("ends.takeBack.nothing") : "" };
  }
  const question = noDice ? "ends.askTakebackSure" : "ends.askTakebackSure.dice";
  const sure = t(question, { name: playerName(moment, other(mine)) });
  return { ...own, name: t("ends.askTakeback"), fields: { seq, action: "offer" }, sure, idle: takebackIdle(moment, mine, seq) };
}

/** Why no takeback can be offered now; nothing if it can. @param {Moment} moment @param {Seat} mine @param {number | undefined} seq the turn */
function takebackIdle(moment, mine, seq) {
  const { takebackOffer: offer, askedBack } = moment;
  const name = playerName(moment, other(mine));
  if (offer) return t(offer.seat === mine ? "ends.askTakeback.waits" : "ends.askTakeback.theirs", { name });
  if (seq === undefined) return t("ends.takeBack.nothing");
  return askedBack[mine] === seq ? t("ends.askTakeback.over") : "";
}

/** Whether the computer plays in a seat. @param {Moment} moment @param {Seat} seat */
export const isComputer = (moment, seat) => moment.players[seat]?.kind === "computer";

/** Whether conditional turns can be set in a match: a correspondence game against a person. @param {import("./live.js").LiveMatch} live */
export function isConditional({ moment, mySeats }) {
  if (moment?.state !== "playing" || moment.clock.kind !== "days" || mySeats.length !== 1) return false;
  return !isComputer(moment, 1) && !isComputer(moment, 2);
}

/** Why no draw can be offered now; nothing if it can. @param {Moment} moment @param {Seat} mine @param {boolean} early */
function drawIdle(moment, mine, early) {
  const name = playerName(moment, other(mine));
  if (early) return t("ends.offerDraw.early");
  if (moment.drawOfferedBy === mine) return t("ends.offerDraw.waits", { name });
  if (moment.drawOfferedBy) return t("ends.offerDraw.theirs", { name });
  return moment.hasOffered[mine] ? t("ends.offerDraw.over") : "";
}

/** The actions of a guest for whom the computer plays. @param {Moment} moment @returns {Action[]} */
const overseen = ({ state }) =>
  state === "playing"
    ? [{ name: t("ends.abort"), op: "abort", fields: {}, look: "danger", sure: t("ends.abortSure") }]
    : [];

/** The cost of resigning: in some games double while nothing has been borne off. @param {Moment} moment @param {Seat} seat */
function resignCost(moment, seat) {
  const { position } = moment;
  const side = moment.sides?.[seat];
  const off = position && !("board" in position) ? position[/** @type {"white"} */ (side)].off : 1;
  const count = factsOf(moment.game).double && off === 0 && !moment.games ? 2 : 1;
  return t("ends.resignSure", { count, name: playerName(moment, other(seat)) });
}
