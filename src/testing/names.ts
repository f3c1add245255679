/** Translates the names of a program to those of Terraform, and refuses unknown ones. */
import { factNames, factTable, listNames } from "../access/access";
import { camelCase } from "../constructs/naming";
import { nearest } from "../constructs/nearest";

/** The names that an object of a statement may have. */
const namesOf = {
  requests: listNames.map(camelCase),
  options: ["except"],
  limit: ["consumer", "consumerSelector", "atMost", "atLeast"],
  members: ["include", "exclude", "atLeast", "atMost"],
} as const;

type Role = keyof typeof namesOf;

/** Throws if a name is unknown or a value is missing, because the statement would silently become another one. */
export function inTerraformNames(role: Role, given: unknown): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new TypeError(`${shown(given)} is not an object: give one with ${namesOf[role].join(", ")}.`);
  }
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) => {
    demandKnown(role, name);
    if (Array.isArray(value) ? value.length === 0 || value.some(isMissing) : isMissing(value)) {
      throw new TypeError(`\`${name}\` is ${shown(value)}: give a value, or leave \`${name}\` out.`);
    }
    return [snakeCase(name), value] as const;
  });
  return Object.fromEntries(entries);
}

const isMissing = (value: unknown) => value === undefined || value === null;

const shown = (value: unknown) => (Array.isArray(value) ? `[${value.map(String).join(", ")}]` : String(value));

function demandKnown(role: Role, name: string): void {
  const known: readonly string[] = namesOf[role];
  if (known.includes(name)) return;
  const near = role === "requests" ? (listOf(name) ?? nearest(name, known)) : nearest(name, known);
  if (role === "requests" && name === "except") {
    throw new TypeError("`except` is no fact: give it in a second object, such as toBlock({ … }, { except: { … } }).");
  }
  const remedy = near === undefined ? `known are ${known.join(", ")}` : `\`${near}\` is probably meant`;
  throw new TypeError(`\`${name}\` is unknown: ${remedy}.`);
}

/** The list of the facts with this name: `countries` for `country`. */
function listOf(name: string): string | undefined {
  const fact = factNames.find((one) => camelCase(one) === name);
  return name === "api" || name === "apis" ? "scopes" : fact && camelCase(factTable[fact].list.name);
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names in messages of the engine, as programs write them. */
export const terraformNames: readonly string[] = Object.values(namesOf).flat().map(snakeCase);
