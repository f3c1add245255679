/** Runs the built review page without a browser: its texts, its script, and the requests that a person tries. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import { reviewPlans } from "../../src/review/review";
import { run } from "../support/program";
import { openForm } from "./support/form";
import { acl, allow, block, change, members, plan, planText, policy } from "./support/plan";

interface Tried {
  readonly outcome: string;
  readonly certain: boolean;
  readonly at: number;
  readonly because: string;
  readonly text: string;
}

interface Page {
  readonly html: string;
  readonly sides: { before: unknown[]; after: unknown[] }[];
  tried(acls: unknown[], request: object): Tried;
}

const cli = path.join(__dirname, "../../dist/cli.js");

async function htmlOf(...plans: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-page-"));
  try {
    const files = plans.map((_, index) => `plan${index}.json`);
    for (const [index, text] of plans.entries()) await writeFile(path.join(folder, files[index]!), text);
    return (await run(process.execPath, [cli, "review", ...files, "--format", "html"], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const dataIn = (html: string) => /<script type="application\/json" id="acls">(.*?)<\/script>/s.exec(html)![1]!;
const codeIn = (html: string) => /<script>(.*?)<\/script>/s.exec(html)![1]!;

async function pageOf(text: string): Promise<Page> {
  const html = await htmlOf(text);
  const [bundle] = codeIn(html).split("\nconst { sides");
  const context: Record<string, unknown> = {};
  vm.runInNewContext(`${bundle}; this.tried = TenantformReview.tried;`, context);
  return { html, ...(JSON.parse(dataIn(html)) as Pick<Page, "sides">), tried: context["tried"] as Page["tried"] };
}

const office = (cidr: string) => acl(1, { action: allow, match: { ipv4_cidrs: [cidr] } }, { description: "Office" });
const closed = acl(9, { action: block, match_all: true, scope: "authentication" }, { description: "Closed" });
const officeNarrows = planText([
  change("tenant_network_acl.office", office("203.0.113.0/24"), office("203.0.113.0/25")),
  change("tenant_network_acl.closed", closed, closed),
]);

describe("a tried request", () => {
  test("is evaluated before and after the change", async () => {
    const { sides, tried } = await pageOf(officeNarrows);
    const request = { path: "/authorize", ip: "203.0.113.200" };
    expect(tried(sides[0]!.before, request)).toMatchObject({ outcome: "allowed", certain: true, at: 0 });
    expect(tried(sides[0]!.after, request)).toMatchObject({
      outcome: "blocked",
      at: 1,
      text: 'certain: blocked by "Closed" (priority 9). match_all matches every request.',
    });
    expect(tried(sides[0]!.after, { path: "/api/v2/", ip: "203.0.113.200" })).toMatchObject({
      outcome: "allowed",
      at: -1,
      text: "certain: allowed, because no ACL matches.",
    });
  });

  test("may match unknown and hidden values", async () => {
    const { sides, tried } = await pageOf(
      planText([
        change("tenant_network_acl.open", null, acl(1, { action: block, match: { asns: [1] } }), {
          unknown: { rule: { match: { asns: true } } },
        }),
        change("tenant_network_acl.hidden", null, acl(2, { action: block, match: { user_agents: ["x"] } }), {
          sensitive: { rule: { match: { user_agents: true } } },
        }),
      ]),
    );
    const { outcome, certain, text } = tried(sides[0]!.after, { path: "/authorize", asn: 5, user_agent: "y" });
    expect([outcome, certain]).toEqual(["blocked or allowed", false]);
    expect(text).toContain("possible: blocked or allowed: unknown facts decide.");
  });

  test("is evaluated in order, also with a hidden priority, and with equal priorities in both orders", async () => {
    const place = (priority: number, action: object, country: string) =>
      acl(priority, { action, match: { geo_country_codes: [country] } }, { id: `${priority} ${country}` });
    const { sides, tried } = await pageOf(
      planText([
        change("tenant_network_acl.a", null, place(37, block, "DE")),
        change("tenant_network_acl.b", null, place(41, allow, "DE"), { sensitive: { priority: true } }),
        change("tenant_network_acl.c", null, place(53, block, "FR")),
        change("tenant_network_acl.d", null, place(53, allow, "FR")),
      ]),
    );
    const request = { path: "/authorize", country: "DE" };
    expect(tried(sides[0]!.after, request)).toMatchObject({ outcome: "blocked", at: 0 });
    expect(tried(sides[0]!.after, { ...request, country: "FR" }).outcome).toBe("blocked or allowed");
    expect(JSON.stringify(sides)).not.toContain('priority":41');
  });

  test("that cannot be read is not evaluated", async () => {
    const { sides, tried } = await pageOf(planText([change("tenant_network_acl.closed", closed, closed)]));
    expect(tried(sides[0]!.after, { path: "/authorize", ip: "300.1.1.1" })).toMatchObject({
      outcome: "not readable",
      at: -1,
      because: expect.stringContaining('ip: "300.1.1.1" is not an IP address'),
    });
    expect(tried(sides[0]!.after, { path: "/%61pi/v2" }).outcome).toBe("allowed");
  });

  test.each([
    [
      "several signals of not_match",
      { geo_country_codes: ["DE"], asns: [64500] },
      { geo_country_codes: ["DE"] },
      { country: "DE", asn: 5, ip: "203.0.113.7" },
    ],
    [
      "both properties of connecting addresses in not_match",
      { connecting_ipv4_cidrs: ["198.51.100.0/24"], connecting_ipv6_cidrs: ["2001:db8::/32"] },
      { connecting_ipv4_cidrs: ["198.51.100.0/24"] },
      { ip: "203.0.113.7", connecting_ip: "198.51.100.7" },
    ],
  ])("is possible, as in probes and in the review, because of %s", async (_, not_match, match, facts) => {
    const allowed = acl(5, { action: allow, match });
    const changes = [
      change("tenant_network_acl.allowed", allowed, allowed),
      change("tenant_network_acl.closed", null, acl(1, { action: block, not_match })),
    ];
    const { sides, tried } = await pageOf(planText(changes));
    const shown = tried(sides[0]!.after, { path: "/authorize", ...facts });
    expect(shown).toMatchObject({ outcome: "allowed or blocked", certain: false });
    expect(shown.text).toContain("possible: allowed or blocked: the service does not document");
    const { probes, acls } = reviewPlans("plan", [plan(changes)], { probes: [{ name: "one", ...facts }] });
    expect(probes[0]!.after).toMatchObject({ outcome: "allowed or blocked", certain: false });
    expect(acls.changes.map(({ certainty }) => certainty)).toContain("possible");
  });
});

describe("the form", () => {
  const form = async () => openForm(await htmlOf(officeNarrows));

  test("shows both outcomes, and marks the ACL that decides", async () => {
    const { submit } = await form();
    const { results, problems, hits } = submit({ ip: "203.0.113.200" });
    expect(problems).toEqual({});
    expect(results).toEqual([
      expect.stringMatching(/^before: certain: allowed by "Office" \(priority 1\)\. /),
      expect.stringMatching(/^after: certain: blocked by "Closed" \(priority 9\)\. /),
    ]);
    expect(hits).toEqual([0, 1]);
  });

  test.each([
    ["ip", "300.1.1.1", '"300.1.1.1" is not an IP address: give an IPv4 or IPv6 address'],
    ["connecting_ip", "203.0.113", '"203.0.113" is not an IP address'],
    ["country", "Germany", '"Germany" is not the ISO 3166-1 alpha-2 code of a country: "DE" is probably meant.'],
    ["country", "UK", '"GB" is probably meant.'],
    ["subdivision", "California", '"California" is not an ISO 3166-2 code'],
    ["asn", "abc", '"abc" is not an AS number: give a whole number from 0 to 4294967295.'],
    ["asn", "64500.5", '"64500.5" is not an AS number'],
    ["asn", "0x10", '"0x10" is not an AS number'],
    ["path", "", '"" is not a path'],
    ["path", "api/v2", '"api/v2" is not a path: "/api/v2" is probably meant.'],
    ["path", "/%zz", '"/%zz" is not a path'],
    ["hostname", "https://a.example/x", '"a.example" is probably meant.'],
    ["ja3", "zz", "give 32 hexadecimal digits."],
    ["ja4", "nonsense", '"nonsense" is not a JA4 fingerprint'],
    ["managed", "auth0.tor, auth0.nowhere", '"auth0.nowhere" is not the name of a curated list'],
    ["signature_key", "a b", '"a b" is not the id of a key'],
    ["user_agent", "curl\u200b/8", '"curl/8" is probably meant.'],
  ])("refuses the %s %j next to its field, and gives no outcome", async (name, value, words) => {
    const { submit } = await form();
    submit({ ip: "203.0.113.200" });
    const { results, problems, hits, focused } = submit({ ip: "203.0.113.200", [name]: value });
    expect(problems).toEqual({ [name]: expect.stringContaining(words) });
    expect(results.join("")).toBe("Not evaluated: correct the marked fields.");
    expect(hits).toEqual([-1, -1]);
    expect(focused).toBe(name);
  });

  test("accepts a corrected fact, and clears its mark", async () => {
    const { submit } = await form();
    submit({ country: "Germany" });
    const { problems, results } = submit({
      country: "DE",
      managed: "auth0.tor auth0.vpn",
      path: "https://a.example/x",
    });
    expect(problems).toEqual({});
    expect(results[0]).toContain("before: ");
  });

  test("accepts a curated list that only a rule names", async () => {
    const newer = acl(3, { action: block, match: { auth0_managed: ["auth0.newer"] } });
    const { submit } = openForm(await htmlOf(planText([change("tenant_network_acl.n", null, newer)])));
    expect(submit({ managed: "auth0.newer" }).results[1]).toMatch(/^after: certain: blocked/);
  });
});

/** Texts that could leave their element, run, or change the direction of a line. */
const hostile = [
  "</script><script>alert(1)</script>",
  "</title><img src=x onerror=alert(1)>\"'&",
  "\u202eevil\u2066",
  "x".repeat(255),
  "`${alert(1)}` --> ]]>",
];

describe("the page", () => {
  test("shows hostile texts as they are, and runs only its own script", async () => {
    const html = await htmlOf(
      planText([
        ...hostile.map((description, index) =>
          change(
            `tenant_network_acl.a["${index}${description}"]`,
            null,
            acl(index + 1, { action: block, match: { user_agents: [description] } }, { description }),
          ),
        ),
        ...hostile.map((name, index) =>
          change(`tenant_rate_limit_policy.p${index}`, null, policy(name, { action: "block", limit: 1 })),
        ),
        change("tenant_organization_member_set.s", members(hostile[1]!, hostile), members(hostile[1]!, [])),
      ]),
    );
    const [, policyOfPage] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)!;
    const hash = createHash("sha256").update(codeIn(html)).digest("base64");
    expect(policyOfPage).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    const outsideScripts = html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
    const tags = [...outsideScripts.matchAll(/<([a-z][\w-]*)/gi)].map(([, tag]) => tag!.toLowerCase());
    expect(new Set(tags)).not.toContain("img");
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(outsideScripts).not.toMatch(
      /\b(src|href)=(?!x onerror|"https:\/\/github\.com\/tenantform\/tenantform\/blob\/v[\d.]+\/docs\/guides\/findings\.md#[a-z-]+")/,
    );
  });

  test("has the verdict as its title and as its first heading, with its level as text", async () => {
    const html = await htmlOf(
      planText([change("tenant_organization_member_set.s", members("org_1", ["a", "b"]), members("org_1", []))]),
    );
    const [, title] = /<title>(.*?)<\/title>/.exec(html)!;
    expect(title).toMatch(/^✖ /);
    const [, first] = /<h1>(.*?)<\/h1>/s.exec(html.slice(html.indexOf("<body>")))!;
    expect(first).toContain(title);
    expect(html).toContain('<span class="level critical">Level: critical</span>');
    expect(html.indexOf("<h1>")).toBeLessThan(html.indexOf("Review of plan0"));
  });

  const draft = (active: boolean) =>
    acl(
      40,
      { action: block, not_match: { geo_country_codes: ["FR", "IT"] }, scope: "authentication" },
      { description: "Draft", active },
    );
  const switched = [change("tenant_network_acl.draft", draft(false), draft(true))];

  test("shows the share of an effect and the most affected countries as bars with figures", async () => {
    const html = await htmlOf(planText(switched));
    expect(html).toMatch(/<span>Blocked: sign-in and client registration<\/span>[^]*?width:9\d\.\d\d%[^]*?about 9\d %/);
    const [, first, bar, figure] =
      /Countries with blocked requests<\/h3>\s*<ul class="bars"><li><span>(.*?)<\/span>([^]*?)<span>(.*?)<\/span><\/li>/.exec(
        html,
      )!;
    expect([first, figure]).toEqual(["China (CN)", "all of 1.02 billion Internet users"]);
    expect(bar).toContain("width:100.00%");
    expect(html).toMatch(/and \d+ more countries/);
    expect(html).not.toContain("France (FR)</span>");
  });

  test("shows no bars if they would reveal a sensitive value", async () => {
    const marks = { rule: { not_match: { geo_country_codes: true } } };
    const html = await htmlOf(
      planText([change("tenant_network_acl.draft", draft(false), draft(true), { sensitive: marks })]),
    );
    expect(html).not.toContain('class="bars"');
    expect(html.slice(html.indexOf("<body>"), html.indexOf("<script>"))).not.toMatch(/\b(FR|IT)\b/);
  });

  test("says almost all if a few addresses of a country are not affected", async () => {
    const allowed = acl(1, { action: allow, match: { ipv4_cidrs: ["203.0.113.0/24"] } });
    const html = await htmlOf(planText([change("tenant_network_acl.office", allowed, allowed), ...switched]));
    expect(html).toContain("almost all of 1.02 billion Internet users");
  });

  test("says that all countries are alike, instead of naming them", async () => {
    const html = await htmlOf(planText([change("tenant_network_acl.closed", null, closed)]));
    expect(html).toContain("All countries alike: all of their requests.");
    expect(html).not.toContain("China (CN)");
  });

  test("folds findings that were so before the plan, and lists effects without a line in the verdict", async () => {
    const wide = acl(1, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wide" });
    const narrow = acl(2, { action: block, match: { geo_country_codes: ["KP"] } }, { description: "Narrow" });
    const selectors = ["a", "b", "c", "d", "e"];
    const html = await htmlOf(
      planText([
        change("tenant_network_acl.wide", wide, wide),
        change("tenant_network_acl.narrow", narrow, narrow),
        ...selectors.map((name) =>
          change(`tenant_rate_limit_policy.${name}`, null, policy(name, { action: "block", limit: 5 })),
        ),
      ]),
    );
    const fold = /<details class="part"><summary><h2>Already so before this plan \(1\)<\/h2>[^]*?<\/details>/.exec(
      html,
    )!;
    expect(fold[0]).toContain("TF-ACL-SHADOWED");
    expect(html.replace(fold[0], "")).not.toContain("TF-ACL-SHADOWED");
    const [head = "", rest = ""] = html.slice(html.indexOf("<h1>")).split("</h1>");
    const [, others = ""] = /<h2>More effects<\/h2>([^]*?)<\/section>/.exec(rest)!;
    for (const name of selectors) expect(head + others).toContain(`tenant_rate_limit_policy.${name} is created`);
  });

  test("does not repeat an effect whose line in the verdict is shortened", async () => {
    const agents = Array.from({ length: 3 }, (_, index) => `${"long agent ".repeat(20)}${index}`);
    const many = agents.map((agent, index) =>
      change(
        `tenant_network_acl.a["${agent}"]`,
        null,
        acl(index + 1, { action: block, match: { user_agents: [agent] } }, { description: agent }),
      ),
    );
    expect(await htmlOf(planText(many))).not.toContain("More effects");
  });

  test("shows each of several plans with a form of its own, and one main part", async () => {
    const html = await htmlOf(officeNarrows, planText([change("tenant_network_acl.x", null, closed)]));
    expect(html.match(/<main>/g)).toHaveLength(1);
    expect(html.match(/<article>/g)).toHaveLength(3);
    expect([...html.matchAll(/data-index="(\d)"/g)].map(([, index]) => index)).toEqual(["0", "1", "2"]);
    const ids = [...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("shows the order of evaluation only if it changes", async () => {
    const html = await htmlOf(officeNarrows);
    expect(html).not.toContain("Order of evaluation");
    const moved = await htmlOf(
      planText([
        change("tenant_network_acl.office", office("203.0.113.0/24"), { ...office("203.0.113.0/24"), priority: 10 }),
        change("tenant_network_acl.closed", closed, closed),
      ]),
    );
    expect(moved).toContain("Order of evaluation");
    expect(moved).toContain("<em>was 1</em>");
    expect(await htmlOf(planText(switched))).toContain("<em>switched on</em>");
  });

  test("folds 300 changed ACLs, and stays below 2 MB", async () => {
    const rules = (shift: number) =>
      Array.from({ length: 300 }, (_, index) =>
        acl(
          index + 1,
          { action: index % 3 ? block : allow, match: { ipv4_cidrs: [`10.${index % 256}.${shift}.0/26`] } },
          { id: `acl_${index}`, description: `Rule ${index}` },
        ),
      );
    const [before, after] = [rules(0), rules(1)];
    const html = await htmlOf(
      planText(before.map((one, index) => change(`tenant_network_acl.n[${index}]`, one, after[index]!))),
    );
    expect(html.length).toBeLessThan(2_000_000);
    const open = html
      .slice(html.indexOf("<body>"), html.indexOf("<script"))
      .replaceAll(/<details[\s\S]*?<\/details>/g, "");
    expect(open.match(/<li>/g)!.length).toBeLessThan(60);
  });
});
