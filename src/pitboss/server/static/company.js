/** Renews what the page shows, as often as rooms are asked; where somebody is working in it, later. */
const seconds = Number(document.querySelector('meta[name="seconds"]').content);
const main = document.querySelector("main");

async function renew() {
  if (document.hidden || main.contains(document.activeElement)) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    // The session has ended: the page to sign in on is the answer.
    if (answer.redirected) return location.reload();
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    main.replaceChildren(...page.querySelector("main").childNodes);
  } catch {
    // Its server is away: the time on the page says how old it is.
  }
}

setInterval(renew, seconds * 1000);
