/** What-if: whatever is changed in the form, the figures beside it are asked for again. */
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.what-if[data-figures]"));
let turn = 0;

/** @param {HTMLFormElement} changed */
async function show(changed) {
  const mine = ++turn;
  const query = new URLSearchParams(/** @type {any} */ (new FormData(changed)));
  // Where no figures have come yet, nothing is out of date: it would only blink each second.
  document.querySelector("#figures:not([data-waits])")?.setAttribute("data-stale", "");
  const answer = await fetch(`${changed.dataset.figures}?${query}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("#figures");
  if (mine !== turn || !fresh) return;
  document.querySelector("#figures")?.replaceWith(fresh);
  history.replaceState(null, "", `?${query}`);
  if (fresh.hasAttribute("data-waits")) setTimeout(() => mine === turn && void show(changed), 1000);
}

// What is not ready is asked for again.
if (document.querySelector("[data-working]")) setTimeout(() => location.reload(), 2000);
if (form) {
  form.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.dataset.reload !== undefined) return form.submit();
    if (field.dataset.printed !== undefined) field.toggleAttribute("data-changed", field.value !== field.dataset.printed);
    return void show(form);
  });
  if (document.querySelector("#figures[data-waits]")) setTimeout(() => void show(form), 1000);
}
