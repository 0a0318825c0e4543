// Splits rendering into tasks, so that a person's input never waits for all of it.

import { LitElement } from "./lit.js";

/** Resolves when everything scheduled earlier has had its task. */
let before = Promise.resolve();

/** Waits for a task of one's own. @returns {Promise<void>} */
export function ownTask() {
  before = before.then(() => new Promise((resolve) => setTimeout(resolve)));
  return before;
}

/** An element that renders first in a task of its own; the page must reserve its space. */
export class PatientElement extends LitElement {
  async scheduleUpdate() {
    if (!this.hasUpdated) await ownTask();
    await super.scheduleUpdate();
  }
}
