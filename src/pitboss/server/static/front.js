/** The front page: amounts follow the room; where a jackpot or a table has come or gone, the page asks for itself again. */
import { Live } from "./live.js";
import { renew } from "./renew.js";
import { Age } from "../parts/age/age.js";

/** @typedef {{name: string, play: string, displayed: string, unavailable?: string[], pending?: boolean}} Jackpot */
/** @typedef {{tables: string[], jackpots: Jackpot[]}} Room */

const front = () => /** @type {HTMLElement} */ (document.querySelector(".front"));

/** @param {Room} room  @returns {boolean} whether the page has a place for everything that is there now */
function isLaidOut(room) {
  const places = [...front().querySelectorAll("[data-jackpot]")].map((each) => [each.getAttribute("data-jackpot"), each.getAttribute("data-play"), each.getAttribute("data-unavailable")]);
  const now = room.jackpots.map((each) => [each.name, each.play, (each.unavailable ?? []).join(",")]);
  // The page has them in the order of the tables.
  return JSON.stringify(places.sort()) === JSON.stringify(now.sort()) && room.tables.length === Number(front().dataset.tables);
}

/** @param {Room} room */
async function take(room) {
  if (!isLaidOut(room)) return renew(".front");
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
