/** The members of an organization as one set: who is not listed is no member. */
import * as z from "zod";
import { attributePath } from "../cty/path";
import { unknown } from "../cty/value";
import { attribute, setOf } from "../sdk/attribute";
import { defineResource, Incomplete, Refusal, type ReviewContext } from "../sdk/resource";
import type { OrganizationMembers } from "../tenant/organization-members";
import type { Client } from "./client";
import { movedMembers } from "./moves";
import { demandScopes } from "./scopes";
import { reportRename } from "./twins";

const endings = ["remove", "keep"] as const;

const config = z.object({
  organization_id: attribute(
    z.string().min(1, "give the id of the organization, org_…").max(50, "use at most 50 characters"),
    "Id of the organization.",
    { replace: true },
  ),
  members: attribute(
    setOf(z.string().regex(/^[^\p{Cc}]{1,255}$/u, "give user ids such as auth0|65f0c2, of at most 255 characters")),
    "User ids of the members. Who is in the organization and not listed here is removed, unless `exclusive` is false.",
  ),
  exclusive: attribute(
    z.boolean().default(true),
    "Whether these are all members. With false the set adds and removes only what it lists, and others stay. Default: true.",
  ),
  adopt_existing: attribute(
    z.boolean().default(false),
    "Whether a new set may remove members whom the organization has already. Default: false, which refuses.",
  ),
  max_removals: attribute(
    z.int("give a whole number").min(0, "give 0 or more").optional(),
    "The most members that one change may remove; a plan that would remove more is refused. Default: no limit.",
  ),
  on_destroy: attribute(
    z.enum(endings, `choose one of ${endings.join(", ")}`).default("remove"),
    "What becomes of the members when the set is destroyed: `remove` or `keep`. Default: `remove`.",
  ),
});

type Config = z.output<typeof config>;

export const organizationMemberSet = defineResource<Client>()({
  name: "organization_member_set",
  description: "All members of an organization, authoritatively: who is not listed is removed.",
  config,
  computed: z.object({}),

  title: ({ organization_id }) => `the members of organization ${organization_id}`,

  async create({ organization_id, members, exclusive }, { client }) {
    const endpoint = client.tenant.organizationMembers;
    const present = await endpoint.list(organization_id);
    client.seenTo.set(organization_id, members);
    await change(endpoint, organization_id, exclusive ? present : within(present, members), members);
    return {};
  },
  async read({ organization_id, members = [], ...options }, { client }) {
    const present = await listOrNothing(client.tenant.organizationMembers, organization_id!, members.length);
    if (!present) return undefined;
    const ours = options.exclusive === false ? within(present, members) : present;
    return { ...defaults, ...options, organization_id: organization_id!, members: ours };
  },
  async update({ organization_id, members, exclusive }, prior, { client }) {
    const endpoint = client.tenant.organizationMembers;
    const before = await ownedBefore(prior, members, exclusive, endpoint);
    client.seenTo.set(organization_id, members);
    await change(endpoint, organization_id, before, members);
    return {};
  },
  async delete({ organization_id, members, on_destroy }, { client }, successor) {
    // A set that was made in part is made anew: whom that one lists again must not be locked out in between.
    if (on_destroy === "keep" || successor?.organization_id === organization_id) return;
    try {
      const leaving = without(members, client.seenTo.get(organization_id) ?? []);
      await change(client.tenant.organizationMembers, organization_id, leaving, []);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },
  async import(id) {
    if (/^org_\w+$/.test(id) && id.length <= 50) return { ...defaults, organization_id: id };
    throw new Refusal(
      "Not the id of an organization",
      `"${id}" is not of the form org_ and 16 characters. Import by organization: ` +
        "terraform import tenant_organization_member_set.NAME org_…",
    );
  },
  moves: { auth0_organization_members: (stored) => ({ ...defaults, ...movedMembers(stored) }) },

  async review(asked, context) {
    const { action, prior, planned } = asked;
    const replaced = asked.action === "create" ? asked.replaced : undefined;
    if (action === "destroy" || action === "replace") {
      if (prior.on_destroy === "keep") return;
      if (action === "destroy") reportRename("member set", contentOf(prior), prior.organization_id, context);
      await demandScopes(["delete:organization_members"], context);
      sayRemovals(context, prior.organization_id, prior.members, [], { limit: prior.max_removals, whole: true });
      return;
    }
    const { organization_id, members, exclusive, adopt_existing, max_removals } = planned;
    if (typeof organization_id !== "string") return;
    if (replaced?.organization_id !== organization_id) {
      claimOrganization(context, organization_id, prior !== undefined, exclusive === false);
      if (action === "create") reportRename("member set", contentOf(planned), undefined, context);
    }
    if (members === unknown || members?.includes(unknown) || action === "keep") return;
    const wanted = (members ?? []) as readonly string[];
    const limit = typeof max_removals === "number" ? max_removals : undefined;
    const endpoint = context.session.client?.tenant.organizationMembers;
    const before = prior ? await ownedBefore(prior, wanted, exclusive, endpoint) : [];
    const verbs = [
      ...(without(wanted, before).length > 0 ? ["create"] : []),
      ...(without(before, wanted).length > 0 ? ["delete"] : []),
    ];
    await demandScopes(
      verbs.map((verb) => `${verb}:organization_members`),
      context,
    );
    if (prior) {
      sayRemovals(context, organization_id, before, wanted, { limit, unseen: before.length > prior.members.length });
      return;
    }
    if (!endpoint) return;
    const present = await listOrNothing(endpoint, organization_id);
    if (!present) {
      context.report({
        severity: "error",
        summary: "No such organization",
        detail: `\`organization_id\` is ${JSON.stringify(organization_id)}: No organization found by that id. Check it, and that domain or endpoint names the right tenant.`,
        path: attributePath("organization_id"),
      });
      return;
    }
    if (exclusive !== true) return;
    const others = without(present, wanted);
    if (others.length > 0 && adopt_existing === false && replaced?.organization_id !== organization_id) {
      context.report({
        severity: "error",
        summary: "The organization has other members",
        detail:
          `Organization ${organization_id} has ${count(others)} that \`members\` does not list, and a new set would remove ` +
          `them: ${few(others)}. List them too; or import the set first to see the removals in the plan ` +
          `(terraform import tenant_organization_member_set.NAME ${organization_id}); or set \`adopt_existing = true\` to ` +
          "have them removed; or `exclusive = false` to leave them alone.",
        path: attributePath("members"),
      });
      return;
    }
    sayRemovals(context, organization_id, present, wanted, { limit, unseen: true });
  },
});

const defaults: Pick<Config, "exclusive" | "adopt_existing" | "on_destroy"> = {
  exclusive: true,
  adopt_existing: false,
  on_destroy: "remove",
};

/**
 * Of whom a set may dispose. One that stops being exclusive lets go of those it does not list, and they stay; one that
 * becomes exclusive answers for all who are there.
 */
async function ownedBefore(
  prior: Config,
  wanted: readonly string[],
  exclusive: unknown,
  endpoint: OrganizationMembers | undefined,
): Promise<readonly string[]> {
  if (exclusive === false && prior.exclusive !== false) return within(prior.members, wanted);
  const becomes = exclusive === true && prior.exclusive === false;
  return (becomes && endpoint && (await listOrNothing(endpoint, prior.organization_id))) || prior.members;
}

const contentOf = ({ organization_id }: { organization_id: unknown }) => ({ organization_id });

function within(ids: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => known.has(id));
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}

/** Undefined where there is no such organization (any more). */
async function listOrNothing(
  endpoint: OrganizationMembers,
  organizationId: string,
  expected?: number,
): Promise<string[] | undefined> {
  try {
    return await endpoint.list(organizationId, expected);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const { code } = (error instanceof Incomplete ? error.cause : error) as { code?: string };
  return code === "not_found";
}

function claimOrganization(
  { session, report }: ReviewContext<Client>,
  organizationId: string,
  exists: boolean,
  shared: boolean,
): void {
  const title = `a set ${exists ? "that stands in the state" : "that is new"}`;
  const other = session.claim(JSON.stringify(["members", organizationId]), { title, shared });
  if (!other) return;
  report({
    severity: "error",
    summary: "Two sets for one organization",
    detail:
      `\`organization_id\` is "${organizationId}" here (${title}) and in another tenant_organization_member_set of this plan ` +
      `(${other.title}): each would remove the members of the other. Put all members into one of them, or set \`exclusive = false\` in both.`,
    path: attributePath("organization_id"),
  });
}

function sayRemovals(
  { report }: ReviewContext<Client>,
  organizationId: string,
  present: readonly string[],
  wanted: readonly string[],
  { limit, whole = false, unseen = false }: { limit?: number; whole?: boolean; unseen?: boolean },
): void {
  const leaving = without(present, wanted);
  if (leaving.length === 0) return;
  const loss = `Organization ${organizationId} would lose ${count(leaving)}: ${few(leaving)}.`;
  const stay = whole ? ' To leave them in the organization, apply `on_destroy = "keep"` first.' : "";
  if (limit !== undefined && leaving.length > limit) {
    report({
      severity: "error",
      summary: "More removals than max_removals allows",
      detail: `${loss} \`max_removals\` is ${limit}: raise it${whole ? ", and apply that first," : ""} if this is meant.${stay}`,
      path: whole ? [] : attributePath("max_removals"),
    });
  } else if (wanted.length === 0 || unseen) {
    report({
      severity: "warning",
      summary: unseen ? "Members are removed whom the plan does not list" : "The set empties an organization",
      detail: `${loss}${stay}`,
      path: whole ? [] : attributePath("members"),
    });
  }
}

const shown = 5;

function few(ids: readonly string[]): string {
  const rest = ids.length - shown;
  return ids.toSorted().slice(0, shown).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function count(ids: readonly string[]): string {
  return `${ids.length} member${ids.length === 1 ? "" : "s"}`;
}

/** First adds, then removes. Throws Incomplete with those who are members now, once anything was changed. */
async function change(
  endpoint: OrganizationMembers,
  organizationId: string,
  present: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const members = new Set(present);
  const missing = without(wanted, present);
  const surplus = without(present, wanted);
  try {
    await endpoint.add(organizationId, missing, (ids) => ids.forEach((id) => members.add(id)));
    await endpoint.remove(organizationId, surplus, (ids) => ids.forEach((id) => members.delete(id)));
  } catch (cause) {
    const untouched = missing.every((id) => !members.has(id)) && surplus.every((id) => members.has(id));
    throw untouched ? cause : new Incomplete({ members: [...members] }, { cause });
  }
}
