/** Checks that the generated bindings are current, match the schema for Terraform, and use the names of the messages. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { camelCase } from "../../src/constructs/naming";
import { callsOf } from "../../src/provider/plugin/calls";
import { listen, reattachment } from "../../src/provider/plugin/listener";
import { tenantProvider } from "../../src/provider/resources/provider";
import { handlersOf } from "../../src/provider/sdk/handlers";
import { definitionsOf, generateBindings } from "../../src/tools/generate/bindings";
import { attributesOf, type Attribute } from "../../src/provider/sdk/schema";
import { version } from "../../src/version";
import { newFolder } from "../support/folder";
import { run } from "../support/program";

const source = "registry.terraform.io/tenantform/tenant";
const committed = path.join(__dirname, "../../src/constructs/bindings");
const provider = tenantProvider(version, {});
const handlers = handlersOf(provider, { log: () => {} });

const filesIn = (directory: string) =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(path.join(directory, name), "utf8")]));

test("changes nothing when generated again", async () => {
  const again = path.join(newFolder(), "bindings");
  await generateBindings(provider, again);
  expect(Object.keys(filesIn(again))).toHaveLength(Object.keys(await definitionsOf(provider)).length + 2);
  expect(filesIn(again)).toEqual(filesIn(committed));
});

interface Entity {
  readonly block: Block;
}
interface Block {
  readonly attributes?: Readonly<Record<string, Attributes>>;
  readonly block_types?: Readonly<Record<string, Entity>>;
}
interface Attributes {
  readonly required?: true;
  readonly optional?: true;
  readonly nested_type?: { readonly attributes: Readonly<Record<string, Attributes>> };
}

test("have each argument that Terraform takes, by the name in messages", async () => {
  const folder = newFolder();
  writeFileSync(
    path.join(folder, "main.tf"),
    `terraform {\n required_providers {\n tenant = { source = "${source}" }\n }\n}\n`,
  );
  const server = await listen(callsOf(handlers));
  try {
    const env = { TF_REATTACH_PROVIDERS: reattachment(source, server) };
    const { stdout } = await run("terraform", ["providers", "schema", "-json"], { cwd: folder, env });
    const [schemas] = Object.values(
      (JSON.parse(stdout) as { provider_schemas: Record<string, Record<string, unknown>> }).provider_schemas,
    );
    const { provider: own, resource_schemas: resources } = schemas as { provider: Entity; resource_schemas: object };
    const entities = Object.entries<Entity>({ provider: own, ...resources });
    expect(entities).toHaveLength(5);
    for (const [typeName, { block }] of entities) {
      const file = `${typeName.replace(/^tenant_/, "").replaceAll("_", "-")}.ts`;
      const text = readFileSync(path.join(committed, file), "utf8");
      const settable = namesIn(block);
      expect(settable.length).toBeGreaterThan(0);
      for (const name of settable) expect(text).toMatch(new RegExp(`readonly ${camelCase(name)}\\??: `));
    }
  } finally {
    await server.close();
  }
});

test("name values as the service does, in each description", () => {
  const text = Object.values(filesIn(committed)).join("");
  const properties = new Set(Array.from(text.matchAll(/^ {2}readonly (\w+)\??: /gm), ([, name]) => name));
  const written = Array.from(text.matchAll(/`([a-z]+[A-Z]\w*)`/g), ([, name]) => name);
  expect(written.length).toBeGreaterThan(5);
  expect(written.filter((name) => !properties.has(name))).toEqual([]);
});

function namesIn({ attributes = {}, block_types = {} }: Block): string[] {
  const blocks = Object.entries(block_types).flatMap(([name, { block }]) => [name, ...namesIn(block)]);
  return [...namesOf(attributes), ...blocks];
}

function namesOf(attributes: Readonly<Record<string, Attributes>>): string[] {
  return Object.entries(attributes).flatMap(([name, { required, optional, nested_type }]) =>
    required || optional ? [name, ...(nested_type ? namesOf(nested_type.attributes) : [])] : [],
  );
}

test("give every attribute that is not sensitive a valid example", async () => {
  const examined = Object.values(await definitionsOf(provider)).flatMap(({ config }) =>
    examine(attributesOf(config), config),
  );
  expect(examined.length).toBeGreaterThan(50);
  expect(examined.filter(({ fine }) => !fine).map(({ name }) => name)).toEqual([]);
});

function examine(attributes: readonly Attribute[], config: z.ZodObject): { name: string; fine: boolean }[] {
  return attributes.flatMap((attribute) => {
    const { name, sensitive, example } = attribute;
    const declared = config.shape[name] as z.ZodType;
    const fine = sensitive ? example === undefined : example !== undefined && declared.safeParse(example).success;
    const inner = objectIn(declared);
    return [{ name, fine }, ...(inner ? examine(attributesOf(inner), inner) : [])];
  });
}

function objectIn(declared: z.ZodType): z.ZodObject | undefined {
  if (declared instanceof z.ZodObject) return declared;
  if (declared instanceof z.ZodOptional) return objectIn(declared.unwrap() as z.ZodType);
  return declared instanceof z.ZodArray ? objectIn(declared.element as z.ZodType) : undefined;
}

test("contain no dead link, and no block for a nested attribute", () => {
  const text = Object.values(filesIn(committed)).join("");
  expect(new Set(text.match(/\w+(?=: \{\n\s+value: .+,\n\s+isBlock: true)/g))).toEqual(
    new Set([
      "rule",
      "action",
      "match",
      "not_match",
      "http_message_signature",
      "configuration",
      "protected_request",
      "expectation",
      "request",
      "except",
      "policy",
      "members",
    ]),
  );
  expect(text).not.toMatch(/@link|\/docs\/resources/);
});
