/** Reviews plans by their own statements and by those of the base branch: expectations, and the lock-out guard. */
import path from "node:path";
import type { Cause } from "../../src/judge/impact/cause";
import type { Values } from "../../src/judge/impact/model";
import { readBase } from "../../src/review/input/base-branch";
import { distinctNames } from "../../src/review/input/input";
import { parsePlan } from "../../src/review/input/plan";
import { toJson } from "../../src/review/report/json";
import { pagesOf } from "../../src/review/report/sections";
import { toMarkdown } from "../../src/review/report/markdown";
import { toText } from "../../src/review/report/text";
import { tenantsIn } from "../../src/review/input/tenants";
import { expressionsOf } from "../judge/impact/support/channels";
import { acl, allow, block } from "./support/objects";
import { change, codesOf, inState, planText, prior, reviewPlans, reviewTenant } from "./support/plan";
import { faultOf } from "./support/schema";
import { openFolder } from "./support/command";

const { folder, put } = openFolder();
const edge = { stdin: (async function* () {})(), environment: {} };
type Flag = Parameters<typeof readBase>[2];

/** One review for each tenant of the plan. */
async function reviewed(plan: string, base?: unknown, flag: Flag = "--base") {
  const { guards: protect, expectations: expect } = base
    ? await readBase(put("base.json", base), edge, flag)
    : { guards: [], expectations: [] };
  const named = distinctNames([{ name: "plan.json", plan: parsePlan(plan, "plan.json") }]);
  return tenantsIn(named).map((tenant) => reviewTenant(tenant, { protect, expect }).whole);
}

interface Found {
  readonly effects: {
    code: string;
    level: string;
    text: string;
    refuses?: boolean;
    already?: true;
    assumptions: { text: string }[];
    cause: Cause[];
  }[];
  readonly expectations?: { name: string; verdict: string; text: string }[];
  readonly verdict: { summary: string };
}
async function found(...given: Parameters<typeof reviewed>): Promise<Found> {
  const json = toJson((await reviewed(...given))[0]!) as Found;
  expect(faultOf(json)).toBeUndefined();
  return json;
}
const verdicts = ({ expectations = [] }: Found) =>
  Object.fromEntries(expectations.map(({ name, verdict }) => [name.replace(folder + path.sep, ""), verdict]));

const at = (name: string) => `tenant_network_acl.${name}`;
const wall = acl(90, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wall" });
const partners = acl(10, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Partners" });
const denied = acl(5, { action: block, match: { ipv4_cidrs: ["198.51.0.0/16"] } }, { description: "Denied" });
const kept = [change(at("wall"), wall, wall)];
const opened = [...kept, change(at("partners"), null, partners)];
const lists = ["network_acls", "rate_limit_policies"].map((one) => inState(`data.tenant_${one}.all`, { [one]: [] }));
/** Nothing is unmanaged. */
const whole = prior(...lists);

const domain = { domain: "acme.eu.auth0.com" };
const provider = (statements: object, key = "tenant", more: Values = {}): Values => ({
  [key]: { name: "tenant", expressions: { ...expressionsOf({ ...domain, ...statements }), ...more } },
});
const homes = (of: Readonly<Record<string, string>>) => ({
  root_module: { resources: Object.entries(of).map(([address, key]) => ({ address, provider_config_key: key })) },
});
const planned = (changes: readonly Values[], blocks: Values, more: Values = {}, configuration: object = {}) =>
  planText(changes, { configuration: { provider_config: blocks, ...configuration }, ...more });
const planOf = (changes: readonly Values[], expectation: readonly object[], more: Values = whole) =>
  planned(changes, provider(expectation.length > 0 ? { expectation } : {}), more);

const request = { scopes: ["authentication"], countries: ["KP", "IR"] };
const sanctions = { name: "sanctions", outcome: "blocked", request };
const germany = { name: "Germany", outcome: "reached", request: { countries: ["DE"] } };
const limit = { name: "limit", severity: "warning", policy: { consumer: "third_party_clients", at_most: 50 } };

describe("the expectations of a plan", () => {
  const text = async (...given: Parameters<typeof reviewed>) => toText(pagesOf(await reviewed(...given)));

  test("are one line if all of them hold, and say for which objects", async () => {
    const held = await text(planOf(kept, [sanctions, germany]));
    expect(held).toContain("✔ Nothing changes for people.");
    expect(held).toContain("2 expectations hold.\n- sanctions, Germany\n");
    expect(await text(planOf(kept, [sanctions]))).toContain("1 expectation holds.");
    const unread = await text(planOf(kept, [sanctions, germany], {}));
    expect(unread).toContain("2 expectations hold for the objects that the plan manages.");
    const some = await text(planOf(kept, [sanctions, limit], {}));
    expect(some).toContain("sanctions: ✔ holds -> Proven for the objects that the plan manages.");
  });

  test("are a table with the worst first if one does not hold", async () => {
    const table = await text(planOf(opened, [germany, sanctions]));
    expect(table.split("\n")[1]).toMatch(
      /^✖ high: Breaks the expectation "sanctions": A request to sign-in from 198\.51\.100\.\d+, country (IR|KP), is allowed by ACL "Partners" \(priority 10\)\..* tenant_network_acl\.partners decides this request\. \[TNF-EXPECTATION-BROKEN\]$/,
    );
    expect(table).toMatch(/^Expectations\nsanctions: ✖ broken -> A request .*\nGermany: ✔ holds -> Proven\.$/m);
  });

  const letIn = [change(at("partners"), partners, partners), change(at("denied"), denied, null)];
  test.each<[string, readonly Values[], string, string, boolean]>([
    ["nobody decides after it", [change(at("wall"), wall, null)], "because no ACL matches", "wall", true],
    ["another one decides after it", [...letIn, ...kept], 'is allowed by ACL "Partners"', "denied", true],
    ["it decides", opened, 'is allowed by ACL "Partners"', "partners", false],
  ])("stand at the ACL that the plan changes: %s", async (_, changes, outcome, name, before) => {
    const broken = (await found(planOf(changes, [sanctions]))).effects.find(({ code }) => code.endsWith("-BROKEN"));
    expect(broken?.text).toContain(outcome);
    const decides = { kind: "decides", what: "requests", ...(before && { before: true }) };
    expect(broken).toMatchObject({ subject: { address: at(name) }, cause: [{ address: at(name), change: decides }] });
  });

  test("do not count if they were broken before", async () => {
    const plan = planOf(kept, [{ ...germany, outcome: "blocked" }]);
    const { effects, verdict } = await found(plan);
    expect(effects).toMatchObject([{ code: "TNF-EXPECTATION-BROKEN", already: true, refuses: false }]);
    expect(verdict.summary).toBe("✔ Nothing changes for people.");
    expect(await text(plan)).toContain("Germany: ✖ broken before too -> ");
  });

  test.each([
    [{ complete: false }, "Not certain, because the plan is incomplete."],
    [{ errored: true }, "Not certain, because planning ended with an error, which `terraform plan` shows."],
  ])("are undecided in one effect in a plan with %j", async (more, words) => {
    const { effects, expectations } = await found(planOf(kept, [sanctions, germany], { ...whole, ...more }));
    expect(expectations).toMatchObject([{ verdict: "undecided", text: words }, {}]);
    const texts = effects.flatMap(({ code, text: said }) => (code === "TNF-EXPECTATION-UNDECIDED" ? [said] : []));
    expect(texts).toEqual([expect.stringContaining('2 expectations ("sanctions" and "Germany") are undecided.')]);
  });

  test.each<[string, object]>([
    ["it", { ...sanctions, policy: limit.policy }],
    ["its `outcome`", { ...sanctions, outcome: "throttled" }],
    ["its `request.countries`", { ...sanctions, request: { countries: ["Germany"] } }],
  ])("are undecided if this version cannot read %s", async (what, expectation) => {
    const { expectations } = await found(planOf(kept, [expectation]));
    const remedy = "Write plain blocks with constants, or give `--expect FILE`.";
    const words = `This version of Tenantform cannot read ${what}. ${remedy}`;
    expect(expectations).toMatchObject([{ verdict: "undecided", text: words }]);
  });

  test("leave the comment small and the verdict short, also if there are 500", async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      name: `expectation ${index}`,
      outcome: "blocked",
      request: { asns: [index + 1] },
    }));
    const reviews = await reviewed(planOf([change(at("wall"), wall, null)], [sanctions, ...many]));
    const comment = toMarkdown(pagesOf(reviews), { tag: "t", at: new Date() });
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toContain('Breaks the expectation "sanctions"');
    expect(reviews[0]!.verdict.lines.length).toBeLessThanOrEqual(3);
    expect(reviews[0]!.expectations).toHaveLength(501);
  });

  const used = homes({ [at("partners")]: "tenant" });
  const second = provider({}, "tenant.other");
  const goAcls = opened.map((one) => JSON.parse(JSON.stringify(one).replaceAll("tenant_net", "auth0_net")) as Values);
  const own = provider({ expectation: [sanctions] });
  const blocks = { ...own, ...second };
  const elsewhere = homes({ [at("partners")]: "tenant.other", [at("wall")]: "tenant" });
  const unused = homes({ [at("partners")]: "tenant.other" });
  test.each<[string, string, unknown, boolean | undefined]>([
    ["with severity warning", planOf(opened, [{ ...sanctions, severity: "warning" }]), undefined, false],
    ["of a file", planOf(opened, []), [sanctions], false],
    ["of another provider's objects", planned(goAcls, own, whole), undefined, false],
    ["of the configuration that has the ACL", planned(opened, blocks, whole, used), undefined, true],
    ["of another configuration", planned(opened, blocks, whole, elsewhere), undefined, undefined],
    ["of an unused configuration", planned(opened, blocks, whole, unused), undefined, false],
  ])("are refused or not: a broken one %s", async (_, plan, file, refuses) => {
    const { effects } = await found(plan, file, "--expect");
    const broken = effects.filter(({ code }) => code === "TNF-EXPECTATION-BROKEN");
    expect(broken.map((one) => one.refuses)).toEqual([refuses]);
  });
});

describe("expectations about members", () => {
  const staff = { organization_id: "org_1", members: ["auth0|a", "auth0|b"], exclusive: true };
  const sets = [change("tenant_organization_member_set.staff", staff, staff)];
  const user = { id: "auth0|a", user_id: "auth0|a", name: "Ada" };
  const goes = (address: string, before: Values, after: Values | null) =>
    change(address, before, after, after ? { actions: ["delete", "create"] } : {});
  const left = (after: Values | null = null, before: Values = user) => goes("auth0_user.ada", before, after);
  const own = { id: "org_1", name: "acme" };
  const acme = (after: Values | null = null) => goes("auth0_organization.acme", own, after);
  const renamed = change("auth0_organization.acme", own, { id: "org_1", name: "other" });
  const theirs = change("auth0_organization_member.ada", { organization_id: "org_1", user_id: "auth0|a" }, null);
  const ada = { include: ["auth0|a"] };
  const others = { include: ["auth0|b"], at_least: 1, exclude: ["auth0|a"] };
  const gone = ["auth0_user.ada destroyed"];
  const connection = (strategy: string) => change("auth0_connection.db", { id: "con_1", name: "db", strategy }, null);
  const database = ["the change deletes a connection and its users, whom no plan names"];
  const closed = ["auth0_organization.acme destroyed"];
  const bySet = "tenant_organization_member_set.staff decides";
  const again = "the change deletes a user whom a set lists, and creates the user again";
  const notAgain = "no set adds auth0_user.ada again";
  const made = (after: Values) =>
    change("auth0_user.new", null, after, { unknown: { id: true, user_id: !after["user_id"] } });
  const mail = { email: "ada@example.com", connection_name: "db" };

  test.each<[string, readonly Values[], object, string, ...string[]]>([
    ["a user who stays", [], ada, "held"],
    ["a deleted user", [left()], ada, "broken", ...gone],
    ["a deleted user, counted", [left()], { at_least: 2 }, "broken", ...gone],
    ["a deleted user, others", [left()], others, "held"],
    ["another deleted user", [left(null, { id: "auth0|x" })], { ...ada, at_least: 2 }, "held"],
    ["a user who is created again", [left({ user_id: "a" })], ada, "broken", ...gone, notAgain],
    ["a user whom another resource creates again", [left(), made({ user_id: "a" })], ada, "broken", ...gone, notAgain],
    ["a user of the same address", [left(null, { ...user, ...mail }), made(mail)], ada, "broken", ...gone, notAgain],
    ["a user of another address", [left(null, user), made(mail)], ada, "broken", ...gone],
    ["a user who gets another id", [left({ user_id: "z" })], ada, "broken", ...gone],
    ["a user who gets a longer id", [left({ user_id: "0|a" })], ada, "broken", ...gone],
    ["a deleted connection of such users", [connection("auth0")], ada, "undecided", ...database],
    ["a deleted connection, another user", [connection("auth0")], { exclude: ["auth0|x"] }, "held"],
    ["a deleted connection, excluded", [connection("auth0")], { exclude: ["auth0|a"] }, "undecided", ...database],
    ["a deleted connection, too many", [connection("auth0")], { at_least: 3 }, "broken", bySet],
    ["a deleted connection, counted", [connection("auth0")], { at_least: 1 }, "undecided", ...database],
    ["a deleted connection of other users", [connection("samlp")], { ...ada, at_least: 2 }, "held"],
    ["a user who is created again, excluded", [left({ user_id: "a" })], { exclude: ["auth0|a"] }, "undecided", again],
    ["a user who is created again, counted", [left({ user_id: "a" })], { at_most: 1 }, "undecided", again],
    ["a deleted organization", [acme()], ada, "broken", ...closed],
    ["a deleted organization, which has nobody", [acme()], { exclude: ["auth0|a"], at_most: 1 }, "held"],
    ["a replaced organization", [acme({ name: "other" })], ada, "broken", ...closed],
    ["a renamed organization", [renamed], ada, "held"],
    ["a member whom another resource removes", [theirs], ada, "broken", bySet],
  ])("say what the whole plan does: %s", async (_, changes, members, verdict, ...why) => {
    const expectation = [{ name: "staff", members: { organization_id: "org_1", ...members } }];
    const judged = await found(planOf([...sets, ...changes], expectation));
    expect(verdicts(judged)).toEqual({ staff: verdict });
    const broken = judged.effects.filter(({ code }) => code.startsWith("TNF-EXPECTATION"));
    expect(
      broken.flatMap(({ cause, assumptions }) => [
        ...cause.map(({ address, change: { kind } }) => `${address} ${kind}`),
        ...assumptions.map(({ text }) => text),
      ]),
    ).toEqual(why);
    expect(broken[0]?.refuses).not.toBe(true);
  });
});

describe("expectations of the base branch", () => {
  const base = planOf(kept, [sanctions, germany]);
  const weakened = ({ effects }: Found) =>
    effects.filter(({ code, level }) => code === "TNF-EXPECTATION-WEAKENED" && level === "high").length;
  const narrower = { ...sanctions, except: { ip_cidrs: ["198.51.100.0/24"] } };

  test.each<[string, readonly object[], unknown, Flag, number]>([
    ["removed, from a plan of --base", [germany], base, "--base", 1],
    ["removed, from a list of --expect, which only adds", [germany], [sanctions, germany], "--expect", 0],
    ["removed, from a plan of --expect, which only adds", [germany], base, "--expect", 0],
  ])("that are %s", async (_, own, file, flag, count) => {
    expect(weakened(await found(planOf(kept, own), file, flag))).toBe(count);
  });

  test.each([
    ["unused", "tenant.unused", 2],
    ["used", "tenant", 0],
  ])("that stand in an %s provider configuration", async (_, key, count) => {
    const statements = provider({ expectation: [sanctions, germany] }, key);
    const used = homes({ [at("wall")]: "tenant" });
    const moved = planned(kept, { ...provider({}), ...provider({}, "tenant.unused"), ...statements }, whole, used);
    expect(weakened(await found(moved, base, "--base"))).toBe(count);
    expect(weakened(await found(moved, moved, "--base"))).toBe(0);
  });

  test("are judged, although the change removes or weakens them, and equal ones are shown once", async () => {
    expect(verdicts(await found(planOf(opened, []), base))).toEqual({ sanctions: "broken", Germany: "held" });
    expect(verdicts(await found(planOf(opened, [narrower, germany]), base))).toEqual({
      sanctions: "held",
      Germany: "held",
      "sanctions (base.json)": "broken",
    });
    const more = await found(planOf(kept, [sanctions, germany]), [sanctions, limit], "--expect");
    expect(verdicts(more)).toEqual({ sanctions: "held", Germany: "held", limit: "broken" });
  });
});

describe("the lock-out guard", () => {
  const ci = { name: "our CI", ip: "198.51.100.10" };
  const net = acl(9, { action: block, match: { asns: [9] } });
  const harmless = [change(at("net"), null, net)];
  const protecting = { protected_request: [ci] };
  const variable = { lockout_guard: { references: ["var.strength"] } };

  // replace(var.strength, "error", "off")
  test("is a quiet note without a base branch: a variable", async () => {
    const plan = planned(harmless, provider({}, "tenant", variable), { variables: { strength: { value: "error" } } });
    const weak = expect.objectContaining({ code: "TNF-GUARD-WEAKENED", level: "info" }) as object;
    expect((await found(plan)).effects).toContainEqual(weak);
  });

  const agents = acl(9, { action: block, match: { geo_country_codes: ["DE"] } });
  const open = { unknown: { rule: { match: true } } };
  const depends = (text: string) => ({ certainty: "possible", assumptions: [{ text }] });
  const ofCountry = "match.geo_country_codes DE may match the country, which is not known";
  const ofValues = 'the values of "ACL 9" (priority 9) are known only after the apply';
  test.each<[string, readonly Values[], object]>([
    ["a block of a country", [change(at("net"), null, agents)], depends(ofCountry)],
    ["a block whose values are not known", [change(at("net"), null, net, open)], depends(ofValues)],
  ])("says on what a lock-out depends: %s", async (_, changes, expected) => {
    const { effects } = await found(planned(changes, provider(protecting)));
    expect(effects.filter(({ code }) => code.startsWith("TNF-ACL-LOCKOUT"))).toContainEqual(
      expect.objectContaining(expected),
    );
  });

  const two = { ...provider({}), ...provider(protecting, "tenant.other") };
  test.each([
    ["moves to a configuration without ACLs", planned(harmless, two, {}, homes({ [at("net")]: "tenant" }))],
    ["is dropped, and the tenant has another spelling", planned(harmless, provider({ domain: "ACME.eu.auth0.com." }))],
  ])("of the base branch is compared: a request that %s", async (_, plan) => {
    const { effects } = await found(plan, planned(harmless, provider(protecting)));
    expect(effects.some(({ code, level }) => code === "TNF-GUARD-WEAKENED" && level === "high")).toBe(true);
  });

  test("of the base branch is compared with that of the plan with the ACLs, which may have no provider block", async () => {
    const base = put("base.json", planned(harmless, provider(protecting)));
    const { guards: protect } = await readBase(base, edge, "--base");
    const plans = [planned([], provider(protecting)), planned(harmless, {})].map((one) => parsePlan(one, "plan"));
    expect(codesOf(reviewPlans("tenant", plans, { protect }))).toContain("TNF-GUARD-WEAKENED");
  });

  test("of a plan of the base branch counts for its tenant", async () => {
    const us = (requests: readonly object[]) =>
      provider({ domain: "acme.us.auth0.com", protected_request: requests }, "tenant.us");
    const used = homes({ [at("net")]: "tenant", [at("us")]: "tenant.us" });
    const changes = [...harmless, change(at("us"), null, { ...net, id: "acl_us", priority: 8 })];
    const base = planned(changes, { ...provider(protecting), ...us([{ ip: "192.0.2.9" }]) }, {}, used);
    const weakenedIn = async (plan: string) =>
      (await reviewed(plan, base)).map(({ effects }) => effects.some(({ code }) => code === "TNF-GUARD-WEAKENED"));
    expect(await weakenedIn(base)).toEqual([false, false]);
    const without = planned(changes, { ...provider(protecting), ...us([]) }, {}, used);
    expect(await weakenedIn(without)).toEqual([false, true]);
  });
});
