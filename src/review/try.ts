/** Reads and evaluates one request on the page of a review. The page contains this file as a bundle. */
import {
  type AccessRequest,
  type Acl,
  factNames,
  factTable,
  type FactName,
  type Facts,
  problemIn,
  problemOf,
  refusal,
  requestOf,
} from "../access/access";
import { decisionOf, endWords } from "./decision";

/** An ACL of the page. */
export interface TriableAcl extends Acl {
  readonly title: string;
}

export interface Tried {
  readonly outcome: string;
  /** Whether every assumption leads to this outcome. */
  readonly certain: boolean;
  /** Index of the deciding ACL. -1: no ACL matches. */
  readonly at: number;
  readonly because: string;
  /** The result in one line. */
  readonly text: string;
}

export function tried(acls: readonly TriableAcl[], { path, ...facts }: Facts & { readonly path: string }): Tried {
  const problem = problemIn({ path, ...facts });
  if (problem !== undefined) {
    return { outcome: "not readable", certain: false, at: -1, because: problem, text: problem };
  }
  const decision = decisionOf(acls, requestOf(path, facts));
  const { outcome, certain, by, because } = decision;
  const end = `${certain ? "certain" : "possible"}: ${endWords(decision, by?.title)}`;
  const why = by === undefined ? "" : certain ? `. ${because}` : `. ${by.title}: ${because}`;
  return { outcome, certain, at: by ? acls.indexOf(by) : -1, because, text: `${end}${why}.` };
}

/** A request from the fields of the form, or the problem of each field that cannot be read. */
export interface Read {
  readonly request: Omit<AccessRequest, "api"> & { readonly path: string };
  readonly problems: Readonly<Record<string, string>>;
}

/** `lists`: the curated lists that exist. Apart from the path, an empty field is a fact that is not known. */
export function read(fields: Readonly<Record<string, string>>, lists: readonly string[]): Read {
  const given = factNames.flatMap((name): [FactName, string][] => {
    const text = (fields[name] ?? "").trim();
    return text === "" && name !== "path" ? [] : [[name, text]];
  });
  const problems = given.flatMap(([name, text]) => {
    const problem = entriesOf(name, text).map((entry) => problemOfEntry(name, entry, lists));
    return problem.filter((one) => one !== undefined).map((one): [string, string] => [name, one]);
  });
  const facts = given.map(([name, text]) => [name, valueOf(name, text)] as const);
  return { request: Object.fromEntries(facts) as unknown as Read["request"], problems: Object.fromEntries(problems) };
}

const entriesOf = (name: FactName, text: string) => (factTable[name].kind === "list" ? text.split(/[\s,]+/) : [text]);

function valueOf(name: FactName, text: string): unknown {
  if (factTable[name].kind === "number") return Number(text);
  return factTable[name].kind === "list" ? entriesOf(name, text) : text;
}

/** Stricter than in a file of probes: a person probably forgot the slash, or misspelt the list. */
function problemOfEntry(name: FactName, entry: string, lists: readonly string[]): string | undefined {
  const problem = problemOf(name, entry);
  if (problem !== undefined) return problem;
  if (name === "path" && !/^(\/|https?:\/\/)/i.test(entry)) return refusal(name, entry, `/${entry}`);
  if (name === "managed" && !lists.includes(entry.toLowerCase())) return refusal(name, entry);
  return undefined;
}
