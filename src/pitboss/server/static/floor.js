/** The floor, the service of a table and the jackpots paid: follows the room; what somebody is filling in stays as it is, and messages stay until dismissed. */
import { Live } from "./live.js";
import { look, settle } from "./notes.js";
import { released } from "./renew.js";
import { Age } from "../parts/age/age.js";

const RENEW_MILLISECONDS = 60_000;
const desk = /** @type {HTMLElement} */ (document.querySelector(".floor"));
const page = desk.dataset.page ?? "/floor";
let isSending = false;

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** Every field under a place that a person can fill in, under a name that it has when laid out anew too.
 * @param {Element} place  @returns {Map<string, Field>} */
function fields(place) {
  const named = new Map();
  for (const form of place.querySelectorAll("form")) {
    const seen = new Map();
    for (const field of form.querySelectorAll("input:not([type=hidden]), select")) {
      const name = field.getAttribute("name") ?? "";
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      named.set(`${form.getAttribute("aria-label")}|${name}|${nth}`, field);
    }
  }
  return named;
}

/** @param {Field} field  @param {Field | undefined} before */
function restore(field, before) {
  if (!before) return;
  if (field instanceof HTMLInputElement && before instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) field.checked = before.checked;
  else field.value = before.value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {Element} place  @returns {Map<string, HTMLDetailsElement>} */
function folds(place) {
  return new Map([...place.querySelectorAll("details")].map((each) => [each.querySelector("summary")?.textContent ?? "", each]));
}

/** Put something that has changed in the place of what it was: fields, focus, what is unfolded and messages stay.
 * @param {Element} old  @param {Element} next */
function replace(old, next) {
  const before = fields(old), opened = folds(old);
  const focused = [...before].find(([, field]) => field === document.activeElement)?.[0];
  old.replaceWith(next);
  for (const [title, each] of folds(next)) if (opened.has(title)) each.open = /** @type {HTMLDetailsElement} */ (opened.get(title)).open;
  const after = fields(next);
  for (const [name, field] of after) restore(field, before.get(name));
  if (focused) after.get(focused)?.focus();
  for (const box of old.querySelectorAll(".problem")) keep(box, next);
}

/** Keep a message: in its form, or at the top where that is gone. @param {Element} box  @param {Element} next */
function keep(box, next) {
  const name = box.closest("form")?.querySelector("[name=form]")?.getAttribute("value");
  const form = [...next.querySelectorAll("[name=form]")].find((each) => each.getAttribute("value") === name)?.closest("form");
  (form ?? desk.querySelector(".messages"))?.prepend(box);
}

/** Bring a list up to date: what is the same is not touched. @param {Element} list  @param {Element} fresh */
function merge(list, fresh) {
  const old = new Map([...list.children].map((each) => [each.getAttribute("data-key"), each]));
  let place = list.firstElementChild;
  for (const each of [...fresh.children]) {
    const was = old.get(each.getAttribute("data-key"));
    old.delete(each.getAttribute("data-key"));
    if (!was) list.insertBefore(document.importNode(each, true), place);
    else {
      const isHere = was === place;
      if (isHere) place = place.nextElementSibling;
      else list.insertBefore(was, place);
      // What has moved is laid out anew: an element that is connected twice would listen twice.
      if (!isHere || was.getAttribute("data-shape") !== each.getAttribute("data-shape")) replace(was, document.importNode(each, true));
    }
  }
  for (const gone of old.values()) {
    for (const box of gone.querySelectorAll(".problem")) keep(box, desk);
    gone.remove();
  }
}

/** Lay out what has changed as the server has it now. */
async function renew() {
  const answer = await fetch(page, { cache: "no-store", headers: { Accept: "text/html" } });
  const fresh = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".floor") : null;
  if (!fresh) return location.reload();
  await released(desk);
  for (const list of desk.querySelectorAll("[data-list]")) {
    const next = fresh.querySelector(`[data-list="${list.getAttribute("data-list")}"]`);
    if (next) merge(list, next);
  }
  for (const age of fresh.querySelectorAll("[data-age]")) {
    const shown = desk.querySelector(`[data-age="${CSS.escape(age.getAttribute("data-age") ?? "")}"]`);
    if (shown) shown.textContent = age.textContent;
  }
  desk.dataset.shape = fresh.getAttribute("data-shape") ?? "";
}

/** @param {{shape: string, texts: Record<string, string>}} state */
async function take(state) {
  for (const place of desk.querySelectorAll("[data-live]")) {
    const text = state.texts[place.getAttribute("data-live") ?? ""];
    if (text && place.textContent !== text) place.textContent = text;
  }
  if (state.shape !== desk.dataset.shape && !isSending) await renew();
}

// A form goes its way as it would without script; its button says so, and is pressed once.
document.addEventListener("submit", (event) => {
  if (isSending) return event.preventDefault();
  isSending = true;
  event.submitter?.setAttribute("data-pending", "");
});
window.addEventListener("pageshow", () => (isSending = false));
if (page === "/floor") settle(page);
look(desk);
setInterval(() => void (isSending || document.hidden || renew()), RENEW_MILLISECONDS);
const age = /** @type {Age} */ (document.querySelector("pit-age"));
new Live(["floor"], Number(desk.dataset.sequence), {
  state: (_topic, state) => void take(state),
  lost: (contact) => age.lost(contact),
  back: () => age.back(),
});
