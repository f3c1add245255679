/** Reads the guard of the base branch from files of `--protect`. */
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAddress, problemOf, protectable, quoted, rowOf, type FactName } from "../access/access";
import type { Values } from "../impact/model";
import { isPrintable } from "../text/printable";
import { ReviewError } from "./error";
import { configuredIn, demandLiterals, expectationsInPlan, listedIn, type ExpectationFile } from "./expectations/file";
import { isKnownRequest, unknownFacts, type ProtectedRequest } from "../impact/statement/protected-request";
import type { BaseGuard as GuardOfBase } from "../impact/statement/guard";
import { guardsOf } from "./guard";
import { readDocument, type Edge } from "./input/input";
import { Unreadable } from "../hcl/tree";
import { isOwn, providerStatements, type ProviderStatements } from "./places/statements";
import { parsePlan } from "./input/plan";
import { sharesOf } from "./share";
import type { Site } from "./site";

export interface BaseGuard extends GuardOfBase {
  /** The tenant of the guard. Left out: any tenant. */
  readonly site?: Site;
}

/** The protections of the base branch. */
export interface Base {
  readonly guards: readonly BaseGuard[];
  readonly expectations: readonly ExpectationFile[];
}

/** The requests and expectations in a JSON file, or in the provider blocks of a plan or a configuration of the base branch. */
export async function readBase(file: string, edge: Edge): Promise<Base> {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return baseInFolder(file);
  const text = await readDocument(file, edge);
  let read: unknown;
  try {
    read = JSON.parse(text.trimStart().replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new ReviewError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  const isPlan = typeof read === "object" && read !== null && "format_version" in read;
  return isPlan ? baseInPlan(text, file) : baseIn(read, file);
}

/** Empty if the configuration has no provider "tenant" block: then the base branch protects nothing. */
function baseInFolder(folder: string): Base {
  const names = readdirSync(folder).filter((name) => /^[^.].*\.(?:tf|tofu)(?:\.json)?$/.test(name));
  const found = names.toSorted().flatMap((name) => {
    const file = join(folder, name);
    return statementsIn(file).map((statements) => ({ file, statements }));
  });
  const [only, ...others] = found;
  if (!only) return { guards: [], expectations: [] };
  if (others.length > 0) {
    const files = [...new Set(found.map(({ file }) => file))].join(", ");
    throw new ReviewError(`${folder} has ${found.length} provider "tenant" blocks (${files}). Give a plan instead.`);
  }
  const { file, statements } = only;
  const { lockout_guard = "error", protected_request: requests, expectations } = statements;
  return {
    guards: [guardIn(lockout_guard, requests, file)],
    expectations: expectations.length === 0 ? [] : [configuredIn(expectations, file)],
  };
}

function statementsIn(file: string): readonly ProviderStatements[] {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return file.endsWith(".json") ? statementsInJson(JSON.parse(text), file) : providerStatements(text);
  } catch (error) {
    if (error instanceof Unreadable) throw new ReviewError(`${file}, ${error.message}`);
    if (error instanceof RangeError) throw new ReviewError(`${file} nests too deeply. Give a plan instead.`);
    if (error instanceof SyntaxError) throw new ReviewError(`${file} cannot be read as JSON: ${error.message}`);
    throw error;
  }
}

/** The provider blocks in Terraform's JSON syntax, such as cdk.tf.json. */
function statementsInJson(read: unknown, file: string): ProviderStatements[] {
  const { provider } = asObject(read, file);
  const written = [provider ?? []].flat().flatMap((one) => Object.entries((one ?? {}) as Values));
  const blocks = written.flatMap(([name, own]) =>
    [own ?? []].flat().filter((one) => name === "tenant" || Object.keys(one as object).some(isOwn)),
  );
  return blocks.map((block) => {
    const { dynamic, expectation, protected_request: requests, lockout_guard } = asObject(block, file);
    for (const name of ["expectation", "protected_request"]) {
      if ([dynamic ?? []].flat().some((one) => Object.hasOwn(one as object, name)))
        throw new ReviewError(`${file}: the block is dynamic. Write each ${name} as a block of its own.`);
    }
    demandLiterals({ expectation, requests, lockout_guard }, file);
    return {
      expectations: [expectation ?? []].flat() as Values[],
      protected_request: [requests ?? []].flat() as Values[],
      ...(lockout_guard !== undefined && { lockout_guard }),
    };
  });
}

function baseInPlan(text: string, file: string): Base {
  const expectations = expectationsInPlan(text, file);
  const guards = guardsInPlan(text, file, expectations.length > 0);
  return { guards, expectations };
}

/** `mayBeEmpty`: the plan protects something else. */
function guardsInPlan(text: string, file: string, mayBeEmpty: boolean): BaseGuard[] {
  const guards = sharesOf(parsePlan(text, file)).flatMap(({ site, plan }) =>
    guardsOf(plan).map((guard) => ({ ...guard, file, site })),
  );
  if (guards.every(({ requests }) => requests.length === 0)) {
    if (mayBeEmpty) return [];
    throw new ReviewError(
      `${file} has no \`protected_request\` or \`expectation\` in a provider "tenant" block (plans leave out dynamic blocks). Give a ` +
        "plan that has some, or a JSON list of requests.",
    );
  }
  for (const { strength, requests } of guards) {
    if (strength === undefined) {
      throw new ReviewError(`${file}: this plan does not show the value of \`lockout_guard\`. Write it as a constant.`);
    }
    const open = requests.find((request) => !isKnownRequest(request));
    if (open) {
      const names = unknownFacts(open)
        .map((name) => `\`${name}\``)
        .join(", ");
      throw new ReviewError(
        `${file}: this plan does not show ${names} of a request in \`protected_request\`. ${remedy}`,
      );
    }
  }
  return guards;
}

const remedy = "Write a constant or a variable of the root module, or give a JSON list of requests.";

const strengths = ["error", "warn", "off"] as const;

function baseIn(read: unknown, file: string): Base {
  const { expectations, ...rest } = asObject(Array.isArray(read) ? { protected_request: read } : read, file);
  const { lockout_guard, protected_request, ...others } = rest;
  const [unexpected] = Object.keys(others);
  if (unexpected !== undefined) {
    throw new ReviewError(
      `${file}: "${unexpected}" is not known: use protected_request, lockout_guard and expectations only.`,
    );
  }
  const isGuard = expectations === undefined || lockout_guard !== undefined || protected_request !== undefined;
  if (isGuard && (!Array.isArray(protected_request) || protected_request.length === 0)) {
    throw new ReviewError(
      `${file} lists no protected requests: give at least one, such as {"name": "our CI", "ip": "203.0.113.7"}.`,
    );
  }
  return {
    guards: isGuard ? [guardIn(lockout_guard ?? "error", protected_request as unknown[], file)] : [],
    expectations: expectations === undefined ? [] : [{ ...listedIn(expectations, file), isConfiguration: true }],
  };
}

function guardIn(lockout_guard: unknown, requests: readonly unknown[], file: string): BaseGuard {
  const strength = strengths.find((one) => one === lockout_guard);
  if (!strength) {
    throw new ReviewError(
      `${file}: lockout_guard is ${JSON.stringify(lockout_guard)}: choose one of ${strengths.join(", ")}.`,
    );
  }
  return { file, strength, requests: requests.map((one, index) => requestIn(one, `${file}, request ${index + 1}`)) };
}

/** Protected requests can have all facts except curated lists and signatures. */
const known: readonly string[] = ["name", ...protectable];

/** The remedy for a wrong value. undefined: the value is right. */
function remedyFor(name: string, value: unknown): string | undefined {
  if (name === "name") {
    const isRight = typeof value === "string" && value !== "" && isPrintable(value);
    return isRight ? undefined : "a text that is not empty and has only visible characters";
  }
  const { kind, give } = rowOf(name as FactName);
  const isOfKind = kind === "number" ? Number.isInteger(value) : typeof value === "string" && value !== "";
  const isRight =
    isOfKind &&
    problemOf(name as FactName, value as string) === undefined &&
    (kind !== "address" || isAddress(value as string)) &&
    (name !== "path" || (value as string).startsWith("/"));
  return isRight ? undefined : give;
}

function requestIn(read: unknown, where: string): ProtectedRequest {
  const { name, path, ...others } = asObject(read, where);
  for (const [fact, value] of Object.entries({ name, path, ...others })) {
    if (value === undefined) continue;
    if (!known.includes(fact)) {
      throw new ReviewError(`${where}: "${fact}" is not a fact of a request. The facts are ${known.join(", ")}.`);
    }
    const instead = remedyFor(fact, value);
    if (instead !== undefined) {
      const shown = typeof value === "string" ? quoted(value) : JSON.stringify(value);
      throw new ReviewError(`${where}: ${fact} is ${shown}: give ${instead}.`);
    }
  }
  if (path === undefined && Object.keys(others).length === 0) {
    throw new ReviewError(`${where} describes no request: give its ip, or another fact.`);
  }
  const called = Object.entries({ ...(path !== undefined && { path }), ...others }).map((entry) => entry.join(" "));
  return {
    called: (name as string | undefined) ?? called.join(", "),
    ...(path !== undefined && { path: path as string }),
    facts: others,
  };
}

function asObject(read: unknown, where: string): { readonly [name: string]: unknown } {
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return { ...read };
  throw new ReviewError(`${where}: give an object of facts, such as {"name": "our CI", "ip": "203.0.113.7"}.`);
}
