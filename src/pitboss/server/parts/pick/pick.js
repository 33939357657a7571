/** <pit-pick data-count>: cards that are tapped, in order, into a field that could be typed into as well. */
export class Pick extends HTMLElement {
  connectedCallback() {
    const deck = this.querySelector(".deck"), undo = this.querySelector(".undo");
    deck?.toggleAttribute("hidden", false);
    undo?.toggleAttribute("hidden", false);
    deck?.addEventListener("click", (event) => {
      const card = /** @type {HTMLElement} */ (event.target).closest("[data-card]")?.getAttribute("data-card");
      if (card) this.#add(card);
    });
    undo?.addEventListener("click", () => this.#set(this.#cards().slice(0, -1)));
    this.#input().addEventListener("input", () => this.#mark());
    this.#mark();
  }

  /** @returns {HTMLInputElement} */
  #input() {
    return /** @type {HTMLInputElement} */ (this.querySelector("input"));
  }

  /** @returns {string[]} */
  #cards() {
    return this.#input().value.split(/\s+/).filter(Boolean);
  }

  /** @param {string} card */
  #add(card) {
    if (this.#cards().length < Number(this.dataset.count)) this.#set([...this.#cards(), card]);
  }

  /** @param {string[]} cards */
  #set(cards) {
    this.#input().value = cards.join(" ");
    this.#mark();
  }

  #mark() {
    const chosen = new Set(this.#cards());
    for (const each of this.querySelectorAll("[data-card]")) {
      each.setAttribute("aria-pressed", String(chosen.has(each.getAttribute("data-card") ?? "")));
    }
  }
}

customElements.define("pit-pick", Pick);
