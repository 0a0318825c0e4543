// The service worker (web/service-worker.js), which every page registers when it has nothing better to do.

/** Under which name it is kept how this device is told, if it is (notifications.js). */
export const TOLD_AS = "lusoria.told";

const WORKER = "/service-worker.js";

/** So much later at the most, and where browsers do not say when they have nothing to do. */
const LATER_MS = 2_000;

/** Whether this browser has service workers; without TLS it has none. */
export const hasWorkers = () => "serviceWorker" in navigator;

/** Registers it, or returns the one that is registered. @returns {Promise<ServiceWorkerRegistration>} */
export const register = () => navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });

/** Once the page has been loaded: registers it, and sees to it that a device that is told stays so. */
export function registerLater() {
  if (hasWorkers()) whenIdle(begin);
}

/** Does something once the page has been loaded and has nothing better to do. @param {() => void} what */
export function whenIdle(what) {
  const wait = () => {
    if ("requestIdleCallback" in window) requestIdleCallback(what, { timeout: LATER_MS });
    else setTimeout(what, LATER_MS);
  };
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

async function begin() {
  try {
    await register();
    if (localStorage.getItem(TOLD_AS) !== null) (await import("./notifications.js")).lookAfter();
  } catch {
    // The page lacks nothing without it, and the next one tries again.
  }
}
