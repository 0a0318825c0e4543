// The parts of lit that the page uses.

export { LitElement, css, html, nothing, render, svg } from "./vendor/lit/lit-element.js";
export { classMap } from "./vendor/lit/class-map.js";
export { live } from "./vendor/lit/live.js";
export { repeat } from "./vendor/lit/repeat.js";
