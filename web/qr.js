// The parts of uqr that the page uses.

export { encode } from "./vendor/uqr/uqr.js";
