/** All output formats show no sensitive value, and foreign text stays inert in each of them. */
import { createHash } from "node:crypto";
import type { Values } from "../../src/judge/impact/model";
import { explain } from "../../src/review/commands/explain";
import { formats, rendered, write } from "../../src/review/report/output";
import { pagesOf } from "../../src/review/report/sections";
import { inert, toMarkdown } from "../../src/review/report/markdown";
import { tenantsIn } from "../../src/review/input/tenants";
import { blanked } from "../../src/formats/text/printable";
import { expressionsOf } from "../judge/impact/support/channels";
import fc from "../support/random";
import { openFolder, printed } from "./support/command";
import { acl, block, members, policy } from "./support/objects";
import { change, configured, constant, inState, plan, planText, prior, reviewOf, reviewTenant } from "./support/plan";

const { put, at, read } = openFolder();

async function shown(changes: readonly Values[], more: Values = {}, options: Parameters<typeof reviewTenant>[1] = {}) {
  const tenants = tenantsIn([{ name: "plan", plan: plan(changes, more) }]).map((one) => reviewTenant(one, options));
  const surroundings = { tag: "t", version: "1.0.0", environment: {} };
  const outputs = formats.map((format) => ({ format, file: at(format) }));
  await write(outputs, (format) => rendered(format, tenants, surroundings));
  return Object.fromEntries(formats.map((format) => [format, read(format)])) as Record<
    (typeof formats)[number],
    string
  >;
}

describe("sensitive values", () => {
  /** Values of each signal, before and after. */
  const signals: Record<string, [unknown, unknown]> = {
    asns: [[64991], [64992]],
    geo_country_codes: [["QX"], ["QZ"]],
    geo_subdivision_codes: [["QX-9"], ["QZ-9"]],
    ipv4_cidrs: [["198.18.91.0/24"], ["198.18.92.0/24"]],
    ipv6_cidrs: [["2001:db8:91::/48"], ["2001:db8:92::/48"]],
    connecting_ipv4_cidrs: [["198.18.93.0/24"], ["198.18.94.0/24"]],
    connecting_ipv6_cidrs: [["2001:db8:93::/48"], ["2001:db8:94::/48"]],
    ja3_fingerprints: [["5ecre7a1"], ["5ecre7a2"]],
    ja4_fingerprints: [["5ecre7b1"], ["5ecre7b2"]],
    user_agents: [["secret-agent-1"], ["secret-agent-2"]],
    hostnames: [["secret-one.example"], ["secret-two.example"]],
    auth0_managed: [["auth0.secret1"], ["auth0.secret2"]],
    http_message_signature: [{ keys: [{ id: "secret-key-1" }] }, { keys: [{ id: "secret-key-2" }] }],
  };
  const secret = /secret|5ecre7|6499[12]|Q[XZ]\b|198\.18\.9[1-4]|2001:db8:9[1-4]:|739[12]|hunter2/i;
  const net = (name: string) => `tenant_network_acl.${name}`;
  const sides = (priority: number, rule: (side: 0 | 1) => Values, more: Values = {}) =>
    [acl(priority, rule(0), more), acl(priority, rule(1), more)] as const;
  const redirect = (side: number) => ({ redirect: true, redirect_uri: `https://secret-${side}.example/` });
  const away = change(net("away"), ...sides(61, (side) => ({ action: redirect(side), match: { asns: [6] } })), {
    sensitive: { rule: { action: { redirect_uri: true } } },
  });
  const limit = (selector: string, configuration: Values) => policy(`client_id:${selector}`, configuration);
  const changes = [
    ...Object.entries(signals).flatMap(([name, values], index) => [
      change(net(`m${index}`), ...sides(index + 1, (side) => ({ action: block, match: { [name]: values[side] } })), {
        sensitive: { rule: { match: { [name]: true } } },
      }),
      change(
        net(`n${index}`),
        ...sides(index + 31, (side) => ({
          action: { allow: true },
          match: { asns: [5] },
          not_match: { [name]: values[side] },
        })),
        { sensitive: { rule: { not_match: { [name]: Array.isArray(values[0]) ? [true] : true } } } },
      ),
    ]),
    away,
    change(
      "tenant_rate_limit_policy.p",
      limit("secret-client", { action: "redirect", limit: 7391, redirect_uri: "https://secret-limit.example" }),
      limit("secret-client", { action: "redirect", limit: 7392, redirect_uri: "https://secret-limit2.example" }),
      { sensitive: { consumer_selector: true, configuration: true } },
    ),
    change("tenant_rate_limit_policy.gone", limit("secret-gone", { action: "block", limit: 50 }), null, {
      sensitive: { consumer_selector: true, resource: true, consumer: true },
    }),
    change("tenant_organization_member_set.s", members("org_secret", ["auth0|secret1"]), members("org_secret", []), {
      sensitive: { organization_id: true, members: true },
    }),
    change("auth0_organization_member.s", { organization_id: "org_b", user_id: "auth0|secret3" }, null, {
      sensitive: { user_id: true },
    }),
  ];
  /** Attributes of a later version, and unknown values. Assumptions name their values. */
  const later = [
    change(
      net("open"),
      acl(62, { action: { redirect: true, redirect_uri: "https://other.example/" }, match: { asns: [7] } }),
      acl(62, { action: { redirect: true, redirect_uri: null }, match: { asns: [7] } }),
      { unknown: { rule: { action: { redirect_uri: true } } } },
    ),
    change(
      net("whole"),
      ...sides(
        63,
        (side) => ({ action: block, match: { user_agents: [`secret-${side}`] }, property: `secret-${side}` }),
        { description: "secret-title" },
      ),
      { sensitive: { rule: true, description: true, priority: true } },
    ),
    change(net("later"), ...sides(64, (side) => ({ action: block, match: { later_signal: [`secret-${side}`] } })), {
      sensitive: { rule: { match: { later_signal: [true] } } },
    }),
    away,
  ];
  const request = { name: { references: ["var.called"] }, ip: { references: ["var.runner"] }, asn: constant(6) };
  const reference = (variable: string) => ({ references: [`var.${variable}`] });
  const expectation = [
    { name: reference("called"), outcome: constant("blocked"), request: [{ countries: reference("codes") }] },
    {
      name: constant("staff"),
      members: { organization_id: reference("team"), include: reference("people"), at_least: reference("most") },
    },
    { name: constant("limit"), policy: { consumer: constant("default"), at_most: reference("most") } },
  ];
  const names = {
    password: "hunter2",
    runner: "198.18.92.7",
    called: "secret-name",
    codes: ["QX"],
    team: "org_secret",
    people: ["auth0|secret4"],
    most: 7391,
  };
  const blocks = { tenant: { protected_request: [request], expectation } };
  const { configuration } = configured(blocks) as { configuration: Values };
  const variables = Object.fromEntries(Object.keys(names).map((name) => [name, { sensitive: true }]));
  const more: Values = {
    variables: Object.fromEntries(Object.entries(names).map(([name, value]) => [name, { value }])),
    configuration: { ...configuration, root_module: { variables } },
    resource_drift: [change(net("m0"), acl(1, { x: "secret-drift" }), acl(1, {}), { sensitive: { rule: true } })],
    ...prior(
      inState(net("left"), acl(80, { action: block, match: { user_agents: ["secret-left"] } }), {
        sensitive_values: { rule: { match: { user_agents: [true] } } },
      }),
    ),
  };

  /** Without the marks of one side. */
  const unmarked = (all: readonly Values[], side: string) =>
    all.map((one): Values => {
      const { before, after } = one["change"] as Values;
      return before && after ? { ...one, change: { ...(one["change"] as Values), [side]: false } } : one;
    });

  test.each([
    [changes],
    [unmarked(changes, "before_sensitive")],
    [unmarked(changes, "after_sensitive")],
    [later],
    [unmarked(later, "before_sensitive")],
    [unmarked(later, "after_sensitive")],
  ])("are in no format (case %#)", async (told) => {
    for (const [format, text] of Object.entries(await shown(told, more))) {
      // The script of the page and the rules of SARIF have no values.
      const own = text.replace(/<script>[^]*?<\/script>/g, "").replace(/"rules": \[[^]*?\n {10}\]/, "");
      expect([format, secret.exec(own)?.[0]]).toEqual([format, undefined]);
      expect(text.length).toBeGreaterThan(1000);
      if (format !== "sarif") expect(text).toMatch(/\(sensitive\)|a value is sensitive/);
    }
  });

  const marked = acl(1, { action: block, match: { user_agents: ["secret-agent"] } }, { description: "secret-title" });
  const attribute = (value: string) => ({ type: "get_attr", value });
  const rulePath = [attribute("rule"), attribute("match"), attribute("user_agents"), { type: "index", value: 0 }];
  const stored = (...sensitive_attributes: object[][]) => ({
    version: 4,
    resources: [
      {
        mode: "managed",
        type: "tenant_network_acl",
        name: "x",
        instances: [{ attributes: marked, sensitive_attributes }, { attributes: acl(2, { action: block }) }],
      },
    ],
  });
  const shownState = {
    format_version: "1.0",
    values: {
      root_module: {
        resources: [
          inState(net("x"), marked, {
            sensitive_values: { description: true, rule: { match: { user_agents: [true] } } },
          }),
        ],
      },
    },
  };

  test.each<[string, unknown]>([
    ["a plan", planText(changes, more)],
    ["a state as it is shown", shownState],
    ["a state file", stored([attribute("description")], rulePath)],
  ])("are not in the explanation of %s", async (_what, document) => {
    const file = put("explained.json", document);
    const { code, stdout } = await printed((edge) => explain(file, { user_agent: "mine", asn: 5 }, edge));
    expect([code, secret.exec(stdout)?.[0]]).toEqual([0, undefined]);
    expect(stdout).toContain("(sensitive)");
  });

  test("are those of their own object alone, whatever its attributes are called", async () => {
    const path = ["__proto__", "description"].map(attribute);
    const file = put("explained.json", stored(path));
    const { stdout } = await printed((edge) => explain(file, { ip: "203.0.113.7", country: "DE" }, edge));
    expect(stdout).toContain('"ACL 2" (priority 2)');
    expect(stdout).not.toContain("(sensitive)");
  });
});

/** Texts that could leave their element or line, run, or change the direction of a line. */
const hostile = [
  "</script><script>alert(1)</script>",
  "</title><img src=x onerror=alert(1)>\"'&",
  "\u202eevil\u2066\u061c\u200b\u200f\ufeff\u2028\u{e0041}\u0085",
  "\n::error::x\r%0A::error::y",
  "`${alert(1)}` --> ]]> @team #1 [x](javascript:x)",
  "✔ Nothing changes for people.",
  "x".repeat(255),
];

test("foreign text stays inert in every format", async () => {
  const expectation = hostile.flatMap((name) => [
    { name, outcome: "blocked", request: { countries: ["DE"], user_agents: [name] } },
    { name: `org ${name}`, members: { organization_id: name, include: [name] } },
  ]);
  const changes = [
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
  ];
  const forms = await shown(changes, configured({ tenant: expressionsOf({ expectation }) }));
  for (const text of Object.values(forms)) {
    expect(text.replaceAll("\n", "")).not.toMatch(/(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).toContain("evil");
  }
  expect(forms.text).not.toMatch(/^\s*✔ Nothing changes/m);
  const { html, markdown, annotations, ...others } = forms;
  for (const text of [html, markdown, ...Object.values(others)]) expect(text).not.toMatch(/^\s*::/m);
  expect(annotations).not.toMatch(/^::error::/m);
  expect(outside(markdown)).not.toMatch(/<(?!\/?(details|summary|code)\b|!-- tenantform)|(?<!\\)\]\(javascript/);

  const code = /<script>(.*?)<\/script>/s.exec(html)![1]!;
  const hash = createHash("sha256").update(code).digest("base64");
  expect(/http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)![1]).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  );
  const page = html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain("<img");
  expect(page).toContain("&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
  const link = "https://github\\.com/tenantform/tenantform/blob/main/docs/guides/effects\\.md#[a-z-]+";
  expect(page).not.toMatch(new RegExp(`\\b(src|href)=(?!x onerror|"${link}")`));
});

/** The text that a reader copies from a line: code spans unchanged, escapes and entities decoded. */
function copied(line: string): string {
  const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
  return line.replace(/\\(.)|&[a-z]+;|(`+)(?!`)(.*?[^`])\2(?!`)/gsu, (all, escaped, ticks, code) => {
    if (escaped !== undefined) return escaped;
    if (ticks === undefined) return entities[all]!;
    return /^ .*[^ ].* $/s.test(code) ? code.slice(1, -1) : code;
  });
}

/** The text outside of code spans. In CommonMark, the next run of backticks with the same length ends a span. */
function outside(line: string): string {
  let rest = line;
  let found = "";
  for (;;) {
    const run = /(?<!\\)(?:\\\\)*(`+)/.exec(rest);
    if (!run) return found + rest;
    const ticks = run[1]!;
    const start = run.index + run[0].length;
    const end = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest.slice(start));
    found += rest.slice(0, start - (end ? ticks.length : 0));
    rest = rest.slice(start + (end ? end.index + ticks.length : 0));
  }
}

describe("markdown", () => {
  /** Pieces that could break out of a line, a fold, a cell or a code span. */
  const pieces = ["\n", "\r", " ", ..."` `` | < </details> @me #1 \\ * _ ] ( a -->".split(" ")];
  const nasty = fc
    .array(fc.constantFrom(...pieces, "\u202e", "\u{1f600}", "\ud800"), { maxLength: 30 })
    .map((parts) => parts.join(""));

  test("makes any text inert", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const safe = inert(text);
        expect(safe).not.toMatch(/[\n\r\u202e\u200d]|\p{Cs}/u);
        const words = outside(safe);
        expect(words).not.toMatch(/[<>]/);
        expect(words).not.toMatch(/(?:^|[^\\])(?:\\\\)*[`*_\]]/);
        expect(words.replaceAll("\\", "")).not.toMatch(/[@#]\w|:\S|www\./);
        // In a table, a bar ends a cell, also in a span of code.
        expect(safe).not.toMatch(/(?:^|[^\\])(?:\\\\)*\|/);
        expect(copied(safe)).toBe(blanked(text));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    "2001:db8::7",
    "ask @acme/security (see #12, GH-3, acme/app#4 and !5)",
    "https://evil.example/?a=b&c=d, www.evil.example or mailto:a@evil.example",
    "auth0|ada@example.com|x",
    '"@team" and (@team).',
    "`@team` ``#1``",
    ":tada: :+1: :1234: a:e-mail:b 50% of ~bug %milestone &12 $3 a:b:c",
    "![x](https://evil.example/x.png) [y](javascript:alert)",
    "<img src=https://evil.example/x> <!-- @team -->",
  ])("shows %s as it is written, and makes it inert", (text) => {
    const safe = inert(text);
    expect(copied(safe)).toBe(text);
    // Renderers remove escapes before they look for mentions and emoji.
    expect(outside(safe).replaceAll(/\\|&amp;/g, "")).not.toMatch(/[@#!$~%]\w|&\d|:\S|www\.|GH-|https?:/);
    expect(safe).not.toMatch(/\p{Cf}/u);
  });

  const time = new Date("2026-11-21T12:00:00.000Z");
  const named = (description: string) =>
    reviewOf([change("tenant_network_acl.x", null, acl(1, { action: block, match: { asns: [1] } }, { description }))]);

  test("leaves no part of a code span when it cuts a line, and makes titles inert", () => {
    const reviews = ["@team", "#1 <b>"].map((name) => ({ ...named("@team ".repeat(600)), name }));
    const comment = toMarkdown(pagesOf(reviews), { tag: "t", at: time });
    expect(comment).toContain("`@team`");
    for (const line of comment.split("\n").filter((one) => !one.includes("<summary>")))
      expect(outside(line)).not.toContain("@team");
    expect(comment).toMatch(/<summary><code>@team<\/code>: .*<\/summary>[^]*<summary><code>#1 &lt;b&gt;<\/code>: /);
  });

  test("shows members in whole code spans, for any number and any names", () => {
    fc.assert(
      fc.property(
        fc.array(nasty, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 4, max: 200 }),
        (names, times) => {
          const ids = names.flatMap((name, index) =>
            Array.from({ length: times }, (__, count) => `${name}x${index}.${count}`),
          );
          const set = change("tenant_organization_member_set.s", members("org`_1", []), members("org`_1", ids));
          const text = toMarkdown(pagesOf([reviewOf([set])]), { tag: "t", at: time });
          const line = text.split("\n").find((one) => one.startsWith("- ") && one.includes("gain access ("))!;
          expect(outside(line)).toMatch(/^- .*: \d+ gain access \((, )*(\d+ more)?\)$/);
          expect(outside(line)).toContain(`${new Set(ids).size} gain`);
        },
      ),
      { numRuns: 50 },
    );
  });
});
