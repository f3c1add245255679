/** An apply without a saved plan writes nothing if one of its new objects needs a unique key that is taken. */
import { setImmediate } from "node:timers/promises";
import { unknown } from "../../src/cty/value";
import { openReview, type Planned, type Reviewing } from "./support/reviewing";

let review: Reviewing;
beforeEach(async () => (review = await openReview({ flags: ["tenant_acl_hmac_signature"] })));
afterEach(() => review.close());

const rule = { action: { log: true }, match: { asns: [1] }, scope: "tenant" };
const acl = (description: string, priority: number): Planned => ({
  kind: "network_acl",
  config: { description, priority, active: true, rule },
});
const policy = (selector: string): Planned => ({
  kind: "rate_limit_policy",
  config: { consumer_selector: selector, configuration: { action: "block", limit: 1 } },
});

const key = (name: string, byte: string): Planned => ({
  kind: "network_acl_key",
  config: { name, alg: "hmac-sha256", value: Buffer.alloc(32, byte).toString("base64") },
});
const set: Planned = {
  kind: "organization_member_set",
  config: { organization_id: "org_1234567890123456", members: ["auth0|1"] },
};

/** An ACL of the tenant that the configuration does not manage. */
function existing(description: string, priority: number) {
  const id = `acl_${String(priority).replaceAll("0", "A").padStart(22, "2")}`;
  const at = "2026-01-01T00:00:00Z";
  const made = { id, description, active: true, priority, rule, created_at: at, updated_at: at };
  review.emulator.store.networkAcls.put(made as never);
  return made;
}
let seen = 0;
beforeEach(() => (seen = 0));
/** The API calls since the last call, without those for members: each review of a set reads them. */
function served() {
  const calls = review.emulator.requests.slice(seen);
  seen = review.emulator.requests.length;
  return calls.flatMap(({ method, path }) => (/^.(oauth|.*organizations)/.test(path) ? [] : [`${method} ${path}`]));
}
const list = "GET /api/v2/network-acls";
const summaries = ({ errors }: Awaited<ReturnType<Reviewing["applyUnplanned"]>>) =>
  errors.map(({ summary }) => summary);

const policies = "GET /api/v2/rate-limit-policies";
const keys = "GET /api/v2/keys/network-acls";

test("refuses an object of each kind, and explains the conflict once for each ACL and once for the others", async () => {
  const { id } = existing("legacy", 20);
  review.emulator.store.addOrganization({ id: "org_1234567890123456", name: "acme" });
  const said = await review.applyUnplanned([acl("a", 10), acl("b", 20), acl("c", 30), policy("client_id:x"), set]);
  expect(served().toSorted()).toEqual([list, policies]);
  expect(summaries(said).toSorted()).toEqual([
    "Not done either",
    "Not done either",
    "Not done either",
    "Not done, because the apply cannot be completed",
    "The priority is taken",
  ]);
  const words = `but network ACL ${id} ("legacy") already has it [TF-ACL-SAME-PRIORITY]`;
  expect(said.errors.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`\`priority\` is 20 for a new ACL ("b"), ${words}`),
      expect.stringContaining(`\`priority\` is 20 for another network ACL, ${words}`),
    ]),
  );
});

const later = acl("b", 30);
const aKey = key("edge", "a");
const aPolicy = policy("client_id:x");
const otherPolicy = { ...aPolicy, config: { ...aPolicy.config, configuration: { action: "log", limit: 2 } } };
test.each([
  ["priority", acl("a", 10), acl("b", 10), list],
  ["name", aKey, key("edge", "b"), keys],
  ["callers", aPolicy, otherPolicy, policies],
])("refuses a taken %s with the words of the plan, before any write", async (_name, standing, wanted, read) => {
  expect((await review.applyAll([standing])).errors).toEqual([]);
  const planned = await review.planAll([wanted]);
  served();
  const said = await review.applyUnplanned([wanted, policy("client_id:free")]);
  const [conflict, other] = said.errors.toSorted((one) => (one.summary!.endsWith("is taken") ? -1 : 1));
  expect([conflict]).toEqual(planned.errors);
  expect(other!.summary).toBe("Not done, because the apply cannot be completed");
  expect(new Set(served())).toEqual(new Set([read, policies]));
});

test("adds one list to the creates of each kind, and sends all lists before the first write", async () => {
  existing("legacy", 20);
  const wanted = [acl("a", 10), acl("b", 11), policy("client_id:x"), policy("client_id:y"), aKey, key("two", "b")];
  expect((await review.applyUnplanned(wanted)).errors).toEqual([]);
  const calls = served();
  expect(calls.slice(0, 3).toSorted()).toEqual([keys, list, policies]);
  expect(calls.slice(3).toSorted()).toEqual([
    "POST /api/v2/keys/network-acls",
    "POST /api/v2/keys/network-acls",
    "POST /api/v2/network-acls",
    "POST /api/v2/network-acls",
    "POST /api/v2/rate-limit-policies",
    "POST /api/v2/rate-limit-policies",
  ]);
});

test("asks for the objects of all kinds when the first object is planned again", async () => {
  const notes: string[] = [];
  const first = { leave: (note: string) => void notes.push(note), take: () => undefined };
  await review.applyUnplanned([], { planned: [acl("a", 10), aPolicy, aKey], handover: first });
  expect([notes.length, served()]).toEqual([1, []]);
  await review.applyUnplanned([], { planned: [later], handover: { leave: () => {}, take: () => notes[0] } });
  const calls = served();
  while (calls.length < 3) {
    await setImmediate();
    calls.push(...served());
  }
  expect(calls.toSorted()).toEqual([keys, list, policies]);
});

test("leaves no note, and reads no list, if no new object has a unique key that is known", async () => {
  const leave = jest.fn();
  const handover = { leave, take: () => undefined };
  await review.applyUnplanned([set, { ...later, config: { ...later.config, priority: unknown } }], { handover });
  expect(leave).not.toHaveBeenCalled();
  expect(served()).toEqual([]);
});

test("refuses an object whose content the plan did not know, because another one cannot be created", async () => {
  existing("legacy", 20);
  const planned = [acl("a", 20), { ...later, config: { ...later.config, description: unknown } }];
  const said = await review.applyUnplanned([acl("a", 20), later], { planned });
  expect(summaries(said)).toHaveLength(2);
  expect(served()).toEqual([list]);
});

test("creates without a check if the objects cannot be read", async () => {
  existing("legacy", 20);
  review.emulator.faults.add({ method: "GET", path: "/api/v2/network-acls", status: 403 });
  const said = await review.applyUnplanned([acl("b", 20), aPolicy]);
  expect(said.errors).toHaveLength(1);
});

test("adopts an identical ACL, as an interrupted apply leaves it", async () => {
  existing("b", 20);
  const said = await review.applyUnplanned([acl("a", 10), acl("b", 20)]);
  expect(said.errors).toEqual([]);
  expect(said.warnings.map(({ summary }) => summary)).toContain("Adopted");
  expect(served().filter((call) => call !== list)).toEqual(["POST /api/v2/network-acls"]);
});

test.each([
  ["policy", aPolicy],
  ["key", aKey],
])("adopts an identical %s", async (_name, wanted) => {
  expect((await review.applyAll([wanted])).errors).toEqual([]);
  served();
  const said = await review.applyUnplanned([wanted, acl("a", 10)]);
  expect(said.errors).toEqual([]);
  expect(said.warnings.map(({ summary }) => summary)).toContain("Adopted");
});

test("ignores a note that does not have the ACL, and one that cannot be read", async () => {
  existing("legacy", 20);
  const said = await review.applyUnplanned([acl("a", 10)], { planned: [acl("x", 10), acl("b", 20)] });
  expect(said.errors).toEqual([]);
  for (const note of [
    "{",
    "null",
    '{"wanted":[{"priority":20}],"managed":[]}',
    '{"wanted":["a", null],"managed":[]}',
    '{"wanted":[]}',
    '{"wanted":[],"managed":1}',
    "{}",
    '{"wanted":[{"kind":"toString","key":[],"content":""}],"managed":[]}',
  ]) {
    const handover = { leave: () => {}, take: () => note };
    const priority = 40 + review.emulator.requests.length;
    expect((await review.applyUnplanned([acl("c", priority)], { handover })).errors).toEqual([]);
  }
});

/** An ACL of the configuration that exists. `priority`: the wanted one; left out if the plan destroys the ACL. */
function managed(description: string, before: number, priority?: number): Planned {
  const config = priority && { description, active: true, priority, rule };
  return { kind: "network_acl", prior: existing(description, before), ...(config && { config }) };
}

test("leaves the check to the plan if the plan reads an object first", async () => {
  const leave = jest.fn();
  const handover = { leave, take: () => undefined };
  await review.applyUnplanned([managed("own", 20, 20), acl("a", 10)], { handover, parallelism: 1 });
  expect(leave).not.toHaveBeenCalled();
});

/** The priorities of the tenant, by description. */
const priorities = () =>
  Object.fromEntries([...review.emulator.store.networkAcls.values()].map((one) => [one.description, one.priority]));

describe("refuses a taken priority before the first write of an apply that also", () => {
  const others = (priority?: number) => [managed("own", 20, priority), policy("client_id:x")];
  test.each([
    ["changes an ACL, planned first", (taken: Planned) => [...others(21), taken]],
    ["changes an ACL, planned last", (taken: Planned) => [taken, ...others(21)]],
    ["deletes an ACL, planned first", (taken: Planned) => [...others(), taken]],
    ["deletes an ACL, planned last", (taken: Planned) => [taken, ...others()]],
  ])("%s", async (_name, inOrder) => {
    for (const taken of [acl("new", 40), managed("moves", 30, 40)]) {
      existing("legacy", 40);
      const objects = inOrder(taken);
      const before = priorities();
      served();
      const { errors } = await review.applyUnplanned(objects, { parallelism: 1 });
      expect(errors.map(({ summary }) => summary).toSorted()).toEqual([
        "Not done either",
        "Not done, because the apply cannot be completed",
        "The priority is taken",
      ]);
      expect(errors.map(({ detail }) => detail).join("\n")).toContain("No other change of this plan frees this value.");
      expect([priorities(), served().filter((call) => !call.startsWith("GET"))]).toEqual([before, []]);
    }
  });
});

test.each([
  ["destroys", undefined],
  ["moves", 41],
])("refuses nothing if the same apply %s the ACL with the priority, one call at a time", async (_name, priority) => {
  for (const wants of [() => acl("new", 40), () => managed("other", 30, 40)]) {
    const objects = [managed("own", 40, priority), wants()];
    expect((await review.applyUnplanned(objects, { parallelism: 1 })).errors).toEqual([]);
    expect(Object.values(priorities())).toContain(40);
    for (const { id } of review.emulator.store.networkAcls.values()) review.emulator.store.networkAcls.drop(id);
  }
});

test("leaves a conflict with an ACL that the plan has read to the write", async () => {
  const read = managed("kept", 40, 40);
  const notes: string[] = [];
  const first = { leave: (note: string) => void notes.push(note), take: () => undefined };
  await review.applyUnplanned([acl("free", 10), read], { handover: first, parallelism: 1 });
  expect(notes.map((note) => JSON.parse(note).managed)).toEqual([
    [expect.stringContaining(String((read.prior as { id: string }).id))],
  ]);
});

test.each([
  ["destroys", undefined],
  ["moves", 21],
])("refuses nothing if the same apply %s the ACL with the priority, without a refresh", async (_name, priority) => {
  const prior = existing("own", 20);
  const config = priority && { description: "own", active: true, priority, rule };
  const own: Planned = { kind: "network_acl", prior, ...(config && { config }) };
  expect((await review.applyUnplanned([acl("a", 20), own], { refresh: false })).errors).toEqual([]);
  const standing = [...review.emulator.store.networkAcls.values()].map((one) => [one.description, one.priority]);
  expect(standing).toEqual(expect.arrayContaining([["a", 20]]));
});

test("refuses each write on its own without a note", async () => {
  existing("legacy", 20);
  const said = await review.applyUnplanned([acl("b", 20)], { handover: { leave: () => {}, take: () => "[]" } });
  expect(summaries(said)).toEqual(["Already there"]);
});
