/** Stores the planned objects of a plan, and finds them again by key, identity or content. */
import { createHash } from "node:crypto";
import { unknown } from "../cty/value";
import type { Change, Identity, Known } from "./definition";

/*
 * Terraform plans each object by itself, up to ten at a time, without giving its address. So an object that exists is recognized by
 * the object key in its private state. A new object is recognized by its planned values: two equal objects that are planned at the
 * same time are two objects. If the second one is planned after the response to the first, it is the same object again. Other
 * engines plan an object several times, sometimes without its key: then identity and prior state identify the object. Terraform plans
 * each entry of its state once. So a second plan with the same key is another entry, which was copied in an edited state.
 */

/** A change of one object. */
export interface Entry {
  /** Name of the resource. */
  readonly kind: string;
  /** Missing for a new object, and for one that has no key yet. */
  readonly objectKey?: string | undefined;
  /** The key of the object that this one replaces. */
  readonly replaces?: string | undefined;
  /** Identity of the existing object. */
  readonly identity?: Identity | undefined;
  readonly change: Change;
}

export interface Row extends Omit<Entry, "identity"> {
  readonly objectKey: string;
  /** Hash of the planned values of a new object. */
  readonly likeness?: string | undefined;
  /** Whether the object came without a key. */
  readonly isKeyless: boolean;
  readonly claims: Map<string, { readonly title: string; readonly shared?: boolean | undefined }>;
  /** By topic. */
  readonly attached: Map<string, unknown>;
  identity?: Identity | undefined;
  /** Hash of kind and identity. */
  identityKey: string;
  isPlanned: boolean;
  made: boolean;
}

export type PlanRows = ReturnType<typeof createPlanRows>;

/** `plansOnce`: whether the engine plans each existing object once in this process. */
export function createPlanRows(createObjectKey: () => string, plansOnce = false) {
  const rows = new Map<string, Row>();
  const claimants = new Map<string, Set<Row>>();
  const byLikeness = new Map<string, Set<Row>>();
  const byIdentity = new Map<string, Set<Row>>();

  function release(row: Row): void {
    for (const claim of row.claims.keys()) claimants.get(claim)?.delete(row);
  }

  function forget(row: Row): void {
    rows.delete(row.objectKey);
    byIdentity.get(row.identityKey)?.delete(row);
    byLikeness.get(row.likeness ?? "")?.delete(row);
    release(row);
  }

  function identify(row: Row, identity: Identity | undefined): void {
    byIdentity.get(row.identityKey)?.delete(row);
    row.identity = identity;
    row.identityKey = hashOf([row.kind, identity]);
    add(byIdentity, row.identityKey, row);
  }

  /** The row of an earlier plan of the same object; after its change was made, its prior state differs. */
  function sameAs({ kind, identity, change: { prior } }: Entry): Row | undefined {
    const alike = [...(byIdentity.get(hashOf([kind, identity])) ?? [])].filter(({ isPlanned }) => isPlanned);
    return alike.find((row) => row.made || hashOf(row.change.prior) === hashOf(prior));
  }

  function objectKeyOf(entry: Entry, likeness: string | undefined): string {
    if (likeness !== undefined) {
      const again = [...(byLikeness.get(likeness) ?? [])].find(({ isPlanned }) => isPlanned);
      return again?.objectKey ?? createObjectKey();
    }
    if (plansOnce) return rows.has(entry.objectKey ?? "") ? createObjectKey() : (entry.objectKey ?? createObjectKey());
    const before = sameAs(entry);
    if (entry.objectKey === undefined) return before?.objectKey ?? createObjectKey();
    if (before?.isKeyless) forget(before);
    return entry.objectKey;
  }

  return {
    /** The number of objects. An object and its replacement are one. */
    count: () => [...rows.values()].filter(({ replaces }) => replaces === undefined).length,
    find: (objectKey: string) => rows.get(objectKey),
    forget,
    isKnown: (kind: string, identity: Identity) => (byIdentity.get(hashOf([kind, identity]))?.size ?? 0) > 0,

    open(entry: Entry): Row {
      const { kind, change, replaces } = entry;
      const likeness = change.action === "create" ? hashOf([kind, replaces, change.planned]) : undefined;
      const objectKey = objectKeyOf(entry, likeness);
      const before = rows.get(objectKey);
      if (before) forget(before);
      const isKeyless = entry.objectKey === undefined;
      const fresh = { claims: new Map(), attached: new Map(), identityKey: "", isPlanned: false, made: false };
      const row: Row = { ...entry, objectKey, likeness, isKeyless, ...fresh };
      rows.set(objectKey, row);
      identify(row, entry.identity);
      if (likeness !== undefined) add(byLikeness, likeness, row);
      return row;
    },

    /** Notes what a change has made of the object; `state` undefined: it is gone. */
    markMade(row: Row, identity: Identity | undefined, state: Known | undefined): void {
      byLikeness.get(row.likeness ?? "")?.delete(row);
      identify(row, identity);
      row.made = true;
      if (!state) release(row);
    },

    note(row: Row, claim: string, title: string, shared?: boolean): void {
      row.claims.set(claim, { title, shared });
      add(claimants, claim, row);
    },

    /** The rows of other objects that noted the claim; an object and its replacement are one. */
    others: (row: Row, claim: string) =>
      [...(claimants.get(claim) ?? [])].filter(
        (other) => other !== row && other.objectKey !== row.replaces && other.replaces !== row.objectKey,
      ),

    attached: (topic: string): unknown[] =>
      [...rows.values()].flatMap(({ attached }) => (attached.has(topic) ? [attached.get(topic)] : [])),

    changesOf(kind: string, { kept = false } = {}) {
      const replaced = new Set([...rows.values()].map(({ replaces }) => replaces));
      return [...rows.values()]
        .filter((row) => row.kind === kind && (kept || row.change.action !== "keep"))
        .map(({ objectKey, identity, change }) => ({
          identity,
          planned: replaced.has(objectKey) ? undefined : change.planned,
        }));
    },
  };
}

/** Stable hash of a value. */
export function hashOf(parts: unknown): string {
  const text = JSON.stringify(parts, (_name, part: unknown) => (part === unknown ? { unknown: true } : part));
  return createHash("sha256").update(text).digest("base64");
}

function add<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}
