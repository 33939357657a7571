/** The address of a page whose form was refused: reloading shows the page anew, and sends nothing again. */

/** @param {string} path */
export function settle(path) {
  if (location.pathname !== path || location.search) history.replaceState(null, "", `${path}${location.hash}`);
}

/** Bring a message into view that stands further down. @param {Element} place */
export function look(place) {
  place.querySelector(".problem, .pay-review")?.scrollIntoView({ block: "center" });
}

/** Unfold the form that the address names: who comes by a link to it need not look for it. */
function unfold() {
  const named = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  if (named instanceof HTMLDetailsElement) named.open = true;
}

const service = document.querySelector(".service");
if (service) {
  settle(location.pathname.replace(/^((?:\/floor\/tables|\/office\/jackpots)\/[^/]+(?:\/reserve)?)\/.*/, "$1"));
  look(service);
  unfold();
  addEventListener("hashchange", unfold);
}
