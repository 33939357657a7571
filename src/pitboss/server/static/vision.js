/** TableVision: puts each new state into the page; where its shape has changed, the page asks for itself again. */
import { Live } from "./live.js";
import { renew } from "./renew.js";
import { Odometer } from "../parts/odometer/odometer.js";
import { Age } from "../parts/age/age.js";
import "./fit.js";
import "../parts/notices/notices.js";
import "../parts/slides/slides.js";

const BEAT_SECONDS = 8;

/** @typedef {{sequence: number, shape: string, texts: Record<string, string>, cents: Record<string, number | null>}} State */

/** @returns {HTMLElement} */
const main = () => /** @type {HTMLElement} */ (document.querySelector("main.vision"));

/** @param {State} state */
function put(state) {
  for (const odometer of main().querySelectorAll("pit-odometer")) {
    const name = odometer.getAttribute("data-name") ?? "";
    const cents = state.cents[name];
    if (odometer instanceof Odometer && cents !== null && cents !== undefined) {
      odometer.show(cents, state.texts[`meter:${name}`]);
    }
  }
  for (const place of main().querySelectorAll("[data-live]")) {
    const text = state.texts[place.getAttribute("data-live") ?? ""];
    if (text !== undefined && place.textContent !== text) place.textContent = text;
  }
  main().dataset.sequence = String(state.sequence);
}

/** @param {State} state */
async function take(state) {
  if (state.sequence < Number(main().dataset.sequence)) return;
  if (state.shape === main().dataset.shape) return put(state);
  await renew("main.vision");
}

/** Say what is shown, where this browser is a display of the room: one that is silent or wrong raises an alarm (T-04). */
async function beat() {
  const token = main().dataset.beat;
  if (!token || document.hidden) return;
  const meters = [...main().querySelectorAll(".amount")].filter((each) => each.getAttribute("data-cents"));
  const shown = (/** @type {Element} */ each) => (each instanceof Odometer ? Math.floor(each.shown) : Number(each.getAttribute("data-cents")));
  const amounts = Object.fromEntries(meters.map((each) => [each.getAttribute("data-name"), shown(each)]));
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": token };
  await fetch("/api/v1/displays/beat", { method: "POST", headers, body: JSON.stringify({ amounts }) }).catch(() => undefined);
}

void beat();
window.setInterval(() => void beat(), BEAT_SECONDS * 1000);

const age = () => /** @type {Age} */ (document.querySelector("pit-age"));
const topics = (main().dataset.topics ?? "").split(",").filter(Boolean);
new Live(topics, Number(main().dataset.sequence), {
  state: (_topic, state) => void take(state),
  lost: (contact) => age().lost(contact),
  back: () => age().back(),
});
