/** Which loss of members passes in silence, which is announced, and which is refused: by the review itself, on a tenant in process. */
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
const defaults = { exclusive: true, adopt_existing: false, on_destroy: "remove" };

test.each([
  [100, 10, false],
  [100, 11, true],
  [300, 11, true],
  [20, 2, false],
  [20, 3, true],
  [9, 1, true],
])("of %d members %d leave: announced is %p", async (of, leaving, announced) => {
  const { errors, warnings } = await change(memberIds(of), memberIds(of).slice(leaving));
  expect(errors).toEqual([]);
  expect(warnings.length).toBe(announced ? 1 : 0);
  if (announced)
    expect(warnings[0]!.summary).toContain(
      `Organization ${organization} would lose ${leaving} of ${of} members: auth0|`,
    );
});

test("who comes is no loss", async () => {
  expect(await change(memberIds(1), memberIds(300))).toMatchObject({ errors: [], warnings: [] });
});

describe("the last member", () => {
  test.each([
    ["unasked", {}, true],
    ["as max_removals allows", { max_removals: 3 }, false],
    ["as allow_empty says", { allow_empty: true }, false],
    ["from a set that is not exclusive", { exclusive: false }, false],
  ])("%s", async (_how, rest, isRefused) => {
    const { errors } = await change(memberIds(3), [], rest);
    expect(errors.map(({ summary }) => summary)).toEqual(isRefused ? ["An organization would be emptied"] : []);
  });

  test("of another's organization does not go with a new set that adopts and lists nobody", async () => {
    review.emulator.store.addMembers(organization, memberIds(3));
    const adopting = (rest: object = {}) =>
      review.plan("organization_member_set", setOf([], { adopt_existing: true, ...rest }));
    expect((await adopting()).errors[0]!.detail).toContain("would lose 3 of 3 members");
    const { errors, warnings } = await adopting({ allow_empty: true });
    expect(errors).toEqual([]);
    expect(warnings[0]!.summary).toContain("would lose 3 of 3 members");
  });

  test("does not go where the set moves to another organization", async () => {
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
