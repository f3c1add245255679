/** The statements that a test can make about a tenant. */
import { listNames } from "../../judge/access/access";
import type { Limit, Members, Requests } from "./requests";

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
  (outcome: string, verb: string) =>
  (requests: Requests | readonly Requests[] = {}, options: Except = {}): Statement => {
    const { except, ...others } = inTerraformNames("options", options);
    const [strange] = Object.keys(others);
    if (strange !== undefined) throw new TypeError(`\`${strange}\` is unknown: \`except\` is the only option.`);
    return {
      form: { outcome, request: setsOf(requests), ...(except !== undefined && { except: setsOf(except) }) },
      words: { held: `Every such request is ${verb}.`, broken: `Not every such request is ${verb}.` },
    };
  };

/** By the name of the matcher. */
export const statements = {
  toBlock: requestStatement("blocked", "blocked"),
  toReach: requestStatement("reached", "allowed"),
  toRedirect: requestStatement("redirected", "redirected"),
  toLog: requestStatement("logged", "logged"),
  toLimit: (limit: Limit): Statement => ({
    form: { policy: inTerraformNames("limit", limit) },
    words: { held: "The limit is within these bounds.", broken: "The limit is outside these bounds." },
  }),
  toHaveMembers: (organization: string, members: Members): Statement => ({
    form: { members: { ...lists(inTerraformNames("members", members)), organization_id: organization } },
    words: { held: "The organization has these members.", broken: "The organization does not have these members." },
    organization,
  }),
} as const;

const setsOf = (requests: unknown) => {
  const sets = [requests].flat();
  if (sets.length === 0) throw new TypeError("The list of requests is empty: give at least one object.");
  return sets.map((one) => lists(inTerraformNames("requests", one)));
};

/** A bound is no list. */
const lists = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, name.startsWith("at_") ? value : [value].flat()]),
  );

/** The reader of expectations refuses unknown names. It would drop a missing value, and the statement would silently become another one. */
function inTerraformNames(role: string, given: unknown): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new TypeError(`${shown(given)} is not an object: give one with the ${role}.`);
  }
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) => {
    if (Array.isArray(value) ? value.length === 0 || value.some(isMissing) : isMissing(value)) {
      throw new TypeError(`\`${name}\` is ${shown(value)}: give a value, or leave \`${name}\` out.`);
    }
    return [snakeCase(name), value] as const;
  });
  return Object.fromEntries(entries);
}

const isMissing = (value: unknown) => value === undefined || value === null;

const shown = (value: unknown) => (Array.isArray(value) ? `[${value.map(String).join(", ")}]` : String(value));

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names in messages of the engine, as programs write them. */
export const terraformNames: readonly string[] = [...listNames, "consumer_selector", "at_most", "at_least"];
