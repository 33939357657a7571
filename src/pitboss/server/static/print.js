/** A page that is made to be printed: its button asks the browser to. */
for (const button of document.querySelectorAll("button.print")) {
  button.toggleAttribute("hidden", false);
  button.addEventListener("click", () => window.print());
}
