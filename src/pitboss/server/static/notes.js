/** Messages of forms: they stay until they are dismissed, and a refused form's address is that of its page again. */

/** @param {Element} place  where messages are dismissed */
export function dismissible(place) {
  place.addEventListener("click", (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest(".dismiss");
    if (!link) return;
    event.preventDefault();
    link.closest(".problems, .told")?.remove();
  });
}

/** Say in the address bar what is shown: reloading then shows it anew, and sends nothing.
 * @param {string} path */
export function settle(path) {
  if (location.pathname !== path || location.search) history.replaceState(null, "", `${path}${location.hash}`);
}

const service = document.querySelector(".service");
if (service) {
  dismissible(service);
  service.querySelector(".problems")?.scrollIntoView({ block: "center" });
  settle(location.pathname.replace(/^(\/floor\/tables\/[^/]+)\/.*/, "$1"));
}
