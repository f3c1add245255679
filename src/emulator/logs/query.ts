/** Searches of the log: the part of Lucene's query syntax that the service documents. */
import { ServiceError } from "../http/response";
import type { LogEvent } from "./event";

type Matcher = (event: LogEvent) => boolean;

const searchable = new Set(
  `client_id client_name connection connection_id description date hostname ip log_id organization_id user_id user_name
  user_agent strategy strategy_type type`.split(/\s+/),
);
/** The fields of a term without a field. */
const bare = ["client_name", "connection", "description", "ip", "log_id", "type", "user_name"];

/** Assumption: the message for an invalid query of the log. */
const invalid = (problem: string) =>
  new ServiceError(400, `Query validation error: ${problem}`, "invalid_query_string");

/** A parenthesis, a range, a phrase or a word, each with an optional field. */
const token = /\s*(?:([()])|(?:(\w+):)?(?:([[{])\s*(\S+)\s+TO\s+(\S+?)\s*([\]}])|"((?:[^"\\]|\\.)*)"|([^\s()"]+)))/y;
const deepest = 32;

interface Token {
  readonly parenthesis?: string;
  readonly field?: string;
  readonly range?: readonly [open: string, low: string, high: string, close: string];
  readonly phrase?: string;
  readonly word?: string;
}

function tokensOf(q: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (q.slice(token.lastIndex).trim() !== "") {
    const from = token.lastIndex;
    const found = token.exec(q);
    if (found === null) throw invalid(`"${q.slice(from).trim()}" cannot be read`);
    const [, parenthesis, field, open, low, high, close, phrase, word] = found;
    const range = open === undefined ? undefined : ([open, low!, high!, close!] as const);
    tokens.push({ parenthesis, field, range, phrase, word });
  }
  return tokens;
}

function valueMatcher({ range, phrase, word = "" }: Token): (value: string) => boolean {
  if (range) {
    const [open, low, high, close] = range;
    return (value) =>
      (low === "*" || (open === "[" ? value >= low : value > low)) &&
      // A time that begins with the bound is within an inclusive bound: 2018-12-18T… is not after 2018-12-18.
      (high === "*" || value < high || (close === "]" && value.startsWith(high)));
  }
  if (phrase !== undefined) {
    const text = phrase.replace(/\\(.)/g, "$1");
    return (value) => value === text;
  }
  if (!word.includes("*")) return (value) => value === word;
  const parts = word.split("*");
  return (value) => value.startsWith(parts[0]!) && matchesParts(value, parts);
}

function matchesParts(value: string, parts: readonly string[]): boolean {
  const last = parts.at(-1)!;
  let at = parts[0]!.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

function termMatcher(term: Token): Matcher {
  const { field } = term;
  // Assumption: a field of the log that is not searchable matches nothing.
  const fields = field === undefined ? bare : [field].filter((name) => searchable.has(name));
  const matches = valueMatcher(term);
  return (event) => fields.some((name) => typeof event[name] === "string" && matches(event[name]));
}

/** Reads a query with OR below AND below NOT. Terms without an operator between them count as OR, as in Lucene. */
export function matcherOf(q: string): Matcher {
  const tokens = tokensOf(q);
  let at = 0;
  const isWord = (word: string) => {
    const { word: found, field } = tokens[at] ?? {};
    return found === word && field === undefined;
  };
  const isClosing = () => tokens[at]?.parenthesis === ")";

  const single = (depth: number): Matcher => {
    if (depth > deepest) throw invalid("it is nested too deeply");
    if (isWord("NOT")) {
      at++;
      const inner = single(depth + 1);
      return (event) => !inner(event);
    }
    const term = tokens[at++];
    if (term === undefined || term.parenthesis === ")") throw invalid("a term is missing");
    if (term.parenthesis !== "(") return termMatcher(term);
    const inner = either(depth + 1);
    if (!isClosing()) throw invalid("a parenthesis is not closed");
    at++;
    return inner;
  };
  const all = (depth: number): Matcher => {
    const parts = [single(depth)];
    while (isWord("AND")) {
      at++;
      parts.push(single(depth));
    }
    return (event) => parts.every((matches) => matches(event));
  };
  const either = (depth: number): Matcher => {
    const parts = [all(depth)];
    while (at < tokens.length && !isClosing()) {
      if (isWord("OR")) at++;
      parts.push(all(depth));
    }
    return (event) => parts.some((matches) => matches(event));
  };

  if (tokens.length === 0) return () => true;
  const matcher = either(0);
  if (at < tokens.length) throw invalid("a parenthesis closes nothing");
  return matcher;
}
