/** Adds and removes members of an organization until they match the set. */
import { DiagnosticError } from "../../sdk/diagnostic";
import {
  type Context,
  type DataSource,
  Incomplete,
  type ListResource,
  type Resource,
  type Stored,
} from "../../sdk/resource";
import type { Client } from "../client";
import { noSuch } from "../listing";
import { ifReadable } from "../scopes";
import { isTenantError, unlessGone } from "../../../tenant/error";
import { sideFrom } from "../../../judge/impact/organization-member-set/set";
import type { Known } from "../../sdk/definition";
import { enforced } from "../statements/statements";
import type { Operation } from "../statements/words";
import {
  defaults,
  inFormOf,
  membersDefinition,
  type MemberSet,
  membersOf,
  organizationId,
  organizationMemberSet,
  organizationRead,
  within,
  without,
} from "./definition";
import { demandRemovable, reviewMemberSet } from "./review";
import * as z from "zod";
import { attribute } from "../../sdk/attribute";

export const resource: Resource<Client, typeof organizationMemberSet> = {
  definition: organizationMemberSet,

  title: ({ organization_id }) => `the members of organization ${organization_id}`,

  async create(planned, context) {
    await change(context, planned, { operation: "create", owned: planned.exclusive ? "all" : [] });
    if (planned.exclusive) context.adopted();
    return { id: planned.organization_id };
  },

  async read({ organization_id, members, members_with_notes, ...options }, { client }) {
    const known = { members, members_with_notes };
    const ids = membersOf(known);
    const present = await unlessGone(() => client.tenant.organizationMembers.list(organization_id!, ids.length));
    if (!present) return undefined;
    const ours = options.exclusive === false ? within(present, ids) : present;
    return {
      ...defaults,
      ...options,
      id: organization_id!,
      organization_id: organization_id!,
      ...inFormOf(known, ours),
    };
  },

  async update(planned, prior, context) {
    const owned = planned.exclusive === prior.exclusive ? membersOf(prior) : planned.exclusive ? "all" : [];
    await change(context, planned, { operation: "update", prior, owned });
    return { id: planned.organization_id };
  },

  async delete(state, context, successor) {
    const { organization_id, on_destroy } = state;
    if (on_destroy === "keep") return;
    // A set of the same organization that Terraform creates later handles the members.
    const isNext = successor?.organization_id === organization_id;
    if (isNext && !successor.members && !successor.members_with_notes) return;
    // The plan judged the other ends.
    if (successor && !successor.organization_id) demandRemovable(state);
    try {
      await change(
        context,
        { organization_id, ...inFormOf(state, []) },
        { operation: successor ? "replace" : "delete", prior: state, owned: membersOf(state) },
      );
    } catch (error) {
      if (!isTenantError(error instanceof Incomplete ? error.cause : error, "not_found")) throw error;
    }
  },

  async import(id) {
    // Only the author knows which members a set with `exclusive = false` lists, so the id contains them.
    const [, organization = "", listed] = /^(org_\w+)(?::(.+))?$/s.exec(id) ?? [];
    const own = { ...defaults, id: organization, organization_id: organization };
    if (organization !== "" && organization.length <= 50) {
      return listed === undefined ? own : { ...own, exclusive: false, members: listed.split(",").map(decoded) };
    }
    throw new DiagnosticError(
      ["TNF-IMPORT-ID", "an organization"],
      `"${id}" is not org_ followed by 16 characters. Import by organization (org_…), or, with ` +
        "`exclusive = false`, by organization and members (org_…:auth0|ada,auth0|grace).",
    );
  },

  partOf(other, state) {
    const { organization_id } = state;
    const members = within(membersOf(state), membersAt(organization_id, other));
    return members.length > 0 ? { organization_id, members } : undefined;
  },

  async isGone({ organization_id: id }, { tenant }) {
    const there = async () => (await ifReadable(() => tenant.organizationMembers.confirm(id)), true);
    return (await unlessGone(there)) === undefined;
  },
  review: reviewMemberSet,
  upgrades: [(stored) => ({ ...stored, id: stored.organization_id })],
  moves: { auth0_organization_members: movedMembers, auth0_organization_member: movedMember },
};

/** A comma in a user id is written as %2C. */
function decoded(name: string): string {
  return name.replace(/%2C|%25/gi, decodeURIComponent);
}

type Wanted = Pick<MemberSet, "organization_id" | "members" | "members_with_notes">;

interface Write {
  readonly operation: Operation;
  readonly prior?: MemberSet;
  /** The members that the set may remove. */
  readonly owned: "all" | readonly string[];
}

/** The known members that a set lists for the organization. */
const membersAt = (id: string, set: Known): readonly string[] =>
  set["organization_id"] === id ? sideFrom(set).members : [];

/**
 * Adds first, then removes those whom no other set lists. Throws Incomplete with the current members after a partial change.
 *
 * Sets of one organization are written one after the other. One that comes later may list somebody whom this one removes, because it was
 * not known yet, and adds them again.
 */
function change({ client, others }: Context<Client>, wanted: Wanted, { operation, prior, owned }: Write) {
  const { organization_id: id } = wanted;
  const endpoint = client.tenant.organizationMembers;
  return endpoint.inTurn(id, async (removed) => {
    const listed = membersOf(wanted);
    const elsewhere = others().flatMap((other) => membersAt(id, other));
    const leaving = (from: readonly string[]) => without(without(from, listed), elsewhere);
    // Somebody may have removed the members who stay, so that the set would leave nobody. The tenant may spell an id in another form.
    const mayEmpty = operation === "update" && prior!.exclusive;
    const isRisky = (from: readonly string[]) => from.some((each) => mayEmpty || each !== each.normalize("NFD"));
    const isRead = operation === "create" || owned === "all" || isRisky(leaving(owned));
    const present = isRead ? await endpoint.list(id) : without(membersOf(prior!), [...removed]);
    const may = owned === "all" ? present : owned;
    const missing = without(listed, present);
    const surplus = leaving(may);
    if (enforced(client.statements, "members").length > 0) {
      const { demandMembers } = await import("../statements/write.js");
      await demandMembers(client, id, { added: missing, removed: surplus }, operation);
    }
    const members = new Set(within([...may, ...listed], present));
    for (const each of surplus) removed.add(each);
    try {
      await endpoint.add(id, missing, (ids) => ids.forEach((each) => members.add(each)));
      await endpoint.remove(id, surplus, (ids) => ids.forEach((each) => members.delete(each)));
    } catch (cause) {
      const untouched = missing.every((each) => !members.has(each)) && surplus.every((each) => members.has(each));
      throw untouched ? cause : new Incomplete({ id, ...inFormOf(wanted, [...members], prior) }, { cause });
    }
  });
}

export const dataSource: DataSource<Client, typeof membersDefinition> = {
  definition: membersDefinition,
  async read(asked, { client }) {
    return { members: await client.tenant.organizationMembers.list(asked.organization_id) };
  },
};

const filter = z.object({
  organization_id: attribute(
    z.string().min(1, "give the id of the organization, org_…").optional(),
    "Only this organization.",
    { rules: [organizationId], example: "org_9ybsU1dN2dKfDkBi" },
  ),
});

export const list: ListResource<Client, typeof organizationMemberSet, typeof filter> = {
  definition: organizationMemberSet,
  description: "The members of each organization of the tenant.",
  filter,
  async *list({ organization_id: only }, { client }) {
    const { organizations, organizationMembers } = client.tenant;
    // A token that may only read members does not learn the name.
    const named = async (id: string) =>
      (await ifReadable(async () => [await organizations.get(id)])) ?? [{ id, name: id }];
    const pages = only === undefined ? organizations.pages() : [await named(only)];
    for await (const page of pages) {
      for (const organization of page) {
        if (!organization) continue;
        const { id, name } = organization;
        yield {
          title: name,
          known: { organization_id: id },
          async read() {
            const members = await unlessGone(() => organizationMembers.list(id));
            return members && { ...defaults, id, organization_id: id, members };
          },
        };
      }
    }
  },
};

export const dataSourceOfOne: DataSource<Client, typeof organizationRead> = {
  definition: organizationRead,
  async read({ name }, { client }) {
    const found = await client.tenant.organizations.named(name);
    if (found) return { id: found.id, display_name: found.display_name };
    throw noSuch({ noun: "organization" }, "name", name, ": give the `name`, not the display name or the id");
  },
};

function movedMembers({ organization_id, members }: Stored): Stored {
  return { ...defaults, id: organization_id, organization_id, members };
}

/** A set that manages one member and no others. */
function movedMember({ organization_id, user_id }: Stored): Stored {
  return { ...movedMembers({ organization_id, members: [user_id] }), exclusive: false };
}
