/** The plan warning tells what each edit of an ACL does, and which of them it tells by default. */
import type { NetworkAclBody } from "../../src/tenant/network-acls";
import { openReview, type Planned } from "./support/reviewing";
import { eachTest } from "../support/each-test";

const review = eachTest(openReview);

const rule = { action: { block: true }, match: { ipv4_cidrs: ["10.0.0.0/8"] }, scope: "authentication" };
const wide = { action: { allow: true }, match: { ipv4_cidrs: ["10.0.0.0/8"] }, scope: "authentication" };

let made = 0;
/** Adds an ACL to the tenant, and changes it. */
function changed(before: object, after: object, rest: { from?: object; to?: object } = {}): Planned {
  const priority = ++made;
  const id = `acl_${"1".repeat(19)}${String(100 + made).replaceAll("0", "A")}`;
  const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const body = { description: `acl ${made}`, active: true, priority, rule: before, ...rest.from };
  review.emulator.store.networkAcls.put({ id, ...times, ...(body as NetworkAclBody) });
  return {
    kind: "network_acl",
    prior: { id, ...times, ...body },
    config: { ...body, rule: after, ...rest.to },
  };
}

const summaries = async (objects: readonly Planned[], block: object = {}) => {
  const { errors, warnings } = await review.planAll(objects, { lockout_guard: "off", ...block });
  expect(errors).toEqual([]);
  return warnings.map(({ summary }) => summary);
};

test("shows a grave change by default, and lesser effects only from the level of plan_warnings", async () => {
  const allow = { ...rule, action: { allow: true } };
  const of = (...ipv4_cidrs: string[]) => ({ match: { ipv4_cidrs } });
  const office = of("192.0.2.0/24").match;
  const cases: [string, object, object, { from?: object; to?: object }?][] = [
    ["a block turned into an allow", rule, allow],
    ["a block turned into a log", rule, { ...rule, action: { log: true } }],
    ["an allow turned into a block", allow, rule],
    ["a block that loses a signal", { ...rule, match: { ...rule.match, geo_country_codes: ["DE"] } }, rule],
    ["a block that loses its exceptions", { ...rule, not_match: { asns: [1] } }, rule],
    ["a block that changes its scope", { ...rule, scope: "tenant" }, rule],
    ["a block of fewer addresses", rule, { ...rule, ...of("10.0.0.0/9", "10.128.0.0/10", "10.192.0.0/11") }],
    ["match turned into not_match", rule, { action: rule.action, not_match: rule.match, scope: rule.scope }],
    [
      "a block with one more exception",
      { ...rule, not_match: of("10.1.0.0/16").match },
      { ...rule, not_match: of("10.1.0.0/16", "10.2.0.0/16", "192.0.2.0/24").match },
    ],
    ["a block with an exception", rule, { ...rule, not_match: { asns: [1] } }],
    ["an allow of more", wide, { ...wide, ...of("10.0.0.0/7") }],
    ["an allow of a wider scope", wide, { ...wide, scope: "tenant" }],
    ["an allow that loses a signal", { ...wide, match: { ...wide.match, asns: [1] } }, wide],
    ["a block that is switched off", rule, rule, { to: { active: false } }],
    ["an allow that is switched on", wide, wide, { from: { active: false }, to: { active: true } }],
    ["another description", rule, rule, { to: { description: "other words" } }],
    ["a block of more", rule, { ...rule, ...of("10.0.0.0/7") }],
    ["an allow of less", wide, { ...wide, ...of("10.0.0.0/9") }],
    ["the same addresses as two CIDR blocks", wide, { ...wide, ...of("10.0.0.0/9", "10.128.0.0/9") }],
    ["an exception that matches no request", rule, { ...rule, not_match: office }],
    ["an inactive ACL", rule, wide, { from: { active: false } }],
    ["another priority", rule, rule, { to: { priority: 99 } }],
  ];
  const told: string[] = [];
  for (const [what, before, after, rest] of cases) {
    review.emulator.reset();
    made = 0;
    const [warning, ...more] = await summaries([changed(before, after, rest)]);
    expect(more).toEqual([]);
    if (warning !== undefined) told.push(what);
  }
  expect(told).toEqual([
    "a block turned into an allow",
    "a block turned into a log",
    "an allow turned into a block",
    "a block that loses its exceptions",
    "a block that changes its scope",
    "a block of fewer addresses",
    "match turned into not_match",
    "a block with one more exception",
    "a block with an exception",
    "a block that is switched off",
  ]);
  const more = changed(rule, { ...rule, ...of("10.0.0.0/7") });
  expect([await summaries([more]), await summaries([more], { plan_warnings: "info" })]).toEqual([
    [],
    [expect.stringMatching(/^● Blocks sign-in.*\[TNF-ACL-TIGHTENED\]$/)],
  ]);
  expect(await summaries([changed(rule, allow)], { plan_warnings: "off" })).toEqual([]);
});
