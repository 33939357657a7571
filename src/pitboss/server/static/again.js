/** A form that waits for odds that are being counted: it is sent again until they are there, without a press. */
const PAUSE = 1500;
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-again]"));
if (form) window.setTimeout(() => form.requestSubmit(), PAUSE);
