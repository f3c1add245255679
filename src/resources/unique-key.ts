/** The values that a tenant has only once, and the object of the tenant that has them. */
import { createHash } from "node:crypto";
import { isWhollyKnown, type Value } from "../cty/value";
import type { Code } from "../impact/effect";
import type { Kind } from "../kinds/kind";
import type { Known } from "../sdk/definition";
import type { Tenant } from "../tenant/tenant";
import type { Holder, Place } from "./conflicts";
import type { Engine } from "./engine";

/** An object of the tenant. */
export interface Existing {
  readonly id: string;
}

/** How the objects of a kind exclude each other. The service refuses a second object with the same key. */
export interface UniqueKey<T extends Existing = Existing> {
  readonly kind: Kind;
  /** The finding that docs/guides/findings.md explains. */
  readonly code?: Code;
  /** Besides the key, the attributes that an object has in common with the new object that adopts it. */
  readonly content: readonly string[];
  /** The object with the key of a planned one, from the requests that the calls of this process share. */
  holder(tenant: Tenant, planned: Known): Promise<T | undefined>;
  /** How messages call a new object, or the object with the id: `a new policy (…)`. */
  titleOf(planned: Known, id?: unknown): string;
  /** The name of an existing object in parentheses. */
  called(existing: T): string;
}

export function placeOf({ kind, code }: UniqueKey, planned: Known): Place {
  const key = kind.uniqueKey.at(-1)!;
  return { kind: kind.noun, key, value: planned[key] as string | number, ...(code && { code }) };
}

export function holderOf<T extends Existing>(
  unique: UniqueKey<T>,
  existing: T,
  planned: Known,
  engine: Engine,
): Holder {
  const { id } = existing;
  return {
    id,
    called: unique.called(existing),
    same: engine.canAdopt && contentHash(unique, planned) === contentHash(unique, { ...(existing as object) }),
    importCommand: engine.importCommand(unique.kind.type, id),
  };
}

/** Undefined if part of the object is known only after apply. */
export function contentHash({ kind, content: names }: UniqueKey, object: Known): string | undefined {
  const content = Object.fromEntries([...kind.uniqueKey, ...names].map((name) => [name, object[name]]));
  if (!isWhollyKnown(content as Value)) return undefined;
  return createHash("sha256")
    .update(JSON.stringify(sorted(content)))
    .digest("base64");
}

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.map(([key, each]) => [key, sorted(each)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
