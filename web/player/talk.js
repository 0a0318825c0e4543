// The person's talk settings, their standing, and their reports.

import { ask } from "../api/rest.js";
import { seated } from "./seats.js";

/** @typedef {import("../api/wire").components["schemas"]["ReportReason"]} ReportReason */
/** @typedef {import("../api/wire").components["schemas"]["Standing"]} Standing */
/** @typedef {import("../api/wire").components["schemas"]["TalkSettings"]} TalkSettings */

/** The reasons for a report. @type {ReportReason[]} */
export const REASONS = ["abuse", "spam", "engine", "sandbagging", "stalling", "other"];

/** The most characters of a report. */
export const REPORT_MAX = 500;

/** @returns {Promise<TalkSettings>} @throws {import("../api/rest.js").Problem} */
export const talkSettings = () => seated((token) => ask("GET", "/me/talk-settings", { token }));

/**
 * Stores the settings. @param {{text: boolean, childrens_mode: boolean}} settings
 * @param {Partial<import("./account.js").Proof>} [proof] needed to leave children's mode
 * @returns {Promise<TalkSettings>} @throws {import("../api/rest.js").Problem}
 */
export const keepTalkSettings = ({ text, childrens_mode }, proof = {}) =>
  seated((token) => ask("PUT", "/me/talk-settings", { body: { text, childrens_mode, ...proof }, token }));

/** @param {string} token @returns {Promise<Standing>} @throws {import("../api/rest.js").Problem} */
export const standing = (token) => ask("GET", "/me/standing", { token });

/** Marks the warnings up to this one as read. @param {string} token @param {string} upto @returns {Promise<Standing>} */
export const readWarnings = (token, upto) => ask("POST", "/me/standing/read", { body: { upto }, token });

/**
 * Reports a player in a match. @param {string} match @param {{player: string, reason: ReportReason, text?: string}} report
 * @returns {Promise<unknown>} @throws {import("../api/rest.js").Problem}
 */
export const report = (match, report) =>
  seated((token) => ask("POST", `/matches/${match}/reports`, { body: report, token }));
