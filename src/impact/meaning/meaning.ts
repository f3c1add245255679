/**
 * The meaning of a change: everything that decides its effect on requests, limits, members and keys, without ids and names of objects.
 * An effect shortens what it covers, so that two reviews are compared by their meanings. The JSON of a review has the meaning in this form.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import { unknownIn, type Rule } from "../../access/access";
import { hidden } from "../phrases";
import { type PlannedObject, type Values } from "../model";
import type { PlannedAcl, AclVersions } from "../network-acl/acl";
import { keyName } from "../network-acl/keys";
import { keyWords } from "../words/objects";
import { titleOf } from "../network-acl/words";
import type { MemberChange } from "../organization-member-set/changes";
import type { LimitChange } from "../rate-limit-policy/changes";
import { isOpen, pending, type Limit } from "../rate-limit-policy/policy";
import { block, isMarked, meant } from "../value";

const flat = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Criteria are lists of texts and numbers; signatures are objects. */
const part: z.ZodType = z.lazy(() => z.union([flat, z.array(part), z.record(z.string(), part)]));
const parts = z.record(z.string(), part);
const rule = z.looseObject({
  action: parts,
  match: parts.optional(),
  not_match: parts.optional(),
  match_all: z.boolean().optional(),
  scope: z.string(),
}) as unknown as z.ZodType<Rule>;
const acls = z.array(z.object({ priority: z.number(), rule }));
/** `by`: the selector of the policy that sets the limit. null: no limit. */
const rate = z
  .object({ action: z.string(), limit: z.number().nullable(), redirect_uri: z.string().optional(), by: z.string() })
  .nullable();
/** The digest is equal for equal secret bytes. null: no such key. */
const secret = z.object({ alg: z.string(), digest: z.string() }).nullable();
const texts = z.array(z.string());

export const meaningForm = z.object({
  /** The active ones. */
  network_acls: z.object({ before: acls, after: acls }),
  /** Those that change. */
  limits: z.array(
    z.object({ resource: z.string(), consumer: z.string(), consumer_selector: z.string(), before: rate, after: rate }),
  ),
  /** The organizations whose members change. */
  members: z.array(z.object({ organization_id: z.string(), gains: texts, loses: texts })),
  /** The signature keys that change. */
  keys: z.array(z.object({ name: z.string(), before: secret, after: secret })),
  /** What is not known, in clauses without a verb. Nothing is proven then. */
  unknown: texts,
  /** Families of objects whose unmanaged objects were not read. */
  unseen: texts,
});

export type Meaning = z.infer<typeof meaningForm>;
export type MeantAcl = Meaning["network_acls"]["after"][number];
export type MeantLimit = Meaning["limits"][number];
export type MeantMembers = Meaning["members"][number];
export type MeantKey = Meaning["keys"][number];

export interface JudgedChange {
  readonly versions: AclVersions;
  readonly limits: readonly LimitChange[];
  readonly members: readonly MemberChange[];
  /** The planned signature keys. */
  readonly keys: readonly PlannedObject[];
  /** Why the change may be another one, in clauses. */
  readonly reasons: readonly string[];
  readonly unseen: readonly string[];
}

export function meaningOf({ versions, limits, members, keys, reasons, unseen }: JudgedChange): Meaning {
  const named = withKeyNames(keys);
  const active = (side: readonly PlannedAcl[]) => side.filter((acl) => acl.active);
  const known = (side: readonly PlannedAcl[]) =>
    active(side)
      .filter((acl) => reasonOf(acl) === undefined)
      .map(({ priority, rule: own }): MeantAcl => ({ priority, rule: named(own) }));
  return {
    network_acls: { before: known(versions.before), after: known(versions.after) },
    limits: limits.filter(isChanged).map(limitFrom),
    members: membersFrom(members),
    keys: keys.flatMap(keyFrom),
    unknown: [
      ...new Set([
        ...reasons,
        ...active([...versions.before, ...versions.after]).flatMap((acl) => reasonOf(acl) ?? []),
        ...limits.filter(isUnknownLimit).map(({ consumer_selector: selector }) => `the limit of ${selector}`),
        ...members.filter(isUnknownSet).map(({ organization_id: id, address }) => `the members of ${id ?? address}`),
        ...keys.filter(isUnknownKey).map((key) => `the material of ${keyWords(keyName(key))}`),
      ]),
    ],
    unseen: [...unseen],
  };
}

function reasonOf(acl: PlannedAcl): string | undefined {
  const secrets = [...acl.secret].filter((name) => name !== "description");
  if (secrets.length > 0) return `the sensitive ${secrets.join(", ")} of ${titleOf(acl)}`;
  return Number.isNaN(acl.priority) || hasSymbol(acl.rule) ? `a value of ${titleOf(acl)}` : undefined;
}

const hasSymbol = (value: unknown) => unknownIn(value) !== undefined;

/** A sensitive limit that the change leaves alone has no effect. */
const isUnknownLimit = (change: LimitChange) =>
  change.open === true ||
  (isChanged(change) &&
    ([change.before, change.after].some((limit) => limit !== null && (isOpen(limit) || limit.action === hidden)) ||
      [change.resource, change.consumer, change.consumer_selector].some(
        (name) => name === hidden || name === pending,
      )));

const isChanged = ({ before, after }: LimitChange) =>
  JSON.stringify(rateFrom(before)) !== JSON.stringify(rateFrom(after));

function limitFrom({ resource, consumer, consumer_selector, before, after }: LimitChange): MeantLimit {
  return { resource, consumer, consumer_selector, before: rateFrom(before), after: rateFrom(after) };
}

/** Terraform and the service spell the absence of a number in several ways. */
function rateFrom(limit: Limit | null): MeantLimit["after"] {
  if (!limit || limit.action === "allow") return null;
  const { action, limit: number, redirect_uri, by } = limit;
  return { action, limit: number, ...(redirect_uri !== undefined && { redirect_uri }), by };
}

const isUnknownSet = ({ organization_id: id, gains, loses, may_gain: mayGain, may_lose: mayLose }: MemberChange) =>
  id === null || id === hidden || mayGain || mayLose !== 0 || [...gains, ...loses].includes(hidden);

/** Several sets may list members of one organization. */
function membersFrom(changes: readonly MemberChange[]): MeantMembers[] {
  const ids = new Set(changes.flatMap(({ organization_id: id }) => id ?? []));
  return [...ids]
    .map((id) => {
      const own = changes.filter(({ organization_id }) => organization_id === id);
      const all = (people: readonly (readonly string[])[]) => [...new Set(people.flat())].toSorted();
      return {
        organization_id: id,
        gains: all(own.map(({ gains }) => gains)),
        loses: all(own.map(({ loses }) => loses)),
      };
    })
    .filter(({ gains, loses }) => gains.length + loses.length > 0);
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const secretOf = (values: Values | undefined): MeantKey["after"] =>
  values ? { alg: String(values["alg"]), digest: sha256(String(values["fingerprint"])) } : null;

function keyFrom(key: PlannedObject): MeantKey[] {
  if (isUnknownKey(key)) return [];
  const { before, after } = key;
  const [was, is] = [before, after].map((values) => (values ? String(values["name"]) : undefined));
  if (was !== undefined && is !== undefined && was !== is) {
    return [
      { name: was, before: secretOf(before), after: null },
      { name: is, before: null, after: secretOf(after) },
    ];
  }
  const made = { name: (was ?? is)!, before: secretOf(before), after: secretOf(after) };
  return JSON.stringify(made.before) === JSON.stringify(made.after) ? [] : [made];
}

/** A key that the plan leaves alone needs no known secret bytes. */
function isUnknownKey({ before, after, beforeSensitive, afterSensitive }: PlannedObject): boolean {
  const isSame = JSON.stringify(meant(block(before))) === JSON.stringify(meant(block(after)));
  if (isSame && !hasSymbol(after)) return false;
  const names = ["name", "alg", "fingerprint"];
  return [[before, beforeSensitive] as const, [after, afterSensitive] as const].some(
    ([values, marks]) => values && names.some((name) => typeof values[name] !== "string" || isMarked(marks, name)),
  );
}

/** Gives the keys in a rule their names, because each tenant gives a key another id. An id that no planned key has stays. */
export function withKeyNames(keys: readonly PlannedObject[]): (rule: Rule) => Rule {
  const names = new Map<unknown, string>();
  for (const { before, after, beforeSensitive, afterSensitive } of keys) {
    for (const [values, marks] of [
      [before, beforeSensitive],
      [after, afterSensitive],
    ] as const) {
      const { id, name } = values ?? {};
      if (typeof id === "string" && typeof name === "string" && !isMarked(marks, "name")) names.set(id, name);
    }
  }
  const named = (criteria: unknown): unknown => {
    const signature = isValues(criteria) ? criteria["http_message_signature"] : undefined;
    if (!isValues(criteria) || !isValues(signature) || !Array.isArray(signature["keys"])) return criteria;
    const renamed = (signature["keys"] as unknown[]).map((key) => {
      const name = isValues(key) ? names.get(key["id"]) : undefined;
      return name === undefined ? key : { ...(key as Values), id: `key ${JSON.stringify(name)}` };
    });
    return { ...criteria, http_message_signature: { ...signature, keys: renamed } };
  };
  return (own) => {
    const sides = Object.entries(own).map(([name, side]) => [name, name.endsWith("match") ? named(side) : side]);
    return names.size === 0 ? own : Object.fromEntries(sides);
  };
}

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
