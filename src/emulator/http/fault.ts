/** Injected faults: rules that make the tenant answer late, wrongly, half or not at all. */
import type { Schema } from "../schema/schema";
import { pathMatcher } from "./path-pattern";

export interface InjectedFault {
  /** HTTP method; any when absent. */
  readonly method?: string;
  /** Path; `*` stands for any text within a segment, `**` for any segments: /api/v2/network-acls/*; any path when absent. */
  readonly path?: string;
  /** Strikes only the nth request (from 1) that fits, or those listed. */
  readonly nth?: number | readonly number[];
  /** Strikes at most this many requests. */
  readonly times?: number;
  /** Strikes with this probability, by the rule's own seeded dice. */
  readonly probability?: number;
  /** Start of the dice; 1 when absent. */
  readonly seed?: number;

  /** Answers with this status and leaves the request without effect. */
  readonly status?: number;
  /** Body of that answer; by default the service's own words for the status. */
  readonly body?: unknown;
  /** Headers of the answer, added to the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits so many milliseconds before the request is looked at. */
  readonly latency?: number;
  /** Breaks the connection: before the request has an effect, or after it, instead of the answer. */
  readonly reset?: "before" | "after";
  /** Sends the body in small pieces that take so many milliseconds together. */
  readonly slow?: number;
  /** `truncated` announces the whole body and breaks off in the middle; `malformed` delivers half of it as if it were all. */
  readonly spoil?: "truncated" | "malformed";
  /** Lists members as they were so many milliseconds ago. */
  readonly stale?: number;
}

const ms: Schema = { type: "integer", minimum: 0, maximum: 600_000 };

export const injectedFaultSchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    method: { type: "string" },
    path: { type: "string", maxLength: 2000 },
    nth: {
      anyOf: [
        { type: "integer", minimum: 1 },
        { type: "array", minItems: 1, items: { type: "integer", minimum: 1 } },
      ],
    },
    times: { type: "integer", minimum: 1 },
    probability: { type: "number", minimum: 0, maximum: 1 },
    seed: { type: "integer" },
    status: { type: "integer", minimum: 200, maximum: 599 },
    body: {},
    headers: { type: "object" },
    latency: ms,
    reset: { type: "string", enum: ["before", "after"] },
    slow: ms,
    spoil: { type: "string", enum: ["truncated", "malformed"] },
    stale: ms,
  },
};

export interface InjectedFaults {
  /** Adds a rule; the first one that strikes counts. The function given back takes it away again. */
  add(rule: InjectedFault): () => void;
  clear(): void;
  readonly rules: readonly InjectedFault[];
  /** The rule that strikes this request, if any; counts the request on every rule it fits. */
  strike(method: string, path: string): InjectedFault | undefined;
}

/** Dice whose throws follow from their seed alone (mulberry32's recurrence). */
export function createDice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Armed {
  rule: InjectedFault;
  fits: (path: string) => boolean;
  dice: () => number;
  seen: number;
  struck: number;
}

export function createInjectedFaults(): InjectedFaults {
  let armed: Armed[] = [];

  const strikes = (entry: Armed) => {
    const { nth, times = Infinity, probability = 1 } = entry.rule;
    entry.seen++;
    const falls = entry.dice() < probability;
    if (nth !== undefined && ![nth].flat().includes(entry.seen)) return false;
    return falls && entry.struck < times;
  };

  return {
    get rules() {
      return armed.map(({ rule }) => rule);
    },
    add(rule) {
      // Names and values that no header can have are refused here, not in the middle of an answer.
      new Headers(rule.headers);
      const entry = { rule, fits: pathMatcher(rule.path), dice: createDice(rule.seed ?? 1), seen: 0, struck: 0 };
      armed.push(entry);
      return () => void (armed = armed.filter((other) => other !== entry));
    },
    clear() {
      armed = [];
    },
    strike(method, path) {
      const fitting = armed.filter(({ rule, fits }) => (rule.method ?? method).toUpperCase() === method && fits(path));
      const striking = fitting.filter(strikes)[0];
      if (striking) striking.struck++;
      return striking?.rule;
    },
  };
}
