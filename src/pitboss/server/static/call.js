/** The page of a call: the hand is read as its last card goes in, its amount follows the meter, a new round is told. */
import { Live } from "./live.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main.calling"));
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.entering"));
const found = /** @type {HTMLElement} */ (document.querySelector(".found"));
let meters = "";
let asked = 0;

/** Let the server read the hand, where a seat is chosen and every card is there. */
async function read() {
  if (!form || !isWhole()) return;
  const turn = ++asked;
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const answer = await fetch(`${form.getAttribute("action")}?${fields}`, { cache: "no-store" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".found");
  if (!fresh || turn !== asked || found.contains(document.activeElement)) return;
  found.replaceChildren(...document.importNode(fresh, true).childNodes);
  mark();
}

function isWhole() {
  const picks = /** @type {any[]} */ ([...(form?.querySelectorAll("pit-pick") ?? [])]);
  return Boolean(form?.querySelector("[name=seat]:checked")) && picks.every((pick) => pick.isFull);
}

/** After a new round nothing is paid from this page; a report is still sent, and the server asks why it is late. */
function mark() {
  const isMoved = !(/** @type {HTMLElement} */ (document.querySelector(".moved")).hidden);
  for (const each of /** @type {NodeListOf<HTMLButtonElement>} */ (found.querySelectorAll("form[action$='/small'] button"))) each.disabled = isMoved;
}

form?.addEventListener("picked", () => void read());
form?.addEventListener("change", () => void read());
new Live((main.dataset.topics ?? "").split(","), Number(main.dataset.sequence), {
  state: (_topic, state) => {
    if (String(state.round) !== main.dataset.round) {
      /** @type {HTMLElement} */ (document.querySelector(".moved")).hidden = false;
      return mark();
    }
    const now = JSON.stringify(state.texts);
    if (meters && meters !== now) void read();
    meters = now;
  },
  lost: () => {},
  back: () => {},
});
