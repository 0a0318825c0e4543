// The service worker (web/service-worker.js), which every page registers when it is idle.

/** The storage key of this device's notifications (notifications.js). */
export const TOLD_AS = "lusoria.told";

const WORKER = "/service-worker.js";

/** The longest wait for an idle page, also where browsers do not report idleness. */
const LATER_MS = 2_000;

/** Whether this browser has service workers; without TLS it has none. */
export const hasWorkers = () => "serviceWorker" in navigator;

/** Registers the worker, or returns its registration. @returns {Promise<ServiceWorkerRegistration>} */
export const register = () => navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });

/** After the page has loaded: registers the worker, and keeps the notifications of this device on. */
export function registerLater() {
  if (hasWorkers()) whenIdle(begin);
}

/** Runs a task once the page has loaded and is idle. @param {() => void} what */
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
    // The page works without it, and the next one tries again.
  }
}
