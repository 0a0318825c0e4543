// Much that is to be drawn, one after the other, so that nothing that a person does waits for all of it.

import { LitElement } from "./lit.js";

/** Until everything that has been asked for before has had its task. */
let before = Promise.resolve();

/** Waits for a task of one's own. @returns {Promise<void>} */
export function ownTask() {
  before = before.then(() => new Promise((resolve) => setTimeout(resolve)));
  return before;
}

/** An element that is drawn in a task of its own at first: room for it has to be kept. */
export class PatientElement extends LitElement {
  async scheduleUpdate() {
    if (!this.hasUpdated) await ownTask();
    await super.scheduleUpdate();
  }
}
