/** The meaning of a change: everything that decides its effect on requests, limits, members and keys, without ids and names of objects. */
import type { Rule } from "../../access/access";
import { hidden } from "../phrases";
import type { PlannedObject, Values } from "../model";
import type { PlannedAcl, AclVersions } from "../network-acl/acl";
import { keyTitle } from "../network-acl/keys";
import { titleOf } from "../network-acl/words";
import type { MemberChange } from "../organization-member-set/changes";
import type { LimitChange } from "../rate-limit-policy/changes";
import { isOpen, pending, type Limit } from "../rate-limit-policy/limit";
import { block, isMarked, meant } from "../value";
import { meantEnds, type MeantEnd } from "./ends";
import { createHash } from "node:crypto";

export interface Meaning {
  /** The active ACLs. */
  readonly acls: { readonly before: readonly MeantAcl[]; readonly after: readonly MeantAcl[] };
  /** The limits that change. */
  readonly limits: readonly MeantLimit[];
  /** The organizations whose members change. */
  readonly members: readonly MeantMembers[];
  /** The signature keys that change. */
  readonly keys: readonly MeantKey[];
  /** Everything that is in force after the change and ends by itself. */
  readonly ends: readonly MeantEnd[];
  /** What is not known, in clauses without a verb. Nothing is proven then. */
  readonly unknown: readonly string[];
  /** Families of objects whose unmanaged objects were not read. */
  readonly unseen: readonly string[];
}

export interface MeantAcl {
  readonly priority: number;
  readonly rule: Rule;
}

export interface MeantLimit {
  readonly resource: string;
  readonly consumer: string;
  readonly selector: string;
  /** null: no limit. */
  readonly before: MeantRate | null;
  readonly after: MeantRate | null;
}

export interface MeantRate {
  readonly action: string;
  readonly limit: number | null;
  readonly redirect_uri?: string | undefined;
  /** The selector of the policy that sets the limit. */
  readonly by: string;
}

export interface MeantMembers {
  readonly organization: string;
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

export interface MeantKey {
  readonly name: string;
  /** null: no such key. */
  readonly before: MeantMaterial | null;
  readonly after: MeantMaterial | null;
}

export interface MeantMaterial {
  readonly alg: string;
  /** Equal for equal material. */
  readonly digest: string;
}

export interface JudgedChange {
  readonly versions: AclVersions;
  readonly limits: readonly LimitChange[];
  readonly members: readonly MemberChange[];
  /** The planned signature keys. */
  readonly keys: readonly PlannedObject[];
  /** All planned objects. */
  readonly objects: readonly PlannedObject[];
  /** Why the change may be another one, in clauses. */
  readonly reasons: readonly string[];
  readonly unseen: readonly string[];
}

export function meaningOf({ versions, limits, members, keys, objects, reasons, unseen }: JudgedChange): Meaning {
  const withNames = withKeyNames(keys);
  const ends = meantEnds(versions, objects, withNames);
  const acls = (side: readonly PlannedAcl[]) => side.filter(({ active }) => active);
  const known = (side: readonly PlannedAcl[]) =>
    acls(side)
      .filter((acl) => reasonOf(acl) === undefined)
      .map(({ priority, rule }): MeantAcl => ({ priority, rule: withNames(rule) }));
  return {
    acls: { before: known(versions.before), after: known(versions.after) },
    limits: limits.filter(isChanged).map(limitFrom),
    members: membersFrom(members),
    keys: keys.flatMap(keyFrom),
    ends: ends.known,
    unknown: [
      ...new Set([
        ...reasons,
        ...[...versions.before, ...versions.after].filter(({ active }) => active).flatMap((acl) => reasonOf(acl) ?? []),
        ...limits.filter(isUnknownLimit).map(({ consumer_selector: selector }) => `the limit of ${selector}`),
        ...members.filter(isUnknownSet).map(({ organization_id: id, address }) => `the members of ${id ?? address}`),
        ...keys.filter(isUnknownKey).map((key) => `the material of ${keyTitle(key)}`),
        ...ends.unknown,
      ]),
    ],
    unseen,
  };
}

function reasonOf(acl: PlannedAcl): string | undefined {
  const secrets = [...acl.secret].filter((name) => name !== "description");
  if (secrets.length > 0) return `the sensitive ${secrets.join(", ")} of ${titleOf(acl)}`;
  const isOpenAcl = Number.isNaN(acl.priority) || hasSymbol(acl.rule);
  return isOpenAcl ? `a value of ${titleOf(acl)}` : undefined;
}

function hasSymbol(value: unknown): boolean {
  if (typeof value === "symbol") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasSymbol);
}

/** A sensitive limit that the change leaves alone has no effect. */
const isUnknownLimit = (change: LimitChange) =>
  change.open === true ||
  (isChanged(change) &&
    ([change.before, change.after].some((limit) => limit !== null && (isOpen(limit) || limit.action === hidden)) ||
      [change.resource, change.consumer, change.consumer_selector].some(
        (name) => name === hidden || name === pending,
      )));

const isChanged = ({ before, after }: LimitChange) => textOf(rateFrom(before)) !== textOf(rateFrom(after));

const textOf = (rate: MeantRate | null) => JSON.stringify(rate);

function limitFrom({ resource, consumer, consumer_selector: selector, before, after }: LimitChange): MeantLimit {
  return { resource, consumer, selector, before: rateFrom(before), after: rateFrom(after) };
}

/** Terraform and the service spell the absence of a number in several ways. */
function rateFrom(limit: Limit | null): MeantRate | null {
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
    .map((organization) => {
      const own = changes.filter(({ organization_id: id }) => id === organization);
      const all = (people: readonly (readonly string[])[]) => [...new Set(people.flat())].toSorted();
      return {
        organization,
        gains: all(own.map(({ gains }) => gains)),
        loses: all(own.map(({ loses }) => loses)),
      };
    })
    .filter(({ gains, loses }) => gains.length + loses.length > 0);
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

const materialOf = (values: Values | undefined): MeantMaterial | null =>
  values ? { alg: String(values["alg"]), digest: digestOf(String(values["fingerprint"])) } : null;

function keyFrom(key: PlannedObject): MeantKey[] {
  if (isUnknownKey(key)) return [];
  const { before, after } = key;
  const [was, is] = [before, after].map((values) => (values ? String(values["name"]) : undefined));
  if (was !== undefined && is !== undefined && was !== is) {
    return [
      { name: was, before: materialOf(before), after: null },
      { name: is, before: null, after: materialOf(after) },
    ];
  }
  const made = { name: (was ?? is)!, before: materialOf(before), after: materialOf(after) };
  return JSON.stringify(made.before) === JSON.stringify(made.after) ? [] : [made];
}

/** A key that the plan leaves alone needs no known material. */
function isUnknownKey({ before, after, beforeSensitive, afterSensitive }: PlannedObject): boolean {
  const isSame = JSON.stringify(meant(block(before))) === JSON.stringify(meant(block(after)));
  if (isSame && !hasSymbol(after)) return false;
  const names = ["name", "alg", "fingerprint"];
  return [[before, beforeSensitive] as const, [after, afterSensitive] as const].some(
    ([values, marks]) => values && names.some((name) => typeof values[name] !== "string" || isMarked(marks, name)),
  );
}

/** An id that no planned key has stays. */
export function withKeyNames(keys: readonly PlannedObject[]): <R extends Rule>(rule: R) => R {
  const names = new Map<string, string>();
  for (const { before, after, beforeSensitive, afterSensitive } of keys) {
    for (const [values, marks] of [
      [before, beforeSensitive],
      [after, afterSensitive],
    ] as const) {
      const { id, name } = values ?? {};
      if (typeof id === "string" && typeof name === "string" && !isMarked(marks, "name")) names.set(id, name);
    }
  }
  return (rule) => (names.size === 0 ? rule : named(rule, names));
}

function named<R extends Rule>(rule: R, names: ReadonlyMap<string, string>): R {
  const sides = Object.entries({ match: rule.match, not_match: rule.not_match }).flatMap(([side, criteria]) => {
    const signature = criteria?.["http_message_signature"];
    const keys = isValues(signature) ? signature["keys"] : undefined;
    if (!criteria || !isValues(signature) || !Array.isArray(keys)) return [];
    const renamed = (keys as unknown[]).map((key) => {
      const name = isValues(key) && typeof key["id"] === "string" ? names.get(key["id"]) : undefined;
      return name === undefined ? key : { ...(key as Values), id: `key ${JSON.stringify(name)}` };
    });
    return [[side, { ...criteria, http_message_signature: { ...signature, keys: renamed } }] as const];
  });
  return sides.length === 0 ? rule : { ...rule, ...Object.fromEntries(sides) };
}

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
