// Much that is to be drawn, one after the other, so that nothing that a person does waits for all of it.

/** Until everything that has been asked for before has had its task. */
let before = Promise.resolve();

/** Waits for a task of one's own. @returns {Promise<void>} */
export function ownTask() {
  before = before.then(() => new Promise((resolve) => setTimeout(resolve)));
  return before;
}
