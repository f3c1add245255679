/** Reads statements about limits and members in their JSON form. */
import { quoted } from "../../access/access";
import { isPrintable } from "../../text/printable";
import type { MemberStatement, PolicyStatement } from "./statement";
import { ExpectationError, type Given, listOf, refuseNearMiss, refuseUnknown, shown, textIn } from "./fields";

export function policyIn(given: Given, where: string): PolicyStatement {
  refuseUnknown(Object.keys(given), ["consumer", "consumer_selector", "at_most", "at_least"], where);
  const [at_most, at_least] = boundsIn(given, where);
  if (at_most === undefined && at_least === undefined) {
    throw new ExpectationError(`${where} has no bound. Give at_most or at_least, in requests per second.`);
  }
  const consumer_selector = textIn(given, "consumer_selector", where, "third_party_clients");
  refuseNearMiss(given["consumer"], ["client", ...groups], `${where}: consumer`);
  refuseNearMiss(consumer_selector, groups, `${where}: consumer_selector`);
  for (const name of ["consumer", "consumer_selector"]) refuseOtherId(given[name], `${where}: ${name}`);
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
function refuseOtherId(text: unknown, where: string): void {
  const [, id] = /^client[-_ ]?id\s*[:=]\s*(.+)$/is.exec(typeof text === "string" ? text : "") ?? [];
  const meant = `client_id:${id}`;
  if (id === undefined || text === meant) return;
  throw new ExpectationError(`${where} is ${quoted(text as string)}: ${quoted(meant)} is probably meant.`);
}

export function membersIn(given: Given, where: string): MemberStatement {
  refuseUnknown(Object.keys(given), ["organization_id", "include", "exclude", "at_most", "at_least"], where);
  const [at_most, at_least] = boundsIn(given, where);
  const [include, exclude] = ["include", "exclude"].map((name) => idsIn(given, name, where));
  if ([include, exclude, at_most, at_least].every((part) => part === undefined)) {
    throw new ExpectationError(`${where} states nothing. Give include, exclude, at_most or at_least.`);
  }
  const both =
    Array.isArray(include) && Array.isArray(exclude)
      ? include.find((id) => typeof id === "string" && exclude.includes(id))
      : undefined;
  if (both !== undefined) {
    throw new ExpectationError(`${where}: include and exclude both name ${shown(both)}. Remove one of them.`);
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

function missing(where: string, name: string, example: string): never {
  throw new ExpectationError(`${where}: ${name} is missing. Give one, such as ${quoted(example)}.`);
}

function idsIn(given: Given, name: string, where: string): symbol | (string | symbol)[] | undefined {
  const value = given[name];
  if (value === undefined || typeof value === "symbol") return value;
  return listOf(value, `${where}.${name}`).map((id) => {
    if (typeof id === "symbol" || (typeof id === "string" && id !== "" && isPrintable(id))) return id;
    throw new ExpectationError(
      `${where}.${name}: ${shown(id)} is not the id of a user. Give one, such as "auth0|4f1c".`,
    );
  });
}

function boundsIn(
  given: Given,
  where: string,
): [most: number | symbol | undefined, least: number | symbol | undefined] {
  const [most, least] = ["at_most", "at_least"].map((name) => {
    const value = given[name];
    if (value === undefined || typeof value === "symbol") return value;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
    throw new ExpectationError(`${where}: ${name} is ${shown(value)}. Give a whole number from 0.`);
  });
  if (typeof most === "number" && typeof least === "number" && least > most) {
    throw new ExpectationError(
      `${where}: at_least is ${least} and at_most is ${most}. Give an at_most that is not lower than at_least.`,
    );
  }
  return [most, least];
}
