// Drawings that stay as they are, put together as text: the browser reads it at once, where templates make hundreds
// of elements one by one.

import { nothing } from "../lit.js";

/** Markup that has been put together. */
class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** What would be read as markup. @type {Record<string, string>} */
const WRITTEN = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {unknown} value @returns {string} */
function written(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(written).join("");
  if (value === nothing || value === undefined || value === null) return "";
  return typeof value === "number" ? String(value) : String(value).replace(/[&<>"]/g, (sign) => WRITTEN[sign]);
}

/**
 * A drawing, as `svg` of lit takes it: markup, text and numbers, lists of those, `nothing`. Other text than markup
 * is only ever text; quotes around what an attribute is are added.
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

/** What is to be read of a drawing: without the ends of lines between its elements. @param {Markup} drawing */
export const textOf = ({ text }) => text.replace(/>\n\s*</g, "><");
