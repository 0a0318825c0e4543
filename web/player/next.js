// Where the person goes on after signing in: to where they came from, if that is a page of this server.

/**
 * The own address in `?next=`; home if it is none, or leads to this page again.
 * @param {string} search of the address
 * @param {string} origin of this page
 */
export function nextOf(search, origin) {
  const wanted = new URLSearchParams(search).get("next") ?? "/";
  // What is no path of ours must not lead elsewhere: `//other`, `/\other`, `https:…`; also not `/..//other`.
  if (!/^\/(?!\/)[^\\\u0000-\u001f]*$/.test(wanted)) return "/";
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith("//") || url.pathname === "/sign-in") return "/";
  return url.pathname + url.search + url.hash;
}

/** The address at which to sign in and come back here. @param {Location | URL} here */
export function signInAddress({ pathname, search }) {
  return pathname === "/" || pathname === "/sign-in" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(pathname + search)}`;
}
