// Where the person continues after signing in: the page they came from, if it is one of this server.

/**
 * The local URL in `?next=`; home if there is none, or if it leads to this page again.
 * @param {string} search of the address
 * @param {string} origin of this page
 */
export function nextOf(search, origin) {
  const wanted = new URLSearchParams(search).get("next") ?? "/";
  // Other origins must be rejected: `//other`, `/\other`, `https:…`; also `/..//other`.
  if (!/^\/(?!\/)[^\\\u0000-\u001f]*$/.test(wanted)) return "/";
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith("//") || url.pathname === "/sign-in") return "/";
  return url.pathname + url.search + url.hash;
}

/** The URL that signs in and returns here. @param {Location | URL} here */
export function signInAddress({ pathname, search }) {
  return pathname === "/" || pathname === "/sign-in" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(pathname + search)}`;
}
