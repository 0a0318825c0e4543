// The texts of the page, in the person's language.
//
// A language is a file beside this one, and one beside the pages: sections of keys, each with a text with
// {placeholders}, or with the forms of a plural ({"one": …, "other": …}) chosen by {count}.

/** @typedef {string | Record<string, string>} Message */
/** @typedef {Record<string, Record<string, Message>>} Messages */
/** @typedef {Record<string, string | number>} Params */

const KEPT_AS = "lusoria.language";

/** @type {Messages} */
let messages = {};
let language = "en";
let locale = "en";
let plurals = new Intl.PluralRules(language);
/** @type {Intl.NumberFormat | undefined} created when the first number needs it */
let numbers;

/** The languages: the server lists the files it has. */
export const languages = () => (document.documentElement.dataset.languages ?? "en").split(" ");

/** A language's name in itself. @param {string} name */
export function languageName(name) {
  const own = new Intl.DisplayNames([name], { type: "language" }).of(name) ?? name;
  return own.charAt(0).toLocaleUpperCase(name) + own.slice(1);
}

/** The language of the page. */
export const currentLanguage = () => language;

/** The locale of dates and numbers in the language of the page: British and American English differ. */
export const currentLocale = () => locale;

/** The language that the person chose, that of the browser, or English. */
function wanted() {
  const known = languages();
  const asked = new URLSearchParams(location.search).get("lang");
  const chosen = [asked, chosenLanguage(), document.documentElement.lang, ...navigator.languages];
  const found = chosen.map((tag) => known.find((name) => tag?.toLowerCase().split("-")[0] === name));
  return found.find(Boolean) ?? "en";
}

/** The language chosen here earlier, if any. @returns {string | null} */
export function chosenLanguage() {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

/** Stores the choice of a language; the page must then be reloaded. @param {string} name */
export function chooseLanguage(name) {
  localStorage.setItem(KEPT_AS, name);
}

/**
 * Loads the texts. Must finish before anything is drawn.
 * @param {boolean} [ofPages] also the long texts, which only a few pages need
 */
export async function loadTexts(ofPages = false) {
  language = wanted();
  locale = navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language;
  const files = [new URL(`./${language}.json`, import.meta.url), new URL(`../pages/${language}.json`, import.meta.url)];
  const answers = await Promise.all(files.slice(0, ofPages ? 2 : 1).map(async (file) => (await fetch(file)).json()));
  messages = Object.assign({}, ...answers);
  plurals = new Intl.PluralRules(language);
  numbers = undefined;
  document.documentElement.lang = language;
}

/**
 * A text.
 * @param {string} key its section and its name: "match.resign"
 * @param {Params} [params] the values of its placeholders; `count` also chooses the plural
 * @returns {string} the text, or the key if there is none
 */
export function t(key, params = {}) {
  return find(key, params) ?? key;
}

/**
 * A text if it exists: for codes that the server may add.
 * @param {string} key
 * @param {Params} [params]
 * @returns {string | undefined}
 */
export function find(key, params = {}) {
  const dot = key.indexOf(".");
  const message = messages[key.slice(0, dot)]?.[key.slice(dot + 1)];
  if (message === undefined) return undefined;
  return fill(typeof message === "string" ? message : plural(message, params), params);
}

/** @param {Record<string, string>} forms @param {Params} params */
function plural(forms, params) {
  return forms[plurals.select(Number(params.count ?? 0))] ?? forms.other ?? "";
}

/** From here on numbers are grouped. */
const GROUPED = 1000;

/**
 * A number in the person's locale. Small numbers look the same in all languages here: the first formatter costs a phone
 * a tenth of a second.
 * @param {number} value
 */
function written(value) {
  if (Number.isInteger(value) && value >= 0 && value < GROUPED) return String(value);
  numbers ??= new Intl.NumberFormat(locale);
  return numbers.format(value);
}

/** @param {string} text @param {Params} params */
function fill(text, params) {
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = params[name];
    if (value === undefined) return all;
    return typeof value === "number" ? written(value) : value;
  });
}

/** A list of names: "a, b and c". @param {string[]} names */
export const listed = (names) => new Intl.ListFormat(locale).format(names);
