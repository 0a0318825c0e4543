// The name of this device in a person's list of devices, and how the page is opened on it.

/** Browsers by their user agent; each also claims to be those below it. */
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
 * A name that is the same in all languages: "Firefox, Android".
 * @param {string} [agent] the user agent
 * @returns {string | undefined} none if it is unknown
 */
export function deviceName(agent = navigator.userAgent) {
  const named = [BROWSERS, SYSTEMS].map((known) => known.find(([sign]) => sign.test(agent))?.[1]);
  const told = named.filter((name) => name !== undefined);
  return told.length > 0 ? told.join(", ") : undefined;
}

/** Whether the page was opened as an installed app. */
export const isInstalled = () => matchMedia("(display-mode: standalone)").matches;
