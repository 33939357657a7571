/** A configuration while it is edited: after each change the server says what is wrong and what every wager earns. */
import { Live } from "./live.js";
import { released } from "./renew.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.edit"));
/** @type {Live | null} */ let live = null;
let asked = 0;
/** @type {Set<string | null>} pay tables whose rows are unfolded: those just chosen are */ const opened = new Set();

/** @param {Document} fresh  @param {string} selector */
function swap(fresh, selector) {
  const [before, after] = [document.querySelector(selector), fresh.querySelector(selector)];
  if (before && after) before.replaceWith(document.importNode(after, true));
}

/** For which tables a part of the form is, and the names of its fields. @param {Element} part */
const names = (part) => [part.getAttribute("data-shape"), ...[...part.querySelectorAll("[name]")].map((each) => each.getAttribute("name"))].join();

/** Label every choice as the server has it now, with its edge; a table without a jackpot has no equipment.
 * @param {Document} fresh */
function reselect(fresh) {
  for (const select of form.querySelectorAll("select")) {
    const other = /** @type {HTMLSelectElement | null} */ (fresh.getElementById(select.id));
    for (const option of select.options) {
      const now = [...(other?.options ?? [])].find((each) => each.value === option.value);
      if (!now) continue;
      if (now.textContent !== option.textContent) option.replaceChildren(...[...now.childNodes].map((each) => document.importNode(each, true)));
      option.toggleAttribute("data-figure", Boolean(now.dataset.figure));
      if (now.dataset.figure) option.dataset.figure = now.dataset.figure;
    }
    if (select.id === "equipment" && other) select.value = other.value;
  }
}

/** Ask what the server says of what stands in the form now; only the last answer counts. */
async function check() {
  const number = ++asked;
  const said = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  said.set("do", "check");
  const answer = await fetch(form.action, { method: "POST", body: said, headers: { Accept: "text/html" } });
  if (number !== asked || (!answer.ok && answer.status !== 409)) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  await released(form);
  if (number !== asked) return;
  swap(fresh, ".findings");
  swap(fresh, "#ready");
  for (const details of document.querySelectorAll(".preview details[open]")) opened.add(details.getAttribute("data-slot"));
  for (const place of document.querySelectorAll(".at-field, .preview")) swap(fresh, `#${CSS.escape(place.id)}`);
  for (const details of document.querySelectorAll(".preview details")) details.toggleAttribute("open", opened.has(details.getAttribute("data-slot")));
  opened.clear();
  reselect(fresh);
  for (const part of document.querySelectorAll(".amounts")) {
    const other = fresh.getElementById(part.id);
    if (other && names(other) !== names(part)) part.replaceWith(document.importNode(other, true));
  }
  follow();
}

/** Have the figures told that are still being computed. */
function follow() {
  const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("form.edit [data-figure]")]);
  const topics = [...new Set(places.map((place) => `figure:${place.dataset.figure}`))];
  if (!topics.length || topics.join() === live?.topics.join()) return;
  if (live) live.follow(topics);
  else live = new Live(topics, 0, { state: (_topic, figure) => told(figure), lost: () => {}, back: () => {} });
}

/** @param {{status: string}} figure */
function told(figure) {
  if (figure.status !== "computing") void check();
}

let typing = 0;
/** What stands there is no longer what was checked: say so, and check again when the typing rests. */
form.addEventListener("input", () => {
  const ready = document.getElementById("ready");
  if (ready) ready.dataset.ready = "stale";
  clearTimeout(typing);
  typing = setTimeout(() => void check(), 700);
});
form.addEventListener("change", (event) => {
  const select = /** @type {HTMLElement} */ (event.target);
  if (select.matches(".paytable-pick select")) opened.add(select.id);
  void check();
});
follow();
