/** The ledger of a plan: which objects come, change and go, who claims what there is only one of, and what has been done. */
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { unknown } from "../cty/value";
import type { Change, Definition, Identity, Planned as PlannedConfig, State } from "./definition";
import { createDoubts, type Doubts } from "./doubts";

/*
 * Terraform plans each object by itself, up to ten at a time, in an order of its own, without saying which is the last or
 * what an object's address is. So an object that exists is known by a mark in its private state, and one that is yet to be
 * made by what is planned of it: two alike that are planned at the same time are two; one that is planned after the other
 * was answered is the same again. Other hosts of the protocol plan an object as often as they like, and not all of them bring
 * the mark each time: an object without one is the one of the same identity and state that was planned before, if any was.
 */

/** What a tenant has only once: `["priority", 7]`. */
export type Claim = readonly [kind: string, ...parts: (string | number)[]];

/** A change of one object, as it enters the ledger. */
export interface Entry {
  /** Name of the resource. */
  readonly kind: string;
  /** Of the object that exists; left out for one that is new or was never marked. */
  readonly mark?: string;
  /** The mark of the object whose place it takes. */
  readonly replaces?: string;
  /** Of the object that exists. */
  readonly identity?: Identity;
  readonly change: Change;
}

/** What Terraform is about, as far as it can be told: by its command, and as only plans read objects, only applies write them. */
export type Phase = "plan" | "apply" | undefined;

/** One object of the plan, as its review sees it. */
export interface PlannedObject<T extends Definition = Definition> extends Doubts {
  readonly phase: Phase;
  /** Kept beside the object's state. */
  readonly mark: string;
  /**
   * Says that something of which there can be one belongs to this object, and returns the title of another that claims
   * it. Those who share a claim get along with each other.
   */
  claim(claim: Claim, title: string, options?: { readonly shared?: boolean }): string | undefined;
  /** Whether no other object has said this: what concerns a whole plan is said by one. */
  isFirst(topic: string): boolean;
  /** One of the same kind and content that goes while this comes, or comes while this goes. */
  counterpart(content: object): { readonly identity?: Identity } | undefined;
  /** What becomes of the objects of this kind; those that stay as they are left out. */
  changes(): readonly Outcome<T>[];
  /** The same of another kind. */
  changesOf(kind: string): readonly Outcome[];
  /** Whether this plan knows the object of this kind: it is managed, and what becomes of it is for its own review to judge. */
  knows(identity: Identity): boolean;
  /** Waits until nothing was asked for a moment, and all that was is answered: what is planned in parallel has then all been seen. */
  settled(): Promise<void>;
  /** The plan of the object is made. */
  answered(): void;
}

export interface Outcome<T extends Definition = Definition> {
  /** Of the object that exists. */
  readonly identity?: Partial<State<T>>;
  /** What it becomes; undefined where it goes. */
  readonly planned?: PlannedConfig<T>;
}

export interface Ledger {
  readonly phase: Phase;
  /** Notes that something was asked for, and what that tells about the phase. */
  touch(phase?: Phase): void;
  /** What Terraform waits for: until it is done, others may have no place to come to, and nobody counts as silent. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Notes an object that exists. */
  seen(kind: string, identity: Identity): void;
  /** Enters an object that is being planned, in place of what an earlier plan of it has said. */
  enter(entry: Entry): PlannedObject;
  /** Notes what the marked object is, or is about to be; undefined: nothing any more. */
  made(kind: string, mark: string, identity: Identity | undefined, state: Identity | undefined): void;
  /** What another object than the marked one was made in this process, where both have the same identity. */
  madeByOther(kind: string, mark: string | undefined, identity: Identity): Identity | undefined;
  createMark(): string;
}

export interface LedgerOptions {
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly createMark?: () => string;
  /** What Terraform was started for, where that can be told. */
  readonly command?: () => { readonly name?: string; readonly parallelism: number };
}

/**
 * Milliseconds of silence after which a plan has settled (the second where it may be an apply, in which what is removed is
 * not announced by a plan), the longest wait for them, and the silence after which it is over.
 */
const quiet = 200;
const cautious = 1_000;
const longest = 5_000;
/** Milliseconds between two looks whether a doubt is over. */
const glance = 20;
const over = 300_000;

interface Row extends Omit<Entry, "identity"> {
  readonly mark: string;
  /** Of what is yet to be made. */
  readonly likeness?: string;
  /** Whether it came without a mark of its own. */
  readonly unmarked: boolean;
  readonly claims: Map<string, { readonly title: string; readonly shared?: boolean }>;
  identity?: Identity;
  answered: boolean;
  made: boolean;
}

export function createLedger({
  now = Date.now,
  sleep = setTimeout,
  createMark = randomUUID,
  command = () => ({ parallelism: 10 }),
}: LedgerOptions = {}): Ledger {
  const entries = new Map<string, Row>();
  const claimants = new Map<string, Set<Row>>();
  /** By likeness, those that are yet to be made; by none, those that exist. */
  const awaited = new Map<string | undefined, Set<Row>>();
  const makers = new Map<string, { readonly mark: string; readonly state: Identity }>();
  /** Who was read: managed, whether it was planned already or not. */
  const read = new Set<string>();
  /** How many calls are under way, and how many of them wait for the others. */
  let calls = 0;
  let waiting = 0;
  let touched = now();
  const initial = (): Phase => (command().name === "plan" ? "plan" : undefined);
  let phase = initial();

  function release(entry: Row): void {
    for (const key of entry.claims.keys()) claimants.get(key)?.delete(entry);
  }

  function forget(entry: Row): void {
    entries.delete(entry.mark);
    awaited.get(entry.likeness)?.delete(entry);
    release(entry);
  }

  function markOf(written: Entry, likeness: string | undefined): string {
    const { mark } = written;
    if (likeness !== undefined) {
      const again = [...(awaited.get(likeness) ?? [])].find((entry) => entry.answered);
      return again?.mark ?? createMark();
    }
    if (mark === undefined) return planned(written)?.mark ?? createMark();
    const before = planned(written);
    if (before?.unmarked) forget(before);
    return mark;
  }

  /** What was planned before and is the same object, by its identity and state; one that was made since has another state. */
  function planned({ kind, identity, change: { prior } }: Entry): Row | undefined {
    const key = keyOf([kind, identity]);
    const state = keyOf(prior);
    return [...entries.values()].find(
      (entry) =>
        entry.answered &&
        keyOf([entry.kind, entry.identity]) === key &&
        (entry.made || keyOf(entry.change.prior) === state),
    );
  }

  const replaced = (entry: Row) => [...entries.values()].some(({ replaces }) => replaces === entry.mark);

  /** The others of whom something was noted. */
  const others = (entry: Row, key: string) =>
    [...(claimants.get(key) ?? [])].filter(
      (other) => other !== entry && other.mark !== entry.replaces && other.replaces !== entry.mark,
    );

  function note(entry: Row, key: string, title: string, shared?: boolean): void {
    entry.claims.set(key, { title, shared });
    add(claimants, key, entry);
  }

  /** Waits until nobody was at work for a while, or it is over; while nobody is, not for longer than `longest`. */
  async function silence(quietFor: () => number, step?: number, isOver = () => false): Promise<void> {
    const began = now();
    let deadline = began + longest;
    waiting++;
    try {
      while (!isOver()) {
        const isBusy = calls > waiting;
        if (isBusy) deadline = now() + longest;
        const rest = isBusy ? quietFor() : Math.max(touched + quietFor(), began + quiet) - now();
        if (rest <= 0 || now() >= deadline) return;
        await sleep(step ?? rest);
      }
    } finally {
      waiting--;
    }
  }

  const doubted = (isOver: () => boolean) => silence(() => (phase === undefined ? cautious : quiet), glance, isOver);
  const doubts = createDoubts(doubted, () => command().parallelism > 1);

  return {
    createMark,

    get phase() {
      return phase;
    },

    touch(told) {
      if (now() - touched > over) {
        for (const entry of entries.values()) if (!entry.made) forget(entry);
        read.clear();
        phase = initial();
      }
      touched = now();
      phase = told ?? phase;
    },

    async during(work) {
      calls++;
      try {
        return await work();
      } finally {
        calls--;
        touched = now();
      }
    },

    seen(kind, identity) {
      read.add(keyOf([kind, identity]));
    },

    enter(written) {
      const { kind, change, replaces } = written;
      const likeness = change.action === "create" ? keyOf([kind, replaces, change.planned]) : undefined;
      const mark = markOf(written, likeness);
      const before = entries.get(mark);
      if (before) forget(before);
      const unmarked = written.mark === undefined;
      const entry: Row = { ...written, mark, likeness, unmarked, claims: new Map(), answered: false, made: false };
      entries.set(mark, entry);
      add(awaited, likeness, entry);
      const changesOf = (wanted: string) =>
        [...entries.values()]
          .filter((other) => other.kind === wanted && other.change.action !== "keep")
          .map((other) => ({
            identity: other.identity,
            planned: replaced(other) ? undefined : other.change.planned,
          }));

      return {
        mark,
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
        changes: () => changesOf(kind),
        changesOf,
        get phase() {
          return phase;
        },
        knows(identity) {
          const key = keyOf([kind, identity]);
          const known = [...entries.values()].some(
            (each) => each.kind === kind && keyOf([kind, each.identity]) === key,
          );
          return known || read.has(key);
        },
        settled: () => silence(() => quiet),
        unresolved: doubts.unresolved,
        gathered: doubts.gathered,
        answered() {
          entry.answered = true;
        },
      };
    },

    made(kind, mark, identity, state) {
      const entry = entries.get(mark);
      if (entry) {
        awaited.get(entry.likeness)?.delete(entry);
        entry.identity = identity;
        entry.made = true;
        if (!state) release(entry);
      }
      if (!identity) return;
      const key = keyOf([kind, identity]);
      if (state) makers.set(key, { mark, state });
      else if (makers.get(key)?.mark === mark) makers.delete(key);
    },

    madeByOther(kind, mark, identity) {
      const maker = makers.get(keyOf([kind, identity]));
      return maker && maker.mark !== mark ? maker.state : undefined;
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
