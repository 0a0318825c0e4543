// Encodes and decodes base64url without padding, as the server and browsers use it.

/** Encodes bytes. @param {ArrayBuffer | Uint8Array} bytes */
export const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Decodes a text. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
