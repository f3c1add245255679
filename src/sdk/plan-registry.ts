/** Registers the planned objects of a provider process: their changes, their claims, and what has been made. */
import { randomUUID } from "node:crypto";
import type { Definition, Identity, Known, Planned, State } from "./definition";
import { createGathering, type Clock, type Gathering, type OtherCalls } from "./gathering";
import { createPlanRows, hashOf, type Entry, type PlanRows, type Row } from "./plan-rows";

export type { Entry } from "./plan-rows";

/** A value that a tenant has only once: `["priority", 7]`. */
export type Claim = readonly [kind: string, ...parts: (string | number)[]];

/**
 * A plan once an object was read, a destroy if the process plans a deletion and reads nothing, an apply once an object is written;
 * otherwise unknown: the plan of new objects alone, or the process that is about to create them.
 */
export type Phase = "plan" | "destroy" | "apply" | undefined;

export interface PlannedObject<T extends Definition = Definition> extends Pick<Gathering, "gathered"> {
  readonly phase: Phase;
  /** Whether this process has met no other object, so that it cannot know whether Terraform makes more than one call at a time. */
  isAlone(): boolean;
  /** Kept in the private state of the object. */
  readonly objectKey: string;
  /**
   * Claims a unique value for this object. Returns the title of another object that has claimed it. Objects that share a
   * claim do not exclude each other.
   */
  claim(claim: Claim, title: string, options?: { readonly shared?: boolean }): string | undefined;
  /** Whether no other object has asked about the topic, so that one object reports for the whole plan. */
  isFirst(topic: string): boolean;
  /** Attaches a value to this object, as long as the object is planned. */
  attach(topic: string, value: unknown): void;
  /** The values that objects of the plan have for a topic. */
  attached(topic: string): readonly unknown[];
  /** An object of the same kind and content that the plan destroys while it creates this one, or creates while it destroys this one. */
  counterpart(content: object): { readonly identity?: Identity | undefined } | undefined;
  /** The planned changes of this kind so far; with `kept`, also the objects that stay as they are. */
  changes(options?: { readonly kept?: boolean }): readonly PlannedChange<T>[];
  changesOf(kind: string, options?: { readonly kept?: boolean }): readonly PlannedChange[];
  /** Whether the plan has read or planned this object of the same kind, so its own review checks it. */
  knows(identity: Identity): boolean;
  /** Notes that the plan of the object is complete. */
  planned(): void;
}

export interface PlannedChange<T extends Definition = Definition> {
  /** Identity of the existing object. */
  readonly identity?: Partial<State<T>>;
  /** Undefined if the plan destroys the object. */
  readonly planned?: Planned<T>;
}

export interface PlanRegistry {
  readonly phase: Phase;
  /** Notes the phase that a call reveals. */
  touch(phase: Phase): void;
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  readonly otherCalls: OtherCalls;
  /** Whether no call was made yet, or a call is running: then a further provider configuration belongs to the same plan. */
  isOpen(): boolean;
  /** Notes an existing object. */
  seen(kind: string, identity: Identity): void;
  /** Registers a change, and forgets an earlier plan of the same object. */
  enter(entry: Entry): PlannedObject;
  entered(objectKey: string): PlannedObject | undefined;
  /** Notes what the object is, or is about to be; `state` undefined: it is gone. */
  made(kind: string, objectKey: string, identity: Identity | undefined, state: Known | undefined): void;
  /** Forgets a change that was refused or failed: the object stays as it was. */
  failed(objectKey: string): void;
  /** The state of another object with the same identity, if this process has made it. */
  madeByOther(kind: string, objectKey: string | undefined, identity: Identity): Known | undefined;
  createObjectKey(): string;
}

export interface RegistryOptions {
  readonly clock?: Clock;
  readonly createObjectKey?: () => string;
  /** As the engine states it. Empty: the engine is not known. */
  readonly terraformVersion?: string;
  /** The phase before a call shows it. Default: unknown. */
  readonly phase?: Phase;
}

/** By the version that it gives as Terraform's: `1.0.0+pulumi-terraform-bridge`. */
export const isPulumi = (terraformVersion: string): boolean => /pulumi/i.test(terraformVersion);

export function createPlanRegistry({
  clock,
  createObjectKey = randomUUID,
  terraformVersion = "",
  phase: first,
}: RegistryOptions = {}): PlanRegistry {
  const makers = new Map<string, { readonly objectKey: string; readonly state: Known }>();
  const read = new Set<string>();
  // Pulumi plans an object several times, and writes it while it plans the next one.
  const plansApart = !isPulumi(terraformVersion);
  const rows = createPlanRows(createObjectKey, plansApart && terraformVersion !== "");
  let isUsed = false;
  let phase = first;
  /*
   * Terraform does not tell how many calls it makes at a time. So it makes as many as were seen at once. While this process has met
   * one object only, most likely no other one exists; with -parallelism=1, another one may come.
   */
  const isAlone = () => gathering.most() < 2 && rows.count() < 2 && read.size < 2;
  const slots = () => (isAlone() ? 2 : gathering.most());
  // An apply decides right before it writes.
  const gathering = createGathering(clock, () => (phase === "apply" || !plansApart ? 0 : slots()));
  const knows = (kind: string, identity: Identity) =>
    rows.isKnown(kind, identity) || read.has(hashOf([kind, identity]));
  const registered = { rows, gathering, knows, isAlone, phase: () => phase };

  return {
    createObjectKey,
    get phase() {
      return phase;
    },
    touch: (now) => void (phase = now),
    during(work) {
      isUsed = true;
      return gathering.during(work);
    },
    otherCalls: gathering,
    isOpen: () => gathering.isRunning() || !isUsed,
    seen: (kind, identity) => void read.add(hashOf([kind, identity])),

    enter(entry) {
      return plannedObject(rows.open(entry), registered);
    },

    entered(objectKey) {
      const row = rows.find(objectKey);
      return row && plannedObject(row, registered);
    },

    failed(objectKey) {
      const row = rows.find(objectKey);
      if (row) rows.forget(row);
    },

    made(kind, objectKey, identity, state) {
      const row = rows.find(objectKey);
      if (row) rows.markMade(row, identity, state);
      if (!identity) return;
      const key = hashOf([kind, identity]);
      if (state) makers.set(key, { objectKey, state });
      else if (makers.get(key)?.objectKey === objectKey) makers.delete(key);
    },

    madeByOther(kind, objectKey, identity) {
      const maker = makers.get(hashOf([kind, identity]));
      return maker && maker.objectKey !== objectKey ? maker.state : undefined;
    },
  };
}

interface Registered {
  readonly rows: PlanRows;
  readonly gathering: Gathering;
  phase(): Phase;
  isAlone(): boolean;
  knows(kind: string, identity: Identity): boolean;
}

function plannedObject(row: Row, registered: Registered): PlannedObject {
  const { rows, gathering, knows, phase, isAlone } = registered;
  const { objectKey, kind, change } = row;
  return {
    objectKey,
    get phase() {
      return phase();
    },
    isAlone,
    gathered: gathering.gathered,
    changes: (options) => rows.changesOf(kind, options),
    changesOf: (other, options) => rows.changesOf(other, options),
    knows: (identity) => knows(kind, identity),
    planned: () => void (row.isPlanned = true),
    attach: (topic, value) => void row.attached.set(topic, value),
    attached: (topic) => rows.attached(topic),

    claim(what, title, { shared } = {}) {
      const claim = JSON.stringify(what);
      const other = rows.others(row, claim).find((each) => !shared || !each.claims.get(claim)!.shared);
      if (!other) rows.note(row, claim, title, shared);
      return other?.claims.get(claim)!.title;
    },

    isFirst(topic) {
      const claim = hashOf(["topic", topic]);
      if (rows.others(row, claim).length > 0) return false;
      rows.note(row, claim, topic);
      return true;
    },

    counterpart(content) {
      const claim = hashOf(["content", kind, content]);
      rows.note(row, claim, kind);
      const goes = change.action === "destroy";
      return rows.others(row, claim).find((other) => !other.made && (other.change.action === "destroy") !== goes);
    },
  };
}
