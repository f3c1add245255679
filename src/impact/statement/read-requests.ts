/** Reads statements about requests in their JSON form. */
import {
  curatedLists,
  factLists,
  factTable,
  listNames,
  problemOfEntry,
  quoted,
  type ListOfFacts,
} from "../../access/access";
import { expectedOutcomes, type RequestSet, type RequestStatement } from "./statement";
import {
  ExpectationError,
  type Given,
  listOf,
  objectIn,
  refuseNearMiss,
  refuseUnknown,
  shown,
  withoutNull,
} from "./fields";

export function requestsIn(given: Given, where: string): RequestStatement {
  return {
    kind: "requests",
    outcomes: outcomesIn(given, where),
    requests: setsIn(given, "request", where),
    except: setsIn(given, "except", where),
  };
}

/** Words that people use for the outcomes. */
const spokenOutcomes: Readonly<Record<string, string>> = {
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
};

function outcomesIn({ outcome, one_of }: Given, where: string): RequestStatement["outcomes"] {
  if (outcome !== undefined && one_of !== undefined) {
    throw new ExpectationError(`${where}: it has outcome and one_of. Keep one of them.`);
  }
  if (outcome === undefined && one_of === undefined) {
    throw new ExpectationError(`${where}: outcome is missing. Give one of ${expectedOutcomes.join(", ")}.`);
  }
  const name = outcome === undefined ? "one_of" : "outcome";
  if (outcome === undefined && typeof one_of === "symbol") return one_of;
  if (outcome !== undefined && Array.isArray(outcome)) {
    throw new ExpectationError(`${where}: outcome is ${shown(outcome)}. Give one text, or use one_of for several.`);
  }
  const list = outcome === undefined ? listOf(one_of, `${where}: one_of`) : [outcome];
  return list.map((one) => {
    if (typeof one === "symbol") return one;
    const known = expectedOutcomes.find((each) => each === one);
    if (known) return known;
    const near = typeof one === "string" ? spokenOutcomes[one.trim().toLowerCase()] : undefined;
    const exact =
      typeof one === "string" ? expectedOutcomes.find((each) => each === one.trim().toLowerCase()) : undefined;
    const remedy =
      (exact ?? near) ? `${quoted((exact ?? near)!)} is probably meant` : `give one of ${expectedOutcomes.join(", ")}`;
    throw new ExpectationError(`${where}: ${name} is ${shown(one)}: ${remedy}.`);
  });
}

function setsIn(given: Given, name: "request" | "except", where: string): readonly (RequestSet | symbol)[] | symbol {
  const value = given[name];
  if (value === undefined) return [];
  if (typeof value === "symbol") return value;
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return list.map((one, index) => {
    if (typeof one === "symbol") return one;
    const place = `${where}: ${name}${list.length > 1 ? ` ${index + 1}` : ""}`;
    const set = setIn(one, place);
    if (name === "except" && Object.keys(set).length === 0) {
      throw new ExpectationError(`${place} has no facts, so it excepts every request. Give a fact, or remove it.`);
    }
    return set;
  });
}

const byName = new Map<string, ListOfFacts>(factLists.map((list) => [list.name, list]));

function setIn(value: unknown, where: string): RequestSet {
  const given = withoutNull(objectIn(value, where, 'an object of facts, such as {"countries": ["KP"]}'));
  refuseUnknown(Object.keys(given), listNames, where, nearestList);
  return Object.fromEntries(
    Object.entries(given).map(([name, list]) => [name, factsIn(list, byName.get(name)!, `${where}.${name}`)]),
  );
}

const nearestList = (name: string) =>
  Object.hasOwn(factTable, name) ? factTable[name as keyof typeof factTable].list.name : undefined;

function factsIn(value: unknown, { name, entries, give }: ListOfFacts, where: string): unknown {
  if (typeof value === "symbol") return value;
  return listOf(value, where).map((entry) => {
    if (typeof entry === "symbol") return entry;
    if (typeof entry !== "string" && typeof entry !== "number") {
      throw new ExpectationError(
        `${where}: ${shown(entry)} is not ${entries === "number" ? "a number" : "a text"}: give ${give}.`,
      );
    }
    const problem = problemOfEntry(name, entry);
    if (problem !== undefined) throw new ExpectationError(`${where}: ${problem}`);
    if (name === "managed" && !curatedLists.includes(String(entry).toLowerCase()))
      refuseNearMiss(entry, curatedLists, where);
    if (typeof entry === entries.replace("text", "string")) return entry;
    const right = entries === "number" ? Number(entry) : String(entry);
    throw new ExpectationError(`${where}: ${shown(entry)} has the wrong type: write ${shown(right)}.`);
  });
}
