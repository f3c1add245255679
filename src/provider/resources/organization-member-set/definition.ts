/** The schema of the member set of an organization. */
import * as z from "zod";
import { attribute, rule, setOf } from "../../sdk/attribute";
import { prose, single, texts, visible } from "../schemas";
import { attributePath } from "../../../formats/cty/path";
import { type Config, define, type State } from "../../sdk/definition";
import { isUnknown } from "../../../formats/cty/value";

/* Warns about ids that the service accepts but that are probably mistakes. */

const userIds = rule(texts, (ids, report) => checkUserIds(ids, (words) => report(words, [], "warning")));
const userIdKeys = rule(z.record(z.string(), z.string()), (notes, report) => {
  checkUserIds(Object.keys(notes), (words, key) => report(words, [{ key }], "warning"));
  for (const [key, note] of Object.entries(notes)) {
    if (key.includes("|") || typeof note !== "string" || !/^[\w-]+\|\S+$/.test(note)) continue;
    const words = `${JSON.stringify(key)} is not a user id, but its note ${JSON.stringify(note)} looks like one: the id is the key, and the note is the value.`;
    report(words, [{ key }], "warning");
  }
});

export const organizationId = single((id) =>
  id === "" || id.startsWith("org_")
    ? undefined
    : `\`organization_id\` is ${JSON.stringify(id)}, which does not look like an id. Ids begin with org_; the data source tenant_organization finds the id of an organization by its name.`,
);

function checkUserIds(ids: readonly unknown[], warn: (words: string, id: string) => void): void {
  const known = new Set(ids);
  for (const id of ids) {
    if (typeof id !== "string") continue;
    const bare = id.trim();
    if (bare !== id) {
      const twice = known.has(bare) ? `, and ${JSON.stringify(bare)} is listed too` : "";
      warn(`${JSON.stringify(id)} has spaces around it${twice}. You probably mean ${JSON.stringify(bare)}.`, id);
    } else if (/^[^\s|@]+@[^\s|@]+\.[^\s|@]+$/.test(id)) {
      warn(`${JSON.stringify(id)} is an e-mail address: list user ids, such as auth0|65f0c2.`, id);
    }
  }
}

const endings = ["remove", "keep"] as const;

const userId = visible(
  z.string().regex(/^.{1,255}$/su, "give user ids such as auth0|65f0c2, with at most 255 characters"),
);

const config = z.object({
  organization_id: attribute(
    visible(z.string().min(1, "give the id of the organization, org_…").max(50, "use at most 50 characters")),
    "Id of the organization.",
    { replace: true, example: "org_9ybsU1dN2dKfDkBi", rules: [organizationId] },
  ),
  members: attribute(
    setOf(userId).optional(),
    "User ids of the members. Terraform removes members that you do not list, unless `exclusive` is false. Give either " +
      "`members` or `members_with_notes`.",
    { example: ["auth0|65f0c2a4", "google-oauth2|1041"], rules: [userIds] },
  ),
  members_with_notes: attribute(
    z.record(userId, prose()).optional(),
    "User ids of the members, each with a note such as the name. Replaces `members`. The provider " +
      "never sends the notes to Auth0. Use it for thousands of members, because Terraform compares maps much faster than sets.",
    { example: { "auth0|65f0c2a4": "Ada Lovelace, legal" }, rules: [userIdKeys] },
  ),
  exclusive: attribute(
    z.boolean().default(true),
    "Whether the set lists all members. If false, the set adds and removes only the members that it lists. Default: true.",
    { example: false },
  ),
  remove_existing: attribute(
    z.boolean().default(false),
    "Whether a new set may remove existing members of the organization. Default: false, which refuses a plan that would remove some.",
    { example: true },
  ),
  max_removals: attribute(
    z.int("give a whole number").min(0, "give 0 or more").optional(),
    "Maximum number of members that one change may remove. A plan that removes more fails. Default: no limit.",
    { example: 5 },
  ),
  allow_empty: attribute(
    z.boolean().optional(),
    "Whether a change or a destroy may remove all current members, even if it adds others. Default: false.",
    { example: true },
  ),
  on_destroy: attribute(
    z.enum(endings, `choose one of ${endings.join(", ")}`).default("remove"),
    "Whether to `remove` or `keep` the members when Terraform destroys the set. Default: `remove`. If no " +
      "current member would stay, `allow_empty` must permit it.",
    { example: "keep" },
  ),
});

const computed = z.object({ id: attribute(z.string(), "Id of the organization.") });

const oneForm = rule(config, ({ members, members_with_notes }, report) => {
  if (members === undefined && members_with_notes === undefined) {
    report(
      "Neither `members` nor `members_with_notes` is given: list user ids in one of them. `members = []` means no members.",
      attributePath("members"),
    );
  }
  const both = [members, members_with_notes].every((form) => form !== undefined && !isUnknown(form));
  if (both) {
    report(
      "`members` and `members_with_notes` are both given: put all members into one of them.",
      attributePath("members_with_notes"),
    );
  }
});

export const organizationMemberSet = define({
  name: "organization_member_set",
  description: "All members of an organization. Terraform removes members that you do not list.",
  config,
  computed,
  identity: config.pick({ organization_id: true }),
  rules: [oneForm],
});

/* Converts between member sets and the members of an organization, which the service knows. */

export type MemberSet = State<typeof organizationMemberSet>;

/** Values of attributes that the service does not have. */
export const defaults: Pick<Config<typeof organizationMemberSet>, "exclusive" | "remove_existing" | "on_destroy"> = {
  exclusive: true,
  remove_existing: false,
  on_destroy: "remove",
};

/** Either form of a set's members, or neither, as after an import. */
type Listing = Partial<Pick<MemberSet, "members" | "members_with_notes">>;

/** The members that the organization should have. */
export function membersOf({ members, members_with_notes: notes = {} }: Listing): readonly string[] {
  return members ?? Object.keys(notes);
}

/**
 * The ids in the form of `known`, with its notes and in its order, because an engine that treats sets as lists would show a change.
 * New ids come last.
 */
export function inFormOf(known: Listing, ids: readonly string[], earlier: Listing = {}): Listing {
  const present = new Set(ids);
  const listed = membersOf(known).filter((id) => present.delete(id));
  const members = [...listed, ...present];
  if (!known.members_with_notes) return { members };
  const notes = new Map(Object.entries({ ...earlier.members_with_notes, ...known.members_with_notes }));
  return { members_with_notes: Object.fromEntries(members.map((id) => [id, notes.get(id) ?? ""])) };
}

export function within(ids: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => known.has(id));
}

export function without(ids: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}

/** The data source of the members. */
export const membersDefinition = define({
  name: "organization_members",
  description: "All members of an organization, including unmanaged members.",
  config: organizationMemberSet.config.pick({ organization_id: true }),
  computed: z.object({ members: attribute(setOf(z.string()), "User ids of the members.") }),
});

/** The data source of one organization. */
export const organizationRead = define({
  name: "organization",
  description: "An organization, by its name. The token needs `read:organizations`.",
  config: z.object({
    name: attribute(
      visible(z.string().min(1, "give the name of the organization").max(50, "use at most 50 characters")),
      "Name of the organization, not its display name.",
      { example: "acme" },
    ),
  }),
  computed: z.object({
    id: attribute(z.string(), "Id of the organization."),
    display_name: attribute(z.string().optional(), "Name that people see."),
  }),
});
