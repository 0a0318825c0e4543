// A refusal, with a link to where the person can change its cause.

import { html } from "../lit.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";

/** @typedef {import("../text/words.js").Told} Told */

/** @param {Told} problem */
export const refusal = (problem) =>
  problem.code === "too_many_matches"
    ? html`${problemText(problem)} <a href="/#mine">${t("home.mine")}</a>`
    : problemText(problem);
