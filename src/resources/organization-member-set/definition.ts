/** The members of an organization as one set: who is not listed is no member. */
import * as z from "zod";
import { attribute, setOf } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import { userIds } from "../plausible";

const endings = ["remove", "keep"] as const;

const config = z.object({
  organization_id: attribute(
    z.string().min(1, "give the id of the organization, org_…").max(50, "use at most 50 characters"),
    "Id of the organization.",
    { replace: true, example: "org_9ybsU1dN2dKfDkBi" },
  ),
  members: attribute(
    setOf(z.string().regex(/^[^\p{Cc}]{1,255}$/u, "give user ids such as auth0|65f0c2, of at most 255 characters")),
    "User ids of the members. Who is in the organization and not listed here is removed, unless `exclusive` is false.",
    { example: ["auth0|65f0c2a4", "google-oauth2|1041"], rules: [userIds] },
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

export const organizationMemberSet = define({
  name: "organization_member_set",
  description: "All members of an organization, authoritatively: who is not listed is removed.",
  config,
  computed: z.object({}),
  identity: config.pick({ organization_id: true }),
});
