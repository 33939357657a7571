/** Today: what waits is laid out anew when there is more or less of it, but never under somebody who reads a request. */
import { Live } from "./live.js";
import { renew } from "./renew.js";

const page = () => /** @type {HTMLElement | null} */ (document.querySelector(".today"));
const isRead = () => Boolean(page()?.querySelector("details[open]"));
let isBehind = false;

async function refresh() {
  isBehind = isRead() || !(await renew(".today", isRead));
}

new Live(["waiting"], Number(page()?.dataset.sequence ?? 0), { state: () => void refresh(), lost: () => {}, back: () => {} });
document.addEventListener("toggle", () => { if (isBehind) void refresh(); }, true);
