/** A page that asks for itself again: what it lays out is then what the server would lay out now. */

// What is pressed stays where it is until its click has come: a click on an element that is gone does nothing. A finger's
// click comes some time after its release; a form that was sent leads to another page, or to none where it is refused.
const PRESSED = "a, button, summary, label, input, select, textarea, form";
const CLICK_MILLISECONDS = 400;
const SENT_MILLISECONDS = 10_000;
/** @type {Element | null} */ let pressed = null;
/** @type {(() => void)[]} */ const waiting = [];
let timer = 0;

/** @param {Element} element */
function press(element) {
  window.clearTimeout(timer);
  pressed = element.closest?.(PRESSED) ?? null;
}

/** @param {number} milliseconds until what has waited is laid out */
function release(milliseconds) {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    pressed = null;
    for (const go of waiting.splice(0)) go();
  }, milliseconds);
}

for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, (event) => press(/** @type {Element} */ (event.target)), true);
for (const name of ["pointerup", "pointercancel", "keyup"]) document.addEventListener(name, () => release(CLICK_MILLISECONDS), true);
for (const name of ["click", "change"]) document.addEventListener(name, () => release(0), true);
// A list that was opened takes the release for itself.
document.addEventListener("pointermove", (event) => void (pressed instanceof HTMLSelectElement && !event.buttons && release(CLICK_MILLISECONDS)), true);
window.addEventListener("blur", () => release(0));
window.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  press(/** @type {Element} */ (event.target));
  release(SENT_MILLISECONDS);
});

/** Resolve when nothing inside a place is being pressed or sent. @param {Element | null} place  @returns {Promise<void>} */
export async function released(place) {
  while (pressed && place?.contains(pressed)) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
}

/** Put a part of the page as the server has it now in place of what stands there, and tell whether that was done: what
 * somebody has begun to read meanwhile stays.  @param {string} selector  @param {() => boolean} isRead  @returns {Promise<boolean>} */
export async function renew(selector, isRead = () => false) {
  const answer = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html" } });
  if (!answer.ok) return true;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(selector);
  await released(document.querySelector(selector));
  if (isRead()) return false;
  if (fresh) document.querySelector(selector)?.replaceWith(document.importNode(fresh, true));
  return true;
}
