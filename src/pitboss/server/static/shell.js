/** What stands around a page of the staff: the room's clock, what waits, the menus, and the warning before a session ends. */
import { Live } from "./live.js";
import { released } from "./renew.js";

const WARN_SECONDS = 120;
const LOOK_SECONDS = 600;
const status = () => /** @type {HTMLElement | null} */ (document.querySelector(".shell-status"));

/** How far the server's clock is ahead of this one, in milliseconds. */
let ahead = Number(status()?.dataset.now ?? Date.now()) - Date.now();

function tick() {
  const place = status();
  const clock = place?.querySelector("[data-clock]");
  if (!place || !clock) return;
  const now = Date.now() + ahead;
  const text = new Intl.DateTimeFormat(document.documentElement.dataset.locale, { timeZone: place.dataset.zone, hour: "numeric", minute: "2-digit" }).format(now);
  if (clock.textContent !== text) clock.textContent = text;
  if (Number(place.dataset.until) && now > Number(place.dataset.until)) void renew();
}

let isAsking = false;
/** Lay the head out as the server has it now. */
async function renew() {
  if (isAsking) return;
  isAsking = true;
  try {
    const answer = await fetch("/shell", { cache: "no-store", headers: { Accept: "text/html" } });
    const fresh = answer.ok && !answer.redirected ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".shell-status") : null;
    if (!fresh) return;
    await released(status());
    status()?.replaceWith(document.importNode(fresh, true));
    ahead = Number(status()?.dataset.now) - Date.now();
  } finally {
    isAsking = false;
  }
}

/** @param {boolean} stay whether the session goes on  @returns {Promise<number>} the seconds that are left */
async function left(stay) {
  const options = stay ? { method: "POST", headers: { "X-CSRF-Token": document.body.dataset.csrf ?? "" } } : {};
  try {
    const answer = await fetch("/session", { cache: "no-store", ...options });
    return answer.ok ? Number((await answer.json()).seconds) : 0;
  } catch {
    return WARN_SECONDS;
  }
}

/** @type {HTMLDialogElement | null} */ let dialog = null;

/** @param {string} heading  @param {string} text  @param {HTMLElement} way */
function tell(heading, text, way) {
  dialog?.remove();
  dialog = document.createElement("dialog");
  dialog.className = "session-end";
  const title = document.createElement("h2");
  title.textContent = heading;
  title.id = "session-end-title";
  dialog.setAttribute("aria-labelledby", title.id);
  const words = document.createElement("p");
  words.textContent = text;
  dialog.append(title, words, way);
  document.body.append(dialog);
  dialog.showModal();
}

function warn() {
  const stay = document.createElement("button");
  stay.type = "button";
  stay.textContent = "Stay signed in";
  stay.addEventListener("click", async () => {
    const seconds = await left(true);
    dialog?.remove();
    dialog = null;
    if (seconds) watch(seconds);
    else over();
  });
  tell("Are you still there?", "You will be signed out in 2 minutes because nothing was done here.", stay);
}

function over() {
  const again = document.createElement("a");
  again.href = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  again.textContent = "Sign in again";
  tell("You were signed out", "Nothing was done here for a while. What you had typed is still on this page.", again);
}

let timer = 0;
/** Look again shortly before the session would end: another page may have kept it. @param {number} seconds */
function watch(seconds) {
  const wait = seconds > WARN_SECONDS ? Math.min(seconds - WARN_SECONDS, LOOK_SECONDS) : seconds;
  window.clearTimeout(timer);
  timer = window.setTimeout(async () => {
    const now = await left(false);
    if (now > WARN_SECONDS) dialog?.remove();
    else if (!now) return over();
    else if (!dialog?.open) warn();
    watch(now);
  }, wait * 1000 + 500);
}

// A menu closes when somebody presses Escape or does something else.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const menu of menus()) menu.removeAttribute("open");
});
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute("open");
});
const menus = () => document.querySelectorAll(".account[open], .nav-bar details[open]");

window.setInterval(tick, 1000);
tick();
if (status()?.dataset.follows) Live.join("waiting", Number(status()?.dataset.sequence), () => void renew());
if (document.body.dataset.session) watch(Number(document.body.dataset.session));
