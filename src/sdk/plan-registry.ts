/** The registry of a plan: which objects come, change and go, who claims what there is only one of, and what has been done. */
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { unknown } from "../cty/value";
import type { Change, Identity, Known } from "./definition";
import { createGathering } from "./gathering";
import type { Phase, PlannedObject } from "./planned-object";

/*
 * Terraform plans each object by itself, up to ten at a time, in an order of its own, without saying which is the last or
 * what an object's address is. So an object that exists is known by an object key in its private state, and one that is yet to be
 * made by what is planned of it: two alike that are planned at the same time are two; one that is planned after the other
 * was answered is the same again. Other hosts of the protocol plan an object as often as they like, and not all of them bring
 * the object key each time: an object without one is the one of the same identity and state that was planned before, if any was.
 */

/** A change of one object, as it enters the registry. */
export interface Entry {
  /** Name of the resource. */
  readonly kind: string;
  /** Of the object that exists; left out for one that is new or was never marked. */
  readonly objectKey?: string;
  /** The objectKey of the object whose place it takes. */
  readonly replaces?: string;
  /** Of the object that exists. */
  readonly identity?: Identity;
  readonly change: Change;
}

export interface PlanRegistry {
  readonly phase: Phase;
  /** Notes that something was asked for, and what that tells about the phase. */
  touch(phase?: Phase): void;
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Whether no call was made yet, or a call is running: a configuration that comes now belongs to the same plan. */
  isOpen(): boolean;
  /** Notes an object that exists. */
  seen(kind: string, identity: Identity): void;
  /** Enters an object that is being planned, in place of what an earlier plan of it has said. */
  enter(entry: Entry): PlannedObject;
  /** The object that was entered with this objectKey. */
  entered(objectKey: string): PlannedObject | undefined;
  /** Notes what the marked object is, or is about to be; `state` undefined: nothing any more. */
  made(kind: string, objectKey: string, identity: Identity | undefined, state: Known | undefined): void;
  /** Forgets a change that was refused or failed: the object stays as it was. */
  failed(objectKey: string): void;
  /** The state of another object than the marked one, made in this process, where both have the same identity. */
  madeByOther(kind: string, objectKey: string | undefined, identity: Identity): Known | undefined;
  createObjectKey(): string;
}

export interface RegistryOptions {
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly createObjectKey?: () => string;
  /** The subcommand of Terraform, if it is known. */
  readonly command?: () => string | undefined;
}

interface Row extends Omit<Entry, "identity"> {
  readonly objectKey: string;
  /** Of what is yet to be made. */
  readonly likeness?: string;
  /** Whether it came without an object key of its own. */
  readonly isKeyless: boolean;
  readonly claims: Map<string, { readonly title: string; readonly shared?: boolean }>;
  identity?: Identity;
  /** Of its kind and identity. */
  key: string;
  answered: boolean;
  made: boolean;
  object?: PlannedObject;
}

export function createPlanRegistry({
  sleep = setTimeout,
  createObjectKey = randomUUID,
  command = () => undefined,
}: RegistryOptions = {}): PlanRegistry {
  const entries = new Map<string, Row>();
  const claimants = new Map<string, Set<Row>>();
  /** By likeness, those that are yet to be made. */
  const awaited = new Map<string, Set<Row>>();
  /** By kind and identity. */
  const known = new Map<string, Set<Row>>();
  const makers = new Map<string, { readonly objectKey: string; readonly state: Known }>();
  /** Who was read: managed, whether it was planned already or not. */
  const read = new Set<string>();
  const gathering = createGathering(sleep);
  let isUsed = false;
  let phase: Phase = command() === "plan" ? "plan" : undefined;

  function release(entry: Row): void {
    for (const key of entry.claims.keys()) claimants.get(key)?.delete(entry);
  }

  function forget(entry: Row): void {
    entries.delete(entry.objectKey);
    known.get(entry.key)?.delete(entry);
    awaited.get(entry.likeness ?? "")?.delete(entry);
    release(entry);
  }

  function identify(entry: Row, identity: Identity | undefined): void {
    known.get(entry.key)?.delete(entry);
    entry.identity = identity;
    entry.key = keyOf([entry.kind, identity]);
    add(known, entry.key, entry);
  }

  function objectKeyOf(written: Entry, likeness: string | undefined): string {
    const { objectKey } = written;
    if (likeness !== undefined) {
      const again = [...(awaited.get(likeness) ?? [])].find((entry) => entry.answered);
      return again?.objectKey ?? createObjectKey();
    }
    const before = sameAs(written);
    if (objectKey === undefined) return before?.objectKey ?? createObjectKey();
    if (before?.isKeyless) forget(before);
    return objectKey;
  }

  /** What was planned before and is the same object, by its identity and state; one that was made since has another state. */
  function sameAs({ kind, identity, change: { prior } }: Entry): Row | undefined {
    const alike = [...(known.get(keyOf([kind, identity])) ?? [])].filter(({ answered }) => answered);
    return alike.find((entry) => entry.made || keyOf(entry.change.prior) === keyOf(prior));
  }

  /** The others of whom something was noted. */
  const others = (entry: Row, key: string) =>
    [...(claimants.get(key) ?? [])].filter(
      (other) => other !== entry && other.objectKey !== entry.replaces && other.replaces !== entry.objectKey,
    );

  function note(entry: Row, key: string, title: string, shared?: boolean): void {
    entry.claims.set(key, { title, shared });
    add(claimants, key, entry);
  }

  return {
    createObjectKey,

    get phase() {
      return phase;
    },

    touch(told) {
      phase = told ?? phase;
    },

    during(work) {
      isUsed = true;
      return gathering.during(work);
    },

    isOpen: () => gathering.isRunning() || !isUsed,

    seen(kind, identity) {
      read.add(keyOf([kind, identity]));
    },

    enter(written) {
      const { kind, change, replaces, identity } = written;
      const likeness = change.action === "create" ? keyOf([kind, replaces, change.planned]) : undefined;
      const objectKey = objectKeyOf(written, likeness);
      const before = entries.get(objectKey);
      if (before) forget(before);
      const isKeyless = written.objectKey === undefined;
      const entry: Row = {
        ...written,
        objectKey,
        likeness,
        isKeyless,
        key: "",
        claims: new Map(),
        answered: false,
        made: false,
      };
      entries.set(objectKey, entry);
      identify(entry, identity);
      if (likeness !== undefined) add(awaited, likeness, entry);
      const changesOf = (wanted: string, { kept = false } = {}) => {
        const replaced = new Set([...entries.values()].map((other) => other.replaces));
        return [...entries.values()]
          .filter((other) => other.kind === wanted && (kept || other.change.action !== "keep"))
          .map((other) => ({
            identity: other.identity,
            planned: replaced.has(other.objectKey) ? undefined : other.change.planned,
          }));
      };

      entry.object = {
        objectKey,
        claim(what, title, { shared } = {}) {
          const key = JSON.stringify(what);
          const other = others(entry, key).find((each) => !shared || !each.claims.get(key)!.shared);
          if (!other) note(entry, key, title, shared);
          return other?.claims.get(key)!.title;
        },
        isFirst(topic) {
          const key = keyOf(["topic", topic]);
          if (others(entry, key).length > 0) return false;
          note(entry, key, topic);
          return true;
        },
        counterpart(content) {
          const key = keyOf(["content", kind, content]);
          note(entry, key, kind);
          const goes = change.action === "destroy";
          return others(entry, key).find((other) => !other.made && (other.change.action === "destroy") !== goes);
        },
        changes: (options) => changesOf(kind, options),
        changesOf,
        get phase() {
          return phase;
        },
        knows(one) {
          const key = keyOf([kind, one]);
          return (known.get(key)?.size ?? 0) > 0 || read.has(key);
        },
        settled: gathering.settled,
        gathered: gathering.gathered,
        answered() {
          entry.answered = true;
        },
      };
      return entry.object;
    },

    entered: (objectKey) => entries.get(objectKey)?.object,

    failed(objectKey) {
      const entry = entries.get(objectKey);
      if (entry) forget(entry);
    },

    made(kind, objectKey, identity, state) {
      const entry = entries.get(objectKey);
      if (entry) {
        awaited.get(entry.likeness ?? "")?.delete(entry);
        identify(entry, identity);
        entry.made = true;
        if (!state) release(entry);
      }
      if (!identity) return;
      const key = keyOf([kind, identity]);
      if (state) makers.set(key, { objectKey, state });
      else if (makers.get(key)?.objectKey === objectKey) makers.delete(key);
    },

    madeByOther(kind, objectKey, identity) {
      const maker = makers.get(keyOf([kind, identity]));
      return maker && maker.objectKey !== objectKey ? maker.state : undefined;
    },
  };
}

/** A short text that is the same for what is the same. */
function keyOf(parts: unknown): string {
  const text = JSON.stringify(parts, (_name, part: unknown) => (part === unknown ? { unknown: true } : part));
  return createHash("sha256").update(text).digest("base64");
}

function add<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}
