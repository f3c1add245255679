/** The script and the style sheet of the page. */

/** Listens for changes and replaces the part that changes. Open request bodies stay open. */
export const script = `"use strict";
const main = document.querySelector("main");
const state = document.querySelector("#state");
const pause = document.querySelector("#pause");
let paused = false;
let due = false;
let busy = false;

const rowOf = (element) => element.closest("tr").textContent;

async function refresh() {
  due = true;
  if (busy) return;
  busy = true;
  while (due && !paused) {
    due = false;
    const response = await fetch("/_tenantform/view").catch(() => ({ ok: false }));
    if (!response.ok || paused) continue;
    const html = await response.text();
    const open = new Set([...main.querySelectorAll("details[open]")].map(rowOf));
    main.innerHTML = html;
    for (const element of main.querySelectorAll("details")) element.open = open.has(rowOf(element));
  }
  busy = false;
}

const show = (text) => void (state.textContent = paused ? "Paused" : text);

const events = new EventSource("/_tenantform/events");
events.onmessage = () => {
  show("Live");
  refresh();
};
events.onerror = () => show("The tenant does not respond; trying again");

pause.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", String(paused));
  show("Live");
  refresh();
});
`;

export const style = `:root {
  color-scheme: light dark;
  --back: light-dark(#fbfbfa, #16181b);
  --text: light-dark(#1c1d1f, #e7e8ea);
  --soft: light-dark(#5c6066, #a3a8b0);
  --line: light-dark(#d9dadd, #363b42);
  --link: light-dark(#0b57b0, #8ab8ff);
  --good: light-dark(#1c6b36, #7fd49a);
  --warn: light-dark(#8a4b00, #f0b46a);
  --bad: light-dark(#b3201a, #ff938c);
}
body { margin: 0 auto; padding: 1rem; max-width: 90rem; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; }
h1, h2 { font-size: 1.1rem; margin: 0; }
h2 { margin-top: 1.25rem; }
p { margin: 0; color: var(--soft); }
a { color: var(--link); }
section { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 500; }
thead th, b, small { color: var(--soft); font-weight: 500; white-space: nowrap; }
small { display: block; }
pre { margin: 0; white-space: pre-wrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
`;
