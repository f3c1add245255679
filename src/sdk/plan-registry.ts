/** Registers the planned objects of a provider process: their changes, their claims, and what has been made. */
import { randomUUID } from "node:crypto";
import type { Identity, Known } from "./definition";
import { createGathering, type Clock, type Gathering, type OtherCalls } from "./gathering";
import { createPlanRows, hashOf, type Entry, type PlanRows, type Row } from "./plan-rows";
import type { Phase, PlannedObject } from "./planned-object";

export type { Entry } from "./plan-rows";

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
      const row = rows.open(entry);
      row.object = plannedObject(row, { rows, gathering, knows, isAlone, phase: () => phase });
      return row.object;
    },

    entered: (objectKey) => rows.find(objectKey)?.object,

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
