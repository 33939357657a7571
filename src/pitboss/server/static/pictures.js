/** Pictures that are being made beside the server: a blank sheet, known by its width, is asked for again until it is the picture. */
const PAUSE = 1500;
const BLANK_WIDTH = 17;

/** @param {HTMLImageElement} picture  @param {string} address  @param {number} times */
function look(picture, address, times) {
  if (picture.naturalWidth !== BLANK_WIDTH) return;
  window.setTimeout(() => {
    picture.addEventListener("load", () => look(picture, address, times + 1), { once: true });
    // Another address each time: a browser does not ask twice for one that it has shown.
    picture.src = `${address}?again=${times}`;
  }, PAUSE);
}

for (const picture of document.querySelectorAll("img[data-made]")) {
  if (!(picture instanceof HTMLImageElement)) continue;
  if (picture.complete && picture.naturalWidth) look(picture, picture.src, 1);
  else picture.addEventListener("load", () => look(picture, picture.src, 1), { once: true });
}
