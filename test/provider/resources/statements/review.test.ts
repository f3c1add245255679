/** The review of a plan refuses what breaks a statement, once no other change can prevent it, and lets no other change wait. */
import { unknown } from "../../../../src/formats/cty/value";
import { acl, type AclChange, plan } from "./support/planning";

const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const closed = acl(50, { block: true });
const open = acl(5, { allow: true });
const wall = acl(50, { block: true }, everywhere);
const locked = { ...wall, rule: { ...wall.rule, scope: "management" } };
const log = (priority: number) => acl(priority, { log: true });
const standing = (body: typeof closed, id: string) => ({ ...body, id, created_at: "", updated_at: "" });
const [allowing, blocking] = [standing(open, "acl_1"), standing(closed, "acl_2")];

const error = (words: string) => expect.stringMatching(`^error: .*${words}`) as string;
const warning = (words: string) => expect.stringMatching(`^warning: .*${words}`) as string;

test.each<[string, object, string[]]>([
  [
    "treats unknown facts as omitted",
    { protected_request: [{ name: "our CI", ip: unknown, country: "DE" }] },
    [warning('may block the protected request "our CI"')],
  ],
  ["does not judge an unknown path", { protected_request: [{ ip: "203.0.113.7", path: unknown }] }, []],
])("%s, by the settings of the provider block (case %#)", async (_what, settings, said) => {
  expect(await plan({ settings }).create(closed)).toEqual(said);
});

describe("a plan that has settled", () => {
  test("refuses after 3 s without a call, and waits once for all statements", async () => {
    for (const one of [closed, locked]) {
      const { create, time } = plan();
      const said = await create(one);
      expect(said.filter((words) => !words.startsWith("error: "))).toEqual([]);
      expect([said.length > 0, time()]).toEqual([true, 3_000]);
    }
  });

  test("accepts a blocking ACL as soon as another ACL allows the request", async () => {
    const { create, time, at } = plan();
    at(1_000, () => void create(open));
    expect(await create(closed)).toEqual([]);
    expect(time()).toBe(1_000);
  });

  test("lets no other change wait for the ACL that allows the request, because that ACL may depend on it", async () => {
    const { create } = plan();
    const dependent = create(log(60)).then(async (said) => [...said, ...(await create(open))]);
    expect(await Promise.all([create(closed), dependent])).toEqual([[], []]);
    const two = plan();
    expect((await Promise.all([two.create(closed), two.create(log(60))])).flat()).toEqual([error('"acl 50"')]);
  });

  test("only warns if an ACL with unknown values may allow the request first, and waits shorter", async () => {
    const { create, time } = plan();
    await create({ ...open, rule: unknown });
    expect(await create(closed)).toEqual([
      warning(
        '"acl 50" .* may block .*, unless "acl 5" .*, whose values are known only after the apply, allows it.*POSSIBLE',
      ),
      warning('"acl 5" .* and "acl 50" .* may block 100 % of IPv4 addresses.*POSSIBLE'),
    ]);
    expect(time()).toBeLessThanOrEqual(400);
    await create({ ...acl(70, { allow: true }), rule: unknown });
    expect(await create(acl(4, { block: true }))).toEqual([error('"acl 4"')]);
  });
});

test("refuses a plan with one call at a time by what was planned before, and names the ways out", async () => {
  const refused = error(
    '"acl 50".* name its resource in `depends_on` .*-parallelism=2. or more\\. If it depends on this one, apply it first\\. This change was not made\\.$',
  );
  for (const isParallel of [false, true]) {
    const { create, time } = plan({ isParallel });
    await create(log(90));
    expect(await create(closed)).toEqual([refused]);
    expect(time()).toBe(3_000);
    await create(open);
    expect(await create({ ...closed, description: "another wall", priority: 51 })).toEqual([]);
  }
});

describe("a plan that replaces an ACL", () => {
  const refused = [
    error('When Terraform deletes network ACL "acl 5" \\(acl_1\\) to replace it, .*"acl 50".*before_destroy'),
  ];
  interface Case {
    readonly planned?: object;
    readonly present?: readonly object[];
  }
  const spare = standing({ ...open, priority: 7 }, "acl_3");
  test.each<[string, Case, boolean]>([
    ["the same ACL", {}, true],
    ["another description", { planned: { ...open, description: "changed" } }, true],
    ["another priority, so the new ACL may come first", { planned: { ...open, priority: 6 } }, false],
    ["nothing blocks the request", { present: [allowing] }, false],
    ["a spare ACL", { present: [allowing, spare, blocking] }, false],
  ])("%s", async (_what, { planned = open, present = [allowing, blocking] }, isRefused) => {
    const { review: reviewed } = plan({ present });
    // Terraform plans the change of the old ACL first.
    await reviewed({ action: "keep", prior: allowing, planned: allowing } as AclChange, "old");
    const change = { action: "create", planned, replaced: { id: "acl_1" } } as AclChange;
    expect(await reviewed(change, undefined, "old")).toEqual(isRefused ? refused : []);
  });
});

test.each<[string, object[], boolean]>([
  ["is there", [allowing, blocking], true],
  ["is inactive", [{ ...allowing, active: false }, blocking], false],
  ["is gone", [blocking], false],
])("a destroy without a refresh is refused only if what it destroys %s", async (_what, present, isRefused) => {
  const said = await plan({ present }).review({ action: "destroy", prior: allowing } as AclChange, "old");
  expect(said.some((words) => words.startsWith("error: "))).toBe(isRefused);
});

const legacy = { ...log(60), description: "legacy" };
test.each<[string, object, "apply" | undefined, string[], number]>([
  [
    "is refused",
    { ...legacy, rule: open.rule },
    undefined,
    [error('"acl 60", but network ACL acl_9 \\("legacy"\\) .*terraform import tenant_network_acl.NAME acl_9')],
    3_000,
  ],
  ["goes on if an apply begins", { ...legacy, rule: open.rule }, "apply", [], 1_040],
  // Terraform loses an object that it replaces if the plan of its successor fails in the apply.
  ["may replace it, so its write decides", legacy, undefined, [], 0],
])("a new ACL whose priority an unmanaged one has %s", async (_what, holder, phase, said, waited) => {
  const { create, touch, time, at } = plan({ present: [standing(holder as typeof closed, "acl_9")], phase: "unknown" });
  if (phase) at(1_000, () => touch(phase));
  expect([await create(log(60)), time()]).toEqual([said, waited]);
});

test("reads the ACLs of the tenant for protected requests, or when a planned ACL itself would block most addresses", async () => {
  const settings = { protected_request: [] };
  const { create, lists } = plan({ settings, phase: "unknown" });
  expect(await create(acl(40, { block: true }))).toEqual([]);
  expect(lists()).toBe(0);
  expect(await create(locked)).toEqual([error("would block 100 % of IPv4 addresses")]);
  expect(lists()).toBe(1);
});
