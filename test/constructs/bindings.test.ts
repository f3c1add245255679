/** Checks that the generated bindings are current, and use the names of the messages. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { tenantProvider } from "../../src/provider/resources/provider";
import { definitionsOf, generateBindings } from "../../src/tools/generate/bindings";
import { attributesOf, type Attribute } from "../../src/provider/sdk/schema";
import { version } from "../../src/version";
import { newFolder } from "../support/folder";

const committed = path.join(__dirname, "../../src/constructs/bindings");
const provider = tenantProvider(version, {});

const filesIn = (directory: string) =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(path.join(directory, name), "utf8")]));

test("changes nothing when generated again", async () => {
  const again = path.join(newFolder(), "bindings");
  await generateBindings(provider, again);
  expect(Object.keys(filesIn(again))).toHaveLength(Object.keys(await definitionsOf(provider)).length + 2);
  expect(filesIn(again)).toEqual(filesIn(committed));
});

test("name values as the service does, in each description", () => {
  const text = Object.values(filesIn(committed)).join("");
  const properties = new Set(Array.from(text.matchAll(/^ {2}readonly (\w+)\??: /gm), ([, name]) => name));
  const written = Array.from(text.matchAll(/`([a-z]+[A-Z]\w*)`/g), ([, name]) => name);
  expect(written.length).toBeGreaterThan(5);
  expect(written.filter((name) => !properties.has(name))).toEqual([]);
});

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
