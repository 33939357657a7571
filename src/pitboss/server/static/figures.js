/** Figures that are being made beside the server: when one is there, the page asks for itself again. */
import { Live } from "./live.js";
import { renew } from "./renew.js";

const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-figure]")]);
const leads = places.some((place) => place.dataset.then === "go");

/** @param {{status: string}} figure */
function take(figure) {
  if (figure.status === "computing") return;
  if (leads) location.replace(location.href);
  else void renew(".office");
}

if (places.length) {
  const topics = places.map((place) => `figure:${place.dataset.figure}`);
  new Live(topics, 0, { state: (_topic, figure) => take(figure), lost: () => {}, back: () => {} });
}
