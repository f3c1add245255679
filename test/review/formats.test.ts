/** Each format lays out the effects of a review: what is first, what is folded, and how much has room. */
import { text as factsOf } from "../judge/impact/support/worded";
import path from "node:path";
import { findingCodes } from "../../src/judge/codes/codes";
import type { Place } from "../../src/judge/impact/cause";
import { effect, type Effect } from "../../src/judge/impact/effect";
import type { Values } from "../../src/judge/impact/model";
import { placeOf } from "../../src/review/input/root";
import { toAnnotations } from "../../src/review/report/annotations";
import { pagesOf } from "../../src/review/report/sections";
import { factsJson } from "../../src/review/report/json";
import { toHtml } from "../../src/review/report/html";
import { readMarker, toMarkdown } from "../../src/review/report/markdown";
import { toSarif } from "../../src/review/report/sarif";
import { toText } from "../../src/review/report/text";
import type { Review } from "../../src/review/judge/review";
import { version } from "../../src/version";
import fc from "../support/random";
import { acl, allow, block, kept, members, policy } from "./support/objects";
import { change, reviewOf } from "./support/plan";

const at = new Date("2026-11-21T12:00:00.000Z");
const net = (name: string) => `tenant_network_acl.${name}`;
const set = (name: string) => `tenant_organization_member_set.${name}`;
const markdown = (review: Review, most?: number) =>
  toMarkdown(pagesOf([review]), { tag: "t", at, ...(most && { most }) });

const wide = acl(1, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wide" });
const narrow = acl(2, { action: block, match: { geo_country_codes: ["KP"] } }, { description: "Narrow" });
const users = (count: number) => Array.from({ length: count }, (_, index) => `auth0|p${index}`);
const limit = (number: number) => policy("default", { action: "block", limit: number });
const mixed = reviewOf([
  change("tenant_rate_limit_policy.all", limit(50), limit(10)),
  change(set("staff"), members("org_1", users(5)), members("org_1", users(1))),
  kept(net("wide"), wide),
  kept(net("narrow"), narrow),
  ...["a", "b"].map((name) =>
    change(`tenant_rate_limit_policy.${name}`, null, policy(name, { action: "block", limit: 5 })),
  ),
]);

test("the assumptions of a reason are sentences in JSON, those of an inner reason too", () => {
  const that = [{ is: "variable", attribute: "callers", variable: "var.a" } as const];
  const beside = [{ is: "sensitive limit" } as const];
  const of = { kind: "incomplete", because: [{ is: "refused" }] } as const;
  const reason = { kind: "assumed", of, that, beside } as const;
  expect(factsJson({ kind: "statement", name: "limit", was: "other", is: "undecided", reason })).toMatchObject({
    reason: {
      of: { because: ["the tenant refuses to list some of its objects"] },
      that: ["`callers` is exactly var.a"],
      beside: ["the limit is sensitive"],
    },
  });
});

test.each<[string, string]>([
  ["text", toText(pagesOf([mixed]))],
  ["markdown", markdown(mixed)],
  ["html", toHtml(pagesOf([mixed])).replace(/<style>[^]*?<\/style>/, "")],
])(
  "%s has the verdict first, then members, other effects, what was so before, and what was not read",
  (_format, text) => {
    const parts = [
      /✖ high: 4 of 5 members lose access to org(\\)?_1/,
      /✖ high: Limit of applications \S+: /,
      /Members/,
      /More effects: /,
      /Already so before this plan/,
      /TNF-ACL-SHADOWED/,
      /Not read: .* outside the plan/,
    ];
    const places = parts.map((part) => text.slice(text.indexOf("<body>") + 1).search(part));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(-1);
    expect(text.match(/TNF-ACL-SHADOWED<|\bTNF-ACL-SHADOWED\b(?=`|  )/g)).toHaveLength(1);
  },
);

test("sums up many effects with one code, the largest first", () => {
  const people = Array.from({ length: 100 }, (_, index) => `auth0|${index}`);
  const review = reviewOf(
    Array.from({ length: 40 }, (_, index) => {
      const left = people.slice(index === 30 ? 10 : 1);
      return change(set(`n${index}`), members(`org_${index}`, people), members(`org_${index}`, left));
    }),
  );
  expect(review.effects[0]!.subject.address).toBe(set("n30"));
  for (const text of [toText(pagesOf([review])), markdown(review)]) {
    const own = text.replace(/ https:\S+| ?\(https:\S+\)/g, "");
    expect(own.match(/TNF-MEMBERS-REMOVED/g)).toHaveLength(3 + 11);
    expect(text).toContain("More effects: 37 ");
    expect(text).toMatch(/27 more effects with this code: 27 \w+\. They are at .* and 22 more addresses\./);
  }
});

test("does not repeat an effect whose line in the verdict is shortened", () => {
  const agents = [0, 1, 2].map((index) => `${"long agent ".repeat(20)}${index}`);
  const review = reviewOf(
    agents.map((agent, index) =>
      change(net(`a["${agent}"]`), null, acl(index + 1, { action: block, match: { user_agents: [agent] } })),
    ),
  );
  expect(toText(pagesOf([review]))).not.toContain("More effects");
});

describe("a comment", () => {
  const many = Array.from({ length: 99 }, (_, index) => {
    const match = { ipv4_cidrs: [`10.${index}.0.0/15`], asns: [index % 5] };
    const rule = { action: index % 2 ? allow : block, match };
    return change(net(`n${index}`), null, acl(index + 1, rule, { description: "x`|<b>\u{1f600}".repeat(20) }));
  });
  const staff = Array.from({ length: 20_000 }, (_, index) => `auth0|${"0".repeat(24)}${index}`);
  const large = [...many, change(set("s"), members("org_1", staff), members("org_1", []))];

  test("about a plan of a megabyte stays within its limit, with whole folds and characters", () => {
    expect(JSON.stringify(large).length).toBeGreaterThan(700_000);
    const review = reviewOf(large);
    for (const most of [60_000, 20_000, 3_000]) {
      const text = markdown(review, most);
      expect(text.length).toBeLessThanOrEqual(most);
      expect(text.match(/<details/g)?.length).toBe(text.match(/<\/details>/g)?.length);
      expect(text).not.toMatch(/\p{Cs}/u);
      expect(text).toMatch(/left out/);
      expect(text).toContain("TNF-MEMBERS-EMPTIED");
      expect(readMarker(text)).toEqual({ tag: "t", at });
    }
  });

  test("has a marker that can hold any tag", () => {
    const review = reviewOf([]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (tag) => {
        const text = toMarkdown(pagesOf([review]), { tag, at });
        expect(readMarker(text)).toEqual({ tag, at });
        expect(text.split("-->")).toHaveLength(2);
      }),
    );
  });
});

const file = "acl.tf";
const address = net("a");
const placed = (effects: readonly Effect[], place: Place = { file, line: 7 }): Review => ({
  ...reviewOf([]),
  name: "stack",
  effects,
  places: new Map([[undefined, new Map([[address, place]])]]),
});
const destroyed = (more?: object): Effect => ({ ...effect("TNF-DESTROYED", factsOf("Text."), { address }), ...more });

describe("annotations", () => {
  test("are at most ten of a kind, in one line each", () => {
    const sets = Array.from({ length: 30 }, (_, index) =>
      change(set(`s${index}`), members(`org_${index}`, ["a\nb"]), members(`org_${index}`, [])),
    );
    const lines = toAnnotations([reviewOf(sets)])
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("::error title=Tenantform::21 more: see the review.");
  });

  test("leave out what was so before the plan", () => {
    expect(toAnnotations([placed([destroyed({ already: true }), destroyed()])])).toMatch(
      /^::notice file=acl\.tf,line=7,title=TNF-DESTROYED \(low\)::Text\. https:\S+effects\.md#tnf-destroyed\n$/,
    );
  });
});

describe("SARIF", () => {
  const runOf = (review: Review, root?: string) => (toSarif([review], version, root) as any).runs[0];
  const locationsOf = (review: Review, root?: string) =>
    runOf(review, root).results.map(({ locations }: any) => locations[0].physicalLocation);
  const fallback = { artifactLocation: { uri: "stack" }, region: { startLine: 1 } };
  const here = { artifactLocation: { uri: file, uriBaseId: "%SRCROOT%" }, region: { startLine: 7 } };
  const first = { ...here, region: { startLine: 1 } };
  const outside = { file: "../beside/acl.tf", line: 7 };

  test.each<[string, Review, string | undefined, object]>([
    ["an index", placed([destroyed({ subject: { address: `${address}[0]` } })]), undefined, here],
    ["a key", placed([destroyed({ subject: { address: `${address}["a.b[\\"0\\"]"]` } })]), undefined, here],
    ["another address", placed([destroyed({ subject: { address: net("b") } })]), undefined, first],
    ["no address", placed([effect("TNF-INCOMPLETE", factsOf("Text."))]), undefined, first],
    ["a file outside of the repository", placed([destroyed()], outside), undefined, fallback],
    ["another repository", placed([destroyed()]), path.resolve("..", "nowhere"), fallback],
    [
      "a hostile name of a file",
      placed([destroyed()], { file: "http:a/?b#c%20\ud800\n/é.tf", line: 7 }),
      undefined,
      { artifactLocation: { uri: "http%3Aa/%3Fb%23c%2520%EF%BF%BD%0A/%C3%A9.tf" } },
    ],
    [
      "a hostile name of a plan",
      { ...placed([effect("TNF-INCOMPLETE", factsOf("Text."))], outside), name: "http:a/?b#c" },
      undefined,
      { artifactLocation: { uri: "http%3Aa/%3Fb%23c" } },
    ],
  ])("places an effect with %s", (_what, review, root, location) => {
    expect(locationsOf(review, root)).toMatchObject([location]);
  });

  test("marks what was so before the plan as an unchanged note", () => {
    const lockout = (more: Partial<Effect>) => effect("TNF-ACL-LOCKOUT", factsOf("Text."), { address, ...more });
    const [old, recent] = runOf(placed([lockout({ already: true }), lockout({})])).results;
    expect(old).toMatchObject({ level: "note", baselineState: "unchanged" });
    expect(recent).toMatchObject({ level: "error" });
    expect(recent).not.toHaveProperty("baselineState");
  });

  test("has a rule for each code, with a title, its meaning, and a link to its section", () => {
    const { rules } = runOf(placed([])).tool.driver;
    expect(rules.map(({ id }: any) => id)).toEqual(findingCodes);
    for (const { id, shortDescription, fullDescription, helpUri, help } of rules) {
      expect(shortDescription.text).toMatch(/^[A-Z][^.]{5,70}$/);
      expect(fullDescription.text).toMatch(/^[A-Z].*\.$/);
      expect(helpUri).toMatch(new RegExp(`/blob/main/docs/guides/effects\\.md#${id.toLowerCase()}$`));
      expect([help.text.includes(helpUri), help.markdown.includes(`(${helpUri})`)]).toEqual([true, true]);
    }
  });
});

test("a place is that of the plan of the effect, and none if two plans have the address", () => {
  const places = new Map([
    ["edge", new Map([[address, { file: "edge.tf", line: 1 }]])],
    ["base", new Map([[address, { file: "base.tf", line: 2 }]])],
    ["other", new Map()],
  ]);
  expect(placeOf({ places }, `${address}[1]`, "base")).toEqual({ file: "base.tf", line: 2 });
  for (const name of ["other", "unknown", undefined]) expect(placeOf({ places }, address, name)).toBeUndefined();
  expect(placeOf({ places }, undefined, "base")).toBeUndefined();
});

describe("the page", () => {
  const page = (...changes: Values[]) => toHtml(pagesOf([reviewOf(changes)]));
  const closed = acl(9, { action: block, match_all: true, scope: "authentication" }, { description: "Closed" });
  const draft = (active: boolean) =>
    acl(40, { action: block, not_match: { geo_country_codes: ["FR", "IT"] }, scope: "authentication" }, { active });
  const switched = change(net("draft"), draft(false), draft(true));

  test("has the verdict as its title and first heading, with its level as text, and one article for each review", () => {
    const html = toHtml(pagesOf([mixed, mixed]));
    const [, title] = /<title>(.*?)<\/title>/.exec(html)!;
    expect(title).toMatch(/^✖ high: /);
    expect(/<h1>(.*?)<\/h1>/s.exec(html)![1]).toContain(title);
    expect([html.match(/<main>/g)?.length, html.match(/<article>/g)?.length]).toEqual([1, 2]);
  });

  test("shows the share of an effect and the most affected countries as bars with figures", () => {
    const html = page(switched);
    expect(html).toMatch(/<ul class="bars"><li><span>[^<]*sign-in[^]*?width:9\d\.\d\d%[^]*?about 9\d %/);
    const [, first, bar, figure] =
      /Countries with blocked requests<\/h3>\s*<ul class="bars"><li><span>(.*?)<\/span>([^]*?)<span>(.*?)<\/span><\/li>/.exec(
        html,
      )!;
    expect([first, figure]).toEqual(["China (CN)", "all of 1.02 billion Internet users"]);
    expect(bar).toContain("width:100.00%");
    expect(html).toMatch(/and \d+ more countries/);
    expect(html).not.toContain("France (FR)</span>");
    const office = acl(1, { action: allow, match: { ipv4_cidrs: ["203.0.113.0/24"] } });
    expect(page(kept(net("office"), office), switched)).toContain("almost all of 1.02 billion Internet users");
    expect(page(change(net("closed"), null, closed))).toContain("All countries alike: all of their requests.");
  });

  test("shows no bars if they would reveal a sensitive value", () => {
    const sensitive = { rule: { not_match: { geo_country_codes: true } } };
    const html = page(change(net("draft"), draft(false), draft(true), { sensitive }));
    expect(html).not.toContain('class="bars"');
    expect(html.slice(html.indexOf("<body>"), html.indexOf("<script>"))).not.toMatch(/\b(FR|IT)\b/);
  });

  test("shows the order of evaluation only if it changes", () => {
    const moved = change(net("closed"), closed, { ...closed, priority: 30 });
    expect(page(moved)).not.toContain("Order of evaluation");
    expect(page(moved, kept(net("net"), acl(10, { action: allow, match: { asns: [1] } })))).toContain(
      "Order of evaluation",
    );
    expect(page(switched)).toContain("Order of evaluation");
  });

  test("folds 300 changed ACLs, and stays below 2 MB", () => {
    const rule = (index: number, shift: number) => ({
      action: index % 3 ? block : allow,
      match: { ipv4_cidrs: [`10.${index % 256}.${shift}.0/26`] },
    });
    const html = page(
      ...Array.from({ length: 300 }, (_, index) =>
        change(net(`n[${index}]`), acl(index + 1, rule(index, 0)), acl(index + 1, rule(index, 1))),
      ),
    );
    expect(html.length).toBeLessThan(2_000_000);
    const open = html
      .slice(html.indexOf("<body>"), html.indexOf("<script"))
      .replaceAll(/<details[\s\S]*?<\/details>/g, "");
    expect(open.match(/<li>/g)!.length).toBeLessThan(60);
  });
});
