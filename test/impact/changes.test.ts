/** Findings about the outcome of requests. */
import { analyseAcls } from "../../src/impact/network-acl/analysis";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { judgeAcls } from "../../src/impact/network-acl/changes";
import { acl, allow, everywhere, log } from "./support/acls";

const effects = (before: readonly PlannedAcl[], after: readonly PlannedAcl[], hosts: readonly string[] = []) =>
  judgeAcls(analyseAcls({ before, after }), { before, after }, new Set(hosts));
const codes = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) =>
  effects(before, after).map(({ code, level, address }) => [code, level, address]);

const wall = acl(9, { match: everywhere });
const small = { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } };
const large = { action: allow, match: { ipv4_cidrs: ["198.51.0.0/16"] } };
const redirect = (redirect_uri: unknown) => ({ action: { redirect: true, redirect_uri }, match: { asns: [1] } });

test("reports requests that an ACL newly allows as widened", () => {
  expect(codes([acl(1, small), wall], [acl(1, large), wall])).toEqual([["TNF-ACL-WIDENED", "medium", "acl.1"]]);
});

test("reports requests that no ACL matches any more as opened, at the ACL that blocked them", () => {
  expect(codes([acl(1, { match: { asns: [1] } })], [])).toEqual([["TNF-ACL-OPENED", "high", "acl.1"]]);
});

test.each([
  ["allowed to blocked", "medium", [], [acl(1, { match: { asns: [1] } })]],
  ["redirected to blocked", "low", [acl(1, redirect("https://a.example"))], [acl(1, { match: { asns: [1] } })]],
])("reports requests that change from %s as tightened", (_what, level, before, after) => {
  expect(codes(before, after)).toEqual([["TNF-ACL-TIGHTENED", level, "acl.1"]]);
});

test("reports a new redirect as tightened, and its target unless it is a host of the tenant", () => {
  const after = [acl(1, redirect("https://status.example.net/x"))];
  expect(codes([], after)).toEqual([
    ["TNF-ACL-TIGHTENED", "medium", "acl.1"],
    ["TNF-ACL-REDIRECT", "medium", "acl.1"],
  ]);
  expect(effects([], after)[1]!.text).toContain("redirects clients to status.example.net, which");
  expect(effects([], after, ["status.example.net"])).toHaveLength(1);
  expect(effects(after, after)).toEqual([]);
  expect(effects([], [acl(1, redirect("no url"))])[1]!.text).toContain("to an unreadable host,");
  const sensitive = { rule: { action: { redirect_uri: true } } };
  expect(effects([], [acl(1, redirect("https://status.example.net"), {}, sensitive)])).toHaveLength(1);
  expect(effects([], [acl(1, redirect(Symbol("unknown")))]).map(({ code }) => code)).not.toContain("TNF-ACL-REDIRECT");
});

test("reports a redirect with another target as neither opened nor tightened", () => {
  const [before, after] = ["https://a.example", "https://b.example"].map((uri) => [acl(1, redirect(uri))]);
  expect(codes(before!, after!)).toEqual([["TNF-ACL-REDIRECT", "high", "acl.1"]]);
});

test("reports a changed ACL once, with examples", () => {
  const before = [1, 2, 3, 4].map((asn) => acl(asn + 1, { match: { asns: [asn] } }));
  const [found, ...others] = effects(before, [acl(1, { action: allow, match: { asns: [1, 2, 3, 4] } }), ...before]);
  expect(found).toMatchObject({ code: "TNF-ACL-WIDENED", cause: [{ address: "acl.1", words: "is created" }] });
  expect(found!.examples.map(({ asn }) => asn)).toEqual([1, 2, 3]);
  expect(others.map(({ code }) => code)).not.toContain("TNF-ACL-WIDENED");
});

test("reports requests that no ACL logs any more", () => {
  expect(effects([acl(1, { action: log, match: { asns: [1] } })], [])).toMatchObject([
    { code: "TNF-ACL-UNRECORDED", level: "medium", address: "acl.1", examples: [{ path: "/authorize", asn: 1 }] },
  ]);
});

test("reports no lost log if the requests are blocked after the change, or if the loss is not certain", () => {
  const asn = { match: { asns: [1] } };
  const before = [acl(1, { action: log, ...asn })];
  const codesAfter = (...after: PlannedAcl[]) => effects(before, after).map(({ code }) => code);
  expect(codesAfter(acl(1, asn))).toEqual(["TNF-ACL-TIGHTENED"]);
  expect(codesAfter(acl(1, { action: log, match: { asns: [Symbol("unknown")] } }))).toEqual(["TNF-ACL-RECORDED"]);
  expect(codesAfter(acl(1, { action: log, match: { asns: [2] } }))).toEqual(["TNF-ACL-UNRECORDED", "TNF-ACL-RECORDED"]);
});

test("tells which ACLs log requests that the tenant did not record before", () => {
  const recorded = (before: readonly PlannedAcl[], ...after: PlannedAcl[]) =>
    analyseAcls({ before, after }).recorded.map(({ acl: one, certainty }) => [one.address, certainty]);
  const logging = acl(1, { action: log, match: { asns: [1] } });
  expect(recorded([], logging)).toEqual([["acl.1", "certain"]]);
  expect(recorded([], acl(1, { action: log, match: { asns: [Symbol("unknown")] } }))).toEqual([["acl.1", "possible"]]);
  expect(recorded([logging], logging)).toEqual([]);
  expect(recorded([acl(1, { match: { asns: [1] } })], logging)).toEqual([]);
});

test("names the assumption of a change", () => {
  const unknown = Symbol("what is not known of acl.1");
  const found = effects([], [acl(1, { match: { asns: [unknown] } })]);
  expect(found).toMatchObject([{ code: "TNF-ACL-TIGHTENED", level: "high", certainty: "possible" }]);
  expect(found[0]!.assumptions).toEqual([expect.stringMatching(/^what is not known of acl\.1 /)]);
  expect(found[0]!.text).toMatch(/, if what is not known of acl\.1 /);
});

test("proves nothing if the tenant may have more ACLs", () => {
  const versions = { before: [wall], after: [wall] };
  expect(analyseAcls(versions).proven).toBe(true);
  expect(analyseAcls(versions, true).proven).toBe(false);
});

test("keeps inactive ACLs out of the order of evaluation, and hides sensitive values in assumptions", () => {
  const asleep = acl(1, { match: { asns: [1] } }, { active: false });
  expect(analyseAcls({ before: [wall, asleep], after: [asleep, wall] }).before).toEqual([wall]);
  const secret = acl(1, { match: { asns: [1] }, later: "shh" }, {}, { rule: { later: true } });
  const { changes, secrets } = analyseAcls({ before: [], after: [secret] });
  expect(secrets).toContain("later");
  expect(changes.flatMap(({ assumptions }) => assumptions).length).toBeGreaterThan(0);
  expect(JSON.stringify(changes.map(({ assumptions }) => assumptions))).not.toContain("shh");
});

test("reports no effect without a change", () => {
  expect(effects([acl(1, small), wall], [acl(1, small), wall])).toEqual([]);
});
