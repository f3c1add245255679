/** A state of the Go provider for the same service: what it manages of ours, as drafts that say where they come from. */
import { movedNetworkAcl } from "../resources/network-acl/moves";
import { movedMember, movedMembers } from "../resources/organization-member-set/moves";
import { movedRateLimitPolicy } from "../resources/rate-limit-policy/moves";
import type { Stored } from "../sdk/resource";
import type { NetworkAcl } from "../tenant/network-acls";
import type { RateLimitPolicy } from "../tenant/rate-limit-policies";
import { draft, idOf, keyDraft, nouns, type Draft, type KnownKey } from "./draft";
import { AdoptError } from "./error";
import { lettered, wordsOf, type Candidate } from "./naming";
import { instancesIn, type Instance } from "./state";
import type { Kind } from "./survey";

export interface TakenOver {
  readonly drafts: readonly Draft[];
  /** To judge them by. */
  readonly acls: readonly NetworkAcl[];
  readonly policies: readonly RateLimitPolicy[];
  readonly keys: readonly KnownKey[];
}

const kindsOf: ReadonlyMap<string, Kind> = new Map([
  ["auth0_network_acl", "acls"],
  ["auth0_rate_limit_policy", "policies"],
  ["auth0_organization_members", "members"],
  ["auth0_organization_member", "members"],
  ["auth0_network_acl_key", "keys"],
]);

/** Throws an AdoptError where the file is no state, or holds nothing of ours. */
export function takenOver(file: string, wanted: ReadonlySet<Kind>, organizations: readonly string[]): TakenOver {
  const all = instancesIn(file, [...kindsOf.keys()]).filter(({ type, attributes }) => {
    const kind = kindsOf.get(type)!;
    const others = organizations.length > 0 && !organizations.includes(attributes.organization_id as string);
    return wanted.has(kind) && !(kind === "members" && others);
  });
  const of = (type: string) => all.filter((one) => one.type === type);
  const moved = (kind: Kind, instance: Instance, move: (stored: Stored) => Stored): Draft => {
    const living = move(instance.attributes);
    const id = idOf(living, `${file}: ${instance.address}`);
    return { ...draft(kind, id, living, candidateFor(kind, instance)), origin: originOf(instance) };
  };
  const acls = of("auth0_network_acl").map((one) => moved("acls", one, movedNetworkAcl));
  const policies = of("auth0_rate_limit_policy").map((one) => moved("policies", one, movedRateLimitPolicy));
  const sets = of("auth0_organization_members").map((one) => moved("members", one, sorted(movedMembers)));
  const together = setsOf(file, of("auth0_organization_member"), new Set(sets.map(({ id }) => id)));
  // Their material may stand in that state, and in no file of ours.
  const keys = of("auth0_network_acl_key").map((one) => [one, keyOf(file, one)] as const);
  const drafts = [
    ...acls.toSorted((a, b) => priority(a) - priority(b)),
    ...policies,
    ...sets,
    ...together,
    ...keys.map(([one, key]) => ({ ...keyDraft(key, candidateFor("keys", one)), origin: originOf(one) })),
  ];
  if (drafts.length > 0) {
    return {
      drafts,
      acls: acls.filter(isSound).map(({ id, values }) => ({ active: true, ...values, id }) as unknown as NetworkAcl),
      keys: keys.map(([, key]) => key),
      policies: policies.filter(isSound).map(({ id, values }) => ({ ...values, id }) as unknown as RateLimitPolicy),
    };
  }
  throw new AdoptError(`${file} holds none of ${[...kindsOf.keys()].join(", ")}.`);
}

const originOf = ({ address }: Instance) => ({ moved: address, removed: [] });

/** An object that the provider would refuse may lack any part. */
const isSound = ({ refused }: Draft) => refused.length === 0;

/** Several single members become one set, named after all of them. */
function candidateFor(kind: Kind, { type, name, key, module = "" }: Instance): Candidate {
  const index = key === undefined || type === "auth0_organization_member" ? [] : wordsOf(String(key));
  const noun = [nouns[kind]];
  return { wanted: lettered([...wordsOf(name), ...index], noun), marks: [wordsOf(module)] };
}

function keyOf(file: string, { address, attributes }: Instance): KnownKey {
  const { name, alg, fingerprint } = attributes;
  const id = idOf(attributes, `${file}: ${address}`);
  if (typeof name !== "string" || typeof alg !== "string" || !["string", "undefined"].includes(typeof fingerprint)) {
    throw new AdoptError(`${file}: ${address} has a \`name\`, \`alg\` or \`fingerprint\` that is no text.`);
  }
  return { id, name, alg, ...(typeof fingerprint === "string" && { fingerprint }) };
}

const priority = ({ values }: Draft) => Number(values.priority);

function sorted(move: (stored: Stored) => Stored): (stored: Stored) => Stored {
  return (stored) => {
    const { members, ...rest } = move(stored);
    return { ...rest, members: inOrder(members ?? []) };
  };
}

/** Of texts; all else stays as it is, and is refused later. */
function inOrder(members: unknown): unknown {
  return Array.isArray(members) && members.every((one) => typeof one === "string") ? members.toSorted() : members;
}

/** One set for each organization, of all its single members; an exclusive set has them anyway. */
function setsOf(file: string, singles: readonly Instance[], exclusive: ReadonlySet<string>): Draft[] {
  const byOrganization = new Map<string, Instance[]>();
  for (const single of singles) {
    const id = idOf({ id: single.attributes.organization_id }, `${file}: ${single.address}`);
    byOrganization.set(id, [...(byOrganization.get(id) ?? []), single]);
  }
  return [...byOrganization].flatMap(([id, own]) => {
    if (exclusive.has(id)) return [];
    const [first] = own;
    const members = inOrder(own.map(({ attributes }) => attributes.user_id));
    const living = { ...movedMember(first!.attributes), members };
    const origin =
      own.length === 1
        ? { moved: first!.address, removed: [] }
        : { removed: [...new Set(own.map(({ resource }) => resource))] };
    return [{ ...draft("members", id, living, candidateFor("members", first!)), origin }];
  });
}
