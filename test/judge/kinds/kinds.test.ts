/** The manifests of all kinds, compared with the provider and the constructs that they describe. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as constructs from "../../../src/constructs";
import { goProviderTypes, kindOf, kindRead, kinds, scopeOf, typesOf } from "../../../src/judge/kinds/kinds";
import { tenantProvider } from "../../../src/provider/resources/provider";
import { catalogueOf } from "../../../src/emulator/auth/scope";

const provider = tenantProvider("0.0.0", {});
const root = path.join(__dirname, "../../..");

test("names every resource and list of the provider in a manifest", () => {
  const names = kinds.map(({ name }) => name).toSorted();
  expect(Object.keys(provider.resources).toSorted()).toEqual(names);
  expect(Object.keys(provider.lists!).toSorted()).toEqual(names);
  expect(kinds.map(({ type }) => type)).toEqual(kinds.map(({ name }) => `${provider.name}_${name}`));
});

test.each(kinds)("$name: describes the attributes and the identity of the definition", async (kind) => {
  const { definition, moves } = await provider.resources[kind.name]!();
  expect(kind.attributes).toEqual(Object.keys(definition.config.shape));
  expect(Object.keys(definition.identity!.shape)).toEqual([kind.identity.attribute]);
  const attributes = [...kind.attributes, ...Object.keys(definition.computed.shape)];
  const named = [
    ...kind.uniqueKey,
    ...(kind.list ? [kind.list.attribute, kind.list.exclusive] : []),
    ...Object.entries(kind.derived ?? {}).flat(),
    ...(kind.secret ? [kind.secret.attribute] : []),
  ];
  expect(attributes).toEqual(expect.arrayContaining(named));
  expect(Object.keys(moves!)).toEqual(kind.goProvider.map(({ type }) => type));
});

test.each(kinds)("$name: describes the data source", async ({ dataSource }) => {
  const { definition } = await provider.dataSources[dataSource.type.replace("tenant_", "")]!();
  expect(Object.keys(definition.config.shape)).toEqual(dataSource.filters);
  if (dataSource.objects) expect(Object.keys(definition.computed.shape)).toEqual([dataSource.objects]);
});

test.each(kinds)("$name: names a construct and a file that exist", ({ construct, name }) => {
  expect(constructs).toHaveProperty(construct);
  expect(existsSync(path.join(root, `src/constructs/${name.replaceAll("_", "-")}.ts`))).toBe(true);
});

test.each(kinds)("$name: names only scopes that the service grants", (kind) => {
  const needed = ["read", ...Object.values(kind.scopes).flat()].map((verb) => scopeOf(verb, kind));
  expect(catalogueOf(new Set(["tenant_acl_hmac_signature"] as const))).toEqual(expect.arrayContaining(needed));
});

test("names every type and key of other tools in the guides for newcomers", () => {
  const guide = (name: string) => readFileSync(path.join(root, `docs/guides/${name}.md`), "utf8");
  for (const { type } of goProviderTypes) expect(guide("adopt")).toContain(`\`${type}\``);
  for (const { deployCli, type } of kinds) {
    if (deployCli) expect(guide("adopt")).toMatch(new RegExp(`\`${deployCli}:\`.*\`${type}\``));
  }
});

test("finds a kind by each of its types and by its data source", () => {
  for (const kind of kinds) {
    for (const type of typesOf(kind)) expect(kindOf(type)).toBe(kind);
    expect(kindRead(kind.dataSource.type)).toBe(kind);
  }
  expect(kindOf("aws_network_acl")).toBeUndefined();
  expect(kindOf("constructor")).toBeUndefined();
});
