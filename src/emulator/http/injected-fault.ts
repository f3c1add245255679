// Faults on demand: rules that make the tenant answer late, wrongly, half or not at all.

import type { Schema } from "./schema";

export interface FaultRule {
  /** HTTP method; any when absent. */
  method?: string;
  /** Path, `*` for any one segment and `**` for any rest: /api/v2/network-acls/*; any path when absent. */
  path?: string;
  /** Strikes only the nth request (from 1) that fits, or those listed. */
  nth?: number | number[];
  /** Strikes at most this many requests. */
  times?: number;
  /** Strikes with this probability, by the rule's own seeded dice. */
  probability?: number;
  /** Start of the dice; 1 when absent. */
  seed?: number;

  /** Answers with this status and leaves the request without effect. */
  status?: number;
  /** Body of that answer; by default the service's own words for the status. */
  body?: unknown;
  /** Headers of the answer, added to the usual ones. */
  headers?: Record<string, string>;
  /** Waits so many milliseconds before the request is looked at. */
  latency?: number;
  /** Breaks the connection: before the request has an effect, or after it, instead of the answer. */
  reset?: "before" | "after";
  /** Sends the body in small pieces that take so many milliseconds together. */
  slow?: number;
  /** `truncated` announces the whole body and breaks off in the middle; `malformed` delivers half of it as if it were all. */
  spoil?: "truncated" | "malformed";
  /** Lists members as they were so many milliseconds ago. */
  stale?: number;
}

const ms: Schema = { type: "integer", minimum: 0, maximum: 600_000 };

export const faultSchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    method: { type: "string" },
    path: { type: "string" },
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

export interface Faults {
  /** Adds a rule; the first one that strikes counts. The function given back takes it away again. */
  add(rule: FaultRule): () => void;
  clear(): void;
  readonly rules: readonly FaultRule[];
  /** The rule that strikes this request, if any; counts the request on every rule it fits. */
  strike(method: string, path: string): FaultRule | undefined;
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

function pathPattern(path: string | undefined): RegExp {
  if (path === undefined) return /^/;
  const parts = path.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}/?$`);
}

interface Armed {
  rule: FaultRule;
  pattern: RegExp;
  dice: () => number;
  seen: number;
  struck: number;
}

export function createFaults(): Faults {
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
      const entry = { rule, pattern: pathPattern(rule.path), dice: createDice(rule.seed ?? 1), seen: 0, struck: 0 };
      armed.push(entry);
      return () => void (armed = armed.filter((other) => other !== entry));
    },
    clear() {
      armed = [];
    },
    strike(method, path) {
      const fitting = armed.filter(
        ({ rule, pattern }) => (rule.method ?? method).toUpperCase() === method && pattern.test(path),
      );
      const striking = fitting.filter(strikes)[0];
      if (striking) striking.struck++;
      return striking?.rule;
    },
  };
}
