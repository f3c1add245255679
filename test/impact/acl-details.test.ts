/** Network ACLs in detail: versions, sensitive texts, entries, keys, and the texts of findings. */
import { analyseAcls } from "../../src/impact/network-acl/analysis";
import { aclFrom, secretTexts, type PlannedAcl } from "../../src/impact/network-acl/acl";
import { aclFindings } from "../../src/impact/network-acl/changes";
import { isDangerous } from "../../src/impact/network-acl/danger";
import { earlyAccessIn } from "../../src/impact/network-acl/early-access";
import { entryChanges } from "../../src/impact/network-acl/entries";
import { aclsNaming, keyFindings, keysIn, replacedWords } from "../../src/impact/network-acl/keys";
import { priorityFindings } from "../../src/impact/network-acl/priorities";
import { countWords } from "../../src/impact/network-acl/count-words";
import { ruleChanges } from "../../src/impact/network-acl/rule-changes";
import { aclVersions } from "../../src/impact/network-acl/versions";
import type { PlannedObject, Values } from "../../src/impact/model";
import { acl, allow, everywhere, planned, values } from "./support/acls";

const unknown = Symbol("unknown");
const asn = { match: { asns: [1] } };

describe("reads an ACL", () => {
  test("without an id and an address", () => {
    const [found] = aclFrom({ ...values(1, asn), id: unknown });
    expect(Object.keys(found!)).toEqual(["description", "key", "active", "priority", "rule", "secret"]);
    expect(found!.key).toBe("ACL 1");
  });

  test("with unknown active or rule", () => {
    const active = (value: unknown) =>
      (aclFrom(values(1, asn, { active: value }))[0]!.rule as unknown as { active: symbol }).active;
    expect(active(unknown)).toBe(unknown);
    expect(active("perhaps").description).toBe('active "perhaps"');
    const [found] = aclFrom({ ...values(1, asn), rule: unknown });
    expect(found!.rule).toEqual({ action: unknown, match: unknown, scope: unknown });
  });

  test("with sensitive properties on either side", () => {
    const not_match = { geo_country_codes: ["DE"], later: "x" };
    const rule = { ...asn, not_match };
    const secret = (marks: object) => [...aclFrom(values(1, rule), { rule: marks } as never)[0]!.secret];
    expect(secret({ not_match: { geo_country_codes: true } })).toEqual(["geo_country_codes"]);
    expect(secret({ not_match: { later: true } })).toEqual(["later"]);
    expect(secret({ match: { hostnames: true } })).toEqual(["hostnames"]);
    expect(aclFrom({ ...values(1, asn), rule: unknown }, { rule: { match: true } })[0]!.secret).not.toContain(
      "Stryker was here",
    );
  });

  test("and lists its sensitive texts, lists as JSON, without empty ones", () => {
    const secret = { rule: { match: { asns: true, later: true, empty: true }, scope: true } };
    const rule = { match: { asns: [1, 2], later: "x", empty: unknown }, scope: "tenant" };
    expect(secretTexts(acl(1, rule, {}, secret))).toEqual(["[1,2]", "x", "tenant"]);
    expect(secretTexts(acl(1, rule))).toEqual([]);
    expect(secretTexts(aclFrom({ ...values(1, {}), rule: unknown })[0]!)).toEqual([]);
  });
});

describe("versions", () => {
  const [old, now] = [values(1, asn), values(1, { match: { asns: [2] } })];

  test("say why an ACL is uncertain", () => {
    const described = (rule: object) =>
      Object.values(rule).flatMap((part) => (typeof part === "symbol" ? [part.description] : []));
    const { before, after } = aclVersions([[planned(old, now, { unplaced: true })]]);
    expect([before, after].map(([one]) => described(one!.rule))).toEqual([
      ["the tenant of acl.x"],
      ["the tenant of acl.x"],
    ]);
    const contested = aclVersions([[planned(old, now)], [planned(old, values(1, {}), { address: "acl.y" })]]);
    expect(contested.before.map(({ rule }) => described(rule))).toEqual([[]]);
    expect(contested.after.map(({ rule }) => described(rule))).toEqual([
      ["the order in which acl.x is applied"],
      ["the order in which acl.y is applied"],
    ]);
  });

  test("treat unknown values as equal", () => {
    const [one, two] = [unknown, Symbol("other")].map((value) => values(1, { match: { asns: [value] } }));
    expect(aclVersions([[planned(old, one!)], [planned(old, two!, { address: "acl.y" })]]).after).toHaveLength(1);
    expect(aclVersions([[planned(old, one!)], [planned(old, old, { address: "acl.y" })]]).after).toHaveLength(2);
    const bare = values(1, { match: { asns: [null] } });
    expect(aclVersions([[planned(old, one!)], [planned(old, bare, { address: "acl.y" })]]).after).toHaveLength(2);
  });

  test("keep different values before the apply, each once", () => {
    const { before, after } = aclVersions([[planned(old, now)], [planned(now, now, { address: "acl.y" })]]);
    expect(before.map(({ key }) => key)).toEqual(["acl.x", "acl.y"]);
    expect(after.map(({ key }) => key)).toEqual(["acl.x"]);
  });

  test("name the plan in a key if any object of another plan has the address", () => {
    const other = planned(undefined, values(3, {}), { address: "acl.z" });
    const second = planned(undefined, values(2, {}));
    const { after } = aclVersions([[planned(undefined, now)], [other, second]]);
    expect(after.map(({ key }) => key)).toEqual(["acl.x of plan 1", "acl.z", "acl.x of plan 2"]);
    expect(after[0]).not.toHaveProperty("plan");
  });

  test("without remote ACLs, and with an unknown imported ACL", () => {
    expect(aclVersions([[]])).toEqual({ before: [], after: [] });
    const { before } = aclVersions([[planned(undefined, now, { isImported: true, importId: "acl_1" })]]);
    expect(before).toHaveLength(1);
    expect("active" in before[0]!.rule).toBe(true);
  });
});

describe("entries", () => {
  const changes = (before: Values, after: Values) => entryChanges(acl(1, before).rule, acl(1, after).rule);

  test("have only a new side when they are added, and only an old side when they are removed", () => {
    expect(changes({}, asn)).toEqual([
      {
        side: "match",
        property: "asns",
        after: { texts: ["1"] },
        added: ["1"],
        removed: [],
        counts: { more: 1n, fewer: 0n },
      },
    ]);
    expect(changes(asn, {})).toMatchObject([{ before: { texts: ["1"] }, removed: ["1"] }]);
    expect(changes(asn, {})[0]).not.toHaveProperty("after");
  });

  test("change if the unknown part of a list changes", () => {
    const [one, two] = [unknown, Symbol("other")].map((value) => ({ match: { asns: [1, value] } }));
    expect(changes(one!, one!)).toEqual([]);
    expect(changes(one!, two!)).toHaveLength(1);
    expect(changes(one!, asn)[0]).not.toHaveProperty("counts");
  });
});

describe("rule changes", () => {
  const words = (before: PlannedAcl, after: PlannedAcl) =>
    ruleChanges({ before: [{ ...before, key: "x" }], after: [{ ...after, key: "x" }] });

  test.each<[string, string, string]>([
    ["asns", "AS number", "AS numbers"],
    ["geo_country_codes", "country", "countries"],
    ["geo_subdivision_codes", "region", "regions"],
    ["ja3_fingerprints", "fingerprint", "fingerprints"],
    ["ja4_fingerprints", "fingerprint", "fingerprints"],
    ["user_agents", "user agent", "user agents"],
    ["hostnames", "host name", "host names"],
    ["auth0_managed", "curated list", "curated lists"],
    ["http_message_signature", "key", "keys"],
    ["ipv4_cidrs", "IPv4 address", "IPv4 addresses"],
    ["ipv6_cidrs", "IPv6 address", "IPv6 addresses"],
    ["connecting_ipv4_cidrs", "connecting IPv4 address", "connecting IPv4 addresses"],
  ])("count %s", (property, one, many) => {
    expect(countWords(property, { more: 1n, fewer: 2n })).toEqual([`1 more ${one}`, `2 fewer ${many}`]);
  });

  test("leave out ACLs without a change", () => {
    expect(words(acl(1, asn), acl(1, asn))).toEqual([]);
  });

  test("say that an ACL is switched on, and name several actions", () => {
    expect(words(acl(1, asn, { active: false }), acl(1, asn))[0]!.words).toEqual(["switched on"]);
    const two = { action: { block: true, allow: true, redirect_uri: "https://a.example" }, ...asn };
    expect(words(acl(1, asn), acl(1, two))[0]!.words).toEqual([
      "action block -> block and allow",
      "redirect_uri none -> https://a.example",
    ]);
  });

  test("say which part is not known, and which part cannot be read", () => {
    const open = (value: unknown) => acl(1, { match: { asns: [1, value] } });
    expect(words(acl(1, asn), open(unknown))[0]!.words).toEqual(["match.asns + (known after apply)"]);
    expect(words(open(unknown), acl(1, asn))[0]!.words).toEqual(["match.asns - (known after apply)"]);
    expect(words(open(unknown), open(unknown))).toEqual([]);
    expect(words(acl(1, asn), open("later"))[0]!.words.join()).toContain("match.asns + ");
    const five = { match: { asns: [1, 2, 3, 4, 5, 6] } };
    expect(words(acl(1, asn), acl(1, five))[0]!.words).toEqual(["match.asns + 2, 3, 4, 5, 6"]);
  });

  test("name only those unknown properties that change", () => {
    const later = (first: number) => acl(1, { ...asn, first, second: 2 });
    expect(words(later(1), later(3))[0]!.words).toEqual(["first, which this version does not know, changes"]);
  });
});

describe("keys", () => {
  const signed = (...ids: unknown[]) => ({ http_message_signature: { keys: ids.map((id) => ({ id })) } });
  const key = (name: string, more: Partial<PlannedObject> = {}): PlannedObject => ({
    address: `key.${name}`,
    type: "tenant_network_acl_key",
    actions: ["delete"],
    before: { id: name, name, fingerprint: name },
    ...more,
  });
  const follow = (name: string, after: Values, actions = ["create", "delete"]) => key(name, { actions, after });
  const texts = (keys: PlannedObject[], before: PlannedAcl[], after: PlannedAcl[]) =>
    keyFindings(keys, { before, after }).map(({ text }) => text);
  const naming = (...ids: unknown[]) => acl(5, { match: signed(...ids) });
  const refused =
    "The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.";

  test("are reported if a rule still names them", () => {
    const both = [key("a"), follow("b", { name: "b2" })];
    expect(texts(both, [], [naming("a", "b")])).toEqual([
      `"ACL 5" (priority 5) still names the key "a" (key.a) and the key "b" (key.b), which will be destroyed or replaced. ${refused}`,
    ]);
    expect(texts([both[1]!], [], [naming("b")])).toEqual([
      `"ACL 5" (priority 5) still names the key "b" (key.b), which will be replaced. ${refused}`,
    ]);
    expect(texts([key("a")], [], [naming("c")])).toEqual([]);
  });

  test("that are rotated tell the signers what to change", () => {
    const change = (old: string) =>
      `Requests that are signed with the old ${old} stop matching, so change the signers together with the apply.`;
    const first =
      "Terraform would delete the old key while the rule still names it, which the tenant refuses: set " +
      "lifecycle { create_before_destroy = true } in the key.";
    const renamed = follow("a", { name: "new", fingerprint: "a" });
    const rotated = follow("b", { name: "b", fingerprint: "other" }, ["delete", "create"]);
    const lead = (keys: string) => `"ACL 5" (priority 5) no longer names the ${keys}, because a new key replaces it.`;
    expect(texts([renamed], [naming("a")], [naming(unknown)])).toEqual([`${lead('key "a" (key.a)')} ${change("id")}`]);
    expect(texts([renamed, rotated], [naming("a", "b")], [naming(unknown)])).toEqual([
      `${lead('key "a" (key.a) and the key "b" (key.b)')} ${change("material")} ${first}`,
    ]);
  });

  test("stay hidden if the rule hid them before", () => {
    const marks = { rule: { match: { http_message_signature: true } } };
    const rotated = follow("a", { name: "b", fingerprint: "other" });
    const secret = acl(5, { match: signed("a") }, {}, marks);
    expect(texts([rotated], [secret], [naming(unknown)])[0]).toContain("no longer names the key (sensitive), because");
    expect(texts([key("a")], [], [secret])[0]).toContain("still names the key (sensitive), which");
  });

  test("need a state and a name to be compared", () => {
    const { before: _before, ...bare } = key("a");
    expect(texts([bare], [], [naming("a")])).toEqual([]);
    expect(replacedWords({ after: { name: "b", fingerprint: "x" } })).toBe(
      'replaced: key "b" takes its place, with another id',
    );
    expect(replacedWords({ before: { fingerprint: "x" } })).toMatch(/^replaced: /);
  });

  test("are found next to unknown keys, and not in null", () => {
    expect(aclsNaming("k", [{ rule: { match: signed("other", unknown) } }], { orPerhaps: true })).toHaveLength(1);
    expect(keysIn({ match: null })).toEqual([]);
    expect(keysIn({ match: { http_message_signature: null } })).toEqual([]);
    expect(keysIn(unknown)).toEqual([unknown]);
  });
});

describe("findings", () => {
  const texts = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) =>
    aclFindings(analyseAcls({ before, after }), { before, after }, new Set()).map(({ text }) => text);
  const wall = acl(9, { match: everywhere });

  test("say what an ACL does now, with an example", () => {
    const open = acl(1, { action: allow, ...asn });
    expect(texts([wall], [open, wall])).toEqual([
      expect.stringMatching(
        /^"ACL 1" \(priority 1\) is created\. Opens sign-in and client registration to requests with AS number 1\. A request such as .*asn 1: was blocked/,
      ),
    ]);
    expect(texts([acl(1, asn)], [])[0]).toMatch(/^"ACL 1" \(priority 1\) is destroyed\. Opens sign-in .* A request/);
    expect(texts([], [acl(1, asn)])[0]).toMatch(/^"ACL 1" \(priority 1\) is created\. Blocks sign-in .* A request/);
  });

  test("list at most five assumptions", () => {
    const many = [1, 2, 3, 4].map((number) => acl(number, { match: { asns: [Symbol(`n${number}`)] } }));
    const text = texts([], many).find((one) => one.includes("only if"))!;
    expect(text).toMatch(/^\d+ changes in outcome only if: .*; .*\.$/);
    expect(text.split("; ").length).toBeLessThanOrEqual(5);
  });

  test("say how to solve equal priorities", () => {
    expect(priorityFindings([acl(7, {}), acl(7, {})], new Set())[0]!.text).toMatch(
      / A tenant has one network ACL for each priority, so the apply fails, or the order of evaluation is not known\. Give each its own priority, from 1 to 100\.$/,
    );
  });

  test("hide sensitive values in assumptions", () => {
    const secret = acl(1, { ...asn, later: "shh" }, {}, { rule: { later: true } });
    const { changes } = analyseAcls({ before: [], after: [secret] });
    const assumptions = changes.flatMap((change) => change.assumptions);
    expect(assumptions.length).toBeGreaterThan(0);
    for (const assumption of assumptions) expect(assumption).toEqual(expect.any(String));
  });
});

test("danger looks at match_all, at activity, and at the ACL alone", () => {
  expect(isDangerous(acl(1, { match_all: true }), acl(1, asn))).toBe(true);
  expect(isDangerous(acl(1, asn, { active: false }), acl(1, { ...asn, action: allow }, { active: false }))).toBe(false);
  expect(isDangerous(acl(1, asn), acl(1, asn))).toBe(false);
  expect(isDangerous(acl(1, asn), acl(2, asn))).toBe(false);
});

test("Early Access features are read from objects only", () => {
  for (const value of [null, undefined, "text", { match: "text" }, { match: null }]) {
    expect(earlyAccessIn(value)).toEqual([]);
  }
});
