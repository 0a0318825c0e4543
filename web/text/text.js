// The texts of the page, in the language that the person wants.
//
// A language is a file beside this one, and one beside the pages: sections of keys, each a text with {places} to fill
// in, or the forms of a plural ({"one": …, "other": …}) chosen by {count}.

/** @typedef {string | Record<string, string>} Message */
/** @typedef {Record<string, Record<string, Message>>} Messages */
/** @typedef {Record<string, string | number>} Params */

const KEPT_AS = "lusoria.language";

/** @type {Messages} */
let messages = {};
let language = "en";
let locale = "en";
let plurals = new Intl.PluralRules(language);
/** @type {Intl.NumberFormat | undefined} made when the first number needs it */
let numbers;

/** The languages that there are: the server names those it has files for. */
export const languages = () => (document.documentElement.dataset.languages ?? "en").split(" ");

/** What a language calls itself. @param {string} name */
export function languageName(name) {
  const own = new Intl.DisplayNames([name], { type: "language" }).of(name) ?? name;
  return own.charAt(0).toLocaleUpperCase(name) + own.slice(1);
}

/** The language of the page. */
export const currentLanguage = () => language;

/** How the person writes dates and numbers in the language of the page: British people otherwise than Americans. */
export const currentLocale = () => locale;

/** The language that the person chose, that he brings, or English. */
function wanted() {
  const known = languages();
  const asked = new URLSearchParams(location.search).get("lang");
  const chosen = [asked, chosenLanguage(), document.documentElement.lang, ...navigator.languages];
  const found = chosen.map((tag) => known.find((name) => tag?.toLowerCase().split("-")[0] === name));
  return found.find(Boolean) ?? "en";
}

/** The language that was chosen here before, if one was. @returns {string | null} */
export function chosenLanguage() {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

/** Chooses a language for good; the page has to be loaded again. @param {string} name */
export function chooseLanguage(name) {
  localStorage.setItem(KEPT_AS, name);
}

/**
 * Loads the texts. To be waited for before anything is drawn.
 * @param {boolean} [ofPages] also the long ones, of the few pages that need them
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
 * @param {Params} [params] what is put into its places; `count` also chooses the plural
 * @returns {string} the text, or the key if there is none
 */
export function t(key, params = {}) {
  return find(key, params) ?? key;
}

/**
 * A text if there is one: for codes that the server may add.
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

/** From here on numbers are written in groups. */
const GROUPED = 1000;

/**
 * A number as the person writes it. The numbers of a board are small, and all languages here write those alike: the
 * first formatter costs a telephone a tenth of a second.
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

/** The names of things in a row: "a, b and c". @param {string[]} names */
export const listed = (names) => new Intl.ListFormat(locale).format(names);
