export { LitElement, css, html, nothing, render, svg } from "lit";
export { classMap } from "lit/directives/class-map.js";
export { live } from "lit/directives/live.js";
export { repeat } from "lit/directives/repeat.js";
