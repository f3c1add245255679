/** The schema of the member set of an organization. */
import * as z from "zod";
import { attribute, mapOf, rule, setOf } from "../../sdk/attribute";
import { instant, prose, single, texts, visible } from "../values";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import { type Config, define, type State } from "../../sdk/definition";

/* Warns about ids that the service accepts but that are probably mistakes. */

export const userIds = rule(texts, (ids, report) => checkUserIds(ids, (words) => report(words, [], "warning")));
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
    : `\`organization_id\` is ${JSON.stringify(id)}, which does not look like an id. Ids begin with org_; a name does not work.`,
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
    mapOf(userId, prose()).optional(),
    "User ids of the members, each with a note such as the name. Replaces `members`. The provider " +
      "never sends the notes to Auth0. Use it for thousands of members, because Terraform compares maps much faster than sets.",
    { example: { "auth0|65f0c2a4": "Ada Lovelace, legal" }, rules: [userIdKeys] },
  ),
  expires_at: attribute(
    mapOf(userId, instant()).optional(),
    "User ids of members whose membership expires, each with the time of expiry and its offset from UTC, such as `2026-12-01T18:00:00Z`. The first " +
      "plan after this time removes the member. List the member in `members` or `members_with_notes` too.",
    { example: { "google-oauth2|1041": "2026-12-01T18:00:00Z" } },
  ),
  exclusive: attribute(
    z.boolean().default(true),
    "Whether the set lists all members. If false, the set adds and removes only the members that it lists. Default: true.",
    { example: false },
  ),
  remove_existing: attribute(
    z.boolean().default(false),
    "Whether a new set may remove existing members of the organization. Default: false, which refuses the plan.",
    { example: true },
  ),
  max_removals: attribute(
    z.int("give a whole number").min(0, "give 0 or more").optional(),
    "Maximum number of members that one change may remove. A plan that removes more fails. Default: no limit.",
    { example: 5 },
  ),
  allow_empty: attribute(
    z.boolean().optional(),
    "Whether a change or a destroy may leave the organization without members. Default: no, unless `max_removals` is large enough.",
    { example: true },
  ),
  on_destroy: attribute(
    z.enum(endings, `choose one of ${endings.join(", ")}`).default("remove"),
    "Whether to `remove` or `keep` the members when Terraform destroys the set. Default: `remove`, which `allow_empty` or " +
      "`max_removals` must permit if the organization would have no members.",
    { example: "keep" },
  ),
});

const computed = z.object({
  id: attribute(z.string(), "Id of the organization."),
  expired_members: attribute(
    setOf(z.string()).optional(),
    "Listed members whose `expires_at` has passed, so that the organization does not have them.",
    { derived: true },
  ),
});

const oneForm = rule(config, ({ members, members_with_notes }, report) => {
  if (members === undefined && members_with_notes === undefined) {
    report(
      "Neither `members` nor `members_with_notes` is given: list user ids in one of them. `members = []` means no members.",
      attributePath("members"),
    );
  }
  const both = [members, members_with_notes].every((form) => form !== undefined && typeof form !== "symbol");
  if (both) {
    report(
      "`members` and `members_with_notes` are both given: put all members into one of them.",
      attributePath("members_with_notes"),
    );
  }
});

/** An id that is not listed would look like a member. */
const listedEnds = rule(config, ({ members, members_with_notes: notes, expires_at }, report) => {
  if (expires_at === undefined || [members, notes].some((form) => form === unknown)) return;
  const ids = members ?? Object.keys(notes ?? {});
  if (!Array.isArray(ids) || ids.includes(unknown)) return;
  const listed = new Set<unknown>(ids);
  for (const id of Object.keys(expires_at).filter((key) => !listed.has(key))) {
    report(
      `\`expires_at\` has ${JSON.stringify(id)}, which \`${notes === undefined ? "members" : "members_with_notes"}\` does not list. List ` +
        "the member there too, or remove it from `expires_at`.",
      [{ attribute: "expires_at" }, { key: id }],
    );
  }
});

/** Ended members by id, each with the end that `read` has seen pass. */
interface Kept {
  readonly expired?: Readonly<Record<string, unknown>>;
}

export const organizationMemberSet = define({
  name: "organization_member_set",
  description: "All members of an organization. Terraform removes members that you do not list.",
  config,
  computed,
  identity: config.pick({ organization_id: true }),
  rules: [oneForm, listedEnds],
  derive({ expires_at }, { expired = {} }: Kept) {
    const ids = Object.keys(expired);
    if (ids.length === 0 || expires_at === undefined) return {};
    const ends = (typeof expires_at === "object" ? expires_at : {}) as Readonly<Record<string, unknown>>;
    // An end that is not known yet may be the one that has passed.
    if (expires_at === unknown || ids.some((id) => ends[id] === unknown)) return { expired_members: unknown };
    const ended = ids.filter((id) => ends[id] === expired[id]);
    return ended.length === 0 ? {} : { expired_members: ended };
  },
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
type Listing = Partial<Pick<MemberSet, "members" | "members_with_notes" | "expired_members">>;

/** Also the members that have expired. */
export function listedIn({ members, members_with_notes: notes = {} }: Listing): readonly string[] {
  return members ?? Object.keys(notes);
}

/** The members that the organization should have. */
export function membersOf(listing: Listing): readonly string[] {
  const { expired_members: expired } = listing;
  return expired ? without(listedIn(listing), expired) : listedIn(listing);
}

/** The state of a set whose organization has these members. Expired members stay listed, as in the configuration. */
export function standing(known: Listing, present: readonly string[], earlier?: Listing): Listing {
  const gone = without(known.expired_members ?? [], present);
  const form = inFormOf(known, [...present, ...gone], earlier);
  return { ...form, expired_members: gone.length > 0 ? gone : undefined };
}

/**
 * The ids in the form of `known`, with its notes and in its order, because an engine that treats sets as lists would show a change.
 * New ids come last.
 */
export function inFormOf(known: Listing, ids: readonly string[], earlier: Listing = {}): Listing {
  const present = new Set(ids);
  const listed = listedIn(known).filter((id) => present.delete(id));
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
