/**
 * Registers the planned objects of a provider process: their changes, their claims, and what has been made.
 *
 * Terraform plans each object by itself, up to ten at a time, without giving its address. An object that exists is recognized by the
 * object key in its private state. Terraform plans each entry of its state once, so a second plan with the same key is another entry, which
 * was copied in an edited state.
 */
import { createHash, randomUUID } from "node:crypto";
import { unknown } from "../../formats/cty/value";
import type { Change, Definition, Identity, Known, Planned, State } from "./definition";
import type { Diagnostic } from "./diagnostic";
import { createGathering, type Clock, type Gathering, type OtherCalls } from "./gathering";

/** A value that a tenant has only once: the kind and its unique key. */
export type Claim = readonly [kind: string, ...parts: (string | number)[]];

/**
 * A plan once an object was read, a destroy if the process plans a deletion and reads nothing, an apply once an object is written;
 * otherwise unknown: the plan of new objects alone, or the process that is about to create them.
 */
export type Phase = "plan" | "destroy" | "apply" | undefined;

/** Reviews a new object again. */
export type Review = (report: (diagnostic: Diagnostic) => void) => Promise<void>;

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

export interface PlannedObject<T extends Definition = Definition> extends Pick<Gathering, "gathered" | "isAlone"> {
  readonly phase: Phase;
  /** Whether Terraform made one call at a time so far, as with -parallelism=1. */
  isSerial(): boolean;
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
}

export interface PlannedChange<T extends Definition = Definition> {
  /** Identity of the existing object. */
  readonly identity?: Partial<State<T>>;
  /** Undefined if the plan destroys the object. */
  readonly planned?: Planned<T>;
}

export interface PlanRegistry {
  readonly phase: Phase;
  touch(phase: Phase): void;
  /**
   * Keeps the review of a new object that came before the phase was known, because Terraform plans new objects before it has read the
   * others. In a plan, the next call takes it and reports for that object.
   */
  postpone(review: Review): void;
  takePostponed(): readonly Review[];
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  readonly otherCalls: OtherCalls;
  /** Notes an existing object. */
  seen(kind: string, identity: Identity): void;
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
  /** The phase before a call shows it. Default: unknown. */
  readonly phase?: Phase;
}

interface Row extends Entry {
  readonly objectKey: string;
  readonly claims: Map<string, { readonly title: string; readonly shared?: boolean | undefined }>;
  /** By topic. */
  readonly attached: Map<string, unknown>;
  identity?: Identity | undefined;
  isMade: boolean;
}

export function createPlanRegistry(options: RegistryOptions = {}): PlanRegistry {
  const { clock, createObjectKey = randomUUID } = options;
  const rows = new Map<string, Row>();
  const makers = new Map<string, { readonly objectKey: string; readonly state: Known }>();
  const read = new Set<string>();
  const gathering = createGathering(clock);
  let { phase } = options;
  const postponed = new Set<Review>();

  const rowsWhere = (isSo: (row: Row) => boolean) => [...rows.values()].filter(isSo);

  /** The rows of other objects that noted the claim; an object and its replacement are one. */
  const others = (row: Row, claim: string) =>
    rowsWhere(
      (other) =>
        other.claims.has(claim) &&
        other !== row &&
        other.objectKey !== row.replaces &&
        other.replaces !== row.objectKey,
    );

  function changesOf(kind: string, { kept = false } = {}): PlannedChange[] {
    const replaced = new Set([...rows.values()].map(({ replaces }) => replaces));
    return rowsWhere((row) => row.kind === kind && (kept || row.change.action !== "keep")).map(
      ({ objectKey, identity, change }) => ({
        identity,
        planned: replaced.has(objectKey) ? undefined : change.planned,
      }),
    );
  }

  function plannedObject(row: Row): PlannedObject {
    const { objectKey, kind, change, claims, attached } = row;
    return {
      objectKey,
      get phase() {
        return phase;
      },
      isSerial: () => gathering.most() < 2,
      isAlone: gathering.isAlone,
      gathered: gathering.gathered,
      changes: (which) => changesOf(kind, which),
      changesOf,
      knows(identity) {
        const key = hashOf([kind, identity]);
        return read.has(key) || rowsWhere((other) => hashOf([other.kind, other.identity]) === key).length > 0;
      },
      attach: (topic, value) => void attached.set(topic, value),
      attached: (topic) => rowsWhere((other) => other.attached.has(topic)).map((other) => other.attached.get(topic)),

      claim(what, title, { shared } = {}) {
        const claim = JSON.stringify(what);
        const other = others(row, claim).find((each) => !shared || !each.claims.get(claim)!.shared);
        if (!other) claims.set(claim, { title, shared });
        return other?.claims.get(claim)!.title;
      },

      isFirst(topic) {
        const claim = hashOf(["topic", topic]);
        if (others(row, claim).length > 0) return false;
        claims.set(claim, { title: topic });
        return true;
      },

      counterpart(content) {
        const claim = hashOf(["content", kind, content]);
        claims.set(claim, { title: kind });
        const goes = change.action === "destroy";
        return others(row, claim).find((other) => !other.isMade && (other.change.action === "destroy") !== goes);
      },
    };
  }

  return {
    createObjectKey,
    get phase() {
      return phase;
    },
    touch: (now) => void (phase = now),
    postpone: (review) => void postponed.add(review),
    takePostponed() {
      const taken = phase === undefined || phase === "apply" ? [] : [...postponed];
      if (phase !== undefined) postponed.clear();
      return taken;
    },
    during: gathering.during,
    otherCalls: gathering,
    seen: (kind, identity) => void read.add(hashOf([kind, identity])),

    enter(entry) {
      const { objectKey: known } = entry;
      const objectKey = known === undefined || rows.has(known) ? createObjectKey() : known;
      const row: Row = { ...entry, objectKey, claims: new Map(), attached: new Map(), isMade: false };
      rows.set(objectKey, row);
      return plannedObject(row);
    },

    entered(objectKey) {
      const row = rows.get(objectKey);
      return row && plannedObject(row);
    },

    failed: (objectKey) => void rows.delete(objectKey),

    made(kind, objectKey, identity, state) {
      const identityKey = hashOf([kind, identity]);
      const row = rows.get(objectKey);
      if (row) Object.assign(row, { identity, isMade: true });
      if (row && !state) row.claims.clear();
      if (!identity) return;
      if (state) makers.set(identityKey, { objectKey, state });
      else if (makers.get(identityKey)?.objectKey === objectKey) makers.delete(identityKey);
    },

    madeByOther(kind, objectKey, identity) {
      const maker = makers.get(hashOf([kind, identity]));
      return maker && maker.objectKey !== objectKey ? maker.state : undefined;
    },
  };
}

/** Stable hash of a value. */
function hashOf(parts: unknown): string {
  const text = JSON.stringify(parts, (_name, part: unknown) => (part === unknown ? { unknown: true } : part));
  return createHash("sha256").update(text).digest("base64");
}
