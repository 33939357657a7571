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

/** @param {Field} field  @returns {Field[]} the buttons of its choice, which are one field; else itself alone */
function choiceOf(field) {
  if (field.type !== "radio") return [field];
  return [...(field.form?.elements ?? [])].filter((each) => each instanceof HTMLInputElement && each.type === "radio" && each.name === field.name);
}

/** @param {Field} field  @returns {string} the text of its label, or of its choice's legend, without hints and messages */
function labelOf(field) {
  const label = (field.type === "radio" ? field.closest("fieldset")?.querySelector("legend") : field.labels?.[0])?.cloneNode(true);
  if (!(label instanceof HTMLElement)) return field.getAttribute("aria-label") ?? "";
  for (const other of label.querySelectorAll("input, select, textarea, small, .field-problem")) other.remove();
  return (label.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** @param {Field} field  @returns {string} what is wrong with it, in our words; the browser's where we have none */
function wrongWith(field) {
  const label = labelOf(field) || "This field";
  if (field.validity.valueMissing && field.type === "radio") return `${label}: choose one.`.replace("?:", "?");
  if (field.validity.valueMissing) return field.type === "checkbox" ? `Check the box: ${label}.` : `${label}: fill this in.`.replace("?:", "?");
  if (field.validity.patternMismatch && field.inputMode === "numeric") return `${label}: enter a whole number.`;
  return field.validationMessage;
}

/** @param {Field} field  take the message at a field away */
function mend(field) {
  document.getElementById(field.dataset.problem ?? "")?.remove();
  delete field.dataset.problem;
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-describedby");
}

let messages = 0;
/** Say at the field what is wrong with it, instead of in the browser's bubble. */
document.addEventListener("invalid", (event) => {
  const field = /** @type {Field} */ (event.target);
  event.preventDefault();
  const choice = choiceOf(field);
  if (choice[0] !== field) return;
  if (field.dataset.problem) mend(field);
  const message = document.createElement("span");
  message.className = "field-problem";
  message.id = field.dataset.problem = `field-problem-${(messages += 1)}`;
  message.setAttribute("role", "alert");
  message.append(Object.assign(document.createElement("span"), { textContent: wrongWith(field) }));
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", message.id);
  (choice.length > 1 ? choice.at(-1)?.labels?.[0] ?? field : field).after(message);
  for (const each of choice) each.addEventListener("input", () => mend(field), { once: true });
  if (field.form?.querySelector(":invalid:not(fieldset)") === field) field.focus();
}, true);

/** @typedef {HTMLInputElement} Field */
