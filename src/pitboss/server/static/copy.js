/** Copy buttons beside a link or token, and buttons that print the page. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const place = document.getElementById(button.getAttribute("data-copy") ?? "");
    if (!place) return;
    const range = document.createRange();
    range.selectNodeContents(place);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    // Without HTTPS a browser has no clipboard: what is selected is copied the old way.
    if (navigator.clipboard) await navigator.clipboard.writeText(place.textContent ?? "");
    else document.execCommand("copy");
    button.firstChild?.replaceWith("Copied");
  });
}
for (const button of document.querySelectorAll("button[data-print]")) button.addEventListener("click", () => window.print());
