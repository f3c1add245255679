/**
 * Reads the statements that judge a plan beside its own: those of the base branch (`--base`: the folder of its configuration, or a plan),
 * and those of a file (`--expect`, also with expectations alone). The provider blocks of a configuration become plans with nothing else, so
 * that one reader knows what a statement means.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readHcl } from "../../formats/hcl/hcl";
import { blocksIn } from "../../formats/hcl/files";
import { type Block, type Expression, plainOf, Unreadable } from "../../formats/hcl/tree";
import { statsOf, UserError } from "../../formats/text/user-error";
import { grouped, type Values } from "../../judge/impact/model";
import { type Guard, requestsOf, unknownFacts } from "../../judge/impact/statement/built-in";
import { partWords } from "../../judge/impact/words/reason";
import type { ReadExpectation } from "./expectations";
import { type Edge, readDocument } from "./input";
import { jsonIn } from "../../formats/text/record";
import { parsePlan, type Plan } from "./plan";
import { planOfStack } from "./synthesized";
import type { TenantAddress } from "./tenant-address";
import { tenantsIn } from "./tenants";
import { isUnknown } from "../../formats/cty/value";

export interface BaseGuard extends Guard {
  readonly file: string;
  readonly tenantAddress: TenantAddress;
}

export interface ExpectationFile {
  readonly file: string;
  readonly read: readonly ReadExpectation[];
  /** The base branch has them, so the plan must have all of them. Those of `--expect` come on top of what the plan has. */
  readonly isBase: boolean;
  readonly tenantAddress: TenantAddress;
}

export interface Base {
  readonly guards: readonly BaseGuard[];
  readonly expectations: readonly ExpectationFile[];
}

type Flag = "--expect" | "--base";

const forms = {
  "--expect":
    'Give a JSON list such as [{"name": "sanctions", "outcome": "blocked", "request": {"countries": ["KP"]}}], HCL with blocks, ' +
    "the configuration, or a plan.",
  "--base": "Give the folder of the base branch's configuration, or a plan of it as JSON.",
};

/** A plan, or a provider block as one. */
interface Source {
  readonly file: string;
  readonly plan: Plan;
}

export async function readBase(file: string, edge: Edge, flag: Flag): Promise<Base> {
  const isFolder = statsOf(file)?.isDirectory() === true;
  const sources = isFolder ? inFolder(file, flag) : inText(await readDocument(file, edge), file, flag);
  const base = statementsOf(sources, flag);
  const isEmpty = base.expectations.length === 0 && base.guards.every((guard) => requestsOf(guard).length === 0);
  // A base branch whose configuration has no statements protects nothing, which is no error.
  if (!isEmpty || (isFolder && flag === "--base")) return base;
  const nouns = flag === "--base" ? "protected requests and no expectations" : "expectations";
  throw new UserError(`${file} has no ${nouns} in it (plans leave out dynamic blocks). ${forms[flag]}`);
}

function inFolder(folder: string, flag: Flag): Source[] {
  const names = readdirSync(folder).filter((name) => /^[^.].*\.(?:tf|tofu)(?:\.json)?$/.test(name));
  // As Terraform, which reads no folder with such a name.
  const files = names.map((name) => join(folder, name)).filter((file) => statSync(file).isFile());
  return files.toSorted().flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return readable(file, () => sourcesOf(blocksIn(text, file), file, flag));
  });
}

function inText(text: string, file: string, flag: Flag): Source[] {
  if (text.trim() === "") throw new UserError(`${file} is empty. ${forms[flag]}`);
  const isJson = /^\s*[[{]/.test(text);
  if (flag === "--base" || (isJson && "format_version" in Object(jsonIn(text))))
    return [{ file, plan: parsePlan(text, file) }];
  return readable(file, () => {
    if (!isJson) return inHcl(text, file);
    const json = text.trimStart().startsWith("[") ? `{"provider":{"tenant":{"expectation":${text}}}}` : text;
    return sourcesOf(blocksIn(json, ".json"), file, flag);
  });
}

/** The blocks at the top of a configuration. */
const topBlocks: ReadonlySet<string> = new Set(
  "check data ephemeral import locals module moved output provider removed resource terraform variable".split(" "),
);

/** A misspelled block must not be lost. */
function inHcl(text: string, file: string): Source[] {
  const { attributes, blocks } = readHcl(text);
  const [stray] = attributes.values();
  if (stray) throw new Unreadable(stray.line, "a block such as `expectation {` must be here.");
  const strange = blocks.find(({ type }) => type !== "expectation" && !topBlocks.has(type));
  if (strange) throw new Unreadable(strange.line, `the block "${strange.type}" is not known. Name it "expectation".`);
  const bare = blocks.filter(({ type }) => type === "expectation");
  const own: Block = { type: "provider", labels: ["tenant"], line: 1, attributes: new Map(), blocks: bare };
  return sourcesOf(bare.length > 0 ? [...blocks, own] : blocks, file, "--expect");
}

function readable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) throw new UserError(`${file}, ${error.message}`);
    if (error instanceof RangeError) throw new UserError(`${file} nests too deeply. Give a plan instead.`);
    throw error;
  }
}

/** A configuration may give the provider another name. No other provider has such blocks. */
const isTenant = ({ type, labels: [name], blocks }: Block) =>
  type === "provider" && (name === "tenant" || blocks.some((inner) => isOwn(inner.type) || isOwn(inner.labels[0])));

const isOwn = (block: string | undefined) => block === "expectation" || block === "protected_request";

const statements = {
  "--expect": new Set(["expectation"]),
  "--base": new Set(["expectation", "protected_request", "lockout_guard"]),
};
const addresses: ReadonlySet<string> = new Set(["domain", "endpoint", "environment_prefix"]);

const sourcesOf = (blocks: readonly Block[], file: string, flag: Flag) =>
  blocks.filter(isTenant).map((block) => sourceOf(block, file, flag));

/** The statements must be literals, because nothing evaluates expressions here. */
function sourceOf(block: Block, file: string, flag: Flag): Source {
  const isWanted = (name: string | undefined) => name !== undefined && statements[flag].has(name);
  const of = (keeps: (name: string) => boolean): Block => ({
    ...block,
    attributes: new Map([...block.attributes].filter(([name]) => keeps(name))),
    blocks: block.blocks.filter(({ type, labels }) => keeps(type) || (type === "dynamic" && isWanted(labels[0]))),
  });
  const own = of(isWanted);
  const address = plainIn(of((name) => addresses.has(name)).attributes, () => "${local.unknown}");
  const plan = planOfStack({ provider: { tenant: [{ ...address, ...bodyOf(own) }] } });
  return { file, plan: { ...plan, provider_blocks: new Map([["tenant", [own]]]) } };
}

const plainIn = (
  attributes: Block["attributes"],
  evaluate: (expression: Expression, name: string) => unknown,
): Values =>
  Object.fromEntries(
    [...attributes].map(([name, value]) => [name, plainOf(value, (expression) => evaluate(expression, name))]),
  );

/** As in Terraform's JSON syntax. */
function bodyOf({ attributes, blocks }: Block): Values {
  const dynamic = blocks.find(({ type }) => type === "dynamic");
  if (dynamic)
    throw new Unreadable(
      dynamic.line,
      `the block is dynamic. Write each ${dynamic.labels[0] ?? "request"} as a block of its own.`,
    );
  const labelled = blocks.find(({ labels }) => labels.length > 0);
  if (labelled) throw new Unreadable(labelled.line, `this block has no label. Write \`${labelled.type} {\`.`);
  const nameless = blocks.find((one) => one.type === "expectation" && !one.attributes.has("name"));
  if (nameless) throw new Unreadable(nameless.line, 'name is missing. Give a name, such as "sanctions".');
  const inner = grouped(blocks, ({ type }) => type);
  // JSON does not tell blocks from attributes.
  const plain = new Map([...attributes].filter(([name]) => !inner.has(name)));
  return {
    ...plainIn(plain, refuse),
    ...(Object.fromEntries([...inner].map(([type, own]) => [type, own.map(bodyOf)])) as Values),
  };
}

function refuse({ line }: Expression, name: string): never {
  throw new Unreadable(line, `${name} is not a literal value. Write the values themselves, or give a plan, as JSON.`);
}

function statementsOf(sources: readonly Source[], flag: Flag): Base {
  const found = sources.flatMap(({ file, plan }) =>
    tenantsIn([{ name: file, plan }]).map(({ tenantAddress, plans }) => {
      const blocks = plans.flatMap((one) => one.blocks);
      const read = blocks.flatMap(({ expectations }) => expectations).map((one) => ({ ...one, file }));
      demandShown(read);
      // Without protected requests, a strength that the plan does not show protects nothing that is known.
      const guards = blocks.filter((block) => isKnown(block) || requestsOf(block).length > 0);
      return {
        guards: flag === "--expect" ? [] : guards.map((guard) => demandKnown({ ...guard, file, tenantAddress })),
        expectations: { file, tenantAddress, read, isBase: flag === "--base" },
      };
    }),
  );
  return {
    guards: found.flatMap(({ guards }) => guards),
    expectations: found.map(({ expectations }) => expectations).filter(({ read }) => read.length > 0),
  };
}

const remedy = "Write a constant or a variable of the root module.";

function demandShown(read: readonly (ReadExpectation & { readonly file: string })[]): void {
  const names = new Set<string>();
  for (const { expectation, unknowns, problem, file } of read) {
    const name = JSON.stringify(expectation.name);
    if (unknowns.length > 0)
      throw new UserError(
        `${file}: the expectation ${name} is not known. ${problem?.message ?? unknowns.map(partWords).join(" ")} ${remedy}`,
      );
    if (names.has(name)) throw new UserError(`${file}: ${name} is the name of two expectations. Rename one.`);
    names.add(name);
  }
}

const isKnown = ({ builtIn }: Guard) => builtIn.every(({ severity }) => !isUnknown(severity));

function demandKnown(guard: BaseGuard): BaseGuard {
  const { file } = guard;
  if (!isKnown(guard))
    throw new UserError(`${file}: the value of \`lockout_guard\` is not known. Write "error", "warn" or "off".`);
  const names = [...new Set(requestsOf(guard).flatMap(unknownFacts))].map((name) => `\`${name}\``);
  if (names.length === 0) return guard;
  throw new UserError(`${file}: ${names.join(", ")} of a request in \`protected_request\` is not known. ${remedy}`);
}
