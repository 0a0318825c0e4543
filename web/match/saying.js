// Messages to the person during a match: announced to screen readers, and shown for a while in the row of the dice.

/** Messages within this time are announced together. */
const TOGETHER_MS = 200;

/** How long a message is shown. */
const WORD_MS = 6_000;

/** A longer sentence than this is shown only in part, the rest on demand. */
const SHORT_MAX_CHARS = 90;

/**
 * The short form of some reasons; all of them if there are more.
 * @param {string[]} reasons
 * @returns {{word: string, all: string[]}}
 */
export function glance(reasons) {
  const [first = ""] = reasons;
  const [sentence = first] = first.match(/^.+?[.!?](?=\s|$)/) ?? [];
  const isAll = reasons.length <= 1 && sentence.length === first.trim().length && first.length <= SHORT_MAX_CHARS;
  return { word: sentence, all: isAll ? [] : reasons };
}

/** Event: `change`. */
export class Saying extends EventTarget {
  constructor() {
    super();
    /** The text of the live region. */
    this.said = "";
    /** The message shown: why a piece cannot go, why a turn was passed. */
    this.word = "";
    /** The whole text, if the message is only its beginning. @type {string[]} */
    this.all = [];
    /** Whether the whole text is open: then it stays. */
    this.isOpen = false;
    /** Whether the message explains a refusal. */
    this.isReason = false;
    /** @type {string[]} */
    this.waiting = [];
    this.isFresh = false;
    this.timer = 0;
  }

  /** Announces a text to screen readers. @param {string} text */
  say(text) {
    if (this.waiting.length === 0) setTimeout(() => this.speak(), TOGETHER_MS);
    if (!this.waiting.includes(text)) this.waiting.push(text);
  }

  /** Announces a text, and shows it for a while. @param {string} word */
  tell(word) {
    this.say(word);
    this.word = this.isFresh ? `${this.word} ${word}` : word;
    this.isFresh = true;
    this.isReason = false;
    this.all = [];
    this.isOpen = false;
    setTimeout(() => (this.isFresh = false), TOGETHER_MS);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hush(), WORD_MS);
    this.changed();
  }

  /**
   * Gives reasons: announces all of them, shows the beginning, and the rest on demand. They stay until another message
   * comes, or until they are closed.
   * @param {string[]} reasons
   */
  explain(reasons) {
    const { word, all } = glance(reasons);
    this.isFresh = false;
    this.tell(word);
    clearTimeout(this.timer);
    for (const reason of all) this.say(reason);
    this.all = all;
    this.isReason = true;
    this.changed();
  }

  /** Opens or closes the whole text. */
  toggle() {
    this.isOpen = !this.isOpen;
    clearTimeout(this.timer);
    if (!this.isOpen) this.hush();
    else this.changed();
  }

  /** Closes the message. */
  hush() {
    this.word = "";
    this.all = [];
    this.isOpen = false;
    this.isFresh = false;
    this.isReason = false;
    this.changed();
  }

  speak() {
    const text = this.waiting.join(" ");
    this.waiting = [];
    // A repeated text must differ, or it is not announced again.
    this.said = text === this.said ? `${text}\u00a0` : text;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
