/** <pit-problem>: a problem or a message that stays until somebody dismisses it; without script it stays. */
class Problem extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(".dismiss")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "dismiss";
    button.setAttribute("aria-label", "Dismiss");
    button.textContent = "\u00d7";
    button.addEventListener("click", () => this.remove());
    this.append(button);
  }
}

customElements.define("pit-problem", Problem);
