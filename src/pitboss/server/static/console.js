/** The dealer's console: forms are sent once and answered in place; the table is followed; seats have keys. */
import { Live } from "./live.js";
import { Age } from "../parts/age/age.js";

const MAIN = "main.console";
const main = () => /** @type {HTMLElement} */ (document.querySelector(MAIN));
let isSending = false;

/** Put an answer of the server in place of what stands there; seats that were tapped and not sent stay tapped.
 * @param {Response} answer  @param {boolean} keep */
async function put(answer, keep) {
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(MAIN);
  if (!fresh) return location.assign(answer.url);
  const tapped = keep ? [...main().querySelectorAll("input:checked")].map((each) => [each.getAttribute("name"), each.getAttribute("value")]) : [];
  const open = keep ? [...main().querySelectorAll("details[open] summary")].map((each) => each.textContent) : [];
  main().replaceWith(document.importNode(fresh, true));
  for (const [name, value] of tapped) {
    const same = [...main().querySelectorAll("input")].find((each) => each.name === name && each.value === value);
    if (same) same.checked = true;
  }
  for (const each of main().querySelectorAll("summary")) {
    if (open.includes(each.textContent)) each.parentElement?.setAttribute("open", "");
  }
}

/** Send a form once, however often it is pressed. @param {SubmitEvent} event */
async function send(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  event.preventDefault();
  if (isSending || !main().contains(form)) return;
  isSending = true;
  const by = /** @type {HTMLButtonElement | null} */ (event.submitter);
  by?.setAttribute("data-pending", "");
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form, by)));
  const address = by?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  const isGet = (by?.getAttribute("formmethod") ?? form.method).toLowerCase() === "get";
  try {
    const answer = isGet ? await fetch(`${address}?${fields}`) : await fetch(address, { method: "POST", body: fields });
    await put(answer, false);
  } catch {
    // The form stays as it is, with its command: sent again it is done once.
    by?.removeAttribute("data-pending");
  } finally {
    isSending = false;
  }
}

/** Keys: a number taps its seat, N presses the big button. @param {KeyboardEvent} event */
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName)) return;
  if (/^[1-9]$/.test(event.key)) {
    const seat = main().querySelector(`.seat[data-seat="${event.key}"] input, .prizes input[type="radio"][value="${event.key}"]`);
    /** @type {HTMLInputElement | null} */ (seat)?.click();
  }
  if (event.key.toLowerCase() === "n") /** @type {HTMLElement | null} */ (main().querySelector("button.big"))?.click();
}

/** @param {{shape: string, texts: Record<string, string>}} state */
async function take(state) {
  for (const place of main().querySelectorAll("[data-live]")) {
    const text = state.texts[place.getAttribute("data-live") ?? ""];
    if (text !== undefined && place.textContent !== text) place.textContent = text;
  }
  if (state.shape === main().dataset.shape || isSending) return;
  await put(await fetch(location.href, { cache: "no-store" }), true);
}

document.addEventListener("submit", (event) => void send(event));
document.addEventListener("keydown", key);
document.documentElement.dataset.keys = "ready";
const age = /** @type {Age} */ (document.querySelector("pit-age"));
new Live((main().dataset.topics ?? "").split(",").filter(Boolean), Number(main().dataset.sequence), {
  state: (_topic, state) => void take(state),
  lost: (contact) => age.lost(contact),
  back: () => age.back(),
});
