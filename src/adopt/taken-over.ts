/** A state of the Go provider for the same service: what it manages of ours, as drafts that say where they come from. */
import { readFileSync } from "node:fs";
import { movedNetworkAcl } from "../resources/network-acl/moves";
import { movedMember, movedMembers } from "../resources/organization-member-set/moves";
import { movedRateLimitPolicy } from "../resources/rate-limit-policy/moves";
import type { Stored } from "../sdk/resource";
import type { NetworkAcl } from "../tenant/network-acls";
import type { RateLimitPolicy } from "../tenant/rate-limit-policies";
import { draft, keyDraft, type Draft, type KnownKey } from "./declaration";
import { AdoptError } from "./error";
import { quoted } from "./hcl";
import { wordsOf, type Candidate } from "./naming";
import type { Kind } from "./survey";

interface StateFile {
  readonly version?: number;
  readonly resources?: readonly {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly module?: string;
    readonly instances: readonly {
      readonly index_key?: string | number;
      readonly deposed?: string;
      readonly attributes?: Stored;
    }[];
  }[];
}

/** An object of the other provider. */
interface Instance {
  readonly type: string;
  readonly attributes: Stored;
  readonly candidate: Candidate;
  /** Of the resource, and of the instance. */
  readonly resource: string;
  readonly address: string;
}

export interface TakenOver {
  readonly drafts: readonly Draft[];
  /** To judge them by. */
  readonly acls: readonly NetworkAcl[];
  readonly policies: readonly RateLimitPolicy[];
  readonly keys: readonly KnownKey[];
}

const kindsOf: Readonly<Record<string, Kind>> = {
  auth0_network_acl: "acls",
  auth0_rate_limit_policy: "policies",
  auth0_organization_members: "members",
  auth0_organization_member: "members",
  auth0_network_acl_key: "keys",
};

/** Throws an AdoptError where the file is no state, or holds nothing of ours. */
export function takenOver(file: string, wanted: ReadonlySet<Kind>, organizations: readonly string[]): TakenOver {
  const all = instancesIn(file).filter(({ type, attributes }) => {
    const kind = kindsOf[type]!;
    const others = organizations.length > 0 && !organizations.includes(attributes.organization_id as string);
    return wanted.has(kind) && !(kind === "members" && others);
  });
  const of = (type: string) => all.filter((one) => one.type === type);
  const moved = (kind: Kind, { attributes, candidate, address }: Instance, move: (stored: Stored) => Stored): Draft => {
    const living = move(attributes);
    return { ...draft(kind, String(living.id), living, candidate), origin: { moved: address, removed: [] } };
  };
  const acls = of("auth0_network_acl").map((one) => moved("acls", one, movedNetworkAcl));
  const policies = of("auth0_rate_limit_policy").map((one) => moved("policies", one, movedRateLimitPolicy));
  const sets = of("auth0_organization_members").map((one) => moved("members", one, sorted(movedMembers)));
  const together = setsOf(of("auth0_organization_member"), new Set(sets.map(({ id }) => id)));
  const stored = of("auth0_network_acl_key");
  // Their material may stand in that state, and in no file of ours.
  const keys = stored.map(({ attributes }) => attributes as unknown as KnownKey);
  const drafts = [
    ...acls.toSorted((a, b) => priority(a) - priority(b)),
    ...policies,
    ...sets,
    ...together,
    ...stored.map(movedKey),
  ];
  if (drafts.length > 0) {
    return {
      drafts,
      acls: acls.map(({ id, values }) => ({ active: true, ...values, id }) as unknown as NetworkAcl),
      keys,
      policies: policies.map(({ id, values }) => ({ ...values, id }) as unknown as RateLimitPolicy),
    };
  }
  throw new AdoptError(`${file} holds none of ${Object.keys(kindsOf).join(", ")}.`);
}

function movedKey({ attributes, candidate, address }: Instance): Draft {
  return { ...keyDraft(attributes as unknown as KnownKey, candidate), origin: { moved: address, removed: [] } };
}

const priority = ({ values }: Draft) => Number(values.priority);

function sorted(move: (stored: Stored) => Stored): (stored: Stored) => Stored {
  return (stored) => {
    const { members = [], ...rest } = move(stored) as { members?: string[] };
    return { ...rest, members: members.toSorted() };
  };
}

/** One set for each organization, of all its single members; an exclusive set has them anyway. */
function setsOf(singles: readonly Instance[], exclusive: ReadonlySet<string>): Draft[] {
  const byOrganization = new Map<string, Instance[]>();
  for (const single of singles) {
    const id = String(single.attributes.organization_id);
    byOrganization.set(id, [...(byOrganization.get(id) ?? []), single]);
  }
  return [...byOrganization].flatMap(([id, own]) => {
    if (exclusive.has(id)) return [];
    const [first] = own;
    const members = own.map(({ attributes }) => String(attributes.user_id)).toSorted();
    const living = { ...movedMember(first!.attributes), members };
    const origin =
      own.length === 1
        ? { moved: first!.address, removed: [] }
        : { removed: [...new Set(own.map(({ resource }) => resource))] };
    return [{ ...draft("members", id, living, first!.candidate), origin }];
  });
}

function instancesIn(file: string): Instance[] {
  const { version, resources = [] } = stateIn(file);
  if (version !== 4) throw new AdoptError(`${file} is no state of Terraform 0.12 or newer, or of OpenTofu.`);
  return resources.flatMap(({ mode, type, name, module, instances }) => {
    if (mode !== "managed" || !(type in kindsOf)) return [];
    const resource = `${module === undefined ? "" : `${module}.`}${type}.${name}`;
    return instances.flatMap(({ index_key: key, deposed, attributes }): Instance[] => {
      if (!attributes || deposed !== undefined) return [];
      const address = key === undefined ? resource : `${resource}[${typeof key === "number" ? key : quoted(key)}]`;
      // Of several single members there will be one set: it is called as they are together.
      const index = key === undefined || type === "auth0_organization_member" ? [] : wordsOf(String(key));
      const words = [...wordsOf(name), ...index];
      return [{ type, attributes, resource, address, candidate: { wanted: words, marks: [wordsOf(module ?? "")] } }];
    });
  });
}

function stateIn(file: string): StateFile {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as StateFile;
  } catch (error) {
    throw new AdoptError(`${file} cannot be read as a state: ${(error as Error).message}`);
  }
}
