/** Adds and removes members of an organization until they match the set. */
import { DiagnosticError } from "../../sdk/diagnostic";
import { Incomplete, type Context, type Resource } from "../../sdk/resource";
import type { Client } from "../client";
import { hasPassed } from "../expiry/passed";
import { demandMembers } from "../expectations/member-order";
import { isMissing } from "../lookup";
import type { Operation } from "../expectations/words";
import { organizationMemberSet } from "./definition";
import { movedMember, movedMembers } from "./moves";
import { reviewMemberSet } from "./review";
import {
  defaults,
  inFormOf,
  isGone,
  listedIn,
  listOrNothing,
  membersOf,
  ownedBefore,
  standing,
  within,
  without,
  type MemberSet,
} from "./wire";

export const organizationMemberSetResource: Resource<Client, typeof organizationMemberSet> = {
  definition: organizationMemberSet,

  title: ({ organization_id }) => `the members of organization ${organization_id}`,

  async create(planned, context) {
    const { organization_id, exclusive } = planned;
    const present = await context.client.tenant.organizationMembers.list(organization_id);
    const owned = exclusive ? present : within(present, membersOf(planned));
    await change(context, planned, owned, { operation: "create" });
    return { id: organization_id };
  },

  async read({ organization_id, members, members_with_notes, expired_members, ...options }, { client, privateState }) {
    const known = { members, members_with_notes, expired_members };
    const ids = listedIn(known);
    const present = await listOrNothing(client.tenant.organizationMembers, organization_id!, ids.length);
    const before = privateState["expired"] as MemberSet["expires_at"];
    privateState["expired"] = expiredIn(options.expires_at, client.now(), { before, members: expired_members });
    if (!present) return undefined;
    const ours = options.exclusive === false ? within(present, ids) : present;
    return {
      ...defaults,
      ...options,
      id: organization_id!,
      organization_id: organization_id!,
      ...standing(known, ours),
    };
  },

  async update(planned, prior, context) {
    const { organization_id, exclusive } = planned;
    const endpoint = context.client.tenant.organizationMembers;
    const owned = await ownedBefore(prior, membersOf(planned), exclusive, endpoint);
    await change(context, planned, owned, { operation: "update", prior });
    return { id: organization_id };
  },

  async delete(state, context, successor) {
    const { organization_id, on_destroy } = state;
    if (on_destroy === "keep") return;
    // Members of the next set must keep their access. A set that Terraform creates later handles the others.
    const next = successor?.organization_id === organization_id ? successor : undefined;
    if (next && !next.members && !next.members_with_notes) return;
    const members = membersOf(state);
    try {
      await change(
        context,
        { organization_id, ...inFormOf(state, []) },
        next ? without(members, membersOf(next)) : members,
        { operation: successor ? "replace" : "delete", isOpen: successor && !successor.organization_id, prior: state },
      );
    } catch (error) {
      if (!isGone(error)) throw error;
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

  isGone: (prior, { tenant }) =>
    isMissing(() => listOrNothing(tenant.organizationMembers, prior.organization_id, membersOf(prior).length)),
  review: reviewMemberSet,
  upgrades: [(stored) => ({ ...stored, id: stored.organization_id })],
  moves: { auth0_organization_members: movedMembers, auth0_organization_member: movedMember },
};

/** A comma in a user id is written as %2C. */
function decoded(name: string): string {
  return name.replace(/%2C|%25/gi, decodeURIComponent);
}

interface Ended {
  /** Ends that had passed at the last refresh. */
  readonly before: MemberSet["expires_at"];
  readonly members: MemberSet["expired_members"];
}

/** The members whose end has passed, each with this end. An end that has passed once stays passed, whatever the clock says. */
function expiredIn(
  expires: MemberSet["expires_at"] = {},
  now: number,
  { before = {}, members = [] }: Ended,
): MemberSet["expires_at"] {
  const wasPassed = (id: string, end: string) => before[id] === end || members.includes(id);
  const passed = Object.entries(expires).filter(([id, end]) => wasPassed(id, end) || hasPassed(end, now));
  return passed.length > 0 ? Object.fromEntries(passed) : undefined;
}

type Wanted = Pick<MemberSet, "organization_id" | "members" | "members_with_notes" | "expired_members">;

interface Write {
  readonly operation: Operation;
  /** Whether the organization of the set that replaces this one is not known yet. */
  readonly isOpen?: boolean | undefined;
  readonly prior?: MemberSet;
}

/** Adds first, then removes, if no expectation forbids this order. Throws Incomplete with the current members after a partial change. */
async function change(
  context: Pick<Context<Client>, "client">,
  wanted: Wanted,
  present: readonly string[],
  { operation, isOpen = false, prior }: Write,
): Promise<void> {
  const { organization_id: id } = wanted;
  const endpoint = context.client.tenant.organizationMembers;
  const members = new Set(present);
  const missing = without(membersOf(wanted), present);
  const surplus = without(present, membersOf(wanted));
  const steps = {
    add: () => endpoint.add(id, missing, (ids) => ids.forEach((each) => members.add(each))),
    remove: () => endpoint.remove(id, surplus, (ids) => ids.forEach((each) => members.delete(each))),
  };
  const first = await demandMembers(context.client, id, { added: missing, removed: surplus }, { operation, isOpen });
  try {
    await steps[first]();
    await steps[first === "add" ? "remove" : "add"]();
  } catch (cause) {
    const untouched = missing.every((each) => !members.has(each)) && surplus.every((each) => members.has(each));
    throw untouched ? cause : new Incomplete({ id, ...standing(wanted, [...members], prior) }, { cause });
  }
}
