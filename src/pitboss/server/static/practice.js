/**
 * The practice felt: chips by tap, drag and keys, cards by tap and keys, and answers without loading the page anew.
 * Everything is a form that works without this script; no rule and no price is known here.
 */
import { add, all, chosen, choose, click, drag, hasSound, keys, one, pile, setSound } from "./chips.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
/** @param {Element} each */
const nameOf = (each) => [each.tagName, ...["name", "value", "href"].map((name) => each.getAttribute(name)), each.hasAttribute("name") ? "" : each.textContent].join(" ");

/** Show the felt of an answer in place of the one that stands there. @param {string} text @param {boolean} [keepFocus] */
function lay(text, keepFocus = false) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const now = one(".practice"), next = one(".practice", fresh);
  if (!now || !next) return location.reload();
  const held = document.activeElement, open = all("details[open] summary", now).map(nameOf);
  now.replaceWith(document.importNode(next, true));
  ready(!keepFocus);
  if (!keepFocus) return seen();
  for (const each of all("details summary")) each.parentElement?.toggleAttribute("open", open.includes(nameOf(each)));
  if (held && now.contains(held)) all("a, button, input, summary", one(".practice") ?? document).find((each) => nameOf(each) === nameOf(held))?.focus({ preventScroll: true });
}

/** @param {SubmitEvent} event */
async function send(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.closest(".practice") || form.method !== "post") return;
  event.preventDefault();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  one(".practice")?.setAttribute("aria-busy", "true");
  const answer = await fetch(form.action, { method: "POST", body, headers: { "x-pitboss-fragment": "1" } });
  if (![200, 409].includes(answer.status)) return location.reload();
  lay(await answer.text());
  if (location.search) history.replaceState(null, "", location.pathname);
}

/** Mark where a choice of cards is full. @param {HTMLFormElement} form */
function marked(form) {
  const count = all("input:checked", form).length;
  const button = /** @type {HTMLButtonElement | null} */ (one("button", form));
  if (button) button.disabled = count < Number(form.dataset.least) || count > Number(form.dataset.most);
}

/** Prepare a felt that has just been laid. @param {boolean} focus */
function ready(focus) {
  const rack = /** @type {HTMLElement | null} */ (one(".rack"));
  if (rack) rack.hidden = false;
  choose(one(".rack [aria-checked=true]"));
  for (const spot of all("[data-spot]")) pile(spot);
  const form = /** @type {HTMLFormElement | null} */ (one(".choose"));
  if (form) marked(form);
  const speaker = /** @type {HTMLElement | null} */ (one("[data-sound]"));
  if (speaker) { speaker.hidden = false; speaker.setAttribute("aria-pressed", String(hasSound())); speaker.textContent = hasSound() ? "Sound on" : "Sound off"; }
  if (focus) /** @type {HTMLElement | null} */ (form ? one("input[type=checkbox]", form) : one("[data-first]"))?.focus({ preventScroll: true });
  if (all("[data-new]").length && !STILL.matches) click(700);
  if (one(".practice[data-counting]")) setTimeout(lookAgain, 2000);
}

/** Bring the cards of the seat that decides from under the bar. */
const seen = () => one(".place[data-turn] .own .on-felt")?.scrollIntoView({ block: "nearest" });

/** Ask for figures that were being counted, unless somebody is at work here. */
async function lookAgain() {
  const felt = /** @type {HTMLElement | null} */ (one(".practice[data-counting]"));
  if (!felt || felt.dataset.phase === "wagers") return;
  if (document.hidden || all(".choose input:checked").length) return void setTimeout(lookAgain, 2000);
  const answer = await fetch(felt.dataset.base ?? location.pathname);
  if (answer.ok && one(".practice[data-counting]") === felt) lay(await answer.text(), true);
}

addEventListener("submit", send);
addEventListener("keydown", keys);
addEventListener("input", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const spot = target.closest("[data-spot]"), form = /** @type {HTMLFormElement | null} */ (target.closest(".choose"));
  if (spot) pile(spot);
  if (form) marked(form);
});
addEventListener("pointerdown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const chip = /** @type {HTMLElement | null} */ (target.closest(".rack [role=radio]"));
  if (chip) { choose(chip); drag(event, chip); }
  one(".practice")?.setAttribute("data-still", "");
});
addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("[data-clear]")) for (const spot of all("[data-spot], [data-fixed]")) add(spot, -Infinity);
  if (target.closest("[data-sound]")) { setSound(!hasSound()); ready(false); }
  const chip = target.closest(".rack [role=radio]");
  if (chip) choose(chip);
  const spot = /** @type {HTMLElement | null} */ (target.closest("[data-spot]"));
  // A click that a key makes has no place: there the field is typed in.
  if (spot && event.detail) { event.preventDefault(); add(spot, chosen()); }
});
ready(false);
seen();
