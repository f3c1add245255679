/** The statements that a test can make about a tenant. */
import { listNames } from "../../judge/access/access";
import { expectation, type Limit, type Members } from "../expectation";
import type { Requests } from "../bindings/requests";

/** Requests that a statement leaves out. */
export interface Except {
  /** All requests with these facts. Several objects mean the requests of each of them. */
  readonly except?: Requests | readonly Requests[];
}

/** A statement in the form that files of expectations have. */
export interface Statement {
  readonly form: Readonly<Record<string, unknown>>;
  /** A sentence that is true if the statement is held, and one that is true if it is broken. */
  readonly words: { readonly held: string; readonly broken: string };
  /** The organization in the program, which may be a token. */
  readonly organization?: unknown;
}

const requestStatement =
  (outcome: "isBlocked" | "isReached" | "isRedirected" | "isLogged", verb: string) =>
  (requests: Requests | readonly Requests[] = {}, { except = [], ...others }: Except = {}): Statement => {
    const [strange] = Object.keys(others);
    if (strange !== undefined) throw new TypeError(`\`${strange}\` is unknown: \`except\` is the only option.`);
    const sets = [requests].flat();
    if (sets.length === 0) throw new TypeError("The list of requests is empty: give at least one object.");
    const stated = expectation("").that(...sets);
    return {
      form: formOf(stated.except(...[except].flat())[outcome]()),
      words: { held: `Every such request is ${verb}.`, broken: `Not every such request is ${verb}.` },
    };
  };

/** By the name of the matcher. */
export const statements = {
  toBlock: requestStatement("isBlocked", "blocked"),
  toReach: requestStatement("isReached", "allowed"),
  toRedirect: requestStatement("isRedirected", "redirected"),
  toLog: requestStatement("isLogged", "logged"),
  toLimit: (limit: Limit): Statement => ({
    form: formOf(expectation("").limits(limit)),
    words: { held: "The limit is within these bounds.", broken: "The limit is outside these bounds." },
  }),
  toHaveMembers: (organization: string, members: Members): Statement => ({
    form: formOf(expectation("").hasMembers(organization, members)),
    words: { held: "The organization has these members.", broken: "The organization does not have these members." },
    organization,
  }),
} as const;

const formOf = (given: object) => inTerraformNames(given) as Statement["form"];

/** Tokens are objects of classes. */
function inTerraformNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inTerraformNames);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [snakeCase(name), inTerraformNames(part)]));
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names in messages of the engine, as programs write them. */
export const terraformNames: readonly string[] = [...listNames, "consumer_selector", "at_most", "at_least"];
