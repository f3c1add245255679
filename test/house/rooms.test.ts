/** One table is the only place of a fact: a throw-away row of signals reaches every room, and the manifests of kinds agree with every room. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as constructs from "../../src/constructs";
import { catalogueOf } from "../../src/emulator/auth/scope";
import * as Access from "../../src/judge/access/access";
import { goProviderTypes, kindOf, kindRead, kinds, scopeOf, typesOf } from "../../src/judge/kinds/kinds";
import { tenantProvider } from "../../src/provider/resources/provider";

const src = path.join(__dirname, "../../src");

jest.mock("../../src/judge/access/facts", () => {
  const actual = jest.requireActual<{ factTable: { ja4: object } }>("../../src/judge/access/facts");
  const thrownAway = {
    ...actual.factTable.ja4,
    noun: "throw-away signal",
    criteria: { throw_aways: { plural: "throw-aways", help: "Throw-aways.", example: "a" } },
    fits: (text: string) => text !== "?",
    logged: "security_context.throw_away",
    list: { name: "throw_aways", help: "Throw-aways of requests." },
  };
  return { ...actual, factTable: { ...actual.factTable, throw_away: thrownAway } };
});

const load = <Module extends object>(file: string) => jest.requireActual<Module>(path.join(src, file));
const access = load<typeof Access>("judge/access/access");

const acls = [
  { active: true, priority: 1, rule: { action: { block: true }, match: { throw_aways: ["a"] }, scope: "tenant" } },
];
type Shape = { readonly config: { readonly shape: Record<string, any> } };
const members = (schema: any): string[] => {
  const inner = schema?.def?.innerType ?? schema?.def?.element;
  return inner ? members(inner) : Object.keys(schema.shape);
};

test("a new row of the table is a signal that rules match", () => {
  const outcomes = ["a", "b"].map(
    (value) => access.decide(acls, access.requestOf("/authorize", { throw_away: value } as object)).outcome,
  );
  expect(outcomes).toEqual(["blocked", "allowed"]);
  const { changed } = access.changesOf({ before: [], after: acls }, access.outcomeKey);
  expect(changed[0]?.examples[0]).toMatchObject({ throw_away: "a" });
});

test("a new row is in the schemas of ACLs, protected requests and expectations", () => {
  const { networkAcl } = load<{ networkAcl: Shape }>("provider/resources/network-acl/definition");
  expect(members(networkAcl.config.shape["rule"].shape.match)).toContain("throw_aways");
  const { block } = load<{ block: { shape: Record<string, any> } }>("provider/resources/provider-block/definition");
  expect(members(block.shape["protected_request"])).toContain("throw_away");
  const expectation = block.shape["expectation"].def.innerType.def.element;
  expect(members(expectation.shape.request)).toContain("throw_aways");
});

test("a new row is in decisions, words, logs and the names of matchers", () => {
  const given = access.requestOf("/authorize", { throw_away: "a" } as object);
  const { matchWords } = load<{ matchWords(reasons: object): string }>("judge/impact/words/match");
  expect(matchWords(access.whyEnds(acls[0]!, given))).toBe("match.throw_aways a matches the throw-away signal a");
  const { requestWords } = load<{ requestWords(one: object): string }>("judge/impact/words/reason");
  const { shownWitness } = load<{ shownWitness(one: object, secrets: Set<string>): object }>(
    "judge/impact/network-acl/levels",
  );
  const request = { path: "/authorize", ip: "203.0.113.7", connecting_ip: "203.0.113.7", throw_away: "a" };
  expect(requestWords(shownWitness(request, new Set()))).toContain("throw-away signal a");
  expect(requestWords(shownWitness(request, new Set(["throw_aways"])))).not.toContain("signal a");
  const { readEvent } = load<{ readEvent: Function }>("review/traffic/request");
  const fields = { date: "2026-01-01T00:00:00Z", security_context: { throw_away: "a" } };
  expect(readEvent({ type: "s", fields }, new Set(["throw_away"])).request).toMatchObject({ throw_away: "a" });
  const { statements } = load<{ statements: { toBlock: Function } }>("constructs/testing/statement");
  expect(statements.toBlock({ throwAways: ["a"] })).toMatchObject({ form: { request: [{ throw_aways: ["a"] }] } });
  const { requestsText } = load<{ requestsText(): string }>("tools/generate/requests");
  expect(requestsText()).toContain("readonly throwAways?: OneOrMore<string>;");
});

test("a signal is named in the table, and in at most five files of the emulator, which imports nothing", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => /\.m?tsx?$/.test(file) && !file.startsWith("constructs/bindings/"));
  const naming = files.filter((file) => /ja4/i.test(readFileSync(path.join(src, file), "utf8")));
  expect(naming).toContain("judge/access/facts.ts");
  expect(naming.filter((file) => file !== "judge/access/facts.ts" && !file.startsWith("emulator/"))).toEqual([]);
  expect(naming.length).toBeLessThanOrEqual(6);
});

const provider = tenantProvider("0.0.0", {});
const root = path.join(__dirname, "../..");

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
