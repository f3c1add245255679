/** Reads expectations in their JSON form. A symbol stands for a value that is not known yet. */
import {
  curatedLists,
  factLists,
  factTable,
  listNames,
  problemOfEntry,
  quoted,
  type ListOfFacts,
} from "../../access/access";
import { isPrintable } from "../../../formats/text/printable";
import {
  choiceIn,
  ExpectationError,
  type Given,
  listOf,
  objectIn,
  Place,
  refuseNearMiss,
  refuseUnknown,
  shown,
  textIn,
  withoutNull,
} from "./fields";
import {
  expectedOutcomes,
  type Expectation,
  type MemberStatement,
  type PolicyStatement,
  type RequestSet,
  type RequestStatement,
} from "./statement";
import { isUnknown } from "../../../formats/cty/value";

export { ExpectationError } from "./fields";

const parts = ["name", "outcome", "one_of", "severity", "request", "except", "policy", "members"] as const;

/** Reads one expectation. `start`: of every message. `spelled`: an attribute as the reader of the message writes it. */
export function readExpectation(json: unknown, start: string, spelled?: (attribute: string) => string): Expectation {
  const where = new Place(start, spelled);
  const given = withBlocks(objectIn(json, where, 'an object such as {"name": "sanctions", "outcome": "blocked"}'));
  const name = nameIn(given["name"], where);
  const place = isUnknown(given["name"]) ? where : new Place(`${start} (${quoted(name)})`, spelled);
  refuseUnknown(Object.keys(given), parts, place);
  return {
    name,
    severity: choiceIn(given, "severity", ["error", "warning"], place) ?? "error",
    statement: statementIn(given, place),
  };
}

function nameIn(name: unknown, where: Place): string {
  if (isUnknown(name)) return where.start;
  if (name === undefined) {
    throw new ExpectationError(where.at("name"), ` is missing. Give a name, such as "sanctions": messages show it.`);
  }
  if (typeof name === "string" && name.trim() !== "" && isPrintable(name)) return name;
  throw new ExpectationError(
    where.at("name"),
    ` is ${shown(name)}. Give a text that is not empty and has only visible characters.`,
  );
}

function statementIn(given: Given, where: Place): Expectation["statement"] {
  const { policy, members, ...others } = given;
  const names = Object.keys(others).filter((one) => ["outcome", "one_of", "request", "except"].includes(one));
  const kinds = [...(policy === undefined ? [] : ["policy"]), ...(members === undefined ? [] : ["members"])];
  const [first, second = names[0]] = kinds;
  if (first !== undefined && second !== undefined) {
    throw new ExpectationError(
      where,
      `: it has ${first} and ${second}. Write one expectation for each: one is about requests, a policy or members.`,
    );
  }
  if (isUnknown(policy)) return { kind: "policy", consumer: policy, at_most: policy };
  if (isUnknown(members)) return { kind: "members", organization_id: members, at_most: members };
  if (policy !== undefined) return policyIn(oneBlock(policy, "policy", where), where.at("policy"));
  if (members !== undefined) return membersIn(oneBlock(members, "members", where), where.at("members"));
  return requestsIn(given, where);
}

/** A block of a configuration is a list of one. */
function oneBlock(value: unknown, name: string, where: Place): Given {
  const [one, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (more.length > 0)
    throw new ExpectationError(where, `: it has several ${name} blocks. Write one expectation for each.`);
  return withoutNull(objectIn(one, where.at(name), "an object"));
}

const blocks = new Set(["request", "except", "policy", "members"]);

/** A configuration gives an empty list for a block that it does not have. */
const withBlocks = (given: Given): Given =>
  Object.fromEntries(
    Object.entries(withoutNull(given)).filter(([name, value]) => !(blocks.has(name) && isEmptyList(value))),
  );

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function requestsIn(given: Given, where: Place): RequestStatement {
  return {
    kind: "requests",
    outcomes: outcomesIn(given, where),
    requests: setsIn(given, "request", where),
    except: setsIn(given, "except", where),
  };
}

/** Words that people use for the outcomes. */
const spokenOutcomes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    block: "blocked",
    denied: "blocked",
    deny: "blocked",
    forbidden: "blocked",
    refused: "blocked",
    allow: "reached",
    allowed: "reached",
    reach: "reached",
    reachable: "reached",
    permitted: "reached",
    redirect: "redirected",
    log: "logged",
    recorded: "logged",
  }),
);

function outcomesIn({ outcome, one_of }: Given, where: Place): RequestStatement["outcomes"] {
  if (outcome !== undefined && one_of !== undefined) {
    throw new ExpectationError(where, `: it has outcome and one_of. Keep one of them.`);
  }
  if (outcome === undefined && one_of === undefined) {
    throw new ExpectationError(where.at("outcome"), ` is missing. Give one of ${expectedOutcomes.join(", ")}.`);
  }
  const name = outcome === undefined ? "one_of" : "outcome";
  if (outcome === undefined && isUnknown(one_of)) return one_of;
  if (outcome !== undefined && Array.isArray(outcome)) {
    throw new ExpectationError(where.at("outcome"), ` is ${shown(outcome)}. Give one text, or use one_of for several.`);
  }
  const list = outcome === undefined ? listOf(one_of, where.at("one_of")) : [outcome];
  return list.map((one) => {
    if (isUnknown(one)) return one;
    const known = expectedOutcomes.find((each) => each === one);
    if (known) return known;
    const near = typeof one === "string" ? spokenOutcomes.get(one.trim().toLowerCase()) : undefined;
    const exact =
      typeof one === "string" ? expectedOutcomes.find((each) => each === one.trim().toLowerCase()) : undefined;
    const remedy =
      (exact ?? near) ? `${quoted((exact ?? near)!)} is probably meant` : `give one of ${expectedOutcomes.join(", ")}`;
    throw new ExpectationError(where.at(name), ` is ${shown(one)}: ${remedy}.`);
  });
}

function setsIn(given: Given, name: "request" | "except", where: Place): readonly (RequestSet | symbol)[] | symbol {
  const value = given[name];
  if (value === undefined) return [];
  if (isUnknown(value)) return value;
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return list.map((one, index) => {
    if (isUnknown(one)) return one;
    const place = where.at(list.length > 1 ? `${name} ${index + 1}` : name);
    const set = setIn(one, place);
    if (name === "except" && Object.keys(set).length === 0) {
      throw new ExpectationError(place, ` has no facts, so it excepts every request. Give a fact, or remove it.`);
    }
    return set;
  });
}

const byName = new Map<string, ListOfFacts>(factLists.map((list) => [list.name, list]));

function setIn(value: unknown, where: Place): RequestSet {
  const given = withoutNull(objectIn(value, where, 'an object of facts, such as {"countries": ["KP"]}'));
  refuseUnknown(Object.keys(given), listNames, where, nearestList);
  return Object.fromEntries(
    Object.entries(given).map(([name, list]) => [name, factsIn(list, byName.get(name)!, where.at(name, "."))]),
  );
}

const nearestList = (name: string) =>
  Object.hasOwn(factTable, name) ? factTable[name as keyof typeof factTable].list.name : undefined;

function factsIn(value: unknown, { name, entries, give }: ListOfFacts, where: Place): unknown {
  if (isUnknown(value)) return value;
  return listOf(value, where).map((entry) => {
    if (isUnknown(entry)) return entry;
    if (typeof entry !== "string" && typeof entry !== "number") {
      throw new ExpectationError(
        where,
        `: ${shown(entry)} is not ${entries === "number" ? "a number" : "a text"}: give ${give}.`,
      );
    }
    const problem = problemOfEntry(name, entry);
    if (problem !== undefined) throw new ExpectationError(where, `: ${problem}`);
    if (name === "managed" && !curatedLists.includes(String(entry).toLowerCase()))
      refuseNearMiss(entry, curatedLists, where);
    if (typeof entry === entries.replace("text", "string")) return entry;
    const right = entries === "number" ? Number(entry) : String(entry);
    throw new ExpectationError(where, `: ${shown(entry)} has the wrong type: write ${shown(right)}.`);
  });
}

function policyIn(given: Given, where: Place): PolicyStatement {
  refuseUnknown(Object.keys(given), ["consumer", "consumer_selector", "at_most", "at_least"], where);
  const [at_most, at_least] = boundsIn(given, where);
  if (at_most === undefined && at_least === undefined) {
    throw new ExpectationError(where, ` has no bound. Give ${bounds(where).join(" or ")}, in requests per second.`);
  }
  const consumer_selector = textIn(given, "consumer_selector", where, "third_party_clients");
  refuseNearMiss(given["consumer"], ["client", ...groups], where.at("consumer"));
  refuseNearMiss(consumer_selector, groups, where.at("consumer_selector"));
  for (const name of ["consumer", "consumer_selector"]) refuseOtherId(given[name], where.at(name));
  return {
    kind: "policy",
    consumer: textIn(given, "consumer", where, "client") ?? missing(where, "consumer", "client"),
    ...(consumer_selector !== undefined && { consumer_selector }),
    ...(at_most !== undefined && { at_most }),
    ...(at_least !== undefined && { at_least }),
  };
}

/** The selectors that name several clients. */
export const groups = ["third_party_clients", "cimd_clients", "default"];

/** `client-id:a` in place of `client_id:a`. */
function refuseOtherId(text: unknown, where: Place): void {
  const [, id] = /^client[-_ ]?id\s*[:=]\s*(.+)$/is.exec(typeof text === "string" ? text : "") ?? [];
  const likely = `client_id:${id}`;
  if (id === undefined || text === likely) return;
  throw new ExpectationError(where, ` is ${quoted(text as string)}: ${quoted(likely)} is probably meant.`);
}

function membersIn(given: Given, where: Place): MemberStatement {
  refuseUnknown(Object.keys(given), ["organization_id", "include", "exclude", "at_most", "at_least"], where);
  const [at_most, at_least] = boundsIn(given, where);
  const [include, exclude] = ["include", "exclude"].map((name) => idsIn(given, name, where));
  if ([include, exclude, at_most, at_least].every((part) => part === undefined)) {
    throw new ExpectationError(where, ` states nothing. Give include, exclude, ${bounds(where).join(" or ")}.`);
  }
  const both =
    Array.isArray(include) && Array.isArray(exclude)
      ? include.find((id) => typeof id === "string" && exclude.includes(id))
      : undefined;
  if (both !== undefined) {
    throw new ExpectationError(where, `: include and exclude both name ${shown(both)}. Remove one of them.`);
  }
  return {
    kind: "members",
    organization_id:
      textIn(given, "organization_id", where, "org_9ybsU1dN2dKfDkBi") ??
      missing(where, "organization_id", "org_9ybsU1dN2dKfDkBi"),
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(at_most !== undefined && { at_most }),
    ...(at_least !== undefined && { at_least }),
  };
}

function missing(where: Place, name: string, example: string): never {
  throw new ExpectationError(where.at(name), ` is missing. Give one, such as ${quoted(example)}.`);
}

const bounds = ({ spelled }: Place) => [spelled("at_most"), spelled("at_least")] as const;

function idsIn(given: Given, name: string, where: Place): symbol | (string | symbol)[] | undefined {
  const value = given[name];
  if (value === undefined || isUnknown(value)) return value;
  return listOf(value, where.at(name, ".")).map((id) => {
    if (isUnknown(id) || (typeof id === "string" && id !== "" && isPrintable(id))) return id;
    throw new ExpectationError(
      where.at(name, "."),
      `: ${shown(id)} is not the id of a user. Give one, such as "auth0|4f1c".`,
    );
  });
}

function boundsIn(given: Given, where: Place): [most: number | symbol | undefined, least: number | symbol | undefined] {
  const [most, least] = ["at_most", "at_least"].map((name) => {
    const value = given[name];
    if (value === undefined || isUnknown(value)) return value;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
    throw new ExpectationError(where.at(name), ` is ${shown(value)}. Give a whole number from 0.`);
  });
  if (typeof most === "number" && typeof least === "number" && least > most) {
    const [upper, lower] = bounds(where);
    throw new ExpectationError(
      where,
      `: ${lower} is ${least} and ${upper} is ${most}. Give an ${upper} that is not lower than ${lower}.`,
    );
  }
  return [most, least];
}
