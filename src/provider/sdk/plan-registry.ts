/**
 * Registers the planned objects of a provider process: their changes, and what has been made.
 *
 * Terraform plans each object by itself, up to ten at a time, without giving its address. An object that exists is recognized by the
 * object key in its private state. Terraform plans each entry of its state once, so a second plan with the same key is another entry, which
 * was copied in an edited state.
 */
import { randomUUID } from "node:crypto";
import type { Identity, Known } from "./definition";
import { createGathering, type Clock, type Gathering, type OtherCalls } from "./gathering";

/**
 * A plan once an object was read, a destroy if the process plans a deletion and reads nothing, an apply once an object is written;
 * otherwise unknown: the plan of new objects alone, or the process that is about to create them.
 */
export type Phase = "plan" | "destroy" | "apply" | undefined;

/** An object of the plan. */
export interface Entry {
  /** Name of the resource. */
  readonly kind: string;
  /** Missing for a new object, and for one that has no key yet. */
  readonly objectKey?: string | undefined;
  /** The key of the object that this one replaces. */
  readonly replaces?: string | undefined;
  /** Identity of the existing object. */
  readonly identity?: Identity | undefined;
  readonly prior?: Known | undefined;
  /** Undefined if it is destroyed. */
  readonly planned?: Known | undefined;
}

export interface PlannedObject extends Pick<Gathering, "whenQuiet" | "isAlone"> {
  readonly phase: Phase;
  /** Kept in the private state of the object. */
  readonly objectKey: string;
  /** Adds what a judge of the whole plan reads of this object. */
  add(object: object): void;
  /** The objects of the plan so far, or a part of them. One that replaces another one stands for both, if either is of the part. */
  added(isPart?: (object: object, isAsking: boolean) => boolean): readonly AddedObject[];
  /** The existing objects that the plan has read and not planned yet. */
  unplanned(): readonly { readonly kind: string; readonly identity: Identity }[];
  /** What calls have reported about the whole plan. */
  readonly reported: Set<string>;
}

interface AddedObject {
  readonly object: object;
  /** The object that it replaces, if the plan has it. */
  readonly replaced?: object;
  /** Whether the apply has written it. */
  readonly isMade: boolean;
  /** Whether it is the object that asks. */
  readonly isAsking: boolean;
}

export interface PlanRegistry {
  readonly phase: Phase;
  touch(phase: Phase): void;
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  readonly otherCalls: OtherCalls;
  /**
   * Notes an existing object as it was read. Returns whether another entry of the state has adopted it since.
   */
  seen(kind: string, identity: Identity, objectKey: string | undefined, state: Known): boolean;
  enter(entry: Entry): PlannedObject;
  entered(objectKey: string): PlannedObject | undefined;
  /** Notes what the object is, or is about to be; `state` undefined: it is gone. */
  made(kind: string, objectKey: string, identity: Identity | undefined, state: Known | undefined): void;
  /** Forgets a change that was refused or failed: the object stays as it was. */
  failed(objectKey: string): void;
  /** The state of another object with the same identity, if this process has made it. */
  madeByOther(kind: string, objectKey: string | undefined, identity: Identity): Known | undefined;
  /**
   * The other objects of the kind, each as it was read, planned or made last. `kept`: what the plan knew of objects that this process
   * may not know, by their keys.
   */
  others(kind: string, objectKey: string | undefined, kept?: Kept): [key: string, state: Known][];
  createObjectKey(): string;
  /** Notes an object of the state that the service had before it was created, and when that was. */
  adopts(kind: string, identity: Identity, objectKey: string, at: number): void;
  /** Milliseconds since the UNIX epoch. */
  now(): number;
}

/** States of objects by their keys. */
export type Kept = Readonly<Record<string, Known>>;

export interface RegistryOptions {
  readonly clock?: Clock;
  readonly createObjectKey?: () => string;
  readonly now?: () => number;
  /** The phase before a call shows it. Default: unknown. */
  readonly phase?: Phase;
}

interface Row extends Pick<Entry, "replaces"> {
  readonly objectKey: string;
  /** What a judge of the whole plan reads of it. */
  object?: object | undefined;
  isMade: boolean;
}

/** An object as the process knows it last. `state` undefined: it is gone, or never came. */
interface Latest {
  readonly kind: string;
  readonly state: Known | undefined;
  /** Before a change that is only planned. */
  readonly prior?: Known | undefined;
  /** Kind and identity, if the process has made it. */
  readonly madeAs?: string;
}

export function createPlanRegistry(options: RegistryOptions = {}): PlanRegistry {
  const { clock, createObjectKey = randomUUID, now = Date.now } = options;
  const rows = new Map<string, Row>();
  const latest = new Map<string, Latest>();
  const unplanned = new Map<string, { readonly kind: string; readonly identity: Identity }>();
  const planned = new Set<string>();
  let replaced = new Set<string | undefined>();
  const reported = new Set<string>();
  const gathering = createGathering(clock);
  let { phase } = options;
  const adopters = new Map<string | undefined, { readonly key: string; readonly at: number }>();

  /** Each call asks, so an object that is no part costs no more than the question. */
  function added(asking: Row, isPart: (object: object, isAsking: boolean) => boolean = () => true): AddedObject[] {
    const found: AddedObject[] = [];
    for (const row of rows.values()) {
      const { objectKey, object, replaces, isMade } = row;
      if (!object || replaced.has(objectKey)) continue;
      const old = replaces === undefined ? undefined : rows.get(replaces)?.object;
      const isAsking = row === asking || replaces === asking.objectKey;
      if (!isPart(object, isAsking) && !(old && isPart(old, isAsking))) continue;
      found.push({ object, isMade, isAsking, ...(old && { replaced: old }) });
    }
    return found;
  }

  function plannedObject(row: Row): PlannedObject {
    const { objectKey } = row;
    return {
      objectKey,
      get phase() {
        return phase;
      },
      isAlone: gathering.isAlone,
      whenQuiet: gathering.whenQuiet,
      add: (object) => void (row.object = object),
      added: (isPart) => added(row, isPart),
      unplanned: () => [...unplanned.values()],
      reported,
    };
  }

  return {
    createObjectKey,
    now,
    get phase() {
      return phase;
    },
    touch: (next) => void (phase = next),
    during: gathering.during,
    otherCalls: gathering,
    seen(kind, identity, objectKey, state) {
      const key = textOf(kind, identity);
      const since = adopters.get(objectKey)?.at ?? 0;
      const isTaken = [...adopters.values()].some((other) => other.key === key && other.at > since);
      if (objectKey !== undefined) latest.set(objectKey, { kind, state: isTaken ? undefined : state });
      if (!planned.has(key)) unplanned.set(key, { kind, identity });
      return isTaken;
    },

    enter({ kind, objectKey: known, replaces, identity, prior, planned: state }) {
      const objectKey = known === undefined || rows.has(known) ? createObjectKey() : known;
      const identityKey = textOf(kind, identity);
      const row: Row = { objectKey, replaces, isMade: false };
      rows.set(objectKey, row);
      latest.set(objectKey, { kind, state, prior });
      planned.add(identityKey);
      unplanned.delete(identityKey);
      if (replaces !== undefined) replaced.add(replaces);
      return plannedObject(row);
    },

    entered(objectKey) {
      const row = rows.get(objectKey);
      return row && plannedObject(row);
    },

    failed(objectKey) {
      const [row, known] = [rows.get(objectKey), latest.get(objectKey)];
      if (row && known && !row.isMade) latest.set(objectKey, { ...known, state: known.prior });
      rows.delete(objectKey);
      replaced = new Set([...rows.values()].map(({ replaces }) => replaces));
    },

    made(kind, objectKey, identity, state) {
      const identityKey = textOf(kind, identity);
      const row = rows.get(objectKey);
      if (row) row.isMade = true;
      if (row && !state) row.object = undefined;
      latest.set(objectKey, { kind, state, ...(identity && { madeAs: identityKey }) });
    },

    madeByOther(kind, objectKey, identity) {
      const identityKey = textOf(kind, identity);
      const isMaker = ([key, { madeAs, state }]: [string, Latest]) =>
        madeAs === identityKey && key !== objectKey && state !== undefined;
      return [...latest].find(isMaker)?.[1].state;
    },

    others(kind, objectKey, kept = {}) {
      const found = Object.entries(kept).filter(([key]) => key !== objectKey && !latest.has(key));
      for (const [key, { kind: own, state }] of latest) {
        if (own === kind && key !== objectKey && state) found.push([key, state]);
      }
      return found;
    },

    adopts: (kind, identity, objectKey, at) => void adopters.set(objectKey, { key: textOf(kind, identity), at }),
  };
}

const textOf = (kind: string, identity: Identity | undefined) => JSON.stringify([kind, identity]);
