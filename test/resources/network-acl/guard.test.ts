/** The lock-out guard refuses ACLs that block protected requests or Terraform itself. */
import { createVirtualClock } from "../../sdk/support/clock";
import { unknown } from "../../../src/cty/value";
import type { Change } from "../../../src/sdk/definition";
import type { Diagnostic } from "../../../src/sdk/diagnostic";
import { createPlanRegistry } from "../../../src/sdk/plan-registry";
import type { networkAcl } from "../../../src/resources/network-acl/definition";
import { createGuard, type GuardSettings } from "../../../src/resources/network-acl/guard";
import type { NetworkAcl } from "../../../src/tenant/network-acls";

type AclChange = Change<typeof networkAcl>;

const acl = (priority: number, action: object, match: object = { ipv4_cidrs: ["203.0.113.0/24"] }) => ({
  description: `acl ${priority}`,
  active: true,
  priority,
  rule: { action, match, scope: "tenant" },
});
const closed = acl(50, { block: true });
const open = acl(5, { allow: true });
const terraform = { hostname: "acme.eu.auth0.com", userAgents: ["tenantform/1.0.0 terraform/1.11.4"], asksToken: true };
const standing = (body: typeof closed, id: string) => ({ ...body, id, created_at: "", updated_at: "" });

const bare = { log: () => {}, client: undefined, privateState: {}, reviewAgain: () => {} };

function plan(
  settings: GuardSettings,
  existing: readonly ReturnType<typeof standing>[] = [],
  phase: "plan" | "unknown" = "plan",
  isParallel = true,
) {
  let lists = 0;
  const list = async () => {
    lists++;
    return existing as NetworkAcl[];
  };
  const protectedRequest = [{ name: "our CI", ip: "203.0.113.7" }];
  const guard = createGuard({ protected_request: protectedRequest, ...settings }, list, terraform);
  const clock = createVirtualClock();
  const registry = createPlanRegistry({ clock });
  if (phase === "plan") registry.touch(phase);
  // Terraform reads two objects at once.
  if (isParallel) for (let reads = 0; reads < 2; reads++) void registry.during(async () => {});
  const review = async (change: AclChange, objectKey?: string, replaces?: string) => {
    const said: string[] = [];
    const report = ({ severity, detail }: Pick<Diagnostic, "severity" | "detail">) =>
      said.push(`${severity}: ${detail}`);
    const identity = change.prior && { id: change.prior.id };
    const entry = registry.enter({ kind: "network_acl", objectKey, replaces, identity, change: change as Change });
    const context = { ...bare, plan: entry, report };
    await registry.during(() => guard.review(change, context));
    entry.planned();
    return said;
  };
  return {
    review,
    create: (planned: AclChange["planned"] & object) => review({ action: "create", planned }),
    lists: () => lists,
    time: clock.now,
    at: clock.at,
  };
}

test("refuses a new ACL that blocks a protected request, warns when lockout_guard is warn, and is silent when it is off", async () => {
  expect(await plan({}).create(closed)).toEqual([
    expect.stringMatching(/^error: .*"acl 50" \(priority 50\) would block the protected request "our CI": match/),
  ]);
  expect(await plan({ lockout_guard: "warn" }).create(closed)).toEqual([expect.stringMatching(/^warning: /)]);
  expect(await plan({ lockout_guard: "off" }).create(closed)).toEqual([]);
});

const locked = { ...closed, rule: { action: { block: true }, match_all: true, scope: "management" } };
const provisional = /^warning: .*"acl \d+".*Another change of this plan may still prevent this, so the apply decides/;

describe("a plan that has settled", () => {
  const settling = (settings: GuardSettings = {}, existing: Parameters<typeof plan>[1] = []) =>
    plan(settings, existing);

  test("refuses an ACL that blocks a protected request after 3 s without a call", async () => {
    const { create, time } = settling();
    expect(await create(closed)).toEqual([
      expect.stringMatching(/^error: .*"acl 50" .*would block the protected request/),
    ]);
    expect(time()).toBe(3_000);
  });

  test("waits once before it refuses an ACL that blocks Terraform and a protected request", async () => {
    const { create, time } = settling({}, []);
    const errors = await create(locked);
    expect(errors.filter((words) => words.startsWith("error: "))).toEqual(errors);
    expect(errors).not.toEqual([]);
    expect(time()).toBe(3_000);
  });

  test("accepts a blocking ACL as soon as another ACL allows the request", async () => {
    const { create, time, at } = settling();
    at(1_000, () => void create(open));
    expect(await create(closed)).toEqual([]);
    expect(time()).toBe(1_020);
  });

  test("lets no other change wait for the ACL that allows the request, because that ACL may depend on it", async () => {
    const { create } = settling();
    const dependent = create(acl(60, { log: true })).then(async (said) => [...said, ...(await create(open))]);
    expect(await Promise.all([create(closed), dependent])).toEqual([[], []]);
  });

  const possible = (words: string) => expect.stringMatching(`^warning: .*${words}.*LOCKOUT-POSSIBLE\\]$`) as string;

  test("only warns if an ACL with unknown values may allow the request first", async () => {
    const { create, time } = settling();
    await create({ ...open, rule: unknown } as never);
    expect(await create(closed)).toEqual([
      possible('"acl 50" .* may block .*, unless "acl 5" .* allows it: its values are known only after the apply'),
      possible('"acl 5" .* and "acl 50" .* may block 100 % of IPv4 addresses'),
    ]);
    expect(time()).toBe(400);
    await create({ ...acl(70, { allow: true }), rule: unknown } as never);
    expect(await create(acl(4, { block: true }))).toEqual([expect.stringMatching(/^error: .*"acl 4"/)]);
  });

  test("refuses a blocking ACL with two parallel calls, because only the newest call waits", async () => {
    const { create } = plan({});
    const both = [create(closed), create(acl(60, { log: true }))];
    expect((await Promise.all(both)).flat()).toEqual([expect.stringMatching(/^error: .*"acl 50"/)]);
  });

  test("does not wait for 3 s before a warning", async () => {
    const { create, time } = settling({ lockout_guard: "warn" });
    expect(await create(closed)).toEqual([expect.stringMatching(/^warning: /)]);
    expect(time()).toBe(200);
  });
});

describe("a plan with one call at a time", () => {
  const sequential = async (existing: Parameters<typeof plan>[1] = []) => {
    const opened = plan({}, existing, "plan", false);
    await opened.create(acl(90, { log: true }));
    return opened;
  };

  test("warns of an ACL that blocks a protected request", async () => {
    const { create, time } = await sequential();
    expect(await create(closed)).toEqual([expect.stringMatching(provisional)]);
    expect(time()).toBe(200);
  });

  test("refuses the first ACL, because no other object may exist, and names the doubt", async () => {
    const { create } = plan({}, [], "plan", false);
    expect(await create(closed)).toEqual([expect.stringMatching(/^error: .* plan with -parallelism=2 or more\.$/)]);
    expect(await plan({}).create(closed)).toEqual([expect.not.stringContaining("-parallelism")]);
  });

  test("refuses a blocking ACL once every earlier priority has a planned ACL", async () => {
    const { create } = await sequential();
    const first = acl(1, { block: true });
    expect(await create(first)).toEqual([expect.stringMatching(/^error: .*"acl 1"/)]);
    const second = await sequential();
    expect(await second.create(acl(1, { log: true }))).toEqual([]);
    expect(await second.create(acl(3, { block: true }))).toEqual([expect.stringMatching(provisional)]);
    expect(await second.create(acl(2, { block: true }))).toEqual([expect.stringMatching(/^error: .*"acl 2"/)]);
  });

  test("warns of a destroyed ACL that allowed the request", async () => {
    const before = [standing(open, "acl_1"), standing(closed, "acl_2")];
    const destroy = { action: "destroy", prior: before[0]! } as const;
    expect(await (await sequential(before)).review(destroy, "m")).toEqual([expect.stringMatching(provisional)]);
  });
});

describe("a plan that replaces an ACL", () => {
  const allowing = standing(open, "acl_1");
  const blocking = standing(closed, "acl_2");
  const replace = ({ review }: ReturnType<typeof plan>, planned: object = open) =>
    review({ action: "create", planned, replaced: { id: "acl_1" } } as AclChange, undefined, "old");
  /** Terraform plans the change of the old ACL first. */
  const replacing = async (existing = [allowing, blocking], isParallel = true) => {
    const planned = plan({}, existing, "plan", isParallel);
    await planned.review({ action: "keep", prior: allowing, planned: allowing }, "old");
    return planned;
  };
  const refused = [
    expect.stringMatching(/^error: When Terraform deletes the replaced ACL, .*"acl 50".*before_destroy/),
  ];

  test("is refused if the old ACL allowed a request that another one blocks", async () => {
    expect(await replace(await replacing())).toEqual(refused);
    expect(await replace(await replacing(), { ...open, description: "changed" })).toEqual(refused);
  });

  test("is accepted if the new ACL needs another priority, because it may come first", async () => {
    expect(await replace(await replacing(), { ...open, priority: 6 })).toEqual([]);
  });

  test("is accepted if no moment of the apply must block the protected request", async () => {
    expect(await replace(await replacing([allowing]))).toEqual([]);
    const spare = standing({ ...open, priority: 7 }, "acl_3");
    expect(await replace(await replacing([allowing, spare, blocking]))).toEqual([]);
    const opened = await replacing();
    await opened.review({ action: "destroy", prior: blocking }, "wall");
    expect(await replace(opened)).toEqual([]);
    const widened = await replacing();
    await widened.create({ ...open, priority: 8 });
    expect(await replace(widened)).toEqual([]);
  });

  test("is left to the apply if other changes may follow, or have unknown values", async () => {
    const sequential = await replacing(undefined, false);
    await sequential.create(acl(90, { log: true }));
    expect(await replace(sequential)).toEqual([]);
    const unsure = await replacing();
    await unsure.create({ ...open, priority: 9, rule: unknown } as never);
    expect(await replace(unsure)).toEqual([]);
  });
});

test("reads the ACLs of the tenant once for 19 harmless ACLs, and never without protected requests", async () => {
  const { create, lists } = plan({});
  for (let priority = 1; priority < 20; priority++) expect(await create(acl(priority, { log: true }))).toEqual([]);
  expect(lists()).toBe(1);
  const unprotected = plan({ protected_request: [] }, [], "unknown");
  await unprotected.create(closed);
  expect(unprotected.lists()).toBe(0);
});

test("refuses to destroy or switch off the ACL that allows a request, and accepts its replacement", async () => {
  const before = [standing(open, "acl_1"), standing(closed, "acl_2")];
  const prior = before[0]!;
  const refused = [expect.stringMatching(/^error: .*"acl 50" \(priority 50\)/)];
  expect(await plan({}, before).review({ action: "destroy", prior }, "m")).toEqual(refused);
  const inactive = { ...open, active: false };
  expect(await plan({}, before).review({ action: "update", prior, planned: inactive }, "m")).toEqual(refused);
  const { review } = plan({}, before);
  expect(await review({ action: "replace", prior, planned: open }, "m")).toEqual([]);
});

test("warns of a request that was blocked before, and accepts a plan that does not change that", async () => {
  const { create } = plan({}, [standing(closed, "acl_2")], "plan");
  expect(await create(acl(60, { log: true }))).toEqual([
    expect.stringMatching(
      /^warning: .*"acl 50" \(priority 50\) blocks the protected request .*This plan does not change that/,
    ),
  ]);
});

test("without protected requests, reads the ACLs only when a planned ACL itself would block most addresses", async () => {
  const everything = {
    ...acl(50, { block: true }),
    rule: { action: { block: true }, match: { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] }, scope: "management" },
  };
  const { create, lists } = plan({ protected_request: [] }, [], "unknown");
  expect(await create(acl(40, { block: true }))).toEqual([]);
  expect(lists()).toBe(0);
  expect(await create(everything)).toEqual([expect.stringMatching(/^error: .* would block 100 % of IPv4 addresses/)]);
  expect(lists()).toBe(1);
});

describe("with an unknown value in the provider block", () => {
  const knownLater = (request: object) => ({ protected_request: [request] as GuardSettings["protected_request"] });

  test("treats unknown facts as omitted, and warns of an ACL that may match", async () => {
    const byAddress = await plan(knownLater({ name: "our CI", ip: unknown, country: "DE" })).create(closed);
    expect(byAddress).toEqual([expect.stringMatching(/^warning: .* may block the protected request "our CI"/)]);
    const byCountry = acl(50, { block: true }, { geo_country_codes: ["DE"] });
    const unnamed = await plan(knownLater({ name: unknown, country: unknown, ip: "192.0.2.1" })).create(byCountry);
    expect(unnamed).toEqual([expect.stringMatching(/^warning: .* may block the protected request "ip 192.0.2.1"/)]);
  });

  test("leaves the decision to the apply when the path or protected_request is unknown", async () => {
    expect(await plan(knownLater({ ip: "203.0.113.7", path: unknown })).create(closed)).toEqual([]);
    expect(await plan({ protected_request: unknown }).create(locked)).toEqual([
      expect.stringMatching(/^warning: .* would block 100 % of IPv4 .* not known yet, so the apply decides/),
    ]);
  });

  test("warns when lockout_guard is unknown", async () => {
    expect(await plan({ lockout_guard: unknown }).create(closed)).toEqual([
      expect.stringMatching(/^warning: .* would/),
    ]);
  });
});

test("reads the ACLs again after a failed read", async () => {
  let reads = 0;
  const list = async () => {
    if (++reads === 1) throw new Error("not now");
    return [];
  };
  const guard = createGuard({ protected_request: [{ ip: "203.0.113.7" }] }, list, terraform);
  const entry = createPlanRegistry().enter({ kind: "network_acl", change: { action: "create", planned: {} } });
  const context = { ...bare, plan: entry as never, report: () => {} };
  const change = { action: "create", planned: open } as const;
  await expect(guard.review(change, context)).rejects.toThrow("not now");
  await expect(guard.review(change, context)).resolves.toBeUndefined();
});
