/**
 * <pit-notices data-seconds>: shows notices that are longer than their place page by page, line by line as they are
 * broken, so that each sentence is seen in full in its turn; the space bar stops and starts them.
 */

/** The pages of notices with so many lines each: which stand there, from which line on.
 * @param {number[]} lines  @param {number} most  @returns {{from: number, to: number, line: number}[]} */
export function pagesOf(lines, most) {
  /** @type {{from: number, to: number, line: number}[]} */ const pages = [];
  let free = 0;
  lines.forEach((count, notice) => {
    const last = pages.at(-1);
    if (last && count <= free) {
      last.to = notice;
      free -= count;
      return;
    }
    for (let line = 0; line < count; line += most) pages.push({ from: notice, to: notice, line });
    // What ends a page of a long notice stands there alone.
    free = count <= most ? most - count : 0;
  });
  return pages;
}

const observer = new ResizeObserver((entries) => {
  for (const entry of entries) if (entry.target instanceof Notices) entry.target.lay();
});

export class Notices extends HTMLElement {
  /** @type {{from: number, to: number, line: number}[]} */ #pages = [];
  #place = 0;
  #timer = 0;
  #width = 0;
  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key === " ") this.#timer ? this.stop() : this.start();
  };
  #again = () => this.lay(true);

  connectedCallback() {
    observer.observe(this);
    document.addEventListener("keydown", this.#key);
    document.fonts.addEventListener("loadingdone", this.#again);
    this.start();
  }

  disconnectedCallback() {
    observer.unobserve(this);
    document.removeEventListener("keydown", this.#key);
    document.fonts.removeEventListener("loadingdone", this.#again);
    this.stop();
  }

  start() {
    this.stop();
    this.#timer = window.setInterval(() => this.show(this.#place + 1), Number(this.dataset.seconds || 8) * 1000);
  }

  stop() {
    window.clearInterval(this.#timer);
    this.#timer = 0;
  }

  /** How many pages there are. @returns {number} */
  get pages() {
    return this.#pages.length;
  }

  /** Find the pages for the present width. @param {boolean} [again] though it is as wide as before */
  lay(again = false) {
    if (!this.clientWidth || (this.clientWidth === this.#width && !again)) return;
    this.#width = this.clientWidth;
    delete this.dataset.pages;
    this.#lines().style.translate = "";
    const notices = this.#notices();
    for (const each of notices) each.hidden = false;
    const high = parseFloat(getComputedStyle(notices[0]).lineHeight);
    const most = Math.max(1, Math.round(parseFloat(getComputedStyle(this).maxBlockSize) / high));
    const counts = () => notices.map((each) => Math.round(each.offsetHeight / high));
    if (counts().reduce((sum, count) => sum + count, 0) <= most) {
      this.#pages = [];
      this.#mark();
      return;
    }
    this.dataset.pages = "yes";
    this.#pages = pagesOf(counts(), most);
    this.dataset.pages = String(this.#pages.length);
    this.show(Math.min(this.#place, this.#pages.length - 1));
  }

  /** Show one page; after the last comes the first. @param {number} place */
  show(place) {
    if (!this.#pages.length) return;
    this.#place = place % this.#pages.length;
    const { from, to, line } = this.#pages[this.#place];
    const notices = this.#notices();
    notices.forEach((each, number) => (each.hidden = number < from || number > to));
    const high = parseFloat(getComputedStyle(notices[from]).lineHeight);
    this.#lines().style.translate = `0 ${-line * high}px`;
    const rest = notices.slice(from, to + 1).reduce((sum, each) => sum + each.offsetHeight, 0) - line * high;
    this.toggleAttribute("data-short", line === 0 && rest < this.clientHeight - high / 2);
    this.toggleAttribute("data-turned", this.#place > 0);
    this.#mark();
  }

  /** One dot a page, so that nobody takes the first for the whole. */
  #mark() {
    this.querySelector(".pages")?.remove();
    if (!this.#pages.length) return;
    const dots = document.createElement("ul");
    dots.className = "pages";
    dots.setAttribute("aria-hidden", "true");
    dots.append(...this.#pages.map((_, place) => {
      const dot = document.createElement("li");
      dot.classList.toggle("now", place === this.#place);
      return dot;
    }));
    this.append(dots);
  }

  /** @returns {HTMLElement[]} */
  #notices() {
    return [...this.querySelectorAll(".notice")].map((each) => /** @type {HTMLElement} */ (each));
  }

  /** @returns {HTMLElement} */
  #lines() {
    return /** @type {HTMLElement} */ (this.querySelector(".notice-lines"));
  }
}

customElements.define("pit-notices", Notices);
