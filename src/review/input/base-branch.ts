/**
 * Reads the statements in files of `--expect` and `--base`, most often those of the base branch: a JSON list, an object of lists, a
 * configuration in HCL or JSON, its folder, or a plan. Only the meaning of a list depends on the option.
 */
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAddress, problemOf, protectable, quoted, rowOf, type FactName } from "../../judge/access/access";
import { Unreadable } from "../../formats/hcl/tree";
import type { Values } from "../../judge/impact/model";
import type { BaseGuard as GuardOfBase } from "../../judge/impact/statement/guard";
import { protectedRequest, unknownFacts, type ProtectedRequest } from "../../judge/impact/statement/protected-request";
import { isPrintable } from "../../formats/text/printable";
import { UserError } from "../../formats/text/user-error";
import { fromFile, type ReadExpectation } from "./expectations";
import { hasTemplate } from "./expression";
import { readDocument, type Edge } from "./input";
import { parsePlan } from "./plan";
import { isOwn, blocksIn, type ProviderStatements } from "./base-statements";
import type { TenantAddress } from "./tenant-address";
import { tenantsIn } from "./tenants";

export interface BaseGuard extends GuardOfBase {
  /** The tenant of the guard. Left out: any tenant. */
  readonly tenantAddress?: TenantAddress;
}

export interface ExpectationFile {
  readonly file: string;
  readonly read: readonly ReadExpectation[];
  /** The base branch has them, so the plan must have all of them. */
  readonly isConfiguration: boolean;
  /** The tenant of a plan. Left out: any tenant. */
  readonly tenantAddress?: TenantAddress;
}

export interface Base {
  readonly guards: readonly BaseGuard[];
  readonly expectations: readonly ExpectationFile[];
}

const examples = {
  "--expect": '[{"name": "sanctions", "outcome": "blocked", "request": {"countries": ["KP"]}}]',
  "--base": '[{"name": "our CI", "ip": "203.0.113.7"}]',
};
type Flag = keyof typeof examples;

const nouns = { "--expect": "expectations", "--base": "protected requests" };

const formsFor = (flag: Flag) =>
  `Give a JSON list of ${nouns[flag]}, such as ${examples[flag]}, HCL with blocks, the configuration, or a plan.`;

export async function readBase(file: string, edge: Edge, flag: Flag): Promise<Base> {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return inFolder(file, flag);
  const text = (await readDocument(file, edge)).replace(/^\uFEFF/, "");
  if (text.trim() === "") throw new UserError(`${file} is empty. ${formsFor(flag)}`);
  const base = /^\s*[[{]/.test(text) ? inJson(text, file, flag) : inHcl(text, file, flag);
  const isEmpty = flag === "--expect" || base.guards.every(({ requests }) => requests.length === 0);
  if (isEmpty && base.expectations.every(({ read }) => read.length === 0))
    throw new UserError(`${file} has no ${nouns[flag]} in it (plans leave out dynamic blocks). ${formsFor(flag)}`);
  return base;
}

function inJson(text: string, file: string, flag: Flag): Base {
  const read = jsonIn(text, file);
  if (Array.isArray(read)) {
    const list = read as readonly unknown[];
    return flag === "--expect"
      ? listed({ expectations: list }, file, flag)
      : listed({ protected_request: list }, file, flag);
  }
  const given = asObject(read, file);
  if ("format_version" in given) return inPlan(text, file, flag);
  const isConfiguration = ["provider", "terraform", "resource"].some((part) => part in given);
  return isConfiguration ? configured(blocksInJson(given, file, flag), file) : listed(given, file, flag);
}

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

/** An object of lists. */
function listed(given: Values, file: string, flag: Flag): Base {
  const { expectations, protected_request: requests, lockout_guard: strength, ...others } = given;
  const [unexpected] = Object.keys(others);
  if (unexpected !== undefined)
    throw new UserError(
      `${file}: ${JSON.stringify(unexpected)} is not known: use protected_request, lockout_guard and expectations only.`,
    );
  const isGuard = expectations === undefined || strength !== undefined || requests !== undefined;
  if (isGuard && (!Array.isArray(requests) || requests.length === 0))
    throw new UserError(`${file} lists no ${nouns["--base"]}. Give at least one: ${examples["--base"]}.`);
  if (expectations !== undefined && (!Array.isArray(expectations) || expectations.length === 0))
    throw new UserError(`${file} lists no expectations. ${formsFor("--expect")}`);
  return {
    guards: isGuard ? [guardIn(strength ?? "error", requests as unknown[], file)] : [],
    expectations: expectations
      ? [{ file, read: readFrom(expectations as unknown[], file), isConfiguration: flag === "--base" }]
      : [],
  };
}

function inHcl(text: string, file: string, flag: Flag): Base {
  const withGuards = flag === "--base";
  const { own, providers } = withFile(file, () => blocksIn(text, { isStrict: true, withGuards }));
  if (providers.length > 0) return configured(providers, file, own);
  return { guards: [], expectations: [{ file, read: readFrom(own, file), isConfiguration: withGuards }] };
}

/** A base branch whose configuration has no provider "tenant" block protects nothing, which is no error. */
function inFolder(folder: string, flag: Flag): Base {
  const names = readdirSync(folder).filter((name) => /^[^.].*\.(?:tf|tofu)(?:\.json)?$/.test(name));
  const found = names.toSorted().flatMap((name) => {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
    const blocks = file.endsWith(".json")
      ? blocksInJson(asObject(jsonIn(text, file), file), file, flag)
      : withFile(file, () => blocksIn(text, { withGuards: flag === "--base" })).providers;
    return blocks.map((statements) => ({ file, statements }));
  });
  const [only, ...others] = found;
  if (flag === "--expect" && found.every(({ statements }) => statements.expectations.length === 0))
    throw new UserError(`${folder} has no expectations in it. ${formsFor(flag)}`);
  if (!only) return { guards: [], expectations: [] };
  if (others.length > 0) {
    const files = [...new Set(found.map(({ file }) => file))].join(", ");
    throw new UserError(`${folder} has ${found.length} provider "tenant" blocks (${files}). Give a plan instead.`);
  }
  return configured([only.statements], only.file);
}

/** What `blocksIn` throws, with the file. */
function withFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) throw new UserError(`${file}, ${error.message}`);
    if (error instanceof RangeError) throw new UserError(`${file} nests too deeply. Give a plan instead.`);
    throw error;
  }
}

/** The provider blocks of a configuration. */
function configured(blocks: readonly ProviderStatements[], file: string, more: readonly Values[] = []): Base {
  const stating = blocks.filter(({ expectations }) => expectations.length > 0);
  if (stating.length > 1)
    throw new UserError(`${file} has expectations in ${stating.length} provider blocks. Give a plan instead.`);
  const read = readFrom([...more, ...stating.flatMap(({ expectations }) => expectations)], file);
  return {
    guards: blocks.map(({ lockout_guard = "error", protected_request: requests }) =>
      guardIn(lockout_guard, requests, file),
    ),
    expectations: read.length > 0 ? [{ file, read, isConfiguration: true }] : [],
  };
}

/** The provider blocks in Terraform's JSON syntax, such as cdk.tf.json. */
function blocksInJson({ provider }: Values, file: string, flag: Flag): ProviderStatements[] {
  const written = [provider ?? []].flat().flatMap((one) => Object.entries((one ?? {}) as Values));
  const blocks = written.flatMap(([name, own]) =>
    [own ?? []].flat().filter((one) => name === "tenant" || blockNames((one ?? {}) as Values).some(isOwn)),
  );
  return blocks.map((block) => {
    const { dynamic, expectation, protected_request: requests, lockout_guard } = asObject(block, file);
    for (const name of ["expectation", "protected_request"]) {
      if ([dynamic ?? []].flat().some((one) => Object.hasOwn(one as object, name)))
        throw new UserError(`${file}: the block is dynamic. Write each ${name} as a block of its own.`);
    }
    const expectations = [expectation ?? []].flat() as Values[];
    demandLiterals(expectations, `${file}, expectation`);
    if (flag === "--expect") return { expectations, protected_request: [] };
    demandLiterals([requests ?? [], lockout_guard ?? []].flat(), `${file}, request`);
    return {
      expectations,
      protected_request: [requests ?? []].flat() as Values[],
      ...(lockout_guard !== undefined && { lockout_guard }),
    };
  });
}

const blockNames = (block: Values): string[] => [
  ...Object.keys(block),
  ...[block["dynamic"] ?? []].flat().flatMap((one) => Object.keys(one as object)),
];

/** Only Terraform can evaluate a template. */
function demandLiterals(all: readonly unknown[], where: string): void {
  const index = all.findIndex(hasTemplate);
  if (index < 0) return;
  const template = JSON.stringify(firstTemplate(all[index]));
  throw new UserError(`${where} ${index + 1}: ${template} is not a literal value. Write the value, or give a plan.`);
}

function firstTemplate(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return firstTemplate(Object.values(value).find(hasTemplate));
}

function inPlan(text: string, file: string, flag: Flag): Base {
  const tenants = tenantsIn([{ name: file, plan: parsePlan(text, file) }]).map(({ tenantAddress, plans }) => ({
    tenantAddress,
    blocks: plans.flatMap(({ blocks }) => blocks),
  }));
  const found = tenants.map(({ tenantAddress, blocks }) => {
    const read = blocks.flatMap(({ expectations }) => expectations).map((one) => ({ ...one, file }));
    return { file, tenantAddress, read, isConfiguration: true };
  });
  for (const { expectation, unknowns } of found.flatMap(({ read }) => read)) {
    if (unknowns.length === 0) continue;
    const name = JSON.stringify(expectation.name);
    throw new UserError(`${file}: the expectation ${name} is not known. ${unknowns.join(" ")} ${remedyFor(flag)}`);
  }
  const expectations = found.filter(({ read }) => read.length > 0);
  if (flag === "--expect") return { guards: [], expectations };
  const all = tenants.flatMap(({ tenantAddress, blocks }) =>
    blocks.map((guard) => ({ ...guard, file, tenantAddress })),
  );
  // Without protected requests, a strength that the plan does not show protects nothing that is known.
  const guards = all.filter(({ strength, requests }) => strength !== undefined || requests.length > 0);
  guards.forEach(demandKnown);
  return { guards, expectations };
}

function demandKnown({ file, strength, requests }: BaseGuard): void {
  if (strength === undefined)
    throw new UserError(`${file}: this plan does not show the value of \`lockout_guard\`. Write it as a constant.`);
  const names = [...new Set(requests.flatMap(unknownFacts))].map((name) => `\`${name}\``);
  if (names.length === 0) return;
  throw new UserError(
    `${file}: this plan does not show ${names.join(", ")} of a request in \`protected_request\`. ${remedyFor("--base")}`,
  );
}

const remedyFor = (flag: Flag) =>
  `Write a constant or a variable of the root module, or give a JSON list of ${nouns[flag]}.`;

function readFrom(list: readonly unknown[], file: string): ReadExpectation[] {
  const names = new Set<string>();
  return list.map((one, index) => {
    const where = `${file}, expectation ${index + 1}`;
    const read = fromFile(one, where, file);
    const { name } = read.expectation;
    if (names.has(name))
      throw new UserError(`${where}: ${JSON.stringify(name)} is the name of an earlier one. Rename one.`);
    names.add(name);
    return read;
  });
}

const strengths = ["error", "warn", "off"] as const;

function guardIn(lockout_guard: unknown, requests: readonly unknown[], file: string): BaseGuard {
  const strength = strengths.find((one) => one === lockout_guard);
  if (!strength) {
    throw new UserError(
      `${file}: lockout_guard is ${JSON.stringify(lockout_guard)}: choose one of ${strengths.join(", ")}.`,
    );
  }
  return { file, strength, requests: requests.map((one, index) => requestIn(one, `${file}, request ${index + 1}`)) };
}

/** Protected requests can have all facts except curated lists and signatures. */
const known: readonly string[] = ["name", ...protectable];

/** What to give in place of a wrong value. Undefined: the value is right. */
function rightValue(name: string, value: unknown): string | undefined {
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
      throw new UserError(`${where}: "${fact}" is not a fact of a request. The facts are ${known.join(", ")}.`);
    }
    const instead = rightValue(fact, value);
    if (instead !== undefined) {
      const shown = typeof value === "string" ? quoted(value) : JSON.stringify(value);
      throw new UserError(`${where}: ${fact} is ${shown}: give ${instead}.`);
    }
  }
  if (path === undefined && Object.keys(others).length === 0) {
    throw new UserError(`${where} describes no request: give its ip, or another fact.`);
  }
  return protectedRequest({ name, path, ...others });
}

function asObject(read: unknown, where: string): { readonly [name: string]: unknown } {
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return { ...read };
  throw new UserError(`${where}: give an object of facts, such as {"name": "our CI", "ip": "203.0.113.7"}.`);
}
