/**
 * <pit-fit data-least data-enough data-most data-columns-max>: sets what it holds as large as its place allows.
 * Sizes are hundredths of the display's shorter side. Rows stand in one column while that is large enough; else in two.
 */
/** @typedef {{size: number, columns: number, wrap: boolean}} Choice */
const STEPS = 6;
/** So much larger must type be for the sake of which a line is broken or a second column begun. */
const CLEARLY = 1.2;
const observer = new ResizeObserver((entries) => {
  for (const entry of entries) if (entry.target instanceof Fit) entry.target.fit();
});

export class Fit extends HTMLElement {
  connectedCallback() {
    observer.observe(this);
  }

  disconnectedCallback() {
    observer.unobserve(this);
  }

  /** Find the size, and give it to all that stand side by side as one. */
  fit() {
    if (!this.clientHeight) return;
    for (const body of this.querySelectorAll("tbody")) body.style.gridTemplateRows = "";
    const own = this.#best();
    const group = [...(this.closest("[data-together]")?.querySelectorAll("pit-fit") ?? [])].filter((each) => each instanceof Fit);
    this.own = own.size;
    this.#apply(own);
    const size = Math.min(...group.map((each) => each.own || Infinity), own.size);
    for (const each of group) each.style.setProperty("--size", `${size}px`);
    this.#alignRows(group);
  }

  /** Have the rows of all stand beside each other, also where one of them is broken in two lines. @param {Fit[]} group */
  #alignRows(group) {
    const bodies = group.flatMap((each) => [...each.querySelectorAll("tbody")]);
    if (bodies.length < 2) return;
    for (const body of bodies) body.style.gridTemplateRows = "";
    const count = Math.max(...bodies.map((body) => body.rows.length));
    const highs = Array.from({ length: count }, (_, row) => Math.max(...bodies.map((body) => body.rows[row]?.cells[0].offsetHeight ?? 0)));
    for (const body of bodies) body.style.gridTemplateRows = highs.map((high) => `minmax(${high}px, ${high}fr)`).join(" ");
  }

  /** The size in pixels that this one would have by itself. */
  own = 0;

  /** @returns {Choice} */
  #best() {
    const unit = parseFloat(getComputedStyle(this).getPropertyValue("--u")) || 10;
    const { least = "2.8", enough = "4", most = "7", columnsMax = "1" } = this.dataset;
    const sizes = { least: Number(least) * unit, most: Number(most) * unit };
    const of = (/** @type {number} */ columns, /** @type {boolean} */ wrap) => ({ columns, wrap, size: this.#largest(columns, wrap, sizes) });
    const better = (/** @type {Choice} */ one, /** @type {Choice} */ other) => (other.size > one.size * CLEARLY ? other : one);
    const whole = of(1, false);
    if (whole.size >= Number(enough) * unit) return whole;
    const one = better(whole, of(1, true));
    if (one.size >= Number(enough) * unit || columnsMax !== "2") return one;
    return better(one, better(of(2, false), of(2, true)));
  }

  /** The largest size at which nothing overflows; 0 if there is none.
   * @param {number} columns  @param {boolean} wrap  @param {{least: number, most: number}} sizes  @returns {number} */
  #largest(columns, wrap, { least, most }) {
    const fits = (/** @type {number} */ size) => {
      this.#apply({ size, columns, wrap });
      return this.scrollHeight <= this.clientHeight && [this, ...this.querySelectorAll("tr, th")].every((each) => each.scrollWidth <= each.clientWidth + 1);
    };
    if (!fits(least)) return 0;
    if (fits(most)) return most;
    let [low, high] = [least, most];
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** @param {Choice} choice */
  #apply({ size, columns, wrap }) {
    if (size) this.style.setProperty("--size", `${size}px`);
    else this.style.removeProperty("--size");
    this.dataset.columns = String(columns);
    this.dataset.wrap = wrap ? "yes" : "no";
  }
}

customElements.define("pit-fit", Fit);
// A face that arrives later has other widths.
document.fonts.addEventListener("loadingdone", () => {
  for (const each of document.querySelectorAll("pit-fit")) if (each instanceof Fit) each.fit();
});
