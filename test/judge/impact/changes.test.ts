/** All effects of a change of network ACLs but those of keys: codes, levels, whether they were so before, and words. */
import { worded } from "./support/worded";
import type { Marks, PlannedObject, Values } from "../../../src/judge/impact/model";
import { unchangedAcls, type PlannedAcl } from "../../../src/judge/impact/network-acl/acl";
import { analyseAcls, unreachableAcls } from "../../../src/judge/impact/network-acl/analysis";
import { sameKeyEffects } from "../../../src/judge/impact/objects/same-key";
import { judgeAcls, manyAclsEffects } from "../../../src/judge/impact/network-acl/changes";
import { aclEffects } from "../../../src/judge/impact/network-acl/effects";
import { titleOf } from "../../../src/judge/impact/network-acl/words";
import { shadowWords } from "../../../src/judge/impact/words/acl";
import { acl, allow, everywhere, log } from "./support/acls";
import { table } from "./support/table";

const unknown = (name = "what is not known of acl.1") => Symbol(name);
const asn = (...asns: unknown[]) => ({ match: { asns } });
const addresses = (...ipv4_cidrs: string[]) => ({ match: { ipv4_cidrs } });
const letsIn = (rule: Values) => ({ action: allow, ...rule });
const redirect = (redirect_uri: unknown, marks?: Marks) =>
  acl(1, { action: { redirect: true, redirect_uri }, ...asn(1) }, {}, marks);
const logs = (rule: Values, priority = 1) => acl(priority, { action: log, ...rule });
const wall = acl(9, { match: everywhere });

type Acls = readonly PlannedAcl[];
function told(before: Acls, after: Acls, ...hosts: string[]): string[] {
  const own = new Set(hosts);
  const versions = { before, after };
  const objects = after.flatMap(({ address, plan }): PlannedObject[] =>
    address === undefined ? [] : [{ address, type: "tenant_network_acl", actions: ["update"], ...(plan && { plan }) }],
  );
  const effects = [
    ...judgeAcls(analyseAcls(versions, false, own), versions, own),
    ...sameKeyEffects({ objects, remote: {} }, versions),
  ];
  return effects.map((one) => {
    const { code, certainty, level, address, already, text } = worded(one);
    const is = [code.slice("TNF-ACL-".length), certainty, level, address, already && "already"].filter(Boolean);
    return `${is.join(" ")}: ${text}`;
  });
}

test("what happens to requests, and where redirects go", () => {
  const hidden = { rule: { action: { redirect_uri: true } } };
  const other = acl(2, { action: { redirect: true, redirect_uri: "https://b.example" }, ...asn(2) });
  const [a, b] = [redirect("https://a.example"), redirect("https://b.example")];
  const four = [1, 2, 3, 4].map((number) => acl(number + 1, asn(number)));
  const cases: [string, Acls, Acls, ...string[]][] = [
    ["nothing", [acl(1, letsIn(asn(1))), wall], [acl(1, letsIn(asn(1))), wall]],
    [
      "an ACL lets in more",
      [acl(1, letsIn(addresses("198.51.100.0/24"))), wall],
      [acl(1, letsIn(addresses("198.51.0.0/16"))), wall],
    ],
    ["an ACL goes", [acl(1, asn(1))], []],
    ["an ACL blocks", [], [acl(1, asn(1))]],
    ["a redirect becomes a block", [a], [acl(1, asn(1))]],
    ["a new redirect", [], [a]],
    ["a new redirect to a host of the tenant", [], [a], "a.example"],
    ["a new redirect to no URL", [], [redirect("no url")]],
    ["a new sensitive redirect", [], [redirect("https://a.example", hidden)]],
    ["a new redirect that is not known", [], [redirect(unknown())]],
    ["another host", [a], [b]],
    ["another host of the tenant", [a], [b], "b.example"],
    ["another host to which another ACL redirects already", [a, other], [b, other]],
    ["another sensitive host", [redirect("https://a.example", hidden)], [redirect("https://b.example", hidden)]],
    ["another host without https", [a], [redirect("http://b.example")]],
    ["the same host without https", [a], [redirect("http://a.example")]],
    ["the same host with https", [redirect("http://a.example")], [a]],
    ["another address of the host", [redirect("https://a.example/x")], [redirect("https://A.EXAMPLE/y")]],
    ["another text that is no URL", [redirect("no url")], [redirect("no other url")]],
    ["an unknown entry", [], [acl(1, asn(unknown()))]],
    ["an action of two flags", [], [acl(1, { action: { block: true, log: true }, ...asn(1) })]],
    ["a log goes", [logs(asn(1))], []],
    ["a log becomes a block", [logs(asn(1))], [acl(1, asn(1))]],
    ["a log that may go", [logs(asn(1))], [logs(asn(unknown()))]],
    ["a log of other requests", [logs(asn(1))], [logs(asn(2))]],
    ["a new log", [], [logs(asn(1))]],
    ["a new log that is not known", [], [logs(asn(unknown()))]],
    ["a block becomes a log", [acl(1, asn(1))], [logs(asn(1))]],
    ["more entries than are compared", [], [acl(1, { match: { asns: Array.from({ length: 101 }, (_, at) => at) } })]],
    ["an idle priority", [acl(1, asn(1)), acl(2, asn(2))], [acl(1, asn(1), { priority: unknown() }), acl(2, asn(2))]],
  ];
  const texts = table(cases, told);
  expect(texts).toMatchInlineSnapshot(`
    "
    an ACL lets in more: WIDENED certain medium acl.1: Allows sign-in, tokens and client registration for 198.51.0.0-198.51.99.255 and 198.51.101.0-198.51.255.255 (65,280 addresses).
    an ACL goes: OPENED certain high acl.1: Allows sign-in, tokens and client registration for requests with AS number 1.
    an ACL blocks: TIGHTENED certain medium acl.1: Blocks sign-in, tokens and client registration for requests with AS number 1.
    a redirect becomes a block: TIGHTENED certain low acl.1: Blocks sign-in, tokens and client registration for requests with AS number 1, no longer redirected.
    a new redirect: TIGHTENED certain medium acl.1: Redirects sign-in, tokens and client registration to a.example for requests with AS number 1. | REDIRECT certain medium acl.1: "ACL 1" (priority 1) redirects clients to a.example, which is not known as a host of the tenant.
    a new redirect to a host of the tenant: TIGHTENED certain medium acl.1: Redirects sign-in, tokens and client registration to a.example for requests with AS number 1.
    a new redirect to no URL: TIGHTENED certain medium acl.1: Redirects sign-in, tokens and client registration to no url for requests with AS number 1. | REDIRECT certain medium acl.1: "ACL 1" (priority 1) redirects clients to an unreadable host, which is not known as a host of the tenant.
    a new sensitive redirect: TIGHTENED certain medium acl.1: Redirects sign-in, tokens and client registration for requests that are not shown, because a value is sensitive.
    a new redirect that is not known: TIGHTENED certain medium acl.1: Redirects sign-in, tokens and client registration for requests with AS number 1.
    another host: REDIRECT certain high acl.1: Redirects sign-in, tokens and client registration to b.example instead of a.example for requests with AS number 1.
    another host of the tenant: REDIRECT certain low acl.1: Redirects sign-in, tokens and client registration to b.example instead of a.example for requests with AS number 1.
    another host to which another ACL redirects already: REDIRECT certain high acl.1: Redirects sign-in, tokens and client registration to b.example instead of a.example for requests with AS number 1.
    another sensitive host: REDIRECT certain high acl.1: Redirects sign-in, tokens and client registration for requests that are not shown, because a value is sensitive.
    another host without https: REDIRECT certain high acl.1: Redirects sign-in, tokens and client registration to b.example instead of a.example for requests with AS number 1. | REDIRECT certain high acl.1: "ACL 1" (priority 1) redirects clients to a URI without https instead of one with https.
    the same host without https: REDIRECT certain low acl.1: Redirects sign-in, tokens and client registration to another address of a.example for requests with AS number 1. | REDIRECT certain high acl.1: "ACL 1" (priority 1) redirects clients to a URI without https instead of one with https.
    the same host with https: REDIRECT certain low acl.1: Redirects sign-in, tokens and client registration to another address of a.example for requests with AS number 1.
    another address of the host: REDIRECT certain low acl.1: Redirects sign-in, tokens and client registration to another address of a.example for requests with AS number 1.
    another text that is no URL: REDIRECT certain high acl.1: Redirects sign-in, tokens and client registration to no other url instead of no url for requests with AS number 1.
    an unknown entry: TIGHTENED possible high acl.1: May block sign-in, tokens and client registration for everyone. Not certain, because match.asns of acl.1 is known only after the apply.
    an action of two flags: TIGHTENED possible medium acl.1: May block sign-in, tokens and client registration for requests with AS number 1. Not certain, because action of acl.1 has a value that this version does not read. | TIGHTENED possible medium acl.1: May redirect sign-in, tokens and client registration for requests with AS number 1. Not certain, because action of acl.1 has a value that this version does not read.
    a log goes: UNRECORDED certain medium acl.1: No longer logged: requests with AS number 1 (sign-in, tokens and client registration).
    a log becomes a block: TIGHTENED certain medium acl.1: Blocks sign-in, tokens and client registration for requests with AS number 1.
    a log that may go: RECORDED possible info acl.1: May be newly logged: everyone, except requests with AS number 1 (sign-in, tokens and client registration). Not certain, because match.asns of acl.1 is known only after the apply.
    a log of other requests: UNRECORDED certain medium acl.1: No longer logged: requests with AS number 1 (sign-in, tokens and client registration). | RECORDED certain info acl.1: Newly logged: requests with AS number 2 (sign-in, tokens and client registration).
    a new log: RECORDED certain info acl.1: Newly logged: requests with AS number 1 (sign-in, tokens and client registration).
    a new log that is not known: RECORDED possible info acl.1: May be newly logged: everyone (sign-in, tokens and client registration). Not certain, because match.asns of acl.1 is known only after the apply.
    a block becomes a log: OPENED certain high acl.1: Allows sign-in, tokens and client registration for requests with AS number 1.
    more entries than are compared: TIGHTENED possible high acl.1: May block sign-in, tokens and client registration for everyone. Not certain, because match.asns of acl.1 has a value that this version does not read.
    nothing: nothing; an idle priority
    "
  `);
  const found = analyseAcls({ before: four, after: [acl(1, letsIn(asn(1, 2, 3, 4))), ...four] });
  const [widened] = judgeAcls(found, { before: four, after: found.after }, new Set());
  expect([widened!.cause, widened!.examples.map((one) => one.asn)]).toEqual([
    [{ address: "acl.1", change: { kind: "created" } }],
    [1, 1],
  ]);
});

test("rules that do not do what they say", () => {
  const country = (side: string, ...codes: string[]) => acl(1, { [side]: { geo_country_codes: codes } });
  const [office, home] = [acl(2, asn(1)), acl(9, {})];
  const first = acl(1, { match: everywhere });
  const parts = [acl(3, asn(1, 2)), acl(4, asn(3)), acl(6, asn(1, 3))];
  const twice = [acl(7, {}, { id: "acl_a" }), { ...acl(7, {}, { id: "acl_b" }), key: "acl.b" }] as const;
  const secret = [acl(7, {}, {}, { priority: true }), { ...acl(7, {}, { id: "acl_b" }), key: "acl.b" }];
  const cases: [string, Acls, Acls][] = [
    ["a code that no request has", [], [country("match", "UK")]],
    ["such a code beside a real one", [country("match", "FR")], [country("match", "FR", "UK")]],
    ["such a code in not_match", [country("not_match", "GB")], [country("not_match", "GB", "UK")]],
    ["a region that no request has", [], [acl(1, { match: { geo_subdivision_codes: ["UK-ENG"] } })]],
    ["such a code that stays", [country("match", "FR", "UK")], [country("match", "FR", "UK")]],
    ["a shadowed ACL stays", [first, office], [acl(1, { match: everywhere }), acl(2, asn(1))]],
    ["a shadowed ACL stays, and another changes", [first, office, home], [first, office, { ...home, active: false }]],
    ["a shadowed ACL stays, with a better explanation", parts, [acl(1, letsIn(asn(1, 3))), ...parts]],
    ["a new shadowed ACL", [first], [first, office]],
    ["a shadowed ACL is switched on", [first, { ...office, active: false }], [first, office]],
    ["a shadowed ACL is replaced", [first, office], [first, acl(2, asn(1), { id: unknown() })]],
    ["a new ACL shadows it", [office], [first, office]],
    ["one priority", [twice[0]], twice],
    ["one priority that stays", twice, twice],
    ["one sensitive priority", [], secret],
    ["one priority of two tenants", [], [twice[0], { ...twice[1], tenantUnknown: true }]],
    ["two unknown priorities", [], [1, 2].map((id) => acl(id, asn(id), { priority: unknown() }))],
  ];
  const rules = (before: Acls, after: Acls) =>
    told(before, after).filter((line) => !/^(WIDENED|OPENED|TIGHTENED)/.test(line));
  expect(table(cases, rules)).toMatchInlineSnapshot(`
    "
    a code that no request has: NO-SUCH-CODE certain medium acl.1: \`match\` of "ACL 1" (priority 1) names UK, which no request has: GB (United Kingdom) is meant, so the entry matches nobody. | SHADOWED certain medium acl.1: "ACL 1" (priority 1) can never match: no request has all that its own criteria demand.
    such a code beside a real one: NO-SUCH-CODE certain medium acl.1: \`match\` of "ACL 1" (priority 1) names UK, which no request has: GB (United Kingdom) is meant, so the entry matches nobody.
    such a code in not_match: NO-SUCH-CODE certain high acl.1: \`not_match\` of "ACL 1" (priority 1) names UK, which no request has: GB (United Kingdom) is meant, so the entry excludes nobody, and the rule applies to everybody from GB too.
    a region that no request has: NO-SUCH-CODE certain medium acl.1: \`match\` of "ACL 1" (priority 1) names UK-ENG, which no request has: GB-ENG is meant, so the entry matches nobody. | SHADOWED certain medium acl.1: "ACL 1" (priority 1) can never match: no request has all that its own criteria demand.
    such a code that stays: NO-SUCH-CODE certain medium acl.1 already: \`match\` of "ACL 1" (priority 1) names UK, which no request has: GB (United Kingdom) is meant, so the entry matches nobody.
    a shadowed ACL stays: SHADOWED certain medium acl.2 already: "ACL 2" (priority 2) can never match: shadowed by "ACL 1" (priority 1).
    a shadowed ACL stays, and another changes: SHADOWED certain medium acl.2 already: "ACL 2" (priority 2) can never match: shadowed by "ACL 1" (priority 1).
    a shadowed ACL stays, with a better explanation: SHADOWED certain medium acl.4: "ACL 4" (priority 4) can never match: shadowed by "ACL 1" (priority 1). | SHADOWED certain medium acl.6 already: "ACL 6" (priority 6) can never match: shadowed by "ACL 1" (priority 1).
    a new shadowed ACL: SHADOWED certain medium acl.2: "ACL 2" (priority 2) can never match: shadowed by "ACL 1" (priority 1).
    a shadowed ACL is switched on: SHADOWED certain medium acl.2: "ACL 2" (priority 2) can never match: shadowed by "ACL 1" (priority 1).
    a shadowed ACL is replaced: SHADOWED certain medium acl.2: "ACL 2" (priority 2) can never match: shadowed by "ACL 1" (priority 1).
    a new ACL shadows it: SHADOWED certain medium acl.2: "ACL 2" (priority 2) can never match: shadowed by "ACL 1" (priority 1).
    one priority: SAME-PRIORITY certain high acl.7: \`priority\` is 7 for acl.7 and for acl.7, but a tenant can have only one network ACL with the same \`priority\`. Give one of the two another \`priority\`.
    one priority that stays: SAME-PRIORITY certain high acl.7 already: \`priority\` is 7 for acl.7 and for acl.7, but a tenant can have only one network ACL with the same \`priority\`. Give one of the two another \`priority\`.
    one sensitive priority: SAME-PRIORITY certain high acl.7: \`priority\` is (sensitive) for acl.7 and for acl.7, but a tenant can have only one network ACL with the same \`priority\`. Give one of the two another \`priority\`.
    nothing: one priority of two tenants; two unknown priorities
    "
  `);
});

test("ACLs that match no request, with the ACLs that shadow them", () => {
  const many = Array.from({ length: 8 }, (_, index) => acl(index + 10, asn(unknown(`n${index}`))));
  const narrow = acl(2, asn(1));
  const cases: [string, Acls][] = [
    ["many others are unknown", [acl(1, asn(1, 2)), narrow, ...many]],
    ["one matches a part", [acl(1, asn(1)), acl(2, asn(1, 2))]],
    ["one logs", [logs(asn(1)), narrow]],
    ["one is inactive", [acl(1, asn(1), { active: false }), narrow]],
    ["one has another scope", [acl(1, { ...asn(1), scope: "management" }), narrow]],
    ["one has an unknown rule", [acl(1, { match: unknown() }), narrow]],
    ["one has an unknown priority", [acl(1, asn(1), { priority: unknown() }), narrow]],
    ["one may belong to another tenant", [{ ...acl(1, asn(1)), tenantUnknown: true }, narrow]],
  ];
  const shadowed = (acls: Acls) =>
    unreachableAcls(acls).map(
      ({ acl: one, shadowedBy }) => `${String(one.priority)} by ${shadowedBy.map((by) => by.priority).join()}`,
    );
  expect(table(cases, shadowed)).toMatchInlineSnapshot(`
    "
    many others are unknown: 2 by 1
    nothing: one matches a part; one logs; one is inactive; one has another scope; one has an unknown rule; one has an unknown priority; one may belong to another tenant
    "
  `);
  expect(shadowWords([])).toBe("no request has all that its own criteria demand");
});

test("an ACL with the same unknown part on both sides is unchanged", () => {
  const open = () => acl(1, asn(unknown()));
  expect(unchangedAcls({ before: [open()], after: [open()] }).size).toBe(1);
  expect(unchangedAcls({ before: [acl(1, asn(1))], after: [open()] }).size).toBe(0);
});

test("proves nothing if the tenant may have more ACLs, and hides sensitive values in assumptions", () => {
  const versions = { before: [wall], after: [wall] };
  expect([analyseAcls(versions).proven, analyseAcls(versions, true).proven]).toEqual([true, false]);
  const asleep = acl(1, asn(1), { active: false });
  expect(analyseAcls({ before: [wall, asleep], after: [asleep, wall] }).before).toEqual([wall]);
  const secret = acl(1, { ...asn(1), later: "shh" }, {}, { rule: { later: true } });
  const assumptions = aclEffects(analyseAcls({ before: [], after: [secret] })).flatMap((one) => one.assumptions);
  expect(assumptions.length).toBeGreaterThan(0);
  expect(JSON.stringify(assumptions)).not.toContain("shh");
});

test("titles an ACL by its description, else its address, else its id", () => {
  const { address: _address, ...unmanaged } = acl(1, {}, { description: null });
  const { id: _id, ...nameless } = unmanaged;
  const all = [
    undefined,
    acl(1, {}),
    acl(1, {}, { description: null }),
    unmanaged,
    nameless,
    { ...acl(1, {}), tenantUnknown: true as const },
    acl(1, {}, { priority: unknown() }),
    acl(1, {}, {}, { priority: true }),
  ];
  expect(all.map(titleOf)).toEqual([
    "No ACL",
    '"ACL 1" (priority 1)',
    "acl.1 (priority 1)",
    "acl_1 (priority 1)",
    "an ACL (priority 1)",
    '"ACL 1" (priority 1, perhaps another tenant\'s)',
    '"ACL 1" (priority not known yet)',
    '"ACL 1" (priority (sensitive))',
  ]);
});

test("more than ten ACLs are announced if the plan adds some of them", () => {
  const acls = (count: number) => Array.from({ length: count }, (_, index) => acl(index + 1, {}));
  const announced = (before: number, after: number) => manyAclsEffects({ before: acls(before), after: acls(after) });
  expect([announced(0, 10), announced(12, 12), announced(13, 12)]).toEqual([[], [], []]);
  expect(announced(10, 11).map(worded)).toMatchObject([
    { code: "TNF-ACL-MANY", level: "info", text: expect.stringMatching(/^After the apply, there are 11 network ACLs/) },
  ]);
});
