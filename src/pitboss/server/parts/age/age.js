/** <pit-age data-zone>: while the server cannot be reached, says since when; amounts stay as they last were true. */
const OLD_SECONDS = 60;

export class Age extends HTMLElement {
  /** @type {number} */ #timer = 0;

  disconnectedCallback() {
    window.clearInterval(this.#timer);
  }

  /** Say since when nothing was heard, and how long that is. @param {Date} contact */
  lost(contact) {
    window.clearInterval(this.#timer);
    const options = { timeZone: this.dataset.zone, hour: "numeric", minute: "2-digit" };
    const time = new Intl.DateTimeFormat(document.documentElement.dataset.locale, /** @type {any} */ (options)).format(contact);
    const say = () => {
      const seconds = Math.max(0, Math.round((Date.now() - contact.getTime()) / 1000));
      const minutes = seconds < OLD_SECONDS ? "" : ` (${Math.floor(seconds / 60)} min ago)`;
      const text = `Updating \u2026 amount as of ${time}${minutes}`;
      if (this.textContent !== text) this.textContent = text;
      // An amount that is a minute old is no longer shown as if it were new.
      this.toggleAttribute("data-old", seconds >= OLD_SECONDS);
    };
    say();
    this.hidden = false;
    this.#timer = window.setInterval(say, 1000);
  }

  /** The server is there again. */
  back() {
    window.clearInterval(this.#timer);
    this.hidden = true;
    this.removeAttribute("data-old");
    this.textContent = "";
  }
}

customElements.define("pit-age", Age);
