/** The members of an organization as one set: who is not listed is no member. */
import * as z from "zod";
import { attributePath } from "../../cty/path";
import { attribute, mapOf, rule, setOf } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import { prose, visible } from "../characters";
import { organizationId, userIdKeys, userIds } from "./plausible";

const endings = ["remove", "keep"] as const;

const userId = visible(
  z.string().regex(/^.{1,255}$/su, "give user ids such as auth0|65f0c2, of at most 255 characters"),
);

const config = z.object({
  organization_id: attribute(
    visible(z.string().min(1, "give the id of the organization, org_…").max(50, "use at most 50 characters")),
    "Id of the organization.",
    { replace: true, example: "org_9ybsU1dN2dKfDkBi", rules: [organizationId] },
  ),
  members: attribute(
    setOf(userId).optional(),
    "User ids of the members. Who is in the organization and not listed here is removed, unless `exclusive` is false. Either " +
      "this or `members_with_notes` is given.",
    { example: ["auth0|65f0c2a4", "google-oauth2|1041"], rules: [userIds] },
  ),
  members_with_notes: attribute(
    mapOf(userId, prose()).optional(),
    "In place of `members`: user ids of the members, each with a note that says who it is. Notes stay in the state, and are never " +
      "sent. Also what suits thousands of members, as Terraform compares maps in far less time than sets.",
    { example: { "auth0|65f0c2a4": "Ada Lovelace, legal" }, rules: [userIdKeys] },
  ),
  exclusive: attribute(
    z.boolean().default(true),
    "Whether these are all members. With false the set adds and removes only what it lists, and others stay. Default: true.",
    { example: false },
  ),
  adopt_existing: attribute(
    z.boolean().default(false),
    "Whether a new set may remove members whom the organization has already. Default: false, which refuses.",
    { example: true },
  ),
  max_removals: attribute(
    z.int("give a whole number").min(0, "give 0 or more").optional(),
    "The most members that one change may remove; a plan that would remove more is refused. Default: no limit.",
    { example: 5 },
  ),
  allow_empty: attribute(
    z.boolean().optional(),
    "Whether a change may leave the organization without any member. Default: no, unless `max_removals` allows as many.",
    { example: true },
  ),
  on_destroy: attribute(
    z.enum(endings, `choose one of ${endings.join(", ")}`).default("remove"),
    "What becomes of the members when the set is destroyed: `remove` or `keep`. Default: `remove`.",
    { example: "keep" },
  ),
});

const computed = z.object({
  id: attribute(z.string(), "Id of the organization, which tells the set from others."),
});

const oneForm = rule(config, ({ members, members_with_notes }, report) => {
  if (members === undefined && members_with_notes === undefined) {
    report(
      "Neither `members` nor `members_with_notes` is given: list user ids in one of them; `members = []` means nobody.",
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

export const organizationMemberSet = define({
  name: "organization_member_set",
  description: "All members of an organization, authoritatively: who is not listed is removed.",
  config,
  computed,
  identity: config.pick({ organization_id: true }),
  rules: [oneForm],
});
