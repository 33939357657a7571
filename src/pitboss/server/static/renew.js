/** A page that asks for itself again: what it lays out is then what the server would lay out now. */

/** Put a part of the page as the server has it now in place of what stands there.
 * @param {string} selector  @returns {Promise<void>} */
export async function renew(selector) {
  const answer = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(selector);
  if (fresh) document.querySelector(selector)?.replaceWith(document.importNode(fresh, true));
}
