/**
 * <pit-pick data-count data-decks>: a hand as slots that are filled by a rank and a suit, in a field that could be typed
 * into as well. Of all hands of a form one has the keys; when it is full the next one gets them. `picked` is sent to the
 * form when the last card is in.
 */
const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "trey", 2: "deuce" };
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

/** @param {string} card  @returns {string} */
function wordsOf(card) {
  const [rank, suit] = [/** @type {keyof NAMES} */ (card[0]), /** @type {keyof SUITS} */ (card[1])];
  return card === "*" ? "joker" : `${NAMES[rank] ?? card} of ${SUITS[suit] ?? "?"}`;
}

/** A card as the field has it: 10h is Th, aD is Ad. @param {string} text  @returns {string} */
function plain(text) {
  const card = text.replace(/^10/, "T");
  return card === "*" ? card : card.slice(0, -1).toUpperCase() + card.slice(-1).toLowerCase();
}

export class Pick extends HTMLElement {
  #rank = "";
  #suit = "";

  connectedCallback() {
    this.#input().required = false;
    this.dataset.on = "";
    this.#slots().hidden = false;
    this.addEventListener("click", (event) => this.#tap(/** @type {HTMLElement} */ (event.target)));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", () => this.#activate());
    this.#input().addEventListener("input", () => this.#draw());
    this.#draw();
    if (!this.#others().some((each) => "active" in each.dataset)) this.#activate();
  }

  /** The hands of the same form. @returns {Pick[]} */
  #others() {
    return /** @type {Pick[]} */ ([...(this.closest("form") ?? document).querySelectorAll("pit-pick[data-on]")]);
  }

  #input = () => /** @type {HTMLInputElement} */ (this.querySelector("input"));

  #slots = () => /** @type {HTMLElement} */ (this.querySelector(".slots"));

  /** The next slot to be filled, or the last one. @returns {HTMLElement} */
  #slot() {
    return /** @type {HTMLElement} */ (this.querySelector(".slot[data-next]") ?? this.querySelector(".slot:last-child"));
  }

  /** @returns {string[]} */
  cards() {
    return this.#input().value.split(/[\s,]+/).filter(Boolean).map(plain);
  }

  get isFull() { return this.cards().length >= Number(this.dataset.count); }

  #activate() {
    for (const each of this.#others()) {
      if (each !== this) delete each.dataset.active;
      /** @type {HTMLElement} */ (each.querySelector(".pad")).hidden = each !== this;
    }
    this.dataset.active = "";
  }

  /** @param {HTMLElement} target */
  #tap(target) {
    const button = target.closest("button");
    if (!button) return;
    this.#activate();
    if (button.dataset.slot) return this.#set(this.cards().filter((_, place) => place !== Number(button.dataset.slot)));
    this.#choose(button.dataset.rank ?? "", button.dataset.suit ?? "", button.dataset.joker ?? "");
  }

  /** Letters of ranks and suits fill slots, Backspace takes the last card off. @param {KeyboardEvent} event */
  #key(event) {
    if (event.target === this.#input() || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key === "0" ? "T" : event.key;
    if (key === "Backspace") this.#set(this.cards().slice(0, -1));
    else if (/^[akqjt2-9]$/i.test(key)) this.#choose(key.toUpperCase(), "", "");
    else if (/^[shdc]$/i.test(key)) this.#choose("", key.toLowerCase(), "");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} rank  @param {string} suit  @param {string} joker */
  #choose(rank, suit, joker) {
    if (rank) this.#rank = this.#rank === rank ? "" : rank;
    if (suit) this.#suit = this.#suit === suit ? "" : suit;
    const card = joker || (this.#rank && this.#suit ? this.#rank + this.#suit : "");
    if (!card) return this.#draw();
    this.#rank = this.#suit = "";
    if (this.isFull || !this.#isLeft(card)) return this.#draw();
    const isFocused = this.contains(document.activeElement);
    this.#set([...this.cards(), card]);
    const open = this.#others().find((each) => !each.isFull);
    if (this.isFull && open) /** @type {Pick} */ (open).#activate();
    // The keys of a hand that is full are off: who has only keys goes on at the next hand, or at the last card.
    if (this.isFull && isFocused) /** @type {Pick} */ (open ?? this).#slot().focus();
    if (!open) this.closest("form")?.dispatchEvent(new CustomEvent("picked", { bubbles: true }));
  }

  /** Whether a card is left in the deck; how many decks there are is not always known. @param {string} card */
  #isLeft(card) {
    const decks = Number(this.dataset.decks) || (this.dataset.decks === "0" ? Infinity : 1);
    return this.#others().flatMap((each) => each.cards()).filter((each) => each === card).length < decks;
  }

  /** @param {string[]} cards */
  #set(cards) {
    this.#input().value = cards.join(" ");
    this.#input().dispatchEvent(new Event("input", { bubbles: true }));
  }

  #draw() {
    const cards = this.cards(), slots = this.#slots();
    const places = Math.max(Number(this.dataset.count), cards.length);
    const isFocused = slots.contains(document.activeElement);
    slots.replaceChildren(
      ...Array.from({ length: places }, (_, place) => {
        const slot = document.createElement("button"), card = cards[place];
        slot.type = "button";
        slot.className = "slot";
        slot.setAttribute("aria-label", card ? `Remove ${wordsOf(card)}` : `Card ${place + 1}, empty`);
        slot.toggleAttribute("data-next", place === cards.length);
        if (!card) return slot;
        slot.dataset.slot = String(place);
        const src = `/cards/${encodeURIComponent(card === "*" ? "joker" : card)}.svg`;
        slot.append(Object.assign(document.createElement("img"), { src, alt: card }));
        return slot;
      }),
    );
    if (isFocused) this.#slot().focus();
    for (const each of this.querySelectorAll(".pad button")) {
      const { rank, suit } = /** @type {HTMLElement} */ (each).dataset;
      const card = (rank ?? this.#rank) + (suit ?? this.#suit);
      each.setAttribute("aria-pressed", String(Boolean((rank && rank === this.#rank) || (suit && suit === this.#suit))));
      /** @type {HTMLButtonElement} */ (each).disabled = this.isFull || (card.length === 2 && !this.#isLeft(card));
    }
  }
}

customElements.define("pit-pick", Pick);
