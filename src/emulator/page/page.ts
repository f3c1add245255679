/** The page at the root: the tenant as it is, in plain HTML that a little script keeps up to date. */
import { html } from "hono/html";
import type { NetworkAcl } from "../api/network-acls";
import type { RateLimitPolicy } from "../api/rate-limit-policies";
import type { Decision } from "../enforcement/decide";
import type { RequestEntry } from "../http/request-log";

export interface MemberView {
  readonly user: string;
  /** What is known of the user. */
  readonly name?: string;
}

export interface View {
  readonly networkAcls: readonly NetworkAcl[];
  readonly rateLimitPolicies: readonly RateLimitPolicy[];
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly members: number }[];
  /** The newest first. */
  readonly requests: readonly RequestEntry[];
  /** How many injected faults are in force. */
  readonly faults: number;
  /** Whether requests are treated as the ACLs say. */
  readonly enforces: boolean;
  /** What was asked about a request, and the answer. */
  readonly asked?: { readonly origin: string; readonly path: string; readonly answer: Decision | string };
  /** The members that were searched for. */
  readonly found?: {
    readonly organization: string;
    readonly search: string;
    readonly members: readonly MemberView[];
    readonly more: number;
  };
}

type Markup = ReturnType<typeof html>;

interface Column {
  readonly head: string;
  readonly kind?: "number" | "name" | "short";
}

const mostSeen = 4;
const mostOrganizations = 200;

/** On a narrow screen every cell is a line of its own, under the name of its column. */
function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  empty: string,
): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const cell = (content: unknown, { head, kind }: Column) =>
    kind === "name"
      ? html`<th scope="row">${content}</th>`
      : html`<td data-head="${head}" class="${kind ?? ""}"><div>${content}</div></td>`;
  const heads = columns.map(({ head, kind }) => html`<th scope="col" class="${kind ?? ""}">${head}</th>`);
  const lines = rows.map(
    (row) =>
      html`<tr>
        ${row.map((content, at) => cell(content, columns[at]!))}
      </tr>`,
  );
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`;
}

const titled = (name: string, id: string) => html`${name}<small>${id}</small>`;

function signals(match: Readonly<Record<string, unknown>> = {}): Markup {
  return html`${Object.entries(match).map(([name, value]) => {
    const entries = (Array.isArray(value) ? value : [value]).map((entry: unknown) =>
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

function networkAcls(acls: readonly NetworkAcl[]): Markup {
  const rows = acls
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ id, priority, description, active, rule }) => [
      priority,
      titled(description, id),
      active ? "active" : html`<span class="inactive">inactive</span>`,
      action(rule),
      rule.scope,
      rule.match_all ? "every request" : signals(rule.match),
      signals(rule.not_match),
    ]);
  const columns: Column[] = [
    { head: "Priority", kind: "number" },
    { head: "Description", kind: "name" },
    { head: "State", kind: "short" },
    { head: "Action" },
    { head: "Scope", kind: "short" },
    { head: "Match" },
    { head: "Not match" },
  ];
  return table("Network ACLs in the order of evaluation", columns, rows, "No network ACLs: everything is allowed.");
}

function rateLimitPolicies(policies: readonly RateLimitPolicy[]): Markup {
  const rows = policies.map(({ id, consumer, consumer_selector, resource, configuration }) => {
    const { action: deed, limit, redirect_uri } = configuration;
    return [
      titled(consumer_selector, id),
      consumer,
      resource,
      redirect_uri === undefined ? deed : html`${deed} to ${redirect_uri}`,
      limit,
    ];
  });
  const columns: Column[] = [
    { head: "Selector", kind: "name" },
    ...["Consumer", "Resource", "Action"].map((head) => ({ head })),
    { head: "Limit per second", kind: "number" },
  ];
  return table("Rate limit policies", columns, rows, "No rate limit policies.");
}

function organizations(list: View["organizations"]): Markup {
  const rows = list
    .slice(0, mostOrganizations)
    .map(({ id, name, members }) => [
      titled(name, id),
      html`<a href="/?organization=${encodeURIComponent(id)}">${members.toLocaleString("en")}</a>`,
    ]);
  const columns: Column[] = [
    { head: "Organization", kind: "name" },
    { head: "Members", kind: "number" },
  ];
  const more = list.length - mostOrganizations;
  const rest = more > 0 ? html`<p>And ${more} more.</p>` : "";
  return html`${table("Organizations", columns, rows, "No organizations.")}${rest}`;
}

function found({ organization, search, members, more }: NonNullable<View["found"]>): Markup {
  const rows = members.map(({ user, name }) => [user, name ?? ""]);
  const columns: Column[] = [{ head: "User", kind: "name" }, { head: "Name" }];
  const which = search === "" ? "" : html` with “${search}”`;
  return html`<section>
    <h2>Members of ${organization}${which}</h2>
    ${table("Members", columns, rows, "None.")}
    ${more > 0 ? html`<p>And ${more.toLocaleString("en")} more: search for some.</p>` : ""}
  </section>`;
}

function decided({ origin, path, answer }: NonNullable<View["asked"]>): Markup {
  if (typeof answer === "string")
    return html`<section>
      <h2>Not understood</h2>
      <p class="note">${answer}</p>
    </section>`;
  const { outcome, by, steps } = answer;
  const rows = steps.map(({ acl, holds, because }) => [
    acl.priority,
    titled(acl.description, acl.id),
    holds ? action(acl.rule) : "passes by",
    because,
  ]);
  const columns: Column[] = [
    { head: "Priority", kind: "number" },
    { head: "Asked", kind: "name" },
    { head: "Does" },
    { head: "Because" },
  ];
  return html`<section>
    <h2>A request to ${path} from ${origin || "here"} is <em class="${outcome}">${outcome}</em></h2>
    <p>${by ? html`By ${by.description} (${by.id}).` : "No network ACL stops it."}</p>
    ${table("The network ACLs that were asked", columns, rows, "No network ACL is active.")}
  </section>`;
}

const isRead = (method: string) => method === "GET" || method === "HEAD";

function request({ time, method, path, query, status, ms, acl, change, body }: RequestEntry): unknown[] {
  const state = status === 0 ? "connection broken" : String(status);
  const level = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  const sent =
    body === undefined
      ? ""
      : html`<details>
          <summary>body</summary>
          <pre>${JSON.stringify(body, null, 2)}</pre>
        </details>`;
  return [
    html`<time datetime="${time}">${time.slice(11, 23)}</time>`,
    html`<span class="${isRead(method) ? "read" : "write"}">${method} ${path}${query && `?${query}`}</span>`,
    html`<span class="${level}">${state}</span>`,
    ms.toFixed(1),
    html`${acl && html`<div>${acl}</div>`}${change}${sent}`,
  ];
}

const requestColumns: Column[] = [
  { head: "Time (UTC)" },
  { head: "Request", kind: "name" },
  { head: "Status" },
  { head: "ms", kind: "number" },
  { head: "Change" },
];

/** The part of the page that changes. */
export function renderTenant(view: View): Markup {
  const { faults, requests } = view;
  return html`${faults > 0 ? html`<p class="note">${faults} injected ${faults === 1 ? "fault is" : "faults are"} in force.</p>` : ""}
    ${view.asked ? decided(view.asked) : ""}${view.found ? found(view.found) : ""}
    <section>
      <h2>Network ACLs, in the order of evaluation</h2>
      ${view.enforces ? "" : html`<p>They are kept, not enforced; that is done by a tenant started with --enforce.</p>`}
      ${networkAcls(view.networkAcls)}
    </section>
    <section>
      <h2>Rate limit policies</h2>
      ${rateLimitPolicies(view.rateLimitPolicies)}
    </section>
    <section>
      <h2>Organizations</h2>
      ${organizations(view.organizations)}
    </section>
    <section>
      <h2>Last requests, the newest first</h2>
      ${table("Last requests", requestColumns, requests.map(request), "None yet.")}
    </section>`;
}

const forms = ({ asked, found: members }: View) =>
  html`<form action="/" method="get" aria-label="Ask about a request">
      <label
        >What would happen to a request from
        <input name="origin" value="${asked?.origin}" placeholder="ip=203.0.113.7; country=DE; asn=64500"
      /></label>
      <label>to <input name="path" value="${asked?.path ?? "/api/v2/network-acls"}" /></label>
      <button>Ask</button>
    </form>
    <form action="/" method="get" aria-label="Search members">
      <label>Members of <input name="organization" value="${members?.organization}" placeholder="org_…" /></label>
      <label
        >with <input name="search" type="search" value="${members?.search}" placeholder="id, name or address"
      /></label>
      <button>Search</button>
    </form>`;

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
            <a href="/_tenantform/snapshot" download="seed.json">Download as a seed</a>
            <a href="/_tenantform/requests">Requests</a>
            <a href="/_tenantform/faults">Injected faults</a>
          </nav>
        </header>
        ${forms(view)}
        <main id="tenant" tabindex="-1">${renderTenant(view)}</main>
      </body>
    </html>`;
}
