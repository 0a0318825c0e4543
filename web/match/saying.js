// What a person is told while he plays or watches: aloud, and for a while in the row of the dice.

/** What happens within this time is told in one breath. */
const TOGETHER_MS = 200;

/** How long a word stays. */
const WORD_MS = 6_000;

/** Event: `change`. */
export class Saying extends EventTarget {
  constructor() {
    super();
    /** What those hear who hear the page. */
    this.said = "";
    /** What is to be read for a moment: why a piece cannot go, why a turn was passed. */
    this.word = "";
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
    setTimeout(() => (this.isFresh = false), TOGETHER_MS);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hush(), WORD_MS);
    this.changed();
  }

  /** Takes the word away. */
  hush() {
    this.word = "";
    this.isFresh = false;
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
