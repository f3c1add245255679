/** Objects of the tenant as they are declared: what of them is written, under which name, with which remarks. */
import { networkAcl } from "../resources/network-acl/definition";
import { networkAclKey } from "../resources/network-acl-key/definition";
import { derivedPrefix } from "../resources/network-acl-key/wire";
import { organizationMemberSet } from "../resources/organization-member-set/definition";
import { rateLimitPolicy } from "../resources/rate-limit-policy/definition";
import { check, show } from "../sdk/check";
import type { Definition } from "../sdk/definition";
import { attributesOf, type Attribute, type Shape } from "../sdk/schema";
import type { NetworkAclKey } from "../tenant/network-acl-keys";
import type { NetworkAcl } from "../tenant/network-acls";
import type { RateLimitPolicy } from "../tenant/rate-limit-policies";
import { excerpt } from "../text/excerpt";
import { AdoptError } from "./error";
import { distinctNames, keyOf, nameOf, snakeCase, wordsOf, type Candidate } from "./naming";
import { wellFormed } from "./quoted";
import { isFields } from "./state";
import { Reference, type Declaration, type Values, type Variable, type Written } from "./stack";
import { kinds, type Kind, type Membership, type Survey } from "./survey";

export const definitions = {
  acls: networkAcl,
  policies: rateLimitPolicy,
  members: organizationMemberSet,
  keys: networkAclKey,
} as const satisfies Record<Kind, Definition>;

/** Added to a name that two kinds of objects share. */
export const nouns = { acls: "acl", policies: "policy", members: "set", keys: "key" } as const satisfies Record<
  Kind,
  string
>;

export const typeOf = (kind: Kind) => `tenant_${definitions[kind].name}`;

/** What is declared of an object, before it has a name. */
export interface Draft extends Omit<Declaration, "name">, Candidate {}

export function draftsOf(found: Pick<Survey, "acls" | "policies" | "memberships" | "keys">): Draft[] {
  return [
    ...found.acls.map((acl) => draft("acls", acl.id, acl, aclName(acl))),
    ...found.policies.map((policy) => draft("policies", policy.id, policy, policyName(policy))),
    ...found.memberships.map((membership) =>
      draft("members", membership.organization.id, setOf(membership), membershipName(membership)),
    ),
    ...found.keys.map((key) => keyDraft(key)),
  ];
}

/**
 * `remarksOn`: by id. `taken`: names that are there already, by resource type. `reserved`: names that nothing may have where all kinds
 * share their names, as constructs of one stack do.
 */
export function declarationsOf(
  drafts: readonly Draft[],
  remarksOn: ReadonlyMap<string, readonly string[]>,
  taken: ReadonlyMap<string, ReadonlySet<string>>,
  reserved?: readonly string[],
): Declaration[] {
  const shared = new Set(reserved && [...reserved, ...[...taken.values()].flatMap((names) => [...names])].map(keyOf));
  return kinds.flatMap((kind) => {
    const alike = drafts
      .filter((one) => one.kind === kind)
      .map((one) =>
        shared.has(keyOf(snakeCase(one.wanted))) ? { ...one, wanted: [...one.wanted, nouns[kind]] } : one,
      );
    const names = distinctNames(alike, [...(taken.get(typeOf(kind)) ?? []), ...shared]);
    if (reserved) for (const name of names) shared.add(keyOf(snakeCase(name)));
    return alike.map(({ wanted: _wanted, marks: _marks, ...rest }, index): Declaration => {
      const name = names[index]!;
      const named = { ...rest, name, remarks: [...(remarksOn.get(rest.id) ?? []), ...rest.remarks] };
      return kind === "keys" ? withMaterial(named) : named;
    });
  });
}

/** Checks the form of an id, because imports, comments and messages contain it. */
export function idOf({ id }: { readonly id?: unknown }, place: string): string {
  if (typeof id === "string" && /^[\w.~-]{1,100}$/.test(id)) return id;
  throw new AdoptError(
    `${place} has the id ${excerpt(JSON.stringify(id) ?? "undefined", 200)}, which is not an id of the service: ids have at most ` +
      "100 characters, which are letters, digits, _ - . and ~ only. Check where the id comes from. Nothing was written.",
  );
}

export function draft(kind: Kind, id: string, living: object, candidate: Candidate): Draft {
  const { config, rules } = definitions[kind] as Definition;
  const attributes = attributesOf(config);
  const strange: Strange = { unknown: [], mistaken: [] };
  const values = written(attributes, living as Readonly<Record<string, unknown>>, [], strange);
  const refused = [
    ...strange.mistaken,
    ...check({ config, rules, attributes }, values)
      .filter(({ severity }) => severity === "error")
      .map(({ detail }) => detail),
  ];
  const remarks = strange.unknown
    .filter((name) => name.includes("."))
    .map(
      (name) =>
        `The tenant holds ${name} here, which this version does not know: a change of this object would drop it.`,
    );
  if (JSON.stringify(living).search(halves) >= 0) {
    remarks.push("The tenant holds half of a surrogate pair here, which Terraform reads and writes as U+FFFD.");
  }
  return {
    ...candidate,
    kind,
    type: typeOf(kind),
    id: idOf({ id }, `A ${definitions[kind].name}`),
    attributes,
    values,
    remarks,
    refused,
  };
}

/** A key as far as others may know it. */
export type KnownKey = Pick<NetworkAclKey, "id" | "name" | "alg"> & { readonly fingerprint?: string };

/** Its material is told by nobody: it is written down as what is right once somebody gives that. */
export function keyDraft({ id, name, alg, fingerprint }: KnownKey, called?: Candidate): Draft {
  const prefix = fingerprint === undefined ? undefined : derivedPrefix({ name, fingerprint });
  const living = { ...(prefix === undefined ? { name } : { name_prefix: prefix }), alg };
  const marks = [wordsOf((fingerprint ?? id).slice(0, 8))];
  const candidate = called ?? { wanted: nameOf(prefix ?? name, ["key"]), marks };
  const print = fingerprint === undefined ? "" : ` (fingerprint ${fingerprint.slice(0, 8)}…)`;
  const why =
    `Of the key ${JSON.stringify(name)}${print} the service tells no material. If you have it, take the comment marks away ` +
    "and give it as the variable: the plan then imports the key, and changes nothing. Other material plans a new key.";
  return { ...draft("keys", id, living, candidate), refused: [why] };
}

function withMaterial(declaration: Declaration): Declaration {
  const variable: Variable = { kind: "variable", name: [...declaration.name, "material"] };
  return { ...declaration, variable, values: { ...declaration.values, value_wo: new Reference(variable) } };
}

/** As JSON writes them. */
const halves = /\\ud[89a-f][\da-f]{2}/;

/** What is not as the definition has it: names that it does not know, and sentences on values of another type. */
interface Strange {
  readonly unknown: string[];
  readonly mistaken: string[];
}

/** The attributes that people write, without what is the default anyway; a priority is always worth saying. */
function written(
  attributes: readonly Attribute[],
  living: Readonly<Record<string, unknown>>,
  path: readonly string[],
  strange: Strange,
): Values {
  const values: Record<string, Written> = {};
  for (const { name, shape, default: usual } of attributes) {
    const value = living[name];
    if (value === undefined || value === null || (value === usual && name !== "priority")) continue;
    const own = inner(shape, value, [...path, name], strange);
    if (own !== undefined) values[name] = own;
  }
  const known = new Set(attributes.map(({ name }) => name));
  for (const [name, value] of Object.entries(living)) {
    if (!known.has(name) && value !== null) strange.unknown.push([...path, name].join("."));
  }
  return values;
}

const types = { string: "string", number: "number", bool: "boolean" } as const;

/** A value of the type that its attribute has; undefined where it is of another one. */
function inner(shape: Shape, value: unknown, path: readonly string[], strange: Strange): Written | undefined {
  if (shape.kind === "object" && isFields(value)) return written(shape.attributes, value, path, strange);
  if ((shape.kind === "list" || shape.kind === "set") && Array.isArray(value)) {
    return value.flatMap((element) => inner(shape.element, element, path, strange) ?? []);
  }
  if (shape.kind === "primitive" && typeof value === types[shape.type]) {
    return typeof value === "string" ? wellFormed(value) : (value as Written);
  }
  const wanted = shape.kind === "primitive" ? shape.type : shape.kind;
  strange.mistaken.push(`\`${path.join(".")}\` is ${show(value)}, which is no ${wanted}.`);
  return undefined;
}

function aclName({ description, priority, rule }: NetworkAcl): Candidate {
  const [action = "log"] = Object.keys(rule.action);
  return {
    wanted: wordsOf(description).length > 0 ? nameOf(description, ["acl"]) : ["priority", String(priority)],
    marks: [wordsOf(rule.scope).map((word) => word.toLowerCase()), [action], ["priority", String(priority)]],
  };
}

/** The id of a client is told apart by case, and searched for as it is. */
function policyName({ resource, consumer, consumer_selector: selector }: RateLimitPolicy): Candidate {
  const [, client] = /^client_id:(.+)$/s.exec(selector) ?? [];
  const words =
    client === undefined ? nameOf(selector, ["callers"]) : ["client", ...wordsOf(client.replace(/^https?:/, ""))];
  return { wanted: words, marks: [wordsOf(consumer), wordsOf(resource)] };
}

function membershipName({ organization: { id, name } }: Membership): Candidate {
  return { wanted: nameOf(name, ["organization"]), marks: [wordsOf(id)] };
}

const setOf = ({ organization, members }: Membership) => ({ organization_id: organization.id, members });
