import { runInNewContext } from "node:vm";
import { script } from "../../src/emulator/page/assets";
import { createTenant, read, root, send, type Tenant } from "./client";

const acl = {
  description: "<script>alert('&')</script>",
  active: true,
  priority: 30,
  rule: {
    scope: "tenant",
    action: { redirect: true, redirect_uri: "https://a.example/" },
    match: { asns: [1, 2, 3, 4, 5, 6] },
  },
};

const control = (tenant: Tenant, method: string, path: string, init: RequestInit = {}) =>
  tenant.fetch(new Request(root + path, { method, ...init })).then(read);

/** The texts of a page, without its elements. */
const wordsIn = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .replaceAll(" ,", ",");

const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { "content-type": "application/json" } });

test("adds, lists and removes faults over HTTP", async () => {
  const tenant = await createTenant();
  const rule = { method: "GET", path: "/api/v2/**", status: 503 };
  expect((await control(tenant, "POST", "/_tenantform/faults", json(rule))).status).toBe(204);
  expect((await control(tenant, "GET", "/_tenantform/faults")).body).toEqual([rule]);
  expect((await tenant.call("GET", "/network-acls")).status).toBe(503);
  expect((await control(tenant, "DELETE", "/_tenantform/faults")).status).toBe(204);
  expect((await tenant.call("GET", "/network-acls")).status).toBe(200);
});

test.each([
  [{ status: 99 }, "Value 99 is less than minimum 200"],
  [{ stauts: 500 }, "Additional properties not allowed: stauts"],
  [{ reset: "now" }, "No enum match for: now"],
  [{ nth: 0 }, "None of the valid schemas were met"],
])("refuses the fault %j", async (rule, message) => {
  const response = await control(await createTenant(), "POST", "/_tenantform/faults", json(rule));
  expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(message)]);
});

test("serves requests, snapshot and reset without faults and without logging them", async () => {
  const tenant = await createTenant({ seed: { organizations: [{ name: "acme" }] } });
  tenant.faults.add({ status: 500, path: "/**" });
  await tenant.call("GET", "/network-acls");
  const requests = (await control(tenant, "GET", "/_tenantform/requests")).body;
  expect(requests.map(({ path, status }: { path: string; status: number }) => [path, status])).toEqual([
    ["/oauth/token", 200],
    ["/api/v2/network-acls", 500],
  ]);
  await control(tenant, "DELETE", "/_tenantform/requests");
  expect(tenant.requests).toEqual([]);
  tenant.store.addOrganization({ name: "more", members: ["auth0|a"] });
  const snapshot = (await control(tenant, "GET", "/_tenantform/snapshot")).body;
  expect(snapshot).toEqual(JSON.parse(JSON.stringify(tenant.snapshot())));
  expect((await control(tenant, "POST", "/_tenantform/reset")).status).toBe(204);
  expect(tenant.store.organizations.values().map(({ name }) => name)).toEqual(["acme"]);
  const again = await createTenant({ seed: snapshot });
  expect(again.snapshot()).toMatchObject({ organizations: snapshot.organizations });
});

test("refuses requests from pages of other sites", async () => {
  const tenant = await createTenant();
  const foreign = { headers: { origin: "https://evil.example" } };
  for (const [method, path] of [
    ["POST", "/_tenantform/reset"],
    ["GET", "/_tenantform/snapshot"],
    ["DELETE", "/_tenantform/faults"],
  ] as const) {
    expect((await control(tenant, method, path, foreign)).status).toBe(403);
  }
  expect((await control(tenant, "POST", "/_tenantform/reset", { headers: { origin: root } })).status).toBe(204);
});

test("responds 404 to unknown control paths, and leaves other paths to the service", async () => {
  const tenant = await createTenant();
  expect((await control(tenant, "GET", "/_tenantform/nothing")).status).toBe(404);
  expect((await control(tenant, "GET", "/_tenantformer")).status).toBe(404);
  expect(tenant.requests.at(-1)!.path).toBe("/_tenantformer");
});

describe("the page", () => {
  test("shows ACLs in evaluation order, policies, organizations and the last requests", async () => {
    const tenant = await createTenant();
    await tenant.call("POST", "/network-acls", acl);
    await tenant.call("POST", "/network-acls", { ...acl, description: "earlier", priority: 2, active: false });
    await tenant.call("POST", "/rate-limit-policies", {
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: "third_party_clients",
      configuration: { action: "log", limit: 77 },
    });
    tenant.store.addOrganization({ name: "acme", members: Array.from({ length: 1234 }, (_, n) => `auth0|${n}`) });
    const { text, headers } = await control(tenant, "GET", "/");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text.indexOf("earlier")).toBeLessThan(text.indexOf("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"));
    for (const shown of ["inactive", "redirect to https://a.example/", "third_party_clients", "77", "1,234"]) {
      expect(text).toContain(shown);
    }
    expect(wordsIn(text)).toContain("asns 1, 2, 3, 4, 5, 6");
    expect(text).toMatch(/created rate limit policy rlp_\w+ \(third_party_clients\)/);
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain(tenant.clientSecret);
  });

  test("shows every entry of a signal", async () => {
    const tenant = await createTenant();
    const countries = "AD AL AT BA BE BG BY CH CZ DE DK EE ES FI FR GB GR HR HU IE".split(" ");
    const rule = { scope: "authentication", action: { block: true }, not_match: { geo_country_codes: countries } };
    await tenant.call("POST", "/network-acls", { description: "Europe only", active: true, priority: 9, rule });
    expect(wordsIn((await control(tenant, "GET", "/")).text)).toContain(
      `every request except if one of these matches geo_country_codes ${countries.join(", ")}`,
    );
  });

  test("offers the snapshot as a seed, and changes nothing", async () => {
    const { text } = await control(await createTenant(), "GET", "/");
    expect(text).toContain('<a href="/_tenantform/snapshot" download="seed.json">');
    expect(text).not.toMatch(/<form|<input/);
  });

  test("names its tables and its language, and has one top heading", async () => {
    const tenant = await createTenant();
    await tenant.call("POST", "/network-acls", acl);
    const { text } = await control(tenant, "GET", "/");
    expect(text).toContain('<html lang="en">');
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text.match(/<table>/g)).toHaveLength(text.match(/<table>\s*<caption>/g)!.length);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has enough contrast in dark and light mode", async () => {
    const { text } = await control(await createTenant(), "GET", "/_tenantform/page.css");
    const colours = [...text.matchAll(/(--\w+): light-dark\((#\w{6}), (#\w{6})\)/g)];
    const palettes = [2, 3].map((mode) => Object.fromEntries(colours.map((match) => [match[1]!, match[mode]!])));
    for (const palette of palettes) {
      for (const name of ["--text", "--soft", "--link", "--good", "--warn", "--bad"]) {
        expect(contrast(palette[name]!, palette["--back"]!)).toBeGreaterThan(4.5);
      }
    }
  });

  test("gets one event for many changes", async () => {
    const tenant = await createTenant();
    const { body } = await tenant.fetch(new Request(`${root}/_tenantform/events`));
    const events = body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await events.read()).value).toBe("data: hello\n\n");
    for (let n = 0; n < 20; n++) tenant.store.addOrganization();
    expect((await events.read()).value).toBe("data: changed\n\n");
    await tenant.call("GET", "/network-acls");
    expect((await events.read()).value).toBe("data: changed\n\n");
    await events.cancel();
  });

  test("fetches changes by script, and can be paused", async () => {
    const page = createPage();
    runInNewContext(script, page.globals);
    page.events.onmessage!();
    await page.settled();
    expect([page.main.innerHTML, page.state.textContent, page.fetched]).toEqual(["<p>1</p>", "Live", 1]);
    page.click();
    expect([page.state.textContent, page.pressed]).toEqual(["Paused", "true"]);
    page.events.onmessage!();
    await page.settled();
    expect([page.main.innerHTML, page.state.textContent]).toEqual(["<p>1</p>", "Paused"]);
    page.click();
    await page.settled();
    expect([page.main.innerHTML, page.pressed]).toEqual(["<p>2</p>", "false"]);
    page.events.onmessage!();
    page.events.onmessage!();
    page.events.onmessage!();
    await page.settled();
    expect(page.fetched).toBe(4);
    page.events.onerror!();
    expect(page.state.textContent).toMatch(/does not respond/);
  });
});

const luminance = (colour: string) => {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = channels.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The parts of a browser that the page's script uses. */
function createPage() {
  const main = { innerHTML: "", querySelectorAll: () => [] };
  const state = { textContent: "" };
  const events: { onmessage?: () => void; onerror?: () => void } = {};
  const page = {
    main,
    state,
    events,
    fetched: 0,
    pressed: "false",
    click: () => {},
    /** Resolves after all pending work of the script. */
    settled: () => new Promise<void>((resolve) => setImmediate(resolve)),
    globals: {},
  };
  const pause = {
    addEventListener: (_: string, listener: () => void) => void (page.click = listener),
    setAttribute: (_: string, value: string) => void (page.pressed = value),
  };
  const found: Record<string, unknown> = { main, "#state": state, "#pause": pause };
  page.globals = {
    document: {
      querySelector: (what: string) => found[what],
    },
    fetch: async (url: string) => {
      if (url !== "/_tenantform/view") throw new Error(url);
      page.fetched++;
      const text = `<p>${page.fetched}</p>`;
      return { ok: true, text: async () => text };
    },
    EventSource: function EventSource() {
      return events;
    },
    Map,
    Set,
    String,
  };
  return page;
}

test("sends no headers of the page with responses of the service", async () => {
  const tenant = await createTenant();
  const { headers } = await send(tenant, "GET", "/api/v2/network-acls");
  expect(headers.get("content-security-policy")).toBeNull();
});
