/** A page that asks for itself again: what it lays out is then what the server would lay out now. */

/** Put a part of the page as the server has it now in place of what stands there, and tell whether that was done: what
 * somebody has begun to read meanwhile stays.  @param {string} selector  @param {() => boolean} isRead  @returns {Promise<boolean>} */
export async function renew(selector, isRead = () => false) {
  const answer = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html" } });
  if (!answer.ok) return true;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(selector);
  if (isRead()) return false;
  if (fresh) document.querySelector(selector)?.replaceWith(document.importNode(fresh, true));
  return true;
}
