/** Evaluates one request: its outcome, with every outcome that unknown facts make possible, and the ACLs on the way to it. A probe is a named request. */
import { readFileSync } from "node:fs";
import {
  decide,
  factNames,
  factTable,
  inOrder,
  matches,
  outcomesOf,
  problemIn,
  quoted,
  requestOf,
  type AccessRequest,
} from "../access/access";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { titleOf } from "../impact/network-acl/words";
import { ReviewError } from "./error";
import { hidden } from "../impact/phrases";

export type Facts = Omit<AccessRequest, "api"> & { readonly path?: string };

export interface Probe extends Facts {
  readonly name: string;
}

export interface ProbeSide {
  /** One outcome, or all possible outcomes: "blocked or allowed". */
  readonly outcome: string;
  readonly certain: boolean;
  readonly redirect_uri?: string;
  /** The deciding ACL. undefined: no ACL matches. */
  readonly acl?: PlannedAcl;
  readonly because: string;
}

export interface ProbeOutcome {
  readonly name: string;
  readonly before: ProbeSide;
  readonly after: ProbeSide;
}

export function asRequest({ path = "/authorize", ...others }: Facts): AccessRequest {
  return requestOf(path, others);
}

function decisionOf(acls: readonly PlannedAcl[], request: AccessRequest) {
  const { by, because, endings } = decide(acls, request);
  return {
    outcome: outcomesOf({ endings }),
    certain: new Set(endings.map(({ outcome }) => outcome)).size === 1,
    uri: endings.find((ending) => ending.by === by)?.redirect_uri,
    by,
    because,
  };
}

function evaluate(acls: readonly PlannedAcl[], facts: Facts, secrets: ReadonlySet<string>): ProbeSide {
  const { outcome, certain, uri, by, because } = decisionOf(acls, asRequest(facts));
  return {
    outcome,
    certain,
    ...(uri !== undefined && { redirect_uri: secrets.has("redirect_uri") ? hidden : uri }),
    ...(by && { acl: by }),
    because: by && by.secret.size > 0 ? hidden : because,
  };
}

export function evaluateProbes(
  probes: readonly Probe[],
  before: readonly PlannedAcl[],
  after: readonly PlannedAcl[],
  secrets: ReadonlySet<string>,
): ProbeOutcome[] {
  return probes.map(({ name, ...facts }) => ({
    name,
    before: evaluate(before, facts, secrets),
    after: evaluate(after, facts, secrets),
  }));
}

const known: readonly string[] = ["name", ...factNames];

/** A JSON list of requests, or an object of them by their names. */
export function readProbes(file: string): Probe[] {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ReviewError(`${file} cannot be read as JSON: ${(error as Error).message}`, "usage");
  }
  const list = Array.isArray(read) ? read : Object.entries(read ?? {}).map(([name, probe]) => ({ name, ...probe }));
  return list.map((probe: unknown, index) => checked(probe, `${file}, request ${index + 1}`));
}

const isText = (value: unknown) => typeof value === "string";

const forms = {
  text: [isText, "a text"],
  address: [isText, "a text"],
  number: [Number.isInteger, "a whole number"],
  list: [Array.isArray, "a list of names of curated lists"],
} as const;

function checked(value: unknown, where: string): Probe {
  if (typeof value !== "object" || value === null) throw new ReviewError(`${where}: give an object of facts.`, "usage");
  const probe = value as Record<string, unknown>;
  const unexpected = Object.keys(probe).find((name) => !known.includes(name));
  if (unexpected !== undefined) {
    throw new ReviewError(
      `${where}: ${quoted(unexpected)} is not a fact of a request. The facts are ${known.join(", ")}.`,
      "usage",
    );
  }
  for (const name of factNames) {
    const [isRight, form] = forms[factTable[name].kind];
    if (probe[name] !== undefined && !isRight(probe[name])) {
      throw new ReviewError(`${where}: ${name} must be ${form}.`, "usage");
    }
  }
  const problem = problemIn(probe);
  if (problem !== undefined) throw new ReviewError(`${where}: ${problem}`, "usage");
  return { ...(probe as Facts), name: typeof probe["name"] === "string" ? probe["name"] : where };
}

/** `blocked ("Closed" (priority 1))` */
export const sideWords = ({ outcome, acl }: ProbeSide): string => `${outcome} (${acl ? titleOf(acl) : "no ACL"})`;

/** `office: allowed (no ACL) -> blocked ("Closed" (priority 1))` */
export const probeWords = ({ name, before, after }: ProbeOutcome): string =>
  `${name}: ${sideWords(before)} -> ${sideWords(after)}`;

export interface Evaluation {
  /** One line for each evaluated ACL, in the order of evaluation: whether it matches, and why. */
  readonly steps: readonly string[];
  /** The outcome and the deciding ACL, in words. */
  readonly end: string;
  /** Whether every assumption leads to this outcome. */
  readonly certain: boolean;
  /** The deciding ACL. undefined: no ACL matches. */
  readonly by?: PlannedAcl;
}

export function evaluationOf(acls: readonly PlannedAcl[], facts: Facts): Evaluation {
  const request = asRequest(facts);
  const { by, certain, outcome } = decisionOf(acls, request);
  const steps: string[] = [];
  for (const acl of inOrder(acls)) {
    const { matches: match, because } = matches(acl.rule, request);
    const why = acl.secret.size > 0 ? hidden : because;
    const word = { yes: "matches", perhaps: "may match", no: "does not match" }[match];
    steps.push(`${titleOf(acl)} ${word}: ${why}`);
    if (acl === by && certain) break;
  }
  const decided = by ? `${outcome} by ${titleOf(by)}` : `${outcome}, because no ACL matches`;
  return { steps, end: certain ? decided : `${outcome}: unknown facts decide`, certain, ...(by && { by }) };
}
