/** Reads expectations in their JSON form. A symbol stands for a value that is not known yet. */
import { quoted } from "../../access/access";
import { isPrintable } from "../../text/printable";
import type { Expectation } from "./statement";
import { choiceIn, ExpectationError, flagIn, type Given, objectIn, refuseUnknown, shown, withoutNull } from "./fields";
import { membersIn, policyIn } from "./read-bounds";
import { requestsIn } from "./read-requests";

export { ExpectationError } from "./fields";

/** Reads `{"expectations": […]}` or a list. `where` starts every message: the name of the file or of the block. */
export function readExpectations(json: unknown, where: string): Expectation[] {
  const list = Array.isArray(json) ? (json as readonly unknown[]) : listIn(json, where);
  const names = new Set<string>();
  return list.map((one, index) => {
    const expectation = readExpectation(one, `${where}, expectation ${index + 1}`);
    const { name } = expectation;
    if (names.has(name)) {
      throw new ExpectationError(
        `${where}: two expectations have the name ${quoted(name)}. Give each a name of its own.`,
      );
    }
    names.add(name);
    return expectation;
  });
}

function listIn(json: unknown, where: string): readonly unknown[] {
  const { expectations, ...others } = objectIn(json, where, 'an object such as {"expectations": [...]}, or a list');
  refuseUnknown(Object.keys(others), ["expectations"], where);
  if (Array.isArray(expectations)) return expectations as readonly unknown[];
  throw new ExpectationError(`${where}: expectations is ${shown(expectations)}. Give a list of expectations.`);
}

const parts = ["name", "outcome", "one_of", "severity", "always", "request", "except", "policy", "members"] as const;

/** Reads one expectation. `where` starts every message. */
export function readExpectation(json: unknown, where: string): Expectation {
  const given = withBlocks(objectIn(json, where, 'an object such as {"name": "sanctions", "outcome": "blocked"}'));
  const name = nameIn(given["name"], where);
  const place = typeof given["name"] === "symbol" ? where : `${where} (${quoted(name)})`;
  refuseUnknown(Object.keys(given), parts, place);
  return {
    name,
    severity: choiceIn(given, "severity", ["error", "warning"], place) ?? "error",
    always: flagIn(given, "always", place) ?? false,
    statement: statementIn(given, place),
  };
}

function nameIn(name: unknown, where: string): string {
  if (typeof name === "symbol") return where;
  if (name === undefined) {
    throw new ExpectationError(`${where}: name is missing. Give a name, such as "sanctions": messages show it.`);
  }
  if (typeof name === "string" && name.trim() !== "" && isPrintable(name)) return name;
  throw new ExpectationError(
    `${where}: name is ${shown(name)}. Give a text that is not empty and has only visible characters.`,
  );
}

function statementIn(given: Given, where: string): Expectation["statement"] {
  const { policy, members, ...others } = given;
  const names = Object.keys(others).filter((one) => ["outcome", "one_of", "request", "except"].includes(one));
  const kinds = [...(policy === undefined ? [] : ["policy"]), ...(members === undefined ? [] : ["members"])];
  const [first, second = names[0]] = kinds;
  if (first !== undefined && second !== undefined) {
    throw new ExpectationError(
      `${where}: it has ${first} and ${second}. Write one expectation for each: one is about requests, a policy or members.`,
    );
  }
  if (policy !== undefined) return policyIn(oneBlock(policy, "policy", where), `${where}: policy`);
  if (members !== undefined) return membersIn(oneBlock(members, "members", where), `${where}: members`);
  return requestsIn(given, where);
}

/** A block of a configuration is a list of one. */
function oneBlock(value: unknown, name: string, where: string): Given {
  const [one, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (more.length > 0)
    throw new ExpectationError(`${where}: it has several ${name} blocks. Write one expectation for each.`);
  return withoutNull(objectIn(one, `${where}: ${name}`, "an object"));
}

const blocks = new Set(["request", "except", "policy", "members"]);

/** A configuration gives an empty list for a block that it does not have. */
const withBlocks = (given: Given): Given =>
  Object.fromEntries(
    Object.entries(withoutNull(given)).filter(([name, value]) => !(blocks.has(name) && isEmptyList(value))),
  );

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
