/** A dispute: choosing another seat shows its fields at once, with everything that was filled in. */
const form = /** @type {HTMLFormElement} */ (document.querySelector("form.stated"));
form.querySelector(".seats-shown")?.setAttribute("hidden", "");
form.addEventListener("change", (event) => {
  if (/** @type {HTMLInputElement} */ (event.target).name === "seat") form.requestSubmit();
});
