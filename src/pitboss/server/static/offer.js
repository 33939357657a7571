/** A jackpot's pay table while it is chosen: its rows stand there at once, and what is typed elsewhere stays. */
const select = /** @type {HTMLSelectElement} */ (document.getElementById("offer"));
const form = /** @type {HTMLFormElement} */ (select.form);
let asked = 0;
// Choosing is enough; the button is for browsers without script.
form.querySelector(":scope > button")?.remove();

/** The fields of a part of the page, by name. @param {Element} part  @returns {Map<string, string>} */
const typed = (part) => new Map([.../** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("input:not([type=hidden]), select"))].map((field) => [field.name, field.value]));

select.addEventListener("change", async () => {
  const number = ++asked;
  const answer = await fetch(`${location.pathname}?${new URLSearchParams({ offer: select.value })}`, { headers: { Accept: "text/html" } });
  if (!answer.ok || number !== asked) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [before, after] = [document.querySelector("form.sheet"), fresh.querySelector("form.sheet")];
  if (!after) return before?.remove();
  if (!before) return void form.parentElement?.append(document.importNode(after, true));
  const [old, next] = [before.querySelector("fieldset.group"), after.querySelector("fieldset.group")];
  if (!old || !next) return;
  const values = typed(old), copy = document.importNode(next, true);
  old.replaceWith(copy);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (copy.querySelectorAll("input:not([type=hidden]), select"))) {
    if (!field.name.startsWith("pays-") && !field.name.startsWith("envy-")) field.value = values.get(field.name) ?? field.value;
  }
});
