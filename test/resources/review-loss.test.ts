/** The review accepts, reports or refuses a loss of members, by its size. */
import { unknown } from "../../src/cty/value";
import { memberIds, openReview, type Reviewing } from "./support/reviewing";

let review: Reviewing;
let organization: string;
beforeEach(async () => {
  review = await openReview();
  organization = review.emulator.store.addOrganization({ name: "initech" }).id;
});
afterEach(() => review.close());

const setOf = (members: string[], rest: object = {}) => ({ organization_id: organization, members, ...rest });
const change = (before: string[], after: string[], rest: object = {}) =>
  review.plan("organization_member_set", setOf(after, rest), setOf(before, { ...defaults, ...rest }));
const defaults = { exclusive: true, remove_existing: false, on_destroy: "remove" };

test.each([
  [100, 10, false],
  [100, 11, true],
])("an organization with %d members loses %d, and the plan warns: %p", async (of, leaving, announced) => {
  const { errors, warnings } = await change(memberIds(of), memberIds(of).slice(leaving));
  expect(errors).toEqual([]);
  expect(warnings.length).toBe(announced ? 1 : 0);
  if (announced)
    expect(warnings[0]!.summary).toContain(
      `Organization ${organization} would lose ${leaving} of ${of} members: auth0|`,
    );
});

test("does not warn when members are added", async () => {
  expect(await change(memberIds(1), memberIds(300))).toMatchObject({ errors: [], warnings: [] });
});

describe("removing the last member", () => {
  test.each([
    ["is refused without a setting", {}, true],
    ["is accepted with max_removals", { max_removals: 3 }, false],
    ["is accepted with allow_empty", { allow_empty: true }, false],
    ["is accepted from a non-exclusive set", { exclusive: false }, false],
  ])("%s", async (_how, rest, isRefused) => {
    const { errors } = await change(memberIds(3), [], rest);
    expect(errors.map(({ summary }) => summary)).toEqual(isRefused ? ["An organization would be emptied"] : []);
  });

  test("is refused for a new set that adopts existing members and lists none, unless allow_empty is set", async () => {
    review.emulator.store.addMembers(organization, memberIds(3));
    const adopting = (rest: object = {}) =>
      review.plan("organization_member_set", setOf([], { remove_existing: true, ...rest }));
    expect((await adopting()).errors[0]!.detail).toContain("would lose 3 of 3 members");
    const { errors, warnings } = await adopting({ allow_empty: true });
    expect(errors).toEqual([]);
    expect(warnings[0]!.summary).toContain("would lose 3 of 3 members");
  });

  test("is refused when the set moves to another organization, unless a setting allows it", async () => {
    const other = review.emulator.store.addOrganization({ name: "umbrella" }).id;
    const moving = (rest: object, prior: object = {}) =>
      review.plan(
        "organization_member_set",
        { ...setOf(memberIds(2), rest), organization_id: other },
        setOf(memberIds(2), { ...defaults, ...prior }),
      );
    expect((await moving({})).errors[0]!.detail).toContain(`Organization ${organization} would lose 2 of 2 members`);
    expect((await moving({ allow_empty: true })).errors).toEqual([]);
    expect((await moving({ max_removals: 2 })).errors).toEqual([]);
    expect((await moving({}, { on_destroy: "keep" })).errors).toEqual([]);
  });
});

describe("a loss that is known only after the apply", () => {
  const prior = (members: string[], rest: object = {}) => ({ ...setOf(members), ...defaults, ...rest });
  const planned = (rest: object, before?: object) =>
    review.plan("organization_member_set", { ...setOf([]), members: undefined, ...rest }, before);
  const upTo = (count: number, of: number) => `Organization ${organization} would lose up to ${count} of ${of} members`;

  test.each<[string, object, object, string[]]>([
    ["members", { members: unknown }, {}, ["20 of 20"]],
    ["members, up to max_removals", { members: unknown, max_removals: 3 }, {}, ["3 of 20"]],
    ["members, with max_removals = 0", { members: unknown, max_removals: 0 }, {}, []],
    ["members of a non-exclusive set", { members: unknown, exclusive: false }, {}, []],
  ])("is reported with the largest possible number: unknown %s", async (_, rest, before, counts) => {
    const { errors, warnings } = await planned(rest, prior(memberIds(20), before));
    expect(errors).toEqual([]);
    expect(warnings.map(({ summary }) => summary)).toEqual(
      counts.map((count) => `Organization ${organization} would lose up to ${count} members`),
    );
  });

  test("is reported for a new set that may adopt existing members, and not for one that cannot", async () => {
    review.emulator.store.addMembers(organization, memberIds(20));
    const adopting = async (rest: object) => {
      const { errors, warnings } = await planned(rest);
      return [...errors, ...warnings].map(({ summary }) => summary);
    };
    expect(await adopting({ members: unknown, remove_existing: true })).toEqual([upTo(20, 20)]);
    expect(await adopting({ members: unknown, remove_existing: unknown })).toEqual([upTo(20, 20)]);
    expect(await adopting({ members: memberIds(5), exclusive: unknown, remove_existing: true })).toEqual([
      upTo(15, 20),
    ]);
    expect(await adopting({ members: unknown })).toEqual([]);
    expect(await adopting({ members: memberIds(5), remove_existing: unknown })).toEqual([upTo(15, 20)]);
  });

  test("is reported without a number when the organization is unknown", async () => {
    const moving = (rest: object, before?: object) =>
      planned({ members: memberIds(2), organization_id: unknown, ...rest }, before);
    const summaries = async (rest: object, before?: object) => {
      const { errors, warnings } = await moving(rest, before);
      return [...errors, ...warnings].map(({ summary }) => summary);
    };
    expect(await summaries({ remove_existing: true })).toEqual(["Members may lose access"]);
    expect(await summaries({ remove_existing: unknown })).toEqual(["Members may lose access"]);
    expect(await summaries({})).toEqual([]);
    expect(await summaries({ remove_existing: true, exclusive: false })).toEqual([]);
    expect(await summaries({ remove_existing: true, max_removals: 40 }, prior(memberIds(20)))).toEqual([
      expect.stringContaining(`Organization ${organization} would lose 18 of 20 members`),
      upTo(2, 20),
      "Members may lose access",
    ]);
  });
});
