// Bytes as the server and browsers write them where only letters may stand: base64url without padding.

/** Writes bytes. @param {ArrayBuffer | Uint8Array} bytes */
export const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The bytes that such letters stand for. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
