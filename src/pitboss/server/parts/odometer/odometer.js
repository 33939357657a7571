/**
 * <pit-odometer data-cents data-name>: turns its reels to a new amount, smoothly upwards and at once downwards.
 * On its way it shows less than the ledger's amount, at its end exactly that, and never more (T-05, G-3).
 */

const SECONDS = 4;
const FIGURES = 11;

/** Where a reel stands, in figures, when the odometer shows so many cents: it turns while all below it pass nine.
 * @param {number} cents  @param {number} place  @returns {number} */
export function reelAt(cents, place) {
  const unit = 10 ** place;
  const whole = Math.floor(cents / unit);
  const below = cents / unit - whole;
  const turning = place === 0 ? below : Math.max(0, below * unit - (unit - 1));
  return (whole % 10) + turning;
}

/** The amount on the way from one to another after a part of the time; it rises, and never passes the target.
 * @param {number} from  @param {number} to  @param {number} part  @returns {number} */
export function between(from, to, part) {
  if (part >= 1 || to <= from) return to;
  // A frame may be stamped before the moment at which it was asked for.
  if (part <= 0) return from;
  const eased = 1 - (1 - part) ** 3;
  return Math.min(to, from + (to - from) * eased);
}

export class Odometer extends HTMLElement {
  /** @type {number} */ #shown = 0;
  /** @type {number} */ #target = 0;
  /** @type {number} */ #frame = 0;

  connectedCallback() {
    this.#shown = this.#target = Number(this.dataset.cents || 0);
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
  }

  /** What is shown at this instant, in cents and parts of a cent. @returns {number} */
  get shown() {
    return this.#shown;
  }

  /** Show another amount. @param {number} cents  @param {string} text how it is written, by the server */
  show(cents, text) {
    this.dataset.cents = String(cents);
    const words = this.querySelector("[data-live]");
    if (words) words.textContent = text;
    cancelAnimationFrame(this.#frame);
    this.#target = cents;
    const jump = cents <= this.#shown || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    if (jump) return this.#rest(text);
    this.#fit(text);
    const from = this.#shown, start = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = (now - start) / (SECONDS * 1000);
      if (part >= 1) return this.#rest(text);
      this.#turn(between(from, cents, part));
      this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** @param {string} text */
  #rest(text) {
    this.#fit(text);
    this.#turn(this.#target);
  }

  /** @param {number} cents */
  #turn(cents) {
    this.#shown = cents;
    const windows = [...this.querySelectorAll(".window")].reverse();
    windows.forEach((window, place) => {
      const reel = /** @type {SVGElement} */ (window.firstElementChild);
      reel.style.translate = `0 ${(-100 * reelAt(cents, place)) / FIGURES}%`;
    });
  }

  /** Have as many windows as the amount has figures, and signs where they belong. @param {string} text */
  #fit(text) {
    const figures = this.querySelector(".figures");
    if (!figures) return;
    const now = [...figures.children].map((each) => each.getAttribute("data-sign") ?? "0").join("");
    if (now === text.replace(/\d/g, "0")) return;
    const window = figures.querySelector(".window"), comma = figures.querySelector('[data-sign=","]');
    if (!window) return;
    const kept = new Map([...figures.querySelectorAll(".sign")].map((each) => [each.getAttribute("data-sign"), each]));
    const parts = [...text].map((sign) => {
      const model = /\d/.test(sign) ? window : (kept.get(sign) ?? comma);
      return model ? model.cloneNode(true) : document.createTextNode(sign);
    });
    figures.replaceChildren(...parts);
    figures.setAttribute("data-digits", String(text.replace(/\D/g, "").length));
  }
}

customElements.define("pit-odometer", Odometer);
