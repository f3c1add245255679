/** The script and the style sheet of the page. */
/** Listens for changes and replaces the part that changes. Focus and open details stay. */
export const script = `"use strict";
const main = document.querySelector("main");
const state = document.querySelector("#state");
const pause = document.querySelector("#pause");
let paused = false;
let busy = false;
let again = false;

const keyOf = (element) => element.closest("tr")?.textContent ?? element.id;

function replace(html) {
  const active = document.activeElement;
  const focused = active?.matches("summary") ? keyOf(active) : undefined;
  const open = new Set([...main.querySelectorAll("details[open]")].map(keyOf));
  main.innerHTML = html;
  for (const element of main.querySelectorAll("details")) {
    if (open.has(keyOf(element))) element.open = true;
    if (keyOf(element) === focused) element.querySelector("summary").focus({ preventScroll: true });
  }
}

async function refresh() {
  if (paused) return;
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    const response = await fetch("/_tenantform/view" + location.search);
    if (response.ok && !paused) replace(await response.text());
  } finally {
    busy = false;
  }
  if (again) {
    again = false;
    await refresh();
  }
}

const events = new EventSource("/_tenantform/events");
events.onmessage = () => {
  if (!paused) state.textContent = "Live";
  refresh().catch(() => {});
};
events.onerror = () => {
  state.textContent = "The tenant does not respond; trying again";
};

pause.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", String(paused));
  state.textContent = paused ? "Paused" : "Live";
  refresh().catch(() => {});
});
`;

export const style = `:root {
  color-scheme: light dark;
  --back: light-dark(#fbfbfa, #16181b);
  --card: light-dark(#ffffff, #1e2125);
  --text: light-dark(#1c1d1f, #e7e8ea);
  --soft: light-dark(#5c6066, #a3a8b0);
  --line: light-dark(#d9dadd, #363b42);
  --link: light-dark(#0b57b0, #8ab8ff);
  --good: light-dark(#1c6b36, #7fd49a);
  --warn: light-dark(#8a4b00, #f0b46a);
  --bad: light-dark(#b3201a, #ff938c);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); }
header p { margin: 0; color: var(--soft); }
nav { display: flex; gap: 1rem; margin-left: auto; }
a { color: var(--link); }
h1 { font-size: 1.2rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 0.5rem; }
main { display: grid; gap: 1.25rem; padding: 1.25rem 1.5rem; max-width: 90rem; margin: 0 auto; outline: none; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; min-width: 0; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; padding: 0.75rem 1.5rem 0; max-width: 90rem; margin: 0 auto; align-items: end; }
label { color: var(--soft); flex: 1 1 14rem; min-width: 0; }
input { display: block; width: 100%; font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.5rem; }
em { font-style: normal; }
table { border-collapse: collapse; width: 100%; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 500; }
td, tbody th { overflow-wrap: anywhere; }
.short { white-space: nowrap; }
td b { font-weight: 500; color: var(--soft); white-space: nowrap; }
small { display: block; color: var(--soft); font: 0.8rem ui-monospace, monospace; white-space: nowrap; }
pre { font: 0.85rem ui-monospace, monospace; margin: 0.25rem 0; white-space: pre-wrap; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.inactive, .read, .empty { color: var(--soft); }
.good, .allowed { color: var(--good); }
.warn, .redirected, .note { color: var(--warn); }
.bad, .blocked { color: var(--bad); font-weight: 600; }
.empty, .note { margin: 0; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.75rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
@media (max-width: 50rem) {
  header, form { padding-left: 0.75rem; padding-right: 0.75rem; }
  nav { margin-left: 0; flex-wrap: wrap; }
  main { padding: 0.75rem; }
  thead { position: absolute; clip-path: inset(50%); }
  table, tbody, tr, th, td { display: block; }
  tr { border-top: 1px solid var(--line); padding: 0.4rem 0; }
  tbody tr:first-child { border-top: 0; }
  th, td, th.number, td.number { border: 0; padding: 0.1rem 0; text-align: left; }
  td { display: flex; gap: 0.5rem; }
  td > div { min-width: 0; }
  td::before { content: attr(data-head); flex: 0 0 6.5rem; color: var(--soft); }
  td:has(> div:empty) { display: none; }
}
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.25rem 0.75rem; }
`;
