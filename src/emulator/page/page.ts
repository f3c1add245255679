/** Renders the page as plain HTML, which a small script keeps up to date. */
import { html } from "hono/html";
import type { NetworkAcl } from "../api/network-acls";
import type { RateLimitPolicy } from "../api/rate-limit-policies";
import type { RequestEntry } from "../http/request-log";
import { table, titled, type Column, type Markup } from "./table";
import type { View } from "./view";

const shownOrganizations = 200;

/** An address or a code stays on one line, even on a narrow screen. */
const isShort = (entry: string) => entry.length <= 20;

function signals(match: Readonly<Record<string, unknown>> = {}): Markup {
  return html`${Object.entries(match).map(([name, value]) => {
    const entries = [value].flat().map((entry) => (typeof entry === "object" ? JSON.stringify(entry) : String(entry)));
    const shown = entries.map(
      (entry, index) => html`${index > 0 ? ", " : ""}<span class="${isShort(entry) ? "short" : ""}">${entry}</span>`,
    );
    return html`<div><b>${name}</b> ${shown}</div>`;
  })}`;
}

/** The requests that the rule matches before `not_match` excludes some. */
const matched = ({ match_all: all, match }: NetworkAcl["rule"]): Markup | string =>
  all || match === undefined ? "every request" : signals(match);

const excluded = ({ not_match: signal }: NetworkAcl["rule"]): Markup | string =>
  signal === undefined
    ? ""
    : html`<div>except if one of these matches</div>
        ${signals(signal)}`;

function actionOf({ action }: NetworkAcl["rule"]): string {
  if (action.redirect) return `redirect to ${String(action.redirect_uri)}`;
  return Object.keys(action).join(", ");
}

const aclColumns: Column[] = ["#Priority", "!Description", ".State", "Action", ".Scope", "Match", "Not match"];

function networkAcls(acls: readonly NetworkAcl[]): Markup {
  const rows = acls
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ id, priority, description, active, rule }) => [
      priority,
      titled(description, id),
      active ? "active" : html`<span class="inactive">inactive</span>`,
      actionOf(rule),
      rule.scope,
      matched(rule),
      excluded(rule),
    ]);
  return table(
    "Network ACLs in the order of evaluation",
    aclColumns,
    rows,
    "No network ACLs: every request is allowed.",
  );
}

const policyColumns: Column[] = ["!Selector", "Consumer", "Resource", "Action", "#Limit per second"];

function rateLimitPolicies(policies: readonly RateLimitPolicy[]): Markup {
  const rows = policies.map(({ id, consumer, consumer_selector, resource, configuration }) => {
    const { action, limit, redirect_uri } = configuration;
    const target = redirect_uri === undefined ? action : html`${action} to ${redirect_uri}`;
    return [titled(consumer_selector, id), consumer, resource, target, limit];
  });
  return table("Rate limit policies", policyColumns, rows, "No rate limit policies.");
}

function organizations(list: View["organizations"]): Markup {
  const rows = list
    .slice(0, shownOrganizations)
    .map(({ id, name, members }) => [
      titled(name, id),
      html`<a href="/?organization=${encodeURIComponent(id)}">${members.toLocaleString("en")}</a>`,
    ]);
  const more = list.length - shownOrganizations;
  const rest = more > 0 ? html`<p>And ${more} more.</p>` : "";
  return html`${table("Organizations", ["!Organization", "#Members"], rows, "No organizations.")}${rest}`;
}

function found({ organization, search, members, more }: NonNullable<View["found"]>): Markup {
  const rows = members.map(({ user, name }) => [user, name ?? ""]);
  const which = search === "" ? "" : html` with “${search}”`;
  return html`<section>
    <h2>Members of ${organization}${which}</h2>
    ${table("Members", ["!User", "Name"], rows, "None.")}
    ${more > 0 ? html`<p>And ${more.toLocaleString("en")} more. Use the search to find them.</p>` : ""}
  </section>`;
}

function evaluated({ origin, path, result }: NonNullable<View["evaluated"]>): Markup {
  if (typeof result === "string")
    return html`<section>
      <h2>The origin or the path is invalid</h2>
      <p class="note">${result}</p>
    </section>`;
  const { outcome, by, steps } = result;
  const rows = steps.map(({ acl, matches, because }) => [
    acl.priority,
    titled(acl.description, acl.id),
    matches ? actionOf(acl.rule) : "does not match",
    because,
  ]);
  return html`<section>
    <h2>A request to ${path} from ${origin || "here"} is <em class="${outcome}">${outcome}</em></h2>
    <p>${by ? html`By ${by.description} (${by.id}).` : "No network ACL blocks it."}</p>
    ${table("Evaluated network ACLs", ["#Priority", "!Network ACL", "Action", "Reason"], rows, "No network ACL is active.")}
  </section>`;
}

const requestColumns: Column[] = [".Time (UTC)", "!Request", ".Status", "#ms", "Change"];
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

const section = (title: string, ...content: unknown[]) =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`;

/** The part of the page that changes. */
export function renderTenant(view: View): Markup {
  const { faults, requests } = view;
  return html`${faults > 0 ? html`<p class="note">Injected faults: ${faults}.</p>` : ""}
  ${view.evaluated ? evaluated(view.evaluated) : ""}${view.found ? found(view.found) : ""}
  ${section(
    "Network ACLs, in the order of evaluation",
    view.enforces ? "" : html`<p>The tenant does not enforce them. Start it with --enforce for that.</p>`,
    networkAcls(view.networkAcls),
  )}
  ${section("Rate limit policies", rateLimitPolicies(view.rateLimitPolicies))}
  ${section("Organizations", organizations(view.organizations))}
  ${section("Last requests, the newest first", table("Last requests", requestColumns, requests.map(request), "None yet."))}`;
}

const forms = ({ evaluated: described, found: members }: View) =>
  html`<form action="/" method="get" aria-label="Evaluate a request">
      <label
        >Is a request allowed from
        <input name="origin" value="${described?.origin}" placeholder="ip=203.0.113.7; country=DE; asn=64500"
      /></label>
      <label>to <input name="path" value="${described?.path ?? "/api/v2/network-acls"}" /></label>
      <button>Evaluate</button>
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
          <p id="state" role="status">As of when this page was loaded</p>
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
