/** Reads the files of `--expect`: a list of expectations, a configuration in HCL or JSON, or a plan. */
import type { Values } from "../../impact/model";
import { ReviewError } from "../error";
import { readDocument, type Edge } from "../input/input";
import { Unreadable } from "../../hcl/tree";
import { expectationBlocks } from "../places/statements";
import { parsePlan, type Plan } from "../input/plan";
import { sharesOf } from "../share";
import type { Site } from "../site";
import type { Expectation } from "../../impact/statement/statement";
import type { Family } from "../remote";
import { expectationsIn, fromFile, type ReadExpectation } from "./read";

export interface ExpectationFile {
  readonly file: string;
  readonly read: readonly ReadExpectation[];
  /** The file is a configuration or a plan of the base branch, so the plan must have all of its expectations. */
  readonly isConfiguration: boolean;
  /** The tenant of a plan. Left out: any tenant. */
  readonly site?: Site;
}

export async function readExpectationFile(file: string, edge: Edge): Promise<ExpectationFile[]> {
  const text = (await readDocument(file, edge)).replace(/^\uFEFF/, "");
  if (text.trim() === "") throw new ReviewError(`${file} is empty. ${forms}`);
  return /^\s*[[{]/.test(text) ? fromJson(text, file) : [fromHcl(text, file)];
}

const forms =
  'Give a JSON list of expectations, such as [{"name": "sanctions", "outcome": "blocked", "request": {"countries": ["KP"]}}], HCL with ' +
  "`expectation` blocks, or a plan.";

function fromJson(text: string, file: string): ExpectationFile[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new ReviewError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(read)) return [listedIn(read, file)];
  const { expectations, provider, protected_request: _, lockout_guard: __, ...others } = read as Values;
  if ("format_version" in others) return fromPlan(text, file);
  if (expectations !== undefined) {
    const [unexpected] = [...Object.keys(others), ...(provider === undefined ? [] : ["provider"])];
    if (unexpected !== undefined)
      throw new ReviewError(`${file}: ${JSON.stringify(unexpected)} is not known. Keep "expectations" only.`);
    return [listedIn(expectations, file)];
  }
  const found = inConfiguration(provider);
  if (found.length === 0) throw new ReviewError(`${file} has no expectations. ${forms}`);
  found.forEach((one, index) => demandLiterals(one, `${file}, expectation ${index + 1}`));
  return [configuredIn(found, file)];
}

/** The expectations of a configuration. */
export const configuredIn = (list: readonly unknown[], file: string): ExpectationFile => ({
  file,
  read: readFrom(list, file),
  isConfiguration: true,
});

/** Throws a ReviewError for a value of Terraform's JSON syntax that only Terraform can evaluate. */
export function demandLiterals(value: unknown, where: string): void {
  const template = templateIn(value);
  if (template === undefined) return;
  throw new ReviewError(
    `${where}: ${JSON.stringify(template)} is not a literal value. Write the value, or give a plan.`,
  );
}

export function listedIn(list: unknown, file: string): ExpectationFile {
  if (!Array.isArray(list) || list.length === 0) throw new ReviewError(`${file} lists no expectations. ${forms}`);
  return { file, read: readFrom(list, file), isConfiguration: false };
}

/** The `expectation` blocks of Terraform's JSON syntax. */
export function inConfiguration(provider: unknown): unknown[] {
  const own = (provider as Values | undefined)?.["tenant"];
  return [own ?? []].flat().flatMap((one) => (one as Values | null)?.["expectation"] ?? []);
}

function fromHcl(text: string, file: string): ExpectationFile {
  let blocks: ReturnType<typeof expectationBlocks>;
  try {
    blocks = expectationBlocks(text);
  } catch (error) {
    if (error instanceof Unreadable) throw new ReviewError(`${file}, ${error.message}`);
    if (error instanceof RangeError) throw new ReviewError(`${file} nests too deeply. ${forms}`);
    throw error;
  }
  const { own, providers } = blocks;
  if (own.length + providers.length === 0) throw new ReviewError(`${file} has no \`expectation\` block. ${forms}`);
  if (providers.length > 1)
    throw new ReviewError(`${file} has expectations in ${providers.length} provider blocks. Give a plan instead.`);
  return { file, read: readFrom([...own, ...providers.flat()], file), isConfiguration: providers.length > 0 };
}

function fromPlan(text: string, file: string): ExpectationFile[] {
  const found = expectationsInPlan(text, file);
  if (found.length > 0) return found;
  throw new ReviewError(
    `${file} has no \`expectation\` in a provider "tenant" block (plans leave out dynamic blocks). Give a plan that has some, or a ` +
      "JSON list of expectations.",
  );
}

/** Empty: the plan has none. */
export function expectationsInPlan(text: string, file: string): ExpectationFile[] {
  const all = sharesOf(parsePlan(text, file)).map(({ site, plan }) => ({
    file,
    site,
    read: expectationsIn(plan).map((one) => ({ ...one, file })),
    isConfiguration: true,
  }));
  const found = all.filter(({ read }) => read.length > 0);
  for (const { expectation, unknowns } of found.flatMap(({ read }) => read)) {
    if (unknowns.length === 0) continue;
    const name = JSON.stringify(expectation.name);
    throw new ReviewError(`${file}: the expectation ${name} is not known. ${unknowns.join(" ")} ${remedy}`);
  }
  return found;
}

const remedy = "Write a constant or a variable of the root module, or give a JSON list of expectations.";

function readFrom(list: readonly unknown[], file: string): ReadExpectation[] {
  const names = new Set<string>();
  return list.map((one, index) => {
    const where = `${file}, expectation ${index + 1}`;
    const read = fromFile(one, where, file);
    const { name } = read.expectation;
    if (names.has(name))
      throw new ReviewError(`${where}: ${JSON.stringify(name)} is the name of an earlier one. Rename one.`);
    names.add(name);
    return read;
  });
}

/** A text that only Terraform can evaluate. */
function templateIn(value: unknown): string | undefined {
  if (typeof value === "string") return /[$%]\{/.test(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.values(value)) {
    const found = templateIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Statement = Expectation["statement"];

/** The objects that decide each kind of statement. */
export const familyOf = {
  requests: "network_acls",
  policy: "rate_limit_policies",
  members: "organization_members",
} as const satisfies Record<Statement["kind"], Family>;

export function statementsOf(
  tenants: readonly { readonly plans: readonly Plan[] }[],
  files: readonly ExpectationFile[],
): Statement[] {
  const own = tenants.flatMap(({ plans }) => plans.flatMap(expectationsIn));
  return [...own, ...files.flatMap(({ read }) => read)].map(({ expectation }) => expectation.statement);
}

/** The organizations whose members the statements are about. */
export function organizationsIn(statements: readonly Statement[]): string[] {
  const ids = statements.flatMap((one) => (one.kind === "members" ? [one.organization_id] : []));
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}
