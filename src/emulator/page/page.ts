/** Renders the tenant and its last requests as plain HTML, which a small script keeps up to date. Nothing can be changed there. */
import { html } from "hono/html";
import { networkAclKind, type NetworkAcl } from "../api/network-acls";
import { organizationKind } from "../api/organizations";
import { rateLimitPolicyKind } from "../api/rate-limit-policies";
import type { InjectedFaults } from "../http/fault";
import type { RequestEntry } from "../http/request-log";
import type { Store } from "../state/store";

export interface PageSource {
  readonly store: Store;
  readonly faults: InjectedFaults;
  /** Whether the tenant enforces its network ACLs. */
  readonly enforces: boolean;
  readonly requests: readonly RequestEntry[];
}

type Markup = ReturnType<typeof html>;

const shownRequests = 50;
const shownOrganizations = 200;

/** A section with a table, whose first column names the row. */
function section(title: string, columns: readonly string[], rows: readonly (readonly unknown[])[], note = ""): Markup {
  const cell = (content: unknown, at: number) => {
    if (at === 0) return html`<th scope="row">${content}</th>`;
    if (typeof content !== "number") return html`<td>${content}</td>`;
    return html`<td class="number">${content.toLocaleString("en")}</td>`;
  };
  const table = html`<table>
    <caption>
      ${title}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map(cell)}
          </tr>`,
      )}
    </tbody>
  </table>`;
  return html`<section tabindex="0" aria-label="${title}">
    <h2>${title}</h2>
    ${note && html`<p>${note}</p>`} ${rows.length > 0 ? table : html`<p>None.</p>`}
  </section>`;
}

const titled = (name: string, id: string) => html`${name}<small>${id}</small>`;

const signals = (match: Readonly<Record<string, unknown>>): Markup[] =>
  Object.entries(match).map(([name, value]) => {
    const entries = [value].flat().map((entry) => (typeof entry === "object" ? JSON.stringify(entry) : String(entry)));
    return html`<div><b>${name}</b> ${entries.join(", ")}</div>`;
  });

const criteriaOf = ({ match_all: all, match, not_match: not }: NetworkAcl["rule"]): Markup =>
  html`${all || match === undefined ? "every request" : signals(match)}
  ${
    not
      ? html`<div>except if one of these matches</div>
          ${signals(not)}`
      : ""
  }`;

function networkAcls({ store, enforces }: PageSource): Markup {
  const acls = store.of(networkAclKind).values();
  const rows = acls
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ id, priority, description, active, rule: { action, scope, ...criteria } }) => [
      titled(description, id),
      priority,
      active ? "active" : "inactive",
      action.redirect ? `redirect to ${String(action.redirect_uri)}` : Object.keys(action).join(", "),
      scope,
      criteriaOf({ action, scope, ...criteria }),
    ]);
  const note = enforces ? "" : "The tenant does not enforce them. Start it with --enforce for that.";
  const columns = ["Description", "Priority", "State", "Action", "Scope", "Requests"];
  return section("Network ACLs, in the order of evaluation", columns, rows, note);
}

function rateLimitPolicies({ store }: PageSource): Markup {
  const policies = store.of(rateLimitPolicyKind).values();
  const rows = policies.map(({ id, consumer, consumer_selector, resource, configuration }) => {
    const { action, limit, redirect_uri } = configuration;
    const target = redirect_uri === undefined ? action : `${action} to ${redirect_uri}`;
    return [titled(consumer_selector, id), consumer, resource, target, limit];
  });
  return section("Rate limit policies", ["Selector", "Consumer", "Resource", "Action", "Limit per second"], rows);
}

function organizations({ store }: PageSource): Markup {
  const all = store.of(organizationKind).values();
  const rows = all.slice(0, shownOrganizations).map(({ id, name }) => [titled(name, id), store.members(id)?.size]);
  const more = all.length - rows.length;
  const note = more > 0 ? `The first ${rows.length}; ${more.toLocaleString("en")} more are not shown.` : "";
  return section("Organizations", ["Organization", "Members"], rows, note);
}

function requestRow({ time, method, path, query, status, ms, acl, change, body }: RequestEntry): unknown[] {
  const level = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  const sent = html`<details>
    <summary>body</summary>
    <pre>${JSON.stringify(body, null, 2)}</pre>
  </details>`;
  return [
    `${method} ${path}${query && `?${query}`}`,
    html`<time datetime="${time}">${time.slice(11, 23)}</time>`,
    html`<span class="${level}">${status === 0 ? "connection broken" : status}</span>`,
    ms,
    html`${acl && html`<div>${acl}</div>`}${change}${body === undefined ? "" : sent}`,
  ];
}

/** The part of the page that changes. */
export function renderTenant(source: PageSource): Markup {
  const requests = source.requests.slice(-shownRequests).toReversed().map(requestRow);
  const faults = source.faults.rules.length;
  return html`${faults > 0 ? html`<p class="warn">Injected faults: ${faults}.</p>` : ""} ${networkAcls(source)}
  ${rateLimitPolicies(source)} ${organizations(source)}
  ${section("Last requests, the newest first", ["Request", "Time (UTC)", "Status", "ms", "Change"], requests)}`;
}

export function renderPage(source: PageSource): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Embedded tenant</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_tenantform/page.css" />
        <script src="/_tenantform/page.js" defer></script>
      </head>
      <body>
        <header>
          <h1>Embedded tenant</h1>
          <p id="state" role="status">As of when this page was loaded</p>
          <button id="pause" type="button" aria-pressed="false">Pause</button>
          <a href="/_tenantform/snapshot" download="seed.json">Download as a seed</a>
        </header>
        <main>${renderTenant(source)}</main>
      </body>
    </html>`;
}

/** Looks for changes each second. Replaces the part that changes, in which open request bodies stay open. */
export const script = `"use strict";
const main = document.querySelector("main");
const state = document.querySelector("#state");
const pause = document.querySelector("#pause");
let paused = false;
let shown = "";

const rowOf = (element) => element.closest("tr").textContent;

function say(text) {
  if (state.textContent !== text) state.textContent = text;
}

async function refresh() {
  if (paused) return say("Paused");
  const response = await fetch("/_tenantform/view").catch(() => ({ ok: false }));
  if (!response.ok) return say("The tenant does not respond; trying again");
  const html = await response.text();
  if (paused) return;
  say("Live");
  if (html === shown) return;
  shown = html;
  const open = new Set([...main.querySelectorAll("details[open]")].map(rowOf));
  main.innerHTML = html;
  for (const element of main.querySelectorAll("details")) element.open = open.has(rowOf(element));
}

pause.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", String(paused));
  refresh();
});
setInterval(refresh, 1000);
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
.number { font-variant-numeric: tabular-nums; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
`;
