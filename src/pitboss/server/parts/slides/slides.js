/** <pit-slides data-seconds>: shows its slides in turn; the space bar stops and starts them. */
export class Slides extends HTMLElement {
  /** @type {number} */ #timer = 0;
  /** @type {number} */ #place = 0;
  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    this.#timer ? this.stop() : this.start();
  };

  connectedCallback() {
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
    this.#timer = window.setInterval(() => this.show(this.#place + 1), seconds * 1000);
  }

  stop() {
    window.clearInterval(this.#timer);
    this.#timer = 0;
  }

  /** Show one slide and hide the others; after the last one comes the first. @param {number} place */
  show(place) {
    const slides = [...this.children];
    if (!slides.length) return;
    this.#place = place % slides.length;
    slides.forEach((slide, each) => slide.toggleAttribute("hidden", each !== this.#place));
  }
}

customElements.define("pit-slides", Slides);
