/** <pit-age data-zone>: while the server cannot be reached, says since when; amounts stay as they last were true. */
export class Age extends HTMLElement {
  /** @type {number} */ #timer = 0;

  disconnectedCallback() {
    window.clearInterval(this.#timer);
  }

  /** Say how old the last contact is, every second. @param {Date} contact */
  lost(contact) {
    window.clearInterval(this.#timer);
    const options = { timeZone: this.dataset.zone, hour: "numeric", minute: "2-digit", second: "2-digit" };
    const time = new Intl.DateTimeFormat(document.documentElement.dataset.locale, /** @type {any} */ (options)).format(contact);
    const say = () => {
      const seconds = Math.max(0, Math.round((Date.now() - contact.getTime()) / 1000));
      const old = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
      this.textContent = `No connection. Amounts as of ${time}, ${old} ago`;
    };
    say();
    this.hidden = false;
    this.#timer = window.setInterval(say, 1000);
  }

  /** The server is there again. */
  back() {
    window.clearInterval(this.#timer);
    this.hidden = true;
    this.textContent = "";
  }
}

customElements.define("pit-age", Age);
