/** Probes: named requests, and what becomes of them before and after. */
import { readFileSync } from "node:fs";
import { decide, outcomesOf, problemIn, quoted, requestOf, type AccessRequest } from "../access/access";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { titleOf } from "../impact/network-acl/words";
import { ReviewError } from "./error";
import { hidden } from "../impact/hidden";

export type Facts = Omit<AccessRequest, "api"> & { readonly path?: string };

export interface Probe extends Facts {
  readonly name: string;
}

export interface ProbeSide {
  /** As certain as the facts that are known allow: "blocked", or "blocked or allowed". */
  readonly outcome: string;
  readonly certain: boolean;
  readonly redirect_uri?: string;
  /** The ACL that does it; undefined: none matches. */
  readonly acl?: PlannedAcl;
  readonly because: string;
}

export interface ProbeAnswer {
  readonly name: string;
  readonly before: ProbeSide;
  readonly after: ProbeSide;
}

export function asRequest({ path = "/authorize", ...facts }: Facts): AccessRequest {
  return requestOf(path, facts);
}

export function answer(acls: readonly PlannedAcl[], facts: Facts, secrets: ReadonlySet<string>): ProbeSide {
  const { by, because, certain, endings } = decide(acls, asRequest(facts));
  const uri = endings.find((ending) => ending.by === by)?.redirect_uri;
  return {
    outcome: outcomesOf({ endings }),
    certain,
    ...(uri !== undefined && { redirect_uri: secrets.has("redirect_uri") ? hidden : uri }),
    ...(by && { acl: by }),
    because: by && by.secret.size > 0 ? hidden : because,
  };
}

export function answerProbes(
  probes: readonly Probe[],
  before: readonly PlannedAcl[],
  after: readonly PlannedAcl[],
  secrets: ReadonlySet<string>,
): ProbeAnswer[] {
  return probes.map(({ name, ...facts }) => ({
    name,
    before: answer(before, facts, secrets),
    after: answer(after, facts, secrets),
  }));
}

const texts = [
  "path",
  "ip",
  "connecting_ip",
  "country",
  "subdivision",
  "user_agent",
  "hostname",
  "ja3",
  "ja4",
  "signature_key",
];
const known = new Set([...texts, "name", "asn", "managed"]);

/** A JSON list of requests, or an object of them by their names. */
export function readProbes(file: string): Probe[] {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ReviewError(`${file} cannot be read as JSON: ${(error as Error).message}`, 1);
  }
  const list = Array.isArray(read) ? read : Object.entries(read ?? {}).map(([name, probe]) => ({ name, ...probe }));
  return list.map((probe: unknown, index) => checked(probe, `${file}, request ${index + 1}`));
}

function checked(value: unknown, where: string): Probe {
  if (typeof value !== "object" || value === null) throw new ReviewError(`${where}: give an object of facts.`, 1);
  const probe = value as Record<string, unknown>;
  const foreign = Object.keys(probe).find((name) => !known.has(name));
  if (foreign !== undefined) {
    throw new ReviewError(
      `${where}: ${quoted(foreign)} is not a fact of a request. The facts are ${[...known].join(", ")}.`,
      1,
    );
  }
  const wrong = texts.find((name) => probe[name] !== undefined && typeof probe[name] !== "string");
  if (wrong !== undefined) throw new ReviewError(`${where}: ${wrong} is to be a text.`, 1);
  if (probe["asn"] !== undefined && !Number.isInteger(probe["asn"])) {
    throw new ReviewError(`${where}: asn is to be a whole number.`, 1);
  }
  if (probe["managed"] !== undefined && !Array.isArray(probe["managed"])) {
    throw new ReviewError(`${where}: managed is to be a list of the names of curated lists.`, 1);
  }
  const problem = problemIn(probe);
  if (problem !== undefined) throw new ReviewError(`${where}: ${problem}`, 1);
  return { ...(probe as Facts), name: typeof probe["name"] === "string" ? probe["name"] : where };
}

/** `blocked ("Closed" (priority 1))` */
export const sideWords = ({ outcome, acl }: ProbeSide): string => `${outcome} (${acl ? titleOf(acl) : "no ACL"})`;

/** `office: allowed (no ACL) -> blocked ("Closed" (priority 1))` */
export const probeWords = ({ name, before, after }: ProbeAnswer): string =>
  `${name}: ${sideWords(before)} -> ${sideWords(after)}`;
