// Static drawings, joined as text: the browser parses it at once, where templates create hundreds of elements one by
// one.

import { nothing } from "../lit.js";

/** Finished markup. */
class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** Characters that must be escaped. @type {Record<string, string>} */
const WRITTEN = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {unknown} value @returns {string} */
function written(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(written).join("");
  if (value === nothing || value === undefined || value === null) return "";
  return typeof value === "number" ? String(value) : String(value).replace(/[&<>"]/g, (sign) => WRITTEN[sign]);
}

/**
 * A drawing, with the same values as lit's `svg`: markup, text and numbers, lists of those, `nothing`. Other text is
 * escaped; attributes get their quotes.
 * @param {TemplateStringsArray} parts
 * @param {...unknown} values
 */
export function markup(parts, ...values) {
  let text = parts[0];
  values.forEach((value, nth) => {
    text += text.endsWith("=") ? `"${written(value)}"` : written(value);
    text += parts[nth + 1];
  });
  return new Markup(text);
}

/** The markup of a drawing, without line ends between its elements. @param {Markup} drawing */
export const textOf = ({ text }) => text.replace(/>\n\s*</g, "><");
