/** The schema of the member set of an organization. */
import * as z from "zod";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import { attribute, mapOf, rule, setOf } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import { prose, visible } from "../characters";
import { instant } from "../instant";
import { organizationId, userIdKeys, userIds } from "./plausible";

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
    "User ids of the members, each with a note such as the name. Replaces `members`. Only the state holds the notes; the " +
      "provider never sends them. Use it for thousands of members, because Terraform compares maps much faster than sets.",
    { example: { "auth0|65f0c2a4": "Ada Lovelace, legal" }, rules: [userIdKeys] },
  ),
  expires_at: attribute(
    mapOf(userId, instant()).optional(),
    "User ids of members that leave at a time, each with this time and its offset from UTC, such as `2026-12-01T18:00:00Z`. The first " +
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
