/** Tapping in: a keypad for fingers. A PIN has four to eight digits, so that only Tap in says when it is whole. */
const pin = /** @type {HTMLInputElement} */ (document.querySelector("#pin"));
const pad = /** @type {HTMLElement} */ (document.querySelector(".keypad"));

pad.hidden = false;
pad.addEventListener("click", (event) => {
  const key = /** @type {HTMLElement} */ (event.target).closest("button");
  if (!key) return;
  if (key.dataset.digit && pin.value.length < pin.maxLength) pin.value += key.dataset.digit;
  if ("back" in key.dataset) pin.value = pin.value.slice(0, -1);
  if ("clear" in key.dataset) pin.value = "";
});
document.addEventListener("keydown", (event) => {
  if (/^\d$/.test(event.key) && document.activeElement !== pin && document.querySelector("[name=login]:checked")) pin.focus();
});
