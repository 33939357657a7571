/** TableVision: puts each new state into the page; where its shape has changed, the page asks for itself again. */
import { Live } from "./live.js";
import { renew } from "./renew.js";
import { Odometer } from "../parts/odometer/odometer.js";
import { Age } from "../parts/age/age.js";
import "../parts/slides/slides.js";

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

const age = /** @type {Age} */ (document.querySelector("pit-age"));
const topics = (main().dataset.topics ?? "").split(",").filter(Boolean);
new Live(topics, Number(main().dataset.sequence), {
  state: (_topic, state) => void take(state),
  lost: (contact) => age.lost(contact),
  back: () => age.back(),
});
