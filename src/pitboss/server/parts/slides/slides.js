/** <pit-slides data-seconds data-now>: shows its slides in turn; the space bar stops and starts them. */

/** @typedef {{urgent: boolean, until: number}} Turn */

/**
 * Which slide comes after one. Urgent ones have the stage until their time is over, and then every second turn.
 * @param {Turn[]} turns  @param {number} last the slide that was shown  @param {number} lastPlain the last that was not urgent
 * @param {number} now  @returns {number}
 */
export function following(turns, last, lastPlain, now) {
  const places = turns.map((_, place) => place);
  const after = (/** @type {number[]} */ some, /** @type {number} */ place) => some.find((each) => each > place) ?? some[0];
  const held = places.filter((place) => turns[place].urgent && turns[place].until > now);
  if (held.length) return after(held, last);
  const urgent = places.filter((place) => turns[place].urgent), plain = places.filter((place) => !turns[place].urgent);
  if (!urgent.length || !plain.length) return after(places, last);
  return turns[last]?.urgent ? after(plain, lastPlain) : urgent[(plain.indexOf(lastPlain) + 1) % urgent.length];
}

export class Slides extends HTMLElement {
  /** @type {number} */ #timer = 0;
  /** @type {number} */ #place = 0;
  /** @type {number} */ #plain = -1;
  /** @type {number} */ #ahead = 0;
  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    this.#timer ? this.stop() : this.start();
  };

  connectedCallback() {
    this.#ahead = Number(this.dataset.now || Date.now()) - Date.now();
    this.show(0);
    this.start();
    document.addEventListener("keydown", this.#key);
  }

  disconnectedCallback() {
    this.stop();
    document.removeEventListener("keydown", this.#key);
  }

  start() {
    this.stop();
    const seconds = Number(this.dataset.seconds || 12);
    this.#timer = window.setInterval(() => this.next(), seconds * 1000);
  }

  stop() {
    window.clearInterval(this.#timer);
    this.#timer = 0;
  }

  /** Show the slide whose turn it is. */
  next() {
    const turns = [...this.children].map((each) => {
      const until = Number(each.getAttribute("data-until") || 0);
      return { urgent: each.hasAttribute("data-urgent"), until };
    });
    if (turns.length) this.show(following(turns, this.#place, this.#plain, Date.now() + this.#ahead));
  }

  /** Show one slide and hide the others; after the last one comes the first. @param {number} place */
  show(place) {
    const slides = [...this.children];
    if (!slides.length) return;
    this.#place = place % slides.length;
    if (!slides[this.#place].hasAttribute("data-urgent")) this.#plain = this.#place;
    slides.forEach((slide, each) => slide.toggleAttribute("hidden", each !== this.#place));
  }
}

customElements.define("pit-slides", Slides);
