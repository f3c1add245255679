/** An apply without a saved plan writes nothing if one of its new ACLs needs a priority that is taken. */
import { openReview, type Planned, type Reviewing } from "./support/reviewing";

let review: Reviewing;
beforeEach(async () => (review = await openReview()));
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

/** An ACL of the tenant that the configuration does not manage. */
function existing(description: string, priority: number) {
  const id = `acl_${String(priority).replaceAll("0", "A").padStart(22, "2")}`;
  const at = "2026-01-01T00:00:00Z";
  const made = { id, description, active: true, priority, rule, created_at: at, updated_at: at };
  review.emulator.store.networkAcls.put(made as never);
  return made;
}
const served = () =>
  review.emulator.requests.flatMap(({ method, path }) => (path.startsWith("/oauth") ? [] : [`${method} ${path}`]));
const list = "GET /api/v2/network-acls";
const summaries = ({ errors }: Awaited<ReturnType<Reviewing["applyUnplanned"]>>) =>
  errors.map(({ summary }) => summary);

test("refuses an object of each kind, and explains the conflict once for each ACL and once for the others", async () => {
  const { id } = existing("legacy", 20);
  const said = await review.applyUnplanned([acl("a", 10), acl("b", 20), acl("c", 30), policy("client_id:x")]);
  expect(served()).toEqual([list]);
  expect(summaries(said).toSorted()).toEqual([
    "Not created, because the apply cannot be completed",
    "Not done either",
    "Not done either",
    "The priority is taken",
  ]);
  const words = `but network ACL ${id} ("legacy") already has it [TF-ACL-SAME-PRIORITY]`;
  expect(said.errors.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`\`priority\` is 20 for a new ACL ("b"), ${words}`),
      expect.stringContaining(`\`priority\` is 20 for another new ACL, ${words}`),
    ]),
  );
});

test("makes no more API calls than without the check", async () => {
  existing("legacy", 20);
  expect((await review.applyUnplanned([acl("a", 10), acl("b", 11), policy("client_id:x")])).errors).toEqual([]);
  expect(served().toSorted()).toEqual([
    list,
    "POST /api/v2/network-acls",
    "POST /api/v2/network-acls",
    "POST /api/v2/rate-limit-policies",
  ]);
});

test("leaves no note, and reads no list, if it only creates other kinds", async () => {
  const leave = jest.fn();
  await review.applyUnplanned([policy("client_id:x")], { handover: { leave, take: () => undefined } });
  expect(leave).not.toHaveBeenCalled();
  expect(served()).toEqual(["POST /api/v2/rate-limit-policies"]);
});

test("adopts an identical ACL, as an interrupted apply leaves it", async () => {
  existing("b", 20);
  const said = await review.applyUnplanned([acl("a", 10), acl("b", 20)]);
  expect(said.errors).toEqual([]);
  expect(said.warnings.map(({ summary }) => summary)).toContain("Adopted");
  expect(served().filter((call) => call !== list)).toEqual(["POST /api/v2/network-acls"]);
});

test("ignores a note that does not have the ACL, and one that cannot be read", async () => {
  existing("legacy", 20);
  const said = await review.applyUnplanned([acl("a", 10)], { planned: [acl("x", 10), acl("b", 20)] });
  expect(said.errors).toEqual([]);
  for (const note of ["{", "null", '[{"priority":20}]', '["a", null]', "{}"]) {
    const handover = { leave: () => {}, take: () => note };
    const priority = 40 + review.emulator.requests.length;
    expect((await review.applyUnplanned([acl("c", priority)], { handover })).errors).toEqual([]);
  }
});

test("leaves the check to the plan if the plan reads an object", async () => {
  const leave = jest.fn();
  const { id: _, created_at: _at, updated_at: _to, ...config } = existing("own", 20);
  const own = { kind: "network_acl", config, prior: existing("own", 20) };
  await review.applyUnplanned([own, acl("a", 10)], { handover: { leave, take: () => undefined } });
  expect(leave).not.toHaveBeenCalled();
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
