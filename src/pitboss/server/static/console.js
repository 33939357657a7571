/**
 * The dealer's console: forms are sent once and answered in place; the table is followed, region by region; seats have
 * keys, and what was just paid can be undone for some seconds.
 */
import { Live } from "./live.js";
import { Age } from "../parts/age/age.js";
import { layOut } from "./regions.js";
import { released } from "./renew.js";

const MAIN = "main.console";
const TOAST_SECONDS = 10;
const main = () => /** @type {HTMLElement} */ (document.querySelector(MAIN));
let isSending = false;
let toastUntil = 0;
let undoTimer = 0;

/** Lay out what the server has now. @param {Response} answer  @param {HTMLFormElement | null} form that is answered by it */
async function put(answer, form) {
  const fresh = /** @type {HTMLElement | null} */ (new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(MAIN));
  if (!fresh) return location.assign(answer.url);
  const isRead = Boolean(main().querySelector(Date.now() < toastUntil ? ".toast" : ".toast[data-kind=refused]"));
  layOut(main(), fresh, { form, isOk: answer.ok, keeps: isRead && !form ? "status" : "" });
  if (form) toastUntil = Date.now() + TOAST_SECONDS * 1000;
  watchUndo();
}

/** Take Undo away when its time is over; what was paid stays to be read. */
function watchUndo() {
  window.clearTimeout(undoTimer);
  const toast = /** @type {HTMLElement | null} */ (main().querySelector("[data-undo]"));
  if (!toast) return;
  toast.dataset.until ??= String(Date.now() + Number(toast.dataset.undo));
  undoTimer = window.setTimeout(() => toast.querySelector("button")?.remove(), Number(toast.dataset.until) - Date.now());
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
  const address = form.getAttribute("action") ?? location.href;
  try {
    const isGet = form.method.toLowerCase() === "get";
    await put(isGet ? await fetch(`${address}?${fields}`) : await fetch(address, { method: "POST", body: fields }), form);
  } catch {
    // The form stays as it is, with its command: sent again it is done once.
    by?.removeAttribute("data-pending");
  } finally {
    isSending = false;
  }
}

/** Keys: a number taps its seat, N presses the big button. @param {KeyboardEvent} event */
function key(event) {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const isTyping = /^(SELECT|TEXTAREA)$/.test(target.tagName) || (target.tagName === "INPUT" && !/^(checkbox|radio)$/.test(target.type));
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  if (/^[1-9]$/.test(event.key)) {
    const seat = main().querySelector(`.seat[data-seat="${event.key}"] input, #prizes input[type="radio"][value="${event.key}"]`);
    /** @type {HTMLInputElement | null} */ (seat)?.click();
  }
  if (event.key.toLowerCase() === "n") /** @type {HTMLElement | null} */ (main().querySelector("button.big"))?.click();
}

/** @param {{shape: string, texts: Record<string, string>}} state */
async function take(state) {
  for (const place of main().querySelectorAll("[data-live]")) {
    const text = state.texts[place.getAttribute("data-live") ?? ""];
    if (text && place.textContent !== text) place.textContent = text;
  }
  if (state.shape === main().dataset.shape || isSending) return;
  const answer = await fetch(location.pathname, { cache: "no-store", headers: { Accept: "text/html" } });
  await released(main());
  if (!isSending) await put(answer, null);
}

document.addEventListener("submit", (event) => void send(event));
document.addEventListener("keydown", key);
document.documentElement.dataset.keys = "ready";
toastUntil = Date.now() + TOAST_SECONDS * 1000;
watchUndo();
const age = /** @type {Age} */ (document.querySelector("pit-age"));
new Live((main().dataset.topics ?? "").split(",").filter(Boolean), Number(main().dataset.sequence), {
  state: (_topic, state) => void take(state),
  lost: (contact) => age.lost(contact),
  back: () => age.back(),
});
