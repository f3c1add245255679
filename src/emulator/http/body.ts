/**
 * Reads and checks the bodies of requests: JSON, and application/x-www-form-urlencoded with nested names, such as
 * rule[match][asns][0]=64496 and members[]=auth0|a.
 */
import { isRecord } from "../../formats/text/record";
import { problemIn, type Schema } from "../schema";
import { ServiceError } from "./response";

type Branch = Map<string, unknown>;

const deepestName = 20;

/** The steps of `rule[match][asns][]`. An unclosed bracket belongs to the name. */
function steps(name: string): string[] {
  const parts = /^([^[]*)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!parts || (parts[1] === "" && parts[2] === "")) return [name];
  const inner = [...parts[2]!.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1]!);
  return [parts[1]!, ...inner].slice(0, deepestName);
}

function insert(branch: Branch, [step, ...rest]: string[], value: string): void {
  const key = step === "" ? String(branch.size) : step!;
  const present = branch.get(key);
  if (rest.length === 0) {
    // A repeated name makes a list: members=a&members=b.
    if (present === undefined) branch.set(key, value);
    else if (present instanceof Map) present.set(String(present.size), value);
    else branch.set(key, new Map([["0", present]]).set("1", value));
    return;
  }
  const next: Branch = present instanceof Map ? present : new Map();
  branch.set(key, next);
  insert(next, rest, value);
}

/** A branch with the names 0, 1, 2… becomes a list, any other an object. */
function toValue(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const names = [...value.keys()];
  if (names.length > 0 && names.every((name) => /^\d{1,6}$/.test(name))) {
    return names.toSorted((a, b) => Number(a) - Number(b)).map((name) => toValue(value.get(name)));
  }
  return Object.fromEntries([...value].map(([name, entry]) => [name, toValue(entry)]));
}

export function parseForm(text: string): unknown {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) insert(root, steps(name), value);
  return Object.fromEntries([...root].map(([name, value]) => [name, toValue(value)]));
}

/** Turns the texts of a form into the numbers, booleans and lists that the schema describes. */
export function fromForm(schema: Schema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => fromForm(schema?.items, item));
  if (isRecord(value)) {
    const alternatives = schema?.oneOf ?? [];
    const properties: Record<string, Schema> = Object.assign(
      {},
      ...alternatives.map((alternative) => alternative.properties),
      schema?.properties,
    );
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fromForm(properties[name], entry)]));
  }
  if (schema?.type === "array") return [fromForm(schema.items, value)];
  if (schema?.type === "boolean" && (value === "true" || value === "false")) return value === "true";
  const isNumber = schema?.type === "number" || schema?.type === "integer";
  if (isNumber && typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/** Assumption: a body of more than one mebibyte is refused, as by servers of the same kind. */
export const bodyLimit = 1024 * 1024;

const tooLarge = () => new ServiceError(413, `Payload content length greater than maximum allowed: ${bodyLimit}`);

async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > bodyLimit) throw tooLarge();
  if (request.body === null) return Buffer.of();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > bodyLimit) break;
      chunks.push(chunk);
    }
  } catch {
    throw new ServiceError(400, "Request closed prematurely");
  }
  if (length > bodyLimit) throw tooLarge();
  return Buffer.concat(chunks);
}

/** Assumption: a JSON body has at most 64 levels. Deeper ones could exhaust the stack. */
const deepest = 64;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!isDeeper(value, deepest)) return value;
  } catch {
    // Gets the same message as a body that is nested too deeply.
  }
  throw new ServiceError(400, "Invalid request payload JSON format");
}

function parse(request: Request, schema: Schema, text: string): unknown {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (text === "") return null;
  if (type === "application/x-www-form-urlencoded") return fromForm(schema, parseForm(text));
  if (type === "application/json" || type === "") return parseJson(text);
  throw new ServiceError(415, "Unsupported Media Type");
}

/** Reads JSON or a form. The schema gives the texts of a form their types. */
export const readBody = async (request: Request, schema: Schema): Promise<unknown> =>
  parse(request, schema, (await readBytes(request)).toString("utf8"));

export const invalidBody = (problem: string) => new ServiceError(400, problem, "invalid_body");

export function checkBody<T>(schema: Schema, body: unknown): T {
  const problem = problemIn(schema, body);
  if (problem) throw invalidBody(`Payload validation error: ${problem}`);
  if (!isRecord(body)) throw invalidBody("Payload validation error");
  return body as T;
}
