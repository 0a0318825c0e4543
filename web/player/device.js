// What this device is called in the list of somebody's devices, and how the page is on it.

/** Browsers by what they say of themselves; each pretends to be those below it. */
const BROWSERS = /** @type {const} */ ([
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOPT\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]);

const SYSTEMS = /** @type {const} */ ([
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
]);

/**
 * A name that is the same in every language: "Firefox, Android".
 * @param {string} [agent] what the browser says of itself
 * @returns {string | undefined} none if it says nothing that is known
 */
export function deviceName(agent = navigator.userAgent) {
  const named = [BROWSERS, SYSTEMS].map((known) => known.find(([sign]) => sign.test(agent))?.[1]);
  const told = named.filter((name) => name !== undefined);
  return told.length > 0 ? told.join(", ") : undefined;
}

/** Whether the page has been installed, or added to the home screen, and was opened from there. */
export const isInstalled = () => matchMedia("(display-mode: standalone)").matches;
