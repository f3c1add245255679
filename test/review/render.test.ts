/** Checks all output formats: no sensitive value, only inert untrusted text, and comments within their limits. */
import type { Values } from "../../src/impact/model";
import fc from "../support/random";
import { toAnnotations } from "../../src/review/render/annotations";
import { toJson } from "../../src/review/json";
import { inert, readMarker, toMarkdown } from "../../src/review/render/markdown";
import { reviewPlans } from "../../src/review/review";
import { toSarif } from "../../src/review/render/sarif";
import { toText } from "../../src/review/render/text";
import { blanked, printable } from "../../src/text/printable";
import { acl, allow, block, change, members, plan } from "./support/plan";
import { expectSeen } from "../support/seed";

const at = new Date("2026-11-21T12:00:00.000Z");
const review = (changes: readonly Values[], more?: Values) => reviewPlans("stack", [plan(changes, more)]);
const markdown = (changes: readonly Values[], most?: number) =>
  toMarkdown([review(changes)], { tag: "t", at, ...(most && { most }) });

test("names limits and members in the head, although no outcome changes", () => {
  const policy = (limit: number): Values => ({
    id: "rlp_1",
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: "default",
    configuration: { action: "block", limit },
  });
  const one = review([
    change("tenant_rate_limit_policy.all", policy(50), policy(10)),
    change(
      "tenant_organization_member_set.staff",
      members("org_1", ["auth0|a", "auth0|b"]),
      members("org_1", ["auth0|c"]),
    ),
  ]);
  expect(toText([one]).split("\n").slice(1, 4)).toEqual([
    expect.stringMatching(/^✖ All 2 members lose access to org_1/),
    expect.stringMatching(/^● All applications without a policy of their own are limited to 10 requests\/s each, from 50\./),
    expect.stringMatching(/^● 1 member gains access to org_1/),
  ]);
  const same = review([change("tenant_rate_limit_policy.all", policy(50), policy(50))]);
  expect(toText([same])).toContain("✔ No request, limit or member changes.");
});

test("shows no sensitive value in any format", () => {
  const secret = acl(
    1,
    {
      action: { redirect: true, redirect_uri: "https://secret.example" },
      match: { ipv4_cidrs: ["192.0.2.77"], user_agents: ["hush/1"] },
    },
    { description: "whispered" },
  );
  const marks = {
    description: true,
    rule: { action: { redirect_uri: true }, match: { ipv4_cidrs: true, user_agents: [true] } },
  };
  const one = review(
    [
      change("tenant_network_acl.x", null, secret, { sensitive: marks }),
      change("tenant_organization_member_set.s", members("org_1", ["auth0|hidden"]), members("org_1", []), {
        sensitive: { members: true },
      }),
    ],
    { variables: { password: { value: "hunter2" } } },
  );
  const forms = [
    toText([one]),
    toMarkdown([one], { tag: "t", at }),
    JSON.stringify(toJson(one)),
    JSON.stringify(toSarif([one], "1")),
    toAnnotations([one]),
  ].join("\n");
  for (const word of ["192.0.2.77", "hush", "secret.example", "whispered", "auth0|hidden", "hunter2"]) {
    expect(forms).not.toContain(word);
  }
  expect(forms).toContain("(sensitive)");
});

/** Texts that could break out of a line, a fold, a cell or a code span. */
const nasty = fc
  .array(
    fc.constantFrom(
      "`",
      "``",
      "|",
      "<",
      "</details>",
      "@me",
      "#1",
      "\\",
      "\n",
      "\r",
      "*",
      "_",
      "]",
      "(",
      "a",
      " ",
      "-->",
      "\u202e",
      "\u{1f600}",
      "\ud800",
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

test("makes any untrusted text inert in markdown", () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const safe = inert(text);
      expect(safe).not.toMatch(/[\n\r\u202e\u200d]|\p{Cs}/u);
      const read = outside(safe);
      expect(read).not.toMatch(/[<>]/);
      expect(read).not.toMatch(/(?:^|[^\\])(?:\\\\)*[`*_\]]/);
      expect(read.replaceAll("\\", "")).not.toMatch(/[@#]\w|:\S|www\./);
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
  ":tada: 50% of ~bug %milestone &12 $3 a:b:c",
  "![x](https://evil.example/x.png) [y](javascript:alert)",
  "<img src=https://evil.example/x> <!-- @team -->",
])("shows %s as it is written, and makes it inert", (text) => {
  const safe = inert(text);
  expect(copied(safe)).toBe(text);
  expect(outside(safe).replaceAll(/\\|&amp;/g, "")).not.toMatch(/[@#!$~%]\w|&\d|:\S|www\.|GH-|https?:/);
  expect(safe).not.toMatch(/\p{Cf}/u);
});

test("leaves no part of a code span when it cuts a line", () => {
  const description = "@team ".repeat(600);
  const one = review([
    change("tenant_network_acl.x", null, acl(1, { action: block, match: { asns: [1] } }, { description })),
  ]);
  const comment = toMarkdown([one], { tag: "t", at });
  expect(comment).toContain("`@team`");
  for (const line of comment.split("\n")) expect(outside(line)).not.toContain("@team");
});

test("makes the title of a section inert", () => {
  const [one, other] = ["@team", "#1 <b>"].map((name) => ({
    ...review([change("tenant_network_acl.x", null, acl(1, { action: block, match_all: true }))]),
    name,
  }));
  const titles = [...toMarkdown([one!, other!], { tag: "t", at }).matchAll(/<summary>(.*)<\/summary>/g)].map(
    ([, title]) => title,
  );
  expect(titles).toContain("<code>@team</code>: More effects: 1 info.");
  expect(titles).toContain("<code>#1 &lt;b&gt;</code>: More effects: 1 info.");
});

test("shows no invisible character and no change of direction in any format", () => {
  const tricks = "\u061c\u200b\u200f\u202e\u2066\ufeff\u2028\u{e0041}\u0085";
  const one = review([
    change(
      "tenant_network_acl.x",
      null,
      acl(1, { action: block, match: { asns: [1] } }, { description: `a${tricks}b` }),
    ),
    change("tenant_organization_member_set.s", members("org_1", [`c${tricks}d`]), members("org_1", [])),
  ]);
  const forms = [
    toText([one]),
    toMarkdown([one], { tag: "t", at }),
    toAnnotations([one]),
    JSON.stringify(toSarif([one], "1.0.0")),
  ];
  for (const form of forms) {
    expect(form).toMatch(/a\S* *\S*b/);
    expect(form.replaceAll("\n", "")).not.toMatch(/(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

test("turns no text into an emoji", () => {
  for (const text of [":+1:", ":-1:", ":smile:", ":1234:", ":_x:", "a:e-mail:b"]) {
    // Renderers remove escapes before they look for emoji.
    expect(outside(inert(text)).replaceAll("\\", "")).not.toMatch(/:[+\-\w]+:/);
    expect(copied(inert(text))).toBe(text);
  }
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
  const tick = "`";
  let rest = line;
  let found = "";
  for (;;) {
    const run = /(?<!\\)(?:\\\\)*(`+)/.exec(rest);
    if (!run) return found + rest;
    const ticks = run[1]!;
    const start = run.index + run[0].length;
    const end = new RegExp(`(?<!${tick})${ticks}(?!${tick})`).exec(rest.slice(start));
    found += rest.slice(0, start - (end ? ticks.length : 0));
    rest = rest.slice(start + (end ? end.index + ticks.length : 0));
  }
}

test("shows members in whole code spans, for any number and any names", () => {
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 200 }), (names, times) => {
      const ids = names.flatMap((name, index) =>
        Array.from({ length: times }, (__, count) => `${name}x${index}.${count}`),
      );
      const text = markdown([
        change("tenant_organization_member_set.s", members("org`_1", []), members("org`_1", ids)),
      ]);
      const line = text.split("\n").find((one) => one.startsWith("- Members") && one.includes("gain access"))!;
      expect(outside(line)).toMatch(/^- Members of .*: \d+ gain access \((, )*(\d+ more)?\)$/);
      expect(outside(line)).toContain(`${new Set(ids).size} gain`);
    }),
    { numRuns: 50 },
  );
});

test("sends no control characters to a terminal", () => {
  expect(printable("\u001b[31mred\nline\u202e")).toBe("\\u001b[31mred\\nline\\u202e");
});

describe("a comment", () => {
  const many = Array.from({ length: 99 }, (_, index) =>
    change(
      `tenant_network_acl.n${index}`,
      null,
      acl(
        index + 1,
        { action: index % 2 ? allow : block, match: { ipv4_cidrs: [`10.${index}.0.0/15`], asns: [index % 5] } },
        { description: "x`|<b>\u{1f600}".repeat(20) },
      ),
    ),
  );
  const staff = Array.from({ length: 20_000 }, (_, index) => `auth0|${"0".repeat(24)}${index}`);
  const large = [...many, change("tenant_organization_member_set.s", members("org_1", staff), members("org_1", []))];

  test("about a plan of a megabyte stays within its limit, with whole folds and characters", () => {
    expect(JSON.stringify(large).length).toBeGreaterThan(700_000);
    for (const most of [60_000, 20_000, 3_000]) {
      const text = markdown(large, most);
      expect(text.length).toBeLessThanOrEqual(most);
      expect(text.match(/<details/g)?.length).toBe(text.match(/<\/details>/g)?.length);
      expect(text).not.toMatch(/\p{Cs}/u);
      expect(text).toMatch(/left out/);
      expect(text).toContain("TNF-MEMBERS-EMPTIED");
      expect(readMarker(text)).toEqual({ tag: "t", at });
    }
  });

  test("has a marker that can hold any tag", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (tag) => {
        const text = toMarkdown([review([])], { tag, at });
        expect(readMarker(text)).toEqual({ tag, at });
        expect(text.split("-->")).toHaveLength(2);
      }),
    );
  });
});

test("writes at most ten annotations of a kind, in one line each", () => {
  const sets = Array.from({ length: 30 }, (_, index) =>
    change(`tenant_organization_member_set.s${index}`, members(`org_${index}`, ["a\nb"]), members(`org_${index}`, [])),
  );
  const lines = toAnnotations([review(sets)])
    .trimEnd()
    .split("\n");
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("::error title=Tenantform::21 more: see the review.");
});

test("shares the limit of notices between probes and effects", () => {
  const probes = Array.from({ length: 12 }, (_, index) => ({ name: `probe ${index}`, ip: "192.0.2.1" }));
  const blocking = change(
    "tenant_network_acl.x",
    null,
    acl(1, { action: block, match: { ipv4_cidrs: ["192.0.2.1"] } }),
  );
  const lines = (count: number) =>
    toAnnotations([reviewPlans("stack", [plan([blocking])], { probes: probes.slice(0, count) })])
      .split("\n")
      .filter((line) => line.startsWith("::notice"));
  const others = lines(0).length;
  expectSeen(others, 0);
  expect(lines(3)).toHaveLength(3 + others);
  expect(lines(12)).toHaveLength(10);
  expect(lines(12).at(-1)).toBe(`::notice title=Tenantform::${3 + others} more: see the review.`);
});

test("sums up many effects with one code, the largest first", () => {
  const people = Array.from({ length: 100 }, (_, index) => `auth0|${index}`);
  const sets = Array.from({ length: 40 }, (_, index) =>
    change(
      `tenant_organization_member_set.n${index}`,
      members(`org_${index}`, people),
      members(`org_${index}`, people.slice(index === 30 ? 10 : 1)),
    ),
  );
  const one = review(sets);
  expect(one.effects[0]!.address).toBe("tenant_organization_member_set.n30");
  for (const text of [toText([one]), toMarkdown([one], { tag: "t", at })]) {
    const own = text.replace(/ https:\S+| ?\(https:\S+\)/g, "");
    expect(own.match(/TNF-MEMBERS-REMOVED/g)).toHaveLength(3 + 11);
    expect(text).toContain("37 more effects are listed below.");
    expect(text).toMatch(/27 more effects with this code: 27 \w+\. They are at .* and 22 more addresses\./);
  }
});
