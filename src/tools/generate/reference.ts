/** Makes the reference pages of the registry from the definitions. */
import path from "node:path";
import * as z from "zod";
import { existsSync, readFileSync } from "node:fs";
import { pascalCase } from "../../constructs/naming";
import type { Definition } from "../../provider/sdk/definition";
import { loadAll, type Provider } from "../../provider/sdk/resource";
import { type Attribute, attributesOf, type Shape } from "../../provider/sdk/schema";

export interface Page {
  /** Below `docs`. */
  readonly file: string;
  readonly text: string;
}

/** A page of the folder, with a text in place of each comment such as `<!-- rows -->`. */
export function filled(file: string, folder: string, parts: Readonly<Record<string, string>>): Page {
  const text = readFileSync(path.join(folder, path.basename(file)), "utf8");
  return { file, text: text.replace(/<!-- (\w+) -->/g, (comment, name: string) => parts[name] ?? comment) };
}

/** A table of Markdown. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

/** Folders of examples and of additional text. */
export interface Sources {
  readonly examples: string;
  readonly prose: string;
}

type Some = Provider<{ stop(): void }>;

export async function referencePages(provider: Some, sources: Sources): Promise<Page[]> {
  const page = (file: string, parts: readonly (string | undefined)[]) => ({
    file,
    text: `${parts.filter((part) => part !== undefined).join("\n\n")}\n`,
  });
  const typeName = ({ name }: Definition) => `${provider.name}_${name}`;
  const resources = await loadAll(provider.resources);
  /** Objects that are read have the attributes of a resource, which one page describes. */
  const sameAsResource = (): Sections =>
    new Map(
      resources.map(({ definition: { config, computed, name } }) => [
        namesOf(attributesOf(config, computed)),
        `[\`${provider.name}_${name}\`](../resources/${name}.md#schema)`,
      ]),
    );
  return [
    page("index.md", [
      front(
        `Provider: ${provider.name}`,
        "Network ACLs (Tenant ACLs), rate limit policies and organization members of Auth0 tenants.",
      ),
      "# Tenantform provider for Auth0",
      prose(sources, "index")?.replace("<!-- example -->", () =>
        fence("terraform", example(sources, "provider", "provider.tf")),
      ),
      schemaOf(await provider.block()),
    ]),
    ...resources.map(({ definition }) => {
      const type = typeName(definition);
      const construct = pascalCase(definition.name);
      return page(`resources/${definition.name}.md`, [
        front(`${type} resource`, definition.description),
        `# ${type} (resource)`,
        definition.description,
        prose(sources, definition.name),
        "## Example",
        fence("terraform", example(sources, `resources/${type}`, "resource.tf")),
        `In TypeScript: the construct [\`${construct}\`](../guides/constructs.md#${construct.toLowerCase()}).`,
        schemaOf(definition),
        "## Import",
        fence("terraform", example(sources, `resources/${type}`, "import.tf")),
      ]);
    }),
    ...(await loadAll(provider.dataSources)).map(({ definition }) => {
      const type = typeName(definition);
      return page(`data-sources/${definition.name}.md`, [
        front(`${type} data source`, definition.description),
        `# ${type} (data source)`,
        definition.description,
        prose(sources, `data-${definition.name}`),
        "## Example",
        fence("terraform", example(sources, `data-sources/${type}`, "data-source.tf")),
        schemaOf(definition, sameAsResource(), withoutReplace),
      ]);
    }),
  ];
}

const front = (title: string, description: string) =>
  `---\npage_title: "${title}"\nsubcategory: ""\ndescription: |-\n  ${description}\n---`;

const fence = (language: string, code: string) => `\`\`\`${language}\n${code.trim()}\n\`\`\``;

function example({ examples }: Sources, folder: string, file: string): string {
  return readFileSync(path.join(examples, folder, file), "utf8");
}

function prose({ prose: folder }: Sources, name: string): string | undefined {
  const file = path.join(folder, `${name}.md`);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

interface Described extends Attribute {
  readonly schema?: z.ZodType;
}

/** Nothing replaces an object that is only read. */
const withoutReplace = ({ replace: _replace, ...attribute }: Attribute): Attribute => attribute;

function schemaOf(
  { config, computed }: { readonly config: z.ZodObject; readonly computed?: z.ZodObject },
  sections: Sections = new Map(),
  adapted: (attribute: Attribute) => Attribute = (attribute) => attribute,
): string {
  const attributes = attributesOf(config, computed).map(adapted);
  const zods = { ...config.shape, ...computed?.shape } as Record<string, z.ZodType>;
  return ["## Schema", ...groups(described(attributes, zods), [], sections)].join("\n\n");
}

const described = (attributes: readonly Attribute[], zods: Readonly<Record<string, z.ZodType>>): Described[] =>
  attributes.map((attribute) => ({ ...attribute, schema: zods[attribute.name] }));

/** A link to the place that describes the attributes of an object first, by their names. */
type Sections = Map<string, string>;

const namesOf = (attributes: readonly Attribute[]) => JSON.stringify(attributes.map(({ name }) => name).toSorted());

/** Lists required, optional and read-only attributes, then a section for each nested object. */
function groups(attributes: readonly Described[], at: readonly string[], sections: Sections): string[] {
  const kinds: [title: string, belongs: (attribute: Attribute) => boolean][] = [
    ["Required", ({ required }) => required],
    ["Optional", ({ required, computed }) => !required && !computed],
    ["Read-only", ({ computed }) => computed],
  ];
  const lists = kinds.flatMap(([title, belongs]) => {
    const some = attributes.filter(belongs).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    if (some.length === 0) return [];
    const lines = some.map((attribute) => line(attribute, [...at, attribute.name]));
    return at.length === 0 ? [`### ${title}`, lines.join("\n")] : [lines.join("\n")];
  });
  // Inside an object, the marks of each line say it.
  if (at.length > 0) lists.splice(0, lists.length, lists.join("\n"));
  return [...lists, ...attributes.flatMap((attribute) => section(attribute, [...at, attribute.name], sections))];
}

function section({ shape, schema }: Described, place: readonly string[], sections: Sections): string[] {
  const inner = attributesIn(shape);
  if (!inner) return [];
  const heading = [`### \`${place.join(".")}\``];
  const key = namesOf(inner);
  const before = sections.get(key);
  if (before !== undefined) return [...heading, `The attributes of ${before}.`];
  sections.set(key, `[\`${place.join(".")}\`](#${anchorOf(place)})`);
  return [...heading, ...groups(described(inner, schema ? objectIn(schema) : {}), place, sections)];
}

/** As code hosts and registries make it from the heading. */
const anchorOf = (place: readonly string[]) => place.join("").toLowerCase();

function line(attribute: Described, place: readonly string[]): string {
  const { name, shape, description, sensitive, writeOnly, block = false, computed, required } = attribute;
  const words = [description, ...(computed ? [] : ruling(attribute))];
  if (attributesIn(shape)) words.push(`See [below](#${anchorOf(place)}).`);
  const isInner = place.length > 1;
  const marks = [
    typeWords(shape, block && !computed),
    isInner && required && !computed && "required",
    sensitive && "sensitive",
    writeOnly && "write-only",
  ]
    .filter(Boolean)
    .join(", ");
  return `- \`${name}\` (${marks}) ${words.join(" ")}`;
}

/** Limits, values and examples that the description does not mention. */
function ruling({ description, schema, values = [], replace, example: given }: Described): string[] {
  const limits = schema ? limitsOf(schema, description) : [];
  const isNews = limits.length === 0 && values.length <= few && values.some((value) => !description.includes(value));
  return [
    ...limits.map((limit) => `${capital(limit)}.`),
    ...(isNews ? [`Known: ${list(values)}.`] : []),
    ...(replace ? ["A change creates a new object."] : []),
    ...(isTelling(given, description) ? [`Example: \`${JSON.stringify(given)}\`.`] : []),
  ];
}

/** Longer lists of values are not printed. */
const few = 12;
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
const list = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(", ");

/** Whether the example adds something to the description. */
function isTelling(given: unknown, description: string): given is string | number {
  if (typeof given === "number") return true;
  return typeof given === "string" && !given.includes("\n") && !description.includes(given);
}

const primitives = { string: "String", number: "Number", bool: "Boolean" } as const;

function typeWords(shape: Shape, block: boolean): string {
  if (shape.kind === "primitive") return primitives[shape.type];
  if (shape.kind === "object") return block ? "Block" : "Object";
  const of = typeWords(shape.element, block);
  return block ? `${of}, any number` : `${capital(shape.kind)} of ${of.toLowerCase()}s`;
}

function attributesIn(shape: Shape): readonly Attribute[] | undefined {
  if (shape.kind === "primitive") return undefined;
  return shape.kind === "object" ? shape.attributes : attributesIn(shape.element);
}

function objectIn(schema: z.ZodType): Record<string, z.ZodType> {
  const { innerType, element, shape } = schema.def as {
    innerType?: z.ZodType;
    element?: z.ZodType;
    shape?: Record<string, z.ZodType>;
  };
  return shape ?? objectIn((innerType ?? element)!);
}

// The limits of a zod schema in words.

interface JsonSchema {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
}

/** The limits that `description` does not mention: `1 to 20 elements`, `at most 255 characters`, `from 1 to 100`. */
export function limitsOf(schema: z.ZodType, description: string): string[] {
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as JsonSchema;
  const above = json.exclusiveMinimum;
  return [
    above !== undefined && !isLeast(above) ? `above ${above}` : undefined,
    range(json.minimum, json.maximum, ""),
    range(json.minLength, json.maxLength, "characters"),
    range(json.minItems, json.maxItems, "elements"),
    json.enum && `one of ${json.enum.map((value) => `\`${value}\``).join(", ")}`,
  ].filter((words): words is string => words !== undefined && !isMentioned(words, description));
}

/** Limits that `z.int()` gives to every whole number. */
const isLeast = (number: number) => Math.abs(number) === Number.MAX_SAFE_INTEGER;

function range(least: number | undefined, most: number | undefined, of: string): string | undefined {
  const from = least !== undefined && !isLeast(least) ? least : undefined;
  const to = most !== undefined && !isLeast(most) ? most : undefined;
  const words =
    to === undefined
      ? from !== undefined && `at least ${from}`
      : from === undefined
        ? `at most ${to}`
        : `${from} to ${to}`;
  return words ? `${words} ${of}`.trim() : undefined;
}

/** Whether the description has every number and value of the words. */
function isMentioned(words: string, description: string): boolean {
  const facts = words.match(/`[^`]+`|\d+/g) ?? [];
  return facts.every((fact) => fact === "1" || description.includes(fact.replaceAll("`", "")));
}
