/** Reads and checks the bodies of requests. */
import { blanked, isObject, problemIn, type Schema } from "../schema/schema";
import { fromForm, parseForm } from "./form";
import { ServiceError } from "./response";

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

export interface Body {
  readonly value: unknown;
  /** The value with its secrets blanked, for the request log. */
  readonly shown: unknown;
  readonly bytes: number;
}

/** Reads JSON or a form. The schema gives the texts of a form their types. */
export async function readBody(request: Request, schema: Schema): Promise<Body> {
  const bytes = await readBytes(request);
  const value = parse(request, schema, bytes.toString("utf8"));
  return { value, shown: blanked(schema, value), bytes: bytes.length };
}

export const invalidBody = (problem: string) => new ServiceError(400, problem, "invalid_body");

export function checkBody<T>(schema: Schema, body: unknown): T {
  const problem = problemIn(schema, body);
  if (problem) throw invalidBody(`Payload validation error: ${problem}`);
  if (!isObject(body)) throw invalidBody("Payload validation error");
  return body as T;
}
