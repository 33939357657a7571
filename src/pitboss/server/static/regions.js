/**
 * Lays a page out anew, region by region (`data-region`). What a person is filling in is never emptied or moved: a panel
 * that is being edited stays as it is until it is sent, and says so where its round is over; focus stays where it was.
 */
const FIELDS = "input:not([type=hidden]), select, textarea";
const FOCUSED = "a, button, summary, input, select, textarea";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @param {Element} scope  @returns {Field[]} */
const fieldsOf = (scope) => /** @type {Field[]} */ ([...scope.querySelectorAll(FIELDS)]);

/** A name that an element has on the next page too. @param {Element} element  @returns {string} */
function keyOf(element) {
  const at = (/** @type {string} */ name) => element.getAttribute(name) ?? "";
  const form = /** @type {any} */ (element).form ?? element.closest("form");
  const value = /^(checkbox|radio|submit)$/.test(at("type")) ? at("value") : "";
  const text = /^(A|BUTTON|SUMMARY)$/.test(element.tagName) && !at("name") ? element.className : "";
  return [element.tagName, at("name"), value, form?.getAttribute("action") ?? "", text, element.closest("[data-region]")?.getAttribute("data-region")].join("|");
}

/** @param {Field} field  @returns {string} */
function valueOf(field) {
  return field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type) ? String(field.checked) : field.value;
}

/** Whether somebody has changed a field since it was laid out. @param {Field} field */
function isEdited(field) {
  if (field instanceof HTMLSelectElement) return [...field.options].some((each) => each.selected !== each.defaultSelected) && field.selectedIndex > 0;
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** Whether a region is being filled in; seats and tabs are kept field by field. @param {Element} region */
function isFrozen(region) {
  if (!region.matches(".panel") || region.getAttribute("data-region") === "prizes") return false;
  const focused = document.activeElement;
  if (region.hasAttribute("data-kept")) return true;
  return fieldsOf(region).some(isEdited) || Boolean(focused?.matches(FIELDS) && region.contains(focused));
}

/** The text of a region without what differs on every page. @param {Element} region */
const plain = (region) => region.outerHTML.replace(/value="console-[0-9a-f]+"/g, "").replace(/ data-undo="\d+"/g, "");

/** @param {Element} details  @returns {string} */
const nameOf = (details) => (details.matches(".more") ? (details.querySelector("summary")?.textContent ?? "") : details.className);

/** Put a region of a fresh page in place of the one that stands there. @param {Element} old  @param {Element} fresh  @param {boolean} keep  @returns {Element} */
function replaceRegion(old, fresh, keep) {
  const before = new Map(fieldsOf(old).map((field) => [keyOf(field), valueOf(field)]));
  const open = [...old.querySelectorAll("details[open]")].map(nameOf);
  const copy = document.importNode(fresh, true);
  old.replaceWith(copy);
  for (const each of copy.querySelectorAll("details")) if (open.includes(nameOf(each))) each.setAttribute("open", "");
  if (!keep) return copy;
  for (const field of fieldsOf(copy)) {
    const value = before.get(keyOf(field));
    if (value === undefined) continue;
    if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) field.checked = value === "true";
    else field.value = value;
  }
  return copy;
}

/** Keep the tab of each panel that stays though the fresh page has none for it; one tab is always chosen.
 * @param {Element} old  @param {Element} fresh  @param {(name: string) => boolean} stays */
function keepTabs(old, fresh, stays) {
  for (const tab of /** @type {NodeListOf<HTMLInputElement>} */ (old.querySelectorAll("input"))) {
    const isThere = fresh.querySelector(`input[value="${CSS.escape(tab.value)}"]`);
    if (!isThere && stays(tab.value) && tab.parentElement) fresh.append(tab.parentElement);
  }
  const tabs = /** @type {HTMLInputElement[]} */ ([...fresh.querySelectorAll("input")]);
  if (tabs.length && !tabs.some((tab) => tab.checked)) tabs[0].checked = true;
}

/** @param {Element} scope  @returns {Map<string, Element>} */
function regions(scope) {
  return new Map([...scope.querySelectorAll("[data-region]")].map((each) => [each.getAttribute("data-region") ?? "", each]));
}

/** What is laid out: the answer to a form, or none where the page follows the table; `keeps` names a region that stays.
 * @typedef {{form: HTMLFormElement | null, isOk: boolean, keeps: string}} How */

/** Put the regions of a fresh page in place of those that stand there, but for what is being filled in.
 * @param {HTMLElement} page  @param {HTMLElement} fresh  @param {How} how */
export function layOut(page, fresh, how) {
  const focused = document.activeElement && page.contains(document.activeElement) ? keyOf(document.activeElement) : "";
  const isSameRound = fresh.dataset.round === page.dataset.round;
  const before = regions(page), after = regions(fresh);
  const isNewRound = fresh.dataset.round?.split("/")[0] !== page.dataset.round?.split("/")[0];
  /** Whether fields of a region that is replaced keep their values. @param {string} region */
  const keeps = (region) => (region === "tabs" ? !how.form || how.isOk : isSameRound && (!how.form || /^(arc|prizes)$/.test(region)));
  /** Whether a region is being filled in, and is not the one that was sent. @param {string} region */
  const stays = (region) => {
    const old = before.get(region);
    return Boolean(old && isFrozen(old) && !old.contains(how.form));
  };
  for (const region of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(region), next = after.get(region);
    if (region === how.keeps || (!how.form && old && next && plain(old) === plain(next))) continue;
    // A form that the page has no longer is over, too: a dealer fixes the round on the table and no other.
    if (stays(region)) old?.toggleAttribute("data-stale", isNewRound || !next || old.hasAttribute("data-stale"));
    else if (old && next) {
      const copy = replaceRegion(old, next, keeps(region));
      if (region === "tabs") keepTabs(old, copy, stays);
    } else if (old) old.remove();
    else if (next) page.querySelector(".panels")?.append(document.importNode(next, true));
  }
  for (const name of ["shape", "sequence", "round"]) page.dataset[name] = fresh.dataset[name];
  const again = focused ? [...page.querySelectorAll(FOCUSED)].find((each) => keyOf(each) === focused) : null;
  if (again && again !== document.activeElement) /** @type {HTMLElement} */ (again).focus({ preventScroll: true });
}
