// What the page uses of uqr.

export { encode } from "./vendor/uqr/uqr.js";
