/** A plan accepts, announces or refuses what a member set does to its organization. impact/truth.test.ts has who loses access in plan and review. */
import { unknown } from "../../../../src/formats/cty/value";
import { memberIds, openReview, type Planned, type Said } from "../support/reviewing";
import { eachTest } from "../../../support/each-test";

const review = eachTest(openReview);
let organization: string;
beforeEach(() => {
  organization = review.emulator.store.addOrganization({ name: "initech" }).id;
});

const defaults = { exclusive: true, remove_existing: false, on_destroy: "remove" };
const kind = "organization_member_set";

/** The set in its organization; `id` makes it the set of a state. */
const setOf = (written: object) => ({ organization_id: organization, ...written });
const stateOf = (written: object) => setOf({ id: organization, ...defaults, ...written });
const words = (said: Said["errors"]) => said.map(({ summary, detail }) => `${summary}: ${detail}`);

interface Case {
  /** The members that the tenant has beside those of the prior set. */
  readonly present?: readonly string[];
  readonly prior?: object;
  /** undefined: the plan destroys the set. */
  readonly config?: object | undefined;
}

function planned({ present = [], prior, config }: Case): Promise<Said> {
  const { members, members_with_notes: notes = {} } = { ...prior } as {
    readonly members?: string[];
    readonly members_with_notes?: object;
  };
  review.emulator.store.addMembers(organization, [...(members ?? Object.keys(notes)), ...present]);
  return review.planAll([{ kind, ...(config && { config: setOf(config) }), ...(prior && { prior: stateOf(prior) }) }]);
}

const elsewhere = { organization_id: "org_0123456789abcdef" };
const three = { members: memberIds(3) };

test.each<[string, Case, RegExp]>([
  [
    "the removal of the last member with allow_empty = false",
    { prior: three, config: { members: [], allow_empty: false } },
    /emptied: /,
  ],
  [
    "an empty new set of an organization with members",
    { present: memberIds(3), config: { members: [], remove_existing: true } },
    /All 3 members lose access/,
  ],
  [
    "more removals than max_removals",
    { prior: { members: memberIds(8) }, config: { members: memberIds(1), max_removals: 2 } },
    /7 of 8 members lose access to \w+. The members: auth0\|0001, auth0\|0002, auth0\|0003, auth0\|0004, auth0\|0005 and 2 more/,
  ],
  [
    "a loss beside a note that is known only after the apply",
    {
      prior: { members_with_notes: { "auth0|ada": "Ada" } },
      config: { members_with_notes: { "auth0|grace": unknown }, max_removals: 0 },
    },
    /1 of 1 member loses access to \w+. The member: auth0\|ada\./,
  ],
  [
    "a new set that does not list all members",
    { present: ["auth0|b", "auth0|c", "auth0|a"], config: { members: ["auth0|a"] } },
    /has 2 members that the set does not list, .*: auth0\|b, auth0\|c\..* terraform import tenant_organization_member_set\.NAME org_/,
  ],
  [
    "an organization that the tenant does not have",
    { config: { ...three, ...elsewhere } },
    /`organization_id` is "org_0123456789abcdef": No organization found by that id/,
  ],
])("refuses %s", async (_what, one, message) => {
  expect(words((await planned(one)).errors)).toEqual([expect.stringMatching(message)]);
});

test.each<[string, Case]>([
  ["allow_empty", { prior: three, config: { members: [], allow_empty: true } }],
  ["allow_empty that is not known yet", { prior: three, config: { members: [], allow_empty: unknown } }],
  ["exclusive = false", { prior: { ...three, exclusive: false }, config: { members: [], exclusive: false } }],
  [
    "allow_empty of a new set",
    { present: memberIds(3), config: { members: [], remove_existing: true, allow_empty: true } },
  ],
])("accepts an organization without members because of %s", async (_what, one) => {
  expect((await planned(one)).errors).toEqual([]);
});

const lost = (count: string) => `${count} lose access to ORG.`;

test.each<[string, Case, readonly string[]]>([
  [
    "11 of 100 members leave",
    { prior: { members: memberIds(100) }, config: { members: memberIds(89) } },
    [lost("11 of 100 members")],
  ],
  [
    "a new set removes members that it does not list",
    { present: memberIds(3), config: { members: memberIds(1), remove_existing: true } },
    [lost("2 of 3 members")],
  ],
])("announces what the plan does when %s", async (_what, one, summaries) => {
  const { errors, warnings } = await planned(one);
  expect(errors).toEqual([]);
  expect(warnings.map(({ summary }) => summary!.replace(organization, "ORG"))).toEqual(summaries);
});

test("names no member of an exclusive set twice, and lets sets that are not exclusive share an organization", async () => {
  const set = (written: object): Planned => ({ kind, config: setOf(written) });
  const [one, other] = [{ members: ["auth0|a"] }, { members: ["auth0|b"] }];
  const twice = await review.planAll([set(one), set(other)]);
  expect(words(twice.errors)).toEqual([
    expect.stringMatching(/manage the same organization org_\w+\. .*Put all members into one of them/),
  ]);
  const shared = { exclusive: false };
  expect((await review.planAll([set({ ...one, ...shared }), set({ ...other, ...shared })])).errors).toEqual([]);
});

test("refuses the end of a set while another set of the organization stays, and a renamed set without a moved block", async () => {
  review.emulator.store.addMembers(organization, memberIds(3));
  const going: Planned = { kind, prior: stateOf(three) };
  const staying: Planned = { kind, prior: stateOf(three), config: setOf(three) };
  expect(words((await review.planAll([staying, going])).errors)).toContainEqual(
    expect.stringMatching(/and the member set of org_\w+ \(destroyed\) manage the same organization/),
  );
  const renamed = await review.planAll([going, { kind, config: setOf(three) }]);
  expect(words(renamed.errors)).toContainEqual(
    expect.stringMatching(/moved \{\n {2}from = OLD_ADDRESS\n {2}to {3}= NEW_ADDRESS\n\}\n\n.*state list -id=\w+/),
  );
});

describe("a loss that is known only after the apply", () => {
  const upTo = (count: number, of: number) => `Up to ${count} of ${of} members may lose access to ORG.`;
  const some = "Any number of members may lose access to an organization that is not known yet.";
  const twenty = { members: memberIds(20) };
  const later = { members: unknown };
  const adopting = (config: object): Case => ({ present: memberIds(20), config });
  const moving = (config: object, prior?: object): Case => ({
    config: { members: memberIds(2), organization_id: unknown, ...config },
    ...(prior && { prior }),
  });

  test.each<[string, Case, readonly string[]]>([
    ["all members", { prior: twenty, config: later }, [upTo(20, 20)]],
    ["members up to max_removals", { prior: twenty, config: { ...later, max_removals: 3 } }, [upTo(3, 20)]],
    ["no member, because max_removals is 0", { prior: twenty, config: { ...later, max_removals: 0 } }, []],
    ["members that the set adopts", adopting({ ...later, remove_existing: true }), [upTo(20, 20)]],
    ["some members", adopting({ members: memberIds(5), exclusive: unknown, remove_existing: true }), [upTo(15, 20)]],
    ["members of an unknown organization", moving({ remove_existing: true }), [some]],
    ["no member of an unknown organization", moving({}), []],
    [
      "members of two organizations",
      moving({ remove_existing: true, max_removals: 40 }, twenty),
      [expect.stringContaining(lost("18 of 20 members")), upTo(2, 20), expect.stringContaining("Up to 40 members")],
    ],
  ])("is reported with the largest possible number: %s", async (_what, one, summaries) => {
    const { errors, warnings } = await planned(one);
    expect(errors).toEqual([]);
    expect(warnings.map(({ summary }) => summary!.replace(organization, "ORG"))).toEqual(summaries);
  });
});
