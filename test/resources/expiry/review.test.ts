/** Ends of objects and members in plans, in process and with a clock of the test. */
import { openReview, type Planned, type Reviewing } from "../support/reviewing";

const end = "2030-06-01T12:00:00+02:00";
const boundary = Date.parse(end);
const day = 86_400_000;

let now: number;
let reviewing: Reviewing;
beforeEach(async () => {
  now = boundary - 100 * day;
  reviewing = await openReview({}, () => now);
});
afterEach(() => reviewing.close());

const rule = { scope: "authentication", action: { allow: true }, match: { ipv4_cidrs: ["198.51.100.7"] } };
const office = (more: object = {}) => ({ description: "Office", priority: 10, expires_at: end, rule, ...more });

/** An ACL that the state and the tenant have. */
function known(more: object = {}): Record<string, unknown> {
  const time = "2030-01-01T00:00:00.000Z";
  const { store } = reviewing.emulator;
  const own = { description: "Office", priority: 10, active: true, rule, ...more };
  const acl = { ...own, id: `acl_${"1".repeat(22)}`, created_at: time, updated_at: time };
  store.networkAcls.put(acl as never);
  return acl;
}

function organization(...members: string[]): string {
  const { store } = reviewing.emulator;
  const { id } = store.addOrganization({ name: "acme" });
  store.addMembers(id, members);
  return id;
}

const team = (organization_id: string, more: object = {}) => ({
  organization_id,
  members: ["auth0|ada", "auth0|bob"],
  expires_at: { "auth0|bob": end },
  ...more,
});

const valuesOf = async (...objects: Planned[]) => {
  const { errors, values, warnings } = await reviewing.planWithValues(objects);
  expect(errors).toEqual([]);
  return { after: values.map(({ after }) => after), warnings: warnings.map(({ summary }) => summary) };
};
const detailsOf = async (kind: string, config: object, prior?: object) =>
  (await reviewing.plan(kind, config, prior)).errors.map(({ detail }) => detail!.split("\n\nhttps")[0]);

describe.each([
  ["1 ms before the end", -1, { active: true, expired: false }],
  ["at the end", 0, { active: false, expired: true }],
  ["1 ms after the end", 1, { active: false, expired: true }],
])("%s", (_when, distance, wanted) => {
  test("a plan decides whether the ACL stays active", async () => {
    now = boundary + distance;
    const prior = { ...known(), expires_at: end, expired: false };
    const { after } = await valuesOf({ kind: "network_acl", config: office(), prior });
    expect(after).toMatchObject([wanted]);
  });

  test("a plan decides whether the member stays", async () => {
    now = boundary + distance;
    const id = organization("auth0|ada", "auth0|bob");
    const prior = { ...team(id), id, exclusive: true, remove_existing: false, on_destroy: "remove" };
    const { after } = await valuesOf({ kind: "organization_member_set", config: team(id), prior });
    const [{ members, expired_members: expired }] = after as [{ members: unknown; expired_members?: unknown }];
    expect(members).toEqual(["auth0|ada", "auth0|bob"]);
    expect(expired).toEqual(wanted.expired ? ["auth0|bob"] : undefined);
  });

  test("a plan of a new object refuses an end that has passed", async () => {
    now = boundary + distance;
    const [acl] = await detailsOf("network_acl", office());
    const [set] = await detailsOf("organization_member_set", team(organization()));
    if (!wanted.expired) return expect([acl, set]).toEqual([undefined, undefined]);
    const time = new Date(now).toISOString();
    expect(acl).toBe(
      `\`expires_at\` is "${end}", but it is ${time} now: give a later time, or remove the network ACL. Nothing was changed.`,
    );
    expect(set).toBe(
      `\`expires_at["auth0|bob"]\` is "${end}", but it is ${time} now: give a later time, or remove the member. Nothing was changed.`,
    );
  });
});

test("a plan refuses an existing object that gets an end that has passed", async () => {
  now = boundary;
  expect(await detailsOf("network_acl", office(), known())).toEqual([expect.stringContaining("`expires_at` is")]);
});

test("an expired ACL that somebody switched on is switched off again, and one that is off stays untouched", async () => {
  now = boundary + day;
  const state = { expires_at: end, expired: true, active: false };
  const again = await valuesOf({ kind: "network_acl", config: office(), prior: { ...known(), ...state } });
  expect(again).toMatchObject({
    after: [{ active: false }],
    warnings: [expect.stringMatching(/^Network ACL .* expired$/)],
  });
  const quiet = await valuesOf({
    kind: "network_acl",
    config: office(),
    prior: { ...known({ active: false }), ...state },
  });
  expect(quiet).toMatchObject({ after: [{ active: false, expired: true }], warnings: [] });
});

test("a later end switches the ACL on again and brings the member back", async () => {
  now = boundary + day;
  const later = "2031-01-01T00:00:00Z";
  const id = organization("auth0|ada");
  const set = { ...team(id), id, exclusive: true, remove_existing: false, on_destroy: "remove" };
  const { after } = await valuesOf(
    {
      kind: "network_acl",
      config: office({ expires_at: later }),
      prior: { ...known({ active: false }), expires_at: end, expired: true },
    },
    {
      kind: "organization_member_set",
      config: team(id, { expires_at: { "auth0|bob": later } }),
      prior: { ...set, expired_members: ["auth0|bob"] },
    },
  );
  expect(after).toMatchObject([{ active: true, expired: false }, { members: ["auth0|ada", "auth0|bob"] }]);
  expect(after[1]).not.toHaveProperty("expired_members");
});

test("a plan folds all ends into one warning, the next end first, and plan_warnings can switch it off", async () => {
  now = boundary - day;
  const objects = [11, 12, 13].map((priority) => ({
    kind: "network_acl",
    config: office({
      priority,
      description: `Office ${priority}`,
      expires_at: `2030-06-${priority - 8 < 10 ? "0" : ""}${priority - 8}T00:00:00Z`,
    }),
  }));
  const { warnings } = await reviewing.planAll(objects.toReversed());
  const [soon] = warnings.filter(({ summary }) => summary!.endsWith("within 14 days"));
  expect(soon!.summary).toBe("3 network ACLs and memberships expire within 14 days");
  expect(soon!.detail).toMatch(/Office 11.*\n.*Office 12.*\n.*Office 13/);
  const quiet = await reviewing.planAll(objects, { plan_warnings: "off" });
  expect(quiet.warnings.filter(({ summary }) => summary!.includes("14 days"))).toEqual([]);
});

const wrong: [string, object, RegExp][] = [
  [
    "a date alone",
    { expires_at: "2030-06-01" },
    /`expires_at` is "2030-06-01": give a date and a time with its offset/,
  ],
  ["a time without an offset", { expires_at: "2030-06-01T12:00:00" }, /with its offset from UTC \(RFC 3339\)/],
  ["a day that does not exist", { expires_at: "2030-02-30T12:00:00Z" }, /`expires_at` is "2030-02-30T12:00:00Z"/],
  ["active = true", { active: true }, /`active` is true, but `expires_at` decides .* Remove `active`/],
];
test.each(wrong)("refuses %s", async (_what, more, words) => {
  expect(await detailsOf("network_acl", office(more))).toEqual([expect.stringMatching(words)]);
});

test("the guard refuses the plan if the ACL that lets a protected request through expires", async () => {
  now = boundary;
  const wall = {
    description: "Wall",
    priority: 50,
    rule: { scope: "authentication", action: { block: true }, match: { ipv4_cidrs: ["198.51.100.0/24"] } },
  };
  const prior = { ...known(), expires_at: end, expired: false };
  const time = "2030-01-01T00:00:00.000Z";
  reviewing.emulator.store.networkAcls.put({
    ...wall,
    active: true,
    id: `acl_${"2".repeat(22)}`,
    created_at: time,
    updated_at: time,
  } as never);
  const block = { protected_request: [{ name: "our CI", path: "/oauth/token", ip: "198.51.100.7" }] };
  const { errors } = await reviewing.planAll([{ kind: "network_acl", config: office(), prior }], block);
  expect(errors.map(({ summary }) => summary)).toEqual([expect.stringContaining("A protected request")]);
});

test("the apply of a change that the service does not see writes nothing", async () => {
  const prior = { ...known(), expires_at: end, expired: false };
  const { requests } = reviewing.emulator;
  await reviewing.applyAll([{ kind: "network_acl", config: office({ expires_at: "2031-01-01T00:00:00Z" }), prior }]);
  expect(requests.filter(({ method }) => method !== "GET" && method !== "POST")).toEqual([]);
});
