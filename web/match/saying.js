// What a person is told while he plays or watches: aloud, and for a while in the row of the dice.

/** What happens within this time is told in one breath. */
const TOGETHER_MS = 200;

/** How long a word stays. */
const WORD_MS = 6_000;

/** A sentence that is longer than this is told only in part, the rest on demand. */
const SHORT_MAX_CHARS = 90;

/**
 * What is told of some reasons at a glance, and all of them if that is more.
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
    /** What those hear who hear the page. */
    this.said = "";
    /** What is to be read for a moment: why a piece cannot go, why a turn was passed. */
    this.word = "";
    /** All that there is to say, where the word is only its beginning. @type {string[]} */
    this.all = [];
    /** Whether all of it is being read: then it stays. */
    this.isOpen = false;
    /** Whether the word is why something cannot be done. */
    this.isReason = false;
    /** @type {string[]} */
    this.waiting = [];
    this.isFresh = false;
    this.timer = 0;
  }

  /** Says it to those who hear the page. @param {string} text */
  say(text) {
    if (this.waiting.length === 0) setTimeout(() => this.speak(), TOGETHER_MS);
    if (!this.waiting.includes(text)) this.waiting.push(text);
  }

  /** Says it, and lets it be read for a while. @param {string} word */
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
   * Says reasons: all of them aloud, the beginning to be read, the rest on demand. They stay until something else
   * is told, or until they are taken away.
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

  /** Shows all that there is to say, or no more. */
  toggle() {
    this.isOpen = !this.isOpen;
    clearTimeout(this.timer);
    if (!this.isOpen) this.hush();
    else this.changed();
  }

  /** Takes the word away. */
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
    // What is said twice must differ, or it is not read out again.
    this.said = text === this.said ? `${text}\u00a0` : text;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
