/** The note that the planning process of an apply leaves for its applying process. */
import { isDeepStrictEqual } from "node:util";
import { identityOf, type Definition, type Identity, type Known } from "../sdk/definition";
import type { Lazy } from "../sdk/lazy";
import type { Diagnostic } from "../sdk/diagnostic";
import { contentHash, type UniqueKey } from "./unique-key";

/** By the name of the resource. */
export const uniqueKeys: Lazy<UniqueKey> = {
  network_acl: async () => (await import("./network-acl/unique-priority.js")).uniquePriority,
  network_acl_key: async () => (await import("./network-acl-key/unique-name.js")).uniqueName,
  rate_limit_policy: async () => (await import("./rate-limit-policy/unique-callers.js")).uniqueCallers,
};

export interface Note {
  readonly wanted: readonly Wanted[];
  /** The existing objects that the plan has read, changed or destroyed. */
  readonly managed: ReadonlySet<string>;
  /** Why the apply cannot be completed, if only the end of the plan showed it. */
  readonly refusals: readonly Refusal[];
}

export type Refusal = Pick<Diagnostic, "summary" | "detail">;

/** Takes what only the end of the plan shows. */
export interface Deferring {
  readonly firstWrite: { leavesOpen(find: () => readonly Refusal[]): void };
}

/** An object that the apply creates, or moves to another key. */
export interface Wanted {
  /** Name of the resource. */
  readonly kind: string;
  /** The values of the unique key, in the order of the kind. Left out if only the write compares the object. */
  readonly key?: readonly (string | number)[];
  /** The content of a new object, because an existing object with the same content is adopted; or the object that moves. */
  readonly content?: string;
}

/** Undefined for an existing object that keeps its key. The write alone compares content that is known only after apply. */
export async function wantedOf(definition: Definition, planned: Known, prior?: Known): Promise<Wanted | undefined> {
  const { name } = definition;
  const unique = await uniqueKeys[name]?.();
  const keyIn = (object: Known) => unique?.kind.uniqueKey.map((each) => object[each] as string | number);
  const key = keyIn(planned);
  if (prior && (key?.every(isKnown) !== true || isDeepStrictEqual(key, keyIn(prior)))) return undefined;
  const content = prior ? managedOf(definition, prior) : unique && contentHash(unique, planned);
  return content === undefined ? { kind: name } : { kind: name, key: key!, content };
}

const isKnown = (value: unknown) => typeof value === "string" || typeof value === "number";

/** Identifies an existing object; undefined if its identity is not known. */
export function managedOf(definition: Definition, state: Known): string | undefined {
  const identity = identityOf(definition, state);
  return identity && nameOf(definition.name, identity);
}

export const isManaged = ({ managed }: Note, kind: string, id: string): boolean => managed.has(nameOf(kind, { id }));

const nameOf = (kind: string, identity: Identity) => JSON.stringify([kind, identity]);

export const keyOf = ({ key }: Wanted, { kind }: UniqueKey): Known =>
  Object.fromEntries(kind.uniqueKey.map((name, index) => [name, key![index]]));

/** Whether the note has the object, whose planned values are all known by now. */
export const has = ({ wanted }: Note, own: Wanted): boolean => wanted.some((each) => isSame(each, own));

export function isSame(noted: Wanted, own: Wanted): boolean {
  return noted.kind === own.kind && (noted.key === undefined || noted.content === own.content);
}

export const textOf = ({ managed, ...rest }: Note): string => JSON.stringify({ ...rest, managed: [...managed] });

export function noteIn(text: string): Note {
  try {
    const { wanted, managed, refusals } = JSON.parse(text) as Record<"wanted" | "managed" | "refusals", never[]>;
    return { wanted: wanted.filter(isWanted), managed: new Set(managed), refusals: refusals.filter(isRefusal) };
  } catch {
    return { wanted: [], managed: new Set(), refusals: [] };
  }
}

const isRefusal = (refusal: Partial<Refusal> | null): refusal is Refusal =>
  typeof refusal?.summary === "string" && typeof refusal.detail === "string";

function isWanted(wanted: Partial<Wanted> | null): wanted is Wanted {
  if (typeof wanted?.kind !== "string") return false;
  const { kind, key, content } = wanted;
  return key === undefined || (Object.hasOwn(uniqueKeys, kind) && Array.isArray(key) && typeof content === "string");
}
