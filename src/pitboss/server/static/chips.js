/**
 * Chips: put on a spot by tap, by drag from the rack or by the arrow keys. Limits are told by the server.
 */
let sound = localStorage.getItem("practice-sound") === "on";
/** One for all clicks: a browser lends a page only a few. @type {AudioContext | undefined} */
let context;

/** Switch sound on or off. @param {boolean} on */
export function setSound(on) {
  sound = on;
  localStorage.setItem("practice-sound", on ? "on" : "off");
}

export const hasSound = () => sound;

/** @template {Element} T @param {string} selector @param {ParentNode} [scope] @returns {T | null} */
export const one = (selector, scope = document) => /** @type {T | null} */ (scope.querySelector(selector));
/** @param {string} selector @param {ParentNode} [scope] @returns {HTMLElement[]} */
export const all = (selector, scope = document) => /** @type {HTMLElement[]} */ ([...scope.querySelectorAll(selector)]);

/** A short click, where somebody has switched sound on. @param {number} pitch */
export function click(pitch) {
  if (!sound) return;
  context ??= new AudioContext();
  const tone = context.createOscillator(), volume = context.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.08, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.08);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.09);
}

/** The chip that a tap puts down, in dollars. */
export const chosen = () => Number(one(".rack [aria-checked=true]")?.getAttribute("data-chip") ?? 1);

/** Put a chip on a spot, or take one off. @param {HTMLElement} spot @param {number} dollars */
export function add(spot, dollars) {
  const input = /** @type {HTMLInputElement | null} */ (one("input", spot));
  if (!input) return;
  if (input.type === "checkbox") input.checked = dollars > 0;
  else {
    const amount = Math.max(0, (Number(input.value.replace(/[^0-9.]/g, "")) || 0) + dollars);
    input.value = amount ? String(amount) : "";
  }
  click(dollars > 0 ? 520 : 320);
  pile(spot);
}

/** Color a spot by the largest chip of its amount. @param {Element} spot */
export function pile(spot) {
  const input = /** @type {HTMLInputElement | null} */ (one("input:not([type=checkbox])", spot));
  if (!input) return;
  const amount = Number(input.value.replace(/[^0-9.]/g, "")) || 0;
  const chip = [100, 25, 5, 1].find((each) => each <= amount);
  if (amount && chip) spot.setAttribute("data-chip", String(chip));
  else spot.removeAttribute("data-chip");
}

/** @param {number} x @param {number} y @returns {HTMLElement | null} */
const spotAt = (x, y) => /** @type {HTMLElement | null} */ (document.elementFromPoint(x, y)?.closest("[data-spot], [data-fixed]") ?? null);

/** Drag a chip from the rack to a spot. @param {PointerEvent} start @param {HTMLElement} chip */
export function drag(start, chip) {
  const ghost = /** @type {HTMLElement} */ (chip.cloneNode(true));
  ghost.classList.add("ghost");
  let moved = false;
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!moved && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < 8) return;
    if (!moved) document.body.append(ghost);
    moved = true;
    ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
  };
  /** @param {PointerEvent} event */
  const end = (event) => {
    removeEventListener("pointermove", move);
    ghost.remove();
    const spot = moved ? spotAt(event.clientX, event.clientY) : null;
    if (spot) add(spot, Number(chip.dataset.chip));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end, { once: true });
  addEventListener("pointercancel", () => { removeEventListener("pointermove", move); ghost.remove(); }, { once: true });
}

/** Choose a chip of the rack. @param {Element | null | undefined} chip */
export function choose(chip) {
  if (!chip) return;
  for (const each of all(".rack [role=radio]")) {
    each.setAttribute("aria-checked", String(each === chip));
    each.tabIndex = each === chip ? 0 : -1;
  }
}

/** Keys on a spot, in the rack and among cards. @param {KeyboardEvent} event */
export function keys(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const spot = /** @type {HTMLElement | null} */ (target.closest("[data-spot]"));
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (spot && step) { event.preventDefault(); add(spot, step * chosen()); }
  const radio = target.closest(".rack [role=radio]");
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (radio && way) {
    const chips = all(".rack [role=radio]");
    const next = chips[(chips.indexOf(/** @type {HTMLElement} */ (radio)) + way + chips.length) % chips.length];
    choose(next);
    next.focus();
  }
  one(".practice")?.setAttribute("data-still", "");
}
