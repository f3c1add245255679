/** A plan accepts, announces or refuses what a member set does to its organization. test/judge/impact/members.test.ts has who loses access. */
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
const emptying = { members: [], remove_existing: true };

test.each<[string, Case, RegExp]>([
  ["the removal of all", { prior: three, config: { members: [], allow_empty: false } }, /would lose all members: /],
  ["an empty new set", { present: memberIds(3), config: emptying }, /All 3 members lose access/],
  [
    "more removals than max_removals",
    { prior: { members: memberIds(8) }, config: { members: memberIds(1), max_removals: 2 } },
    /7 of 8 members lose access to \w+, and `max_removals` is 2\.: The members: auth0\|0001, auth0\|0002, auth0\|0003, auth0\|0004, auth0\|0005 and 2 more/,
  ],
  [
    "a loss beside a note that is known only after the apply",
    {
      prior: { members_with_notes: { "auth0|ada": "Ada" } },
      config: { members_with_notes: { "auth0|grace": unknown }, max_removals: 0 },
    },
    /1 of 1 member loses access to \w+, and `max_removals` is 0\.: The member: auth0\|ada\./,
  ],
  [
    "a new set that does not list all members",
    { present: ["auth0|b", "auth0|c", "auth0|a"], config: { members: ["auth0|a"] } },
    /has 2 members that the new set does not list, .*: auth0\|b, auth0\|c\. .* terraform import tenant_organization_member_set\.NAME org_/,
  ],
  [
    "an organization that the tenant does not have",
    { config: { ...three, ...elsewhere } },
    /`organization_id` is "org_0123456789abcdef": No organization found by that id\. .*terraform destroy -refresh=false/,
  ],
])("refuses %s", async (_what, one, message) => {
  expect(words((await planned(one)).errors)).toEqual([expect.stringMatching(message)]);
});

test.each<[string, Case]>([
  ["allow_empty", { prior: three, config: { members: [], allow_empty: true } }],
  ["allow_empty that is not known yet", { prior: three, config: { members: [], allow_empty: unknown } }],
  ["exclusive = false", { prior: { ...three, exclusive: false }, config: { members: [], exclusive: false } }],
  ["allow_empty of a new set", { present: memberIds(3), config: { ...emptying, allow_empty: true } }],
])("accepts an organization without members because of %s", async (_what, one) => {
  expect((await planned(one)).errors).toEqual([]);
});

const nowhere = { organization_id: unknown, max_removals: 40 };
const lost = (count: string) => `${count} lose access to ORG.`;

test.each<[string, Case, readonly string[]]>([
  [
    "many leave",
    { prior: { members: memberIds(100) }, config: { members: memberIds(89) } },
    [lost("11 of 100 members")],
  ],
  [
    "members of two organizations leave, some perhaps",
    { prior: { members: memberIds(20) }, config: { ...emptying, ...nowhere, members: memberIds(2) } },
    [
      expect.stringContaining(lost("18 of 20 members")) as string,
      "Up to 2 of 20 members may lose access to ORG.",
      expect.stringContaining("Up to 40 members") as string,
    ],
  ],
])("announces what the plan does when %s", async (_what, one, summaries) => {
  const { errors, warnings } = await planned(one);
  expect(errors).toEqual([]);
  expect(warnings.map(({ summary }) => summary!.replace(organization, "ORG"))).toEqual(summaries);
});

test("announces who leaves the organization that a set moves to", async () => {
  const { id } = review.emulator.store.addOrganization({ name: "umbrella" });
  review.emulator.store.addMembers(id, memberIds(5));
  const config = { ...three, organization_id: id, remove_existing: true, allow_empty: true };
  const { errors, warnings } = await planned({ prior: three, config });
  expect(errors).toEqual([]);
  expect(warnings.map(({ summary }) => summary)).toEqual([
    `All 3 members lose access to ${organization}, so nobody is left.`,
    `2 of 5 members lose access to ${id}.`,
  ]);
});

test("says nothing of a set that is not exclusive, whose plan shows who leaves", async () => {
  const one = {
    present: ["auth0|x"],
    prior: { ...three, exclusive: false },
    config: { members: [], exclusive: false },
  };
  expect(await planned(one)).toMatchObject({ errors: [], warnings: [] });
});

test("refuses a renamed set without a moved block", async () => {
  review.emulator.store.addMembers(organization, memberIds(3));
  const going: Planned = { kind, prior: stateOf(three) };
  const renamed = await review.planAll([going, { kind, config: setOf(three) }]);
  const all = words(renamed.errors);
  expect(all.filter((one) => one.includes("[TNF-DUPLICATE]"))).toEqual([]);
  expect(all.filter((one) => one.includes("TNF-MEMBERS-EMPTIED"))).toEqual([
    expect.stringContaining("If the resource only has another name, write `moved`."),
  ]);
  expect(all).toContainEqual(
    expect.stringMatching(/moved \{\n {2}from = OLD_ADDRESS\n {2}to {3}= NEW_ADDRESS\n\}\n\n.*state list -id=\w+/),
  );
});
