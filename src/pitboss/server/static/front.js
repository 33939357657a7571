/** The front page: amounts follow the room; where a jackpot or a table has come or gone, the page asks for itself again. */
import { Live } from "./live.js";
import { renew } from "./renew.js";
import { Age } from "../parts/age/age.js";
import { Odometer } from "../parts/odometer/odometer.js";

/** @typedef {{name: string, status: string, displayed: string, displayed_cents: number | null}} Jackpot */
/** @typedef {{tables: string[], jackpots: Jackpot[]}} Room */

const front = () => /** @type {HTMLElement} */ (document.querySelector(".front"));

/** @param {Room} room  @returns {boolean} whether the page has a place for everything that is there now */
function isLaidOut(room) {
  const places = [...front().querySelectorAll("[data-jackpot]")].map((each) => [each.getAttribute("data-jackpot"), each.getAttribute("data-status")]);
  const now = room.jackpots.map((each) => [each.name, each.status]);
  // The page has them in the order of the tables.
  return JSON.stringify(places.sort()) === JSON.stringify(now.sort()) && room.tables.length === Number(front().dataset.tables);
}

/** @param {Room} room */
async function take(room) {
  if (!isLaidOut(room)) return renew(".front");
  for (const jackpot of room.jackpots) {
    const meter = front().querySelector(`pit-odometer[data-name="${CSS.escape(jackpot.name)}"]`);
    if (meter instanceof Odometer && jackpot.displayed_cents !== null && meter.dataset.cents !== String(jackpot.displayed_cents)) meter.show(jackpot.displayed_cents, jackpot.displayed);
  }
  const amounts = new Map(room.jackpots.map((each) => [each.name, each.displayed]));
  for (const place of front().querySelectorAll("[data-live]")) {
    const text = amounts.get(place.getAttribute("data-live") ?? "");
    if (text && place.textContent !== text) place.textContent = text;
  }
}

const age = /** @type {Age} */ (document.querySelector("pit-age"));
new Live(["room"], Number(front().dataset.sequence), {
  state: (_topic, room) => void take(room),
  lost: (contact) => age.lost(contact),
  back: () => age.back(),
});
