/** Injected faults: rules by which the tenant sends late, wrong, incomplete or no responses. */
import { listOf, oneOf, optional, text, type Schema } from "../schema";
import { seededRandom } from "../state/identity";

/** A fault that the tenant injects into the requests that match. Without `method` and `path`, every request matches. */
export interface InjectedFault {
  /** HTTP method. Default: any. */
  readonly method?: string;
  /** Path, such as /api/v2/network-acls/*: `*` matches any text within a segment, `**` any segments. Default: any path. */
  readonly path?: string;
  /** Affects only the nth matching request (from 1), or those listed. */
  readonly nth?: number | readonly number[];
  /** Affects at most this many requests. Default: no limit. */
  readonly times?: number;
  /** Affects a request with this probability from 0 to 1, by random numbers of the rule's own. Default: 1. */
  readonly probability?: number;
  /** Seed of those random numbers, a whole number. Default: 1. */
  readonly seed?: number;

  /** Sends this status, from 200 to 599, and the request has no effect. */
  readonly status?: number;
  /** Body of that response. Default: the service's own for the status. */
  readonly body?: unknown;
  /** Headers of the response, added to the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits this many milliseconds, at most 600,000, before the request is handled. */
  readonly latency?: number;
  /** Breaks the connection: before the request has an effect, or after it, instead of the response. */
  readonly reset?: "before" | "after";
  /** Sends the body in small pieces that take this many milliseconds together, at most 600,000. */
  readonly slow?: number;
  /** `truncated` announces the whole body and breaks off in the middle; `malformed` sends half of it as if it were complete. */
  readonly spoil?: "truncated" | "malformed";
  /** Lists members as they were this many milliseconds ago, at most 600,000. */
  readonly stale?: number;
}

const ms: Schema = { type: "integer", minimum: 0, maximum: 600_000 };
const positive: Schema = { type: "integer", minimum: 1 };

export const injectedFaultSchema = optional({
  method: text,
  path: { type: "string", maxLength: 2000 },
  nth: { anyOf: [positive, { ...listOf(positive), minItems: 1 }] },
  times: positive,
  probability: { type: "number", minimum: 0, maximum: 1 },
  seed: { type: "integer" },
  status: { type: "integer", minimum: 200, maximum: 599 },
  body: {},
  headers: { type: "object" },
  latency: ms,
  reset: oneOf("before", "after"),
  slow: ms,
  spoil: oneOf("truncated", "malformed"),
  stale: ms,
});

/** The rules by which the tenant injects faults. */
export interface InjectedFaults {
  /** Adds a rule and returns a function that removes it. The first rule that affects a request counts. */
  add(rule: InjectedFault): () => void;
  /** Removes all rules. */
  clear(): void;
  /** The rules, in the order in which they were added. */
  readonly rules: readonly InjectedFault[];
  /** The rule that affects this request, if any. Counts the request on every rule that it matches. */
  strike(method: string, path: string): InjectedFault | undefined;
}

/** A slash at the end of the path makes no difference. */
function pathMatcher(pattern: string): RegExp {
  const segments = pattern.split("/").map((segment, index) => {
    if (segment === "**") return "(?:/[^/]*)*";
    const inside = segment.replace(/[.?+^$()|[\]{}\\]/g, "\\$&").replace(/\*+/g, "[^/]*");
    return index === 0 ? inside : `/${inside}`;
  });
  return new RegExp(`^${segments.join("")}/?$`);
}

interface ArmedRule {
  rule: InjectedFault;
  path: RegExp;
  dice: () => number;
  /** Requests that matched the rule, and those that it affected. */
  matched: number;
  affected: number;
}

export function createInjectedFaults(): InjectedFaults {
  let armed: ArmedRule[] = [];

  const affects = (entry: ArmedRule) => {
    const { nth, times = Infinity, probability = 1 } = entry.rule;
    entry.matched++;
    const falls = entry.dice() < probability;
    if (nth !== undefined && ![nth].flat().includes(entry.matched)) return false;
    return falls && entry.affected < times;
  };

  return {
    get rules() {
      return armed.map(({ rule }) => rule);
    },
    add(rule) {
      // Throws for invalid headers here, instead of in the middle of a response.
      new Headers(rule.headers);
      const dice = seededRandom(rule.seed ?? 1);
      const entry = { rule, path: pathMatcher(rule.path ?? "**"), dice, matched: 0, affected: 0 };
      armed.push(entry);
      return () => void (armed = armed.filter((other) => other !== entry));
    },
    clear() {
      armed = [];
    },
    strike(method, path) {
      const matching = armed.filter(
        (one) => (one.rule.method ?? method).toUpperCase() === method && one.path.test(path),
      );
      const [first] = matching.filter(affects);
      if (first) first.affected++;
      return first?.rule;
    },
  };
}
