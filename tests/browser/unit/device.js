// What browsers have and Node.js has not: what is kept on the device. To be imported before the page's modules.

/** What is kept, by name. @type {Map<string, string>} */
export const kept = new Map();

globalThis.addEventListener ??= () => {};
globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
  removeItem: (name) => kept.delete(name),
};
