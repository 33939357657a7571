/** The floor desk: follows the room; what somebody is filling in stays filled in when the rest is laid out anew. */
import { Live } from "./live.js";
import { Age } from "../parts/age/age.js";

const DESK = ".floor";
const desk = () => /** @type {HTMLElement} */ (document.querySelector(DESK));
let isSending = false;

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** Every field that a person can fill in, under a name that it has on the next page too.
 * @returns {Map<string, Field>} */
function fields() {
  const found = new Map();
  for (const form of desk().querySelectorAll("form")) {
    const seen = new Map();
    for (const field of form.querySelectorAll("input:not([type=hidden]), select")) {
      const name = field.getAttribute("name") ?? "";
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      found.set(`${form.getAttribute("aria-label")}|${name}|${nth}`, field);
    }
  }
  return found;
}

/** Lay the desk out as the server has it now. @param {boolean} keep whether what was filled in stays */
async function renew(keep) {
  const answer = await fetch("/floor", { cache: "no-store", headers: { Accept: "text/html" } });
  const fresh = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(DESK) : null;
  if (!fresh) return location.reload();
  const before = fields();
  const focused = [...before].find(([, field]) => field === document.activeElement)?.[0];
  const opened = new Set([...desk().querySelectorAll("details[open]")].map(nameOf));
  const closed = new Set([...desk().querySelectorAll("details:not([open])")].map(nameOf));
  desk().replaceWith(document.importNode(fresh, true));
  for (const each of desk().querySelectorAll("details")) {
    if (opened.has(nameOf(each))) each.setAttribute("open", "");
    if (closed.has(nameOf(each))) each.removeAttribute("open");
  }
  if (!keep) return;
  for (const [name, field] of fields()) restore(field, before.get(name));
  if (focused) fields().get(focused)?.focus();
}

/** @param {Element} details  @returns {string} */
function nameOf(details) {
  return `${details.closest("article")?.getAttribute("aria-labelledby") ?? details.closest("article")?.getAttribute("aria-label")}|${details.querySelector("summary")?.textContent}`;
}

/** @param {Field} field  @param {Field | undefined} before */
function restore(field, before) {
  if (!before) return;
  if (field instanceof HTMLInputElement && before instanceof HTMLInputElement && field.type === "checkbox") field.checked = before.checked;
  else field.value = before.value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {{shape: string, texts: Record<string, string>}} state */
async function take(state) {
  for (const place of desk().querySelectorAll("[data-live]")) {
    const text = state.texts[place.getAttribute("data-live") ?? ""];
    if (text && place.textContent !== text) place.textContent = text;
  }
  if (state.shape !== desk().dataset.shape && !isSending) await renew(true);
}

// A form goes its way as it would without script; its button says so, and is pressed once.
document.addEventListener("submit", (event) => {
  if (isSending) return event.preventDefault();
  isSending = true;
  event.submitter?.setAttribute("data-pending", "");
});
window.addEventListener("pageshow", () => (isSending = false));
const age = /** @type {Age} */ (document.querySelector("pit-age"));
new Live(["floor"], Number(desk().dataset.sequence), {
  state: (_topic, state) => void take(state),
  lost: (contact) => age.lost(contact),
  back: () => age.back(),
});
