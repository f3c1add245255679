/** Decides whether a write may be sent now, by each state that the writes in flight may leave. Pure; the README has the theory. */
import type { OtherCalls } from "./progress";

/** An object of the tenant; without an id, one that is about to be created. */
export type InTenant<T> = T & { readonly id?: string | undefined };

/** An object before and after a write. It does not exist if it is undefined. */
export interface Write<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Evaluates what a write does. The caller gives the functions, because this module evaluates no rules. */
export interface Guard<T> {
  /**
   * Whether `refusal` may refuse the write in some state of the tenant. If it may not refuse the reverse of a write either way, the
   * write can only harm. Default: each write may be refused.
   */
  mayRefuse?(write: Write<T>): boolean;
  /**
   * The error for a write that turns the first objects into the second ones. Returns undefined if the write is accepted. `isFinal`: the
   * object is then as the change wants it.
   */
  refusal(
    before: readonly InTenant<T>[],
    after: readonly InTenant<T>[],
    write: Write<T>,
    isFinal: boolean,
  ): Error | undefined;
}

/** The call of Terraform that sends a write. */
export interface WriteCall<T> {
  /** Omit it to send the write without a judgement. */
  readonly guard?: Guard<T> | undefined;
  /** Default: the other calls are not known. */
  readonly otherCalls?: OtherCalls | undefined;
}

/** A write that may or may not have taken effect. */
export interface InFlight<T> {
  /** Missing for a new object. */
  readonly id?: string | undefined;
  readonly after: T | undefined;
}

export interface Situation<T> {
  /** What the tenant had when it was read, and after the writes that ended since. */
  readonly known: readonly InTenant<T>[];
  readonly inFlight: readonly InFlight<T>[];
}

export interface Question<T> extends Write<T> {
  /** Missing for a new object. */
  readonly id?: string | undefined;
  readonly isFinal: boolean;
}

/** Writes in flight whose effect is open when a write is judged: 8 states at most. */
const mostOpen = 3;

/** Whether the write must wait until others have ended, because they leave too many states. */
export function mustWait<T>(guard: Guard<T> | undefined, question: Question<T>, situation: Situation<T>): boolean {
  return guard !== undefined && mayRefuse(guard, question) && openWrites(guard, situation).length > mostOpen;
}

/**
 * The error of the first state in which the write is refused. Returns undefined if it may be sent. `first` is an object that another
 * write would change before.
 */
export function refusalOf<T>(
  guard: Guard<T> | undefined,
  { id, before, after, isFinal }: Question<T>,
  situation: Situation<T>,
  first?: InTenant<T>,
): Error | undefined {
  const write = { before, after };
  if (!guard || !mayRefuse(guard, write)) return undefined;
  for (const state of statesOf(guard, situation)) {
    const all = first ? [...without(state, first.id), first] : state;
    const rest = without(all, id);
    const refusal = guard.refusal(all, after ? [...rest, { ...after, id }] : rest, write, isFinal);
    if (refusal) return refusal;
  }
  return undefined;
}

const mayRefuse = <T>(guard: Guard<T>, { before, after }: Write<T>) => guard.mayRefuse?.({ before, after }) ?? true;

const without = <T>(all: readonly InTenant<T>[], id: string | undefined) =>
  id === undefined ? all : all.filter((one) => one.id !== id);

/** A write that can only harm counts as done: it was judged itself, and what it left is the strictest state. */
function openWrites<T>(guard: Guard<T>, { known, inFlight }: Situation<T>): InFlight<T>[] {
  return inFlight.filter(({ id, after }) => mayRefuse(guard, { before: after, after: versionOf(known, id) }));
}

const versionOf = <T>(known: readonly InTenant<T>[], id: string | undefined) =>
  id === undefined ? undefined : known.find((one) => one.id === id);

function statesOf<T>(guard: Guard<T>, situation: Situation<T>): readonly InTenant<T>[][] {
  const { known, inFlight } = situation;
  const open = new Set(openWrites(guard, situation));
  const ids = new Set(inFlight.map(({ id }) => id));
  const settled = known.filter(({ id }) => !ids.has(id));
  return inFlight.reduce<InTenant<T>[][]>(
    (states, write) => {
      const { id, after } = write;
      const done = after ? [{ ...after, id }] : [];
      const old = versionOf(known, id);
      const versions = open.has(write) ? [done, old ? [old] : []] : [done];
      return states.flatMap((state) => versions.map((version) => [...state, ...version]));
    },
    [settled],
  );
}
