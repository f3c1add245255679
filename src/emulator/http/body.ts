/** Request bodies: how they are read, what may be in them, and the words in which they are refused. */
import { ServiceError } from "./response";
import { fromForm, parseForm } from "./form";
import { blanked, isObject, problemIn, type Schema } from "../schema/schema";

/** A choice: the service's own limit is not known; its kind of server refuses beyond one mebibyte. */
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

/** A choice: no request of the service is nested more deeply; what is could only be meant to exhaust a stack. */
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
    // Not JSON at all: refused below in the same words.
  }
  throw new ServiceError(400, "Invalid request payload JSON format");
}

export interface Read {
  readonly value: unknown;
  /** The same with its secrets blanked, for records. */
  readonly shown: unknown;
  readonly bytes: number;
}

/** The body as JSON or form says it, the texts of a form turned into what the schema expects. */
export async function readBody(request: Request, schema: Schema): Promise<Read> {
  const read = await readBytes(request);
  const value = parse(request, schema, read.toString("utf8"));
  return { value, shown: blanked(schema, value), bytes: read.length };
}

function parse(request: Request, schema: Schema, text: string): unknown {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (text === "") return null;
  if (type === "application/x-www-form-urlencoded") return fromForm(schema, parseForm(text));
  if (type === "application/json" || type === "") return parseJson(text);
  throw new ServiceError(415, "Unsupported Media Type");
}

export const invalidBody = (problem: string) => new ServiceError(400, problem, "invalid_body");

export function checkBody<T>(schema: Schema, body: unknown): T {
  const problem = problemIn(schema, body);
  if (problem) throw invalidBody(`Payload validation error: ${problem}`);
  if (!isObject(body)) throw invalidBody("Payload validation error");
  return body as T;
}
