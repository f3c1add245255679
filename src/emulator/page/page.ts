/** The page at the root: the tenant as it is, in plain HTML that a little script keeps up to date. */
import { html } from "hono/html";
import type { Snapshot } from "../api/families";
import type { NetworkAcl } from "../api/network-acls";
import type { RateLimitPolicy } from "../api/rate-limit-policies";
import type { RequestEntry } from "../http/record";

export interface View {
  readonly tenant: Snapshot;
  /** The newest first. */
  readonly requests: readonly RequestEntry[];
  /** How many injected faults are in force. */
  readonly faults: number;
}

type Markup = ReturnType<typeof html>;

const mostSeen = 4;
const mostOrganizations = 200;
const numeric = new Set(["Priority", "Limit per second", "Members", "ms"]);

function table(caption: string, heads: string[], rows: Markup[], empty: string): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<div
    class="scroll"
    id="table-${caption.replaceAll(" ", "-")}"
    tabindex="0"
    role="region"
    aria-label="${caption}"
  >
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col" class="${numeric.has(head) ? "number" : ""}">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function signals(match: unknown): Markup {
  const lists = Object.entries((match ?? {}) as Record<string, unknown>);
  return html`${lists.map(([name, value]) => {
    const entries = (Array.isArray(value) ? value : [value]).map((entry) =>
      typeof entry === "object" ? JSON.stringify(entry) : String(entry),
    );
    const more = entries.length - mostSeen;
    const seen = entries.slice(0, mostSeen).join(", ");
    return html`<div><b>${name}</b> ${seen}${more > 0 ? ` and ${more} more` : ""}</div>`;
  })}`;
}

function action({ action: given }: NetworkAcl["rule"]): string {
  if (given.redirect) return `redirect to ${String(given.redirect_uri)}`;
  return Object.keys(given).join(", ");
}

function networkAcls(acls: NetworkAcl[]): Markup {
  const ordered = acls.toSorted((a, b) => a.priority - b.priority);
  const rows = ordered.map(
    ({ id, priority, description, active, rule }) =>
      html`<tr class="${active ? "" : "inactive"}">
        <td class="number">${priority}</td>
        <th scope="row">
          ${description}
          <small>${id}</small>
        </th>
        <td>${active ? "active" : "inactive"}</td>
        <td>${action(rule)}</td>
        <td>${rule.scope}</td>
        <td>${signals(rule.match)}</td>
        <td>${signals(rule.not_match)}</td>
      </tr>`,
  );
  const heads = ["Priority", "Description", "State", "Action", "Scope", "Match", "Not match"];
  return table("Network ACLs in the order of evaluation", heads, rows, "No network ACLs: everything is allowed.");
}

function rateLimitPolicies(policies: RateLimitPolicy[]): Markup {
  const rows = policies.map(({ id, consumer, consumer_selector, resource, configuration }) => {
    const { action: deed, limit, redirect_uri } = configuration;
    return html`<tr>
      <th scope="row">
        ${consumer_selector}
        <small>${id}</small>
      </th>
      <td>${consumer}</td>
      <td>${resource}</td>
      <td>${redirect_uri === undefined ? deed : html`${deed} to ${redirect_uri}`}</td>
      <td class="number">${limit}</td>
    </tr>`;
  });
  const heads = ["Selector", "Consumer", "Resource", "Action", "Limit per second"];
  return table("Rate limit policies", heads, rows, "No rate limit policies.");
}

function organizations(list: Snapshot["organizations"]): Markup {
  const rows = list.slice(0, mostOrganizations).map(
    ({ id, name, members }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td><code>${id}</code></td>
        <td class="number">${members.length.toLocaleString("en")}</td>
      </tr>`,
  );
  const more = list.length - mostOrganizations;
  const rest = more > 0 ? html`<p>And ${more} more.</p>` : "";
  return html`${table("Organizations", ["Name", "Id", "Members"], rows, "No organizations.")}${rest}`;
}

const isRead = (method: string) => method === "GET" || method === "HEAD";

function request({ method, path, query, status, ms, change, body }: RequestEntry): Markup {
  const state = status === 0 ? "connection broken" : String(status);
  const level = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return html`<tr class="${isRead(method) ? "read" : "write"}">
    <td>${method}</td>
    <th scope="row">${path}${query && `?${query}`}</th>
    <td class="status ${level}">${state}</td>
    <td class="number">${ms.toFixed(1)}</td>
    <td>
      ${change}
      ${
        body !== undefined
          ? html`<details>
              <summary>body</summary>
              <pre>${JSON.stringify(body, null, 2)}</pre>
            </details>`
          : ""
      }
    </td>
  </tr>`;
}

/** The part of the page that changes. */
export function renderTenant({ tenant, requests, faults }: View): Markup {
  return html`${faults > 0 ? html`<p class="note">${faults} injected ${faults === 1 ? "fault is" : "faults are"} in force.</p>` : ""}
    <section>
      <h2>Network ACLs, in the order of evaluation</h2>
      ${networkAcls(tenant.network_acls)}
    </section>
    <section>
      <h2>Rate limit policies</h2>
      ${rateLimitPolicies(tenant.rate_limit_policies)}
    </section>
    <section>
      <h2>Organizations</h2>
      ${organizations(tenant.organizations)}
    </section>
    <section>
      <h2>Last requests, the newest first</h2>
      ${table("Last requests, the newest first", ["Method", "Path", "Status", "ms", "Change"], requests.map(request), "None yet.")}
    </section>`;
}

export function renderPage(view: View): Markup {
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
        <a class="skip" href="#tenant">Skip to the tenant</a>
        <header>
          <h1>Embedded tenant</h1>
          <p id="state" role="status">As it was when this page was loaded</p>
          <button id="pause" type="button" aria-pressed="false">Pause</button>
          <nav aria-label="Documents">
            <a href="/_tenantform/openapi.json">Contract</a>
            <a href="/_tenantform/snapshot">Snapshot</a>
            <a href="/_tenantform/requests">Requests</a>
            <a href="/_tenantform/faults">Faults</a>
          </nav>
        </header>
        <main id="tenant" tabindex="-1">${renderTenant(view)}</main>
      </body>
    </html>`;
}
