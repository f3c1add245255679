/** Generates the base classes of the constructs from the provider's schema. */
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type * as z from "zod";
import type { Type } from "../../cty/type";
import { loadAll } from "../../sdk/lazy";
import type { Provider } from "../../sdk/resource";
import { annotated } from "./annotations";
import { requestsText } from "./requests";
import {
  sorted,
  type AttributeJson,
  type BlockJson,
  type EntityJson,
  type NestedBlockJson,
  type SchemaJson,
} from "./schema-json";

/** The configuration of each generated file, by its name. */
type Configs = Readonly<Record<string, z.ZodObject>>;

export async function configsOf(provider: Provider<{ stop(): void }>): Promise<Configs> {
  const { name, config } = provider;
  const [resources, dataSources] = await Promise.all([loadAll(provider.resources), loadAll(provider.dataSources)]);
  const file = (prefix: string) => prefix.replaceAll("_", "-");
  return Object.fromEntries([
    ["provider", config],
    ...resources.map(({ definition }) => [file(definition.name), definition.config] as const),
    ...dataSources.map(({ definition }) => [file(`data_${name}_${definition.name}`), definition.config] as const),
  ]);
}

/** Replaces the directory with a file `<kebab-case name>.ts` for each entity of the schema. Needs no network. */
export async function generateBindings(
  schema: SchemaJson,
  configs: Configs,
  version: string,
  directory: string,
): Promise<void> {
  const raw = await mkdtemp(path.join(os.tmpdir(), "bindings-"));
  try {
    const [source = ""] = Object.keys(schema.provider_schemas);
    const provider = schema.provider_schemas[source]!;
    const entities = { provider: provider.provider, ...provider.resource_schemas, ...provider.data_source_schemas };
    const blocks = new Set(Object.values(entities).flatMap(({ block }) => blockNames(block)));
    await generate(schema, source, version, raw);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    const generated = path.join(raw, "providers", path.posix.basename(source));
    for (const entry of await readdir(generated, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const text = await readFile(path.join(generated, entry.name, "index.ts"), "utf8");
      const config = configs[entry.name];
      if (!config) throw new Error(`${entry.name} has no configuration`);
      await writeFile(path.join(directory, `${entry.name}.ts`), annotated(mended(text, blocks), config));
    }
    await writeFile(path.join(directory, "requests.ts"), requestsText());
  } finally {
    await rm(raw, { recursive: true });
  }
}

async function generate(schema: SchemaJson, source: string, version: string, directory: string): Promise<void> {
  // When it loads, @cdktf/commons runs Terraform, and sends a crash report if that fails.
  process.env.CHECKPOINT_DISABLE = "1";
  delete process.env.TF_CLI_CONFIG_FILE;
  const { Language, ConstructsMakerProviderTarget, TerraformProviderConstraint } =
    require("@cdktf/commons") as typeof import("@cdktf/commons");
  const { TerraformProviderGenerator } =
    require("@cdktf/provider-generator/lib/get/generator/provider-generator") as typeof import("@cdktf/provider-generator/lib/get/generator/provider-generator");
  const { CodeMaker } = require("codemaker") as typeof import("codemaker");

  const writer = new CodeMaker();
  const versioned = { ...withoutBlocks(schema), provider_versions: { [source]: version } };
  // The types require the generator's own CodeMaker, but any works.
  const given = [writer, versioned] as unknown as ConstructorParameters<typeof TerraformProviderGenerator>;
  const generator = new TerraformProviderGenerator(...given);
  const constraint = new TerraformProviderConstraint(`${source}@${version}`);
  generator.generate(new ConstructsMakerProviderTarget(constraint, Language.TYPESCRIPT));
  await generator.save(directory);
}

/** Turns blocks into nested attributes, because the generator knows only for attributes whether they are required. */
function withoutBlocks({ format_version, provider_schemas }: SchemaJson): SchemaJson {
  const flat = ({ version, block }: EntityJson): EntityJson => ({ version, block: { ...block, ...flatBlock(block) } });
  const schemas = Object.entries(provider_schemas).map(([source, all]) => [
    source,
    {
      provider: flat(all.provider),
      resource_schemas: sorted(all.resource_schemas, flat),
      data_source_schemas: sorted(all.data_source_schemas, flat),
    },
  ]);
  return { format_version, provider_schemas: Object.fromEntries(schemas) as SchemaJson["provider_schemas"] };
}

function flatBlock({
  attributes = {},
  block_types = {},
}: BlockJson): Required<Pick<BlockJson, "attributes">> & BlockJson {
  const nested = sorted(block_types, nestedAttribute);
  return {
    attributes: sorted({ ...attributes, ...nested }, inParts),
    block_types: undefined,
    description_kind: "plain",
  };
}

function nestedAttribute({ nesting_mode, block, min_items = 0 }: NestedBlockJson): AttributeJson {
  const { description, description_kind } = block;
  const nested_type = { attributes: flatBlock(block).attributes, nesting_mode };
  return { nested_type, description, description_kind, ...(min_items > 0 ? { required: true } : { optional: true }) };
}

/** Turns a list of objects into a nested attribute. The schema has only its type, without descriptions. */
function inParts({ type, ...rest }: AttributeJson): AttributeJson {
  const [nesting_mode, element] = Array.isArray(type) ? (type as [string, Type]) : [];
  if (nesting_mode === undefined || !Array.isArray(element) || element[0] !== "object") {
    return { ...(type !== undefined && { type }), ...rest };
  }
  const parts = Object.entries(element[1] as { readonly [part: string]: Type });
  const attributes = parts.map(([name, inner]): [string, AttributeJson] => [
    name,
    { type: inner, description: name, description_kind: "plain", required: true },
  ]);
  return { ...rest, nested_type: { attributes: Object.fromEntries(attributes), nesting_mode } };
}

function blockNames({ block_types = {} }: BlockJson): string[] {
  return Object.entries(block_types).flatMap(([name, { block }]) => [name, ...blockNames(block)]);
}

const blockEntry = /(\w+): \{\n(\s+)value: (.+),\n\s+isBlock: true,\n\s+type: "\w+",/g;

/**
 * Repairs the generator's output. It writes every nested attribute as a block, and Terraform refuses `keys { … }` for a real attribute.
 * It also links to pages that do not exist, and omits `override`.
 */
function mended(source: string, blocks: ReadonlySet<string>): string {
  return source
    .replace(blockEntry, (entry, name: string, indent: string, value: string) => {
      if (blocks.has(name)) return entry;
      const plain = value.replaceAll("ToHclTerraform", "ToTerraform").replaceAll("listMapperHcl(", "listMapper(");
      return `${name}: {\n${indent}value: ${plain},\n${indent}isBlock: false,\n${indent}type: "any",`;
    })
    .replace(/^\/\/ https:.*\n.*/, "// Generated by `npm run generate` from the provider's schema.")
    .replace(/\n +\*\n +\* Docs at Terraform Registry: .*/g, "")
    .replace(/\n +\*\n +\* Please be aware that the id field is automatically added [^]*?(?=\n +\*\/)/g, "")
    .replace(/ Refer to the \{@link \S+#import import section\} in the documentation .*/g, "")
    .replace(/\{@link https:\S+ (\w+)\}/g, "`$1`")
    .replace(/^ +(protected (?=synthesize)|public [gs]et (?=alias\())/gm, (line) => overriding(line))
    .replace(/^ +constructor\(protected .*/gm, (line) => overriding(line))
    .replace(/ +$/gm, "");
}

function overriding(line: string): string {
  return line.replace(/public|protected/g, "$& override");
}
