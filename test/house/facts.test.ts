/** Checks that the table of facts is the only place where a fact of requests is named: a throw-away row reaches every room. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type * as Access from "../../src/judge/access/access";

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
  {
    active: true,
    priority: 1,
    rule: { action: { block: true }, match: { throw_aways: ["a"] }, scope: "tenant" },
  },
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
  expect(access.decide(acls, given).because).toBe("match.throw_aways a matches the throw-away signal a");
  const words = load<{ requestWordsOf(one: object, secrets: Set<string>): string }>("judge/impact/statement/words");
  const request = { path: "/authorize", ip: "203.0.113.7", connecting_ip: "203.0.113.7", throw_away: "a" };
  expect(words.requestWordsOf({ request }, new Set())).toContain("throw-away signal a");
  expect(words.requestWordsOf({ request }, new Set(["throw_aways"]))).not.toContain("signal a");
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
