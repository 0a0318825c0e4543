// Browser APIs that Node.js lacks: storage on the device. Import before the page's modules.

/** The stored values, by name. @type {Map<string, string>} */
export const kept = new Map();

globalThis.addEventListener ??= () => {};
globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
  removeItem: (name) => kept.delete(name),
};
