/** Checks responses of the embedded tenant against its own contract. */
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020";
import type { Schema } from "../../src/emulator/schema";
import { document } from "./contract";

interface Described {
  responses: Record<string, { headers?: Record<string, { schema: Schema }>; content?: Record<string, unknown> }>;
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats(ajv);
// The validator would accept a dot at the end of a hostname.
ajv.addFormat("hostname", /^(?!.{254})[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i);
ajv.addFormat("cidr", /^(\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/);
ajv.addFormat("ipv6_cidr", /^[0-9a-fA-F:.]+\/\d{1,3}$/);
ajv.addFormat("strict-https-uri", /^https:\/\/\S+$/);
ajv.addFormat("user-id-with-max-length", { validate: (text: string) => text !== "" && [...text].length <= 255 });
ajv.addFormat("rate-limit-policy-id", /^rlp_[1-9A-HJ-NP-Za-km-z]{21}$/);
ajv.addVocabulary(["paths", "components"]);
ajv.addSchema(document, "contract");

const step = (part: string) =>
  part.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
const pointer = (parts: string[]) => `contract#/${parts.map(step).join("/")}`;

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

function validator(parts: string[]) {
  const $ref = pointer(parts);
  const known = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, known);
  return known;
}

const templates = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The path in the contract for the path of a request. */
const templateOf = (pathname: string) => templates.find(({ pattern }) => pattern.test(pathname))?.path;

/** Whether a body is valid for an operation by the contract. */
export function acceptsBody(method: string, path: string, body: unknown): boolean {
  const parts = ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json", "schema"];
  return validator(parts)(JSON.parse(JSON.stringify(body))) === true;
}

/** The differences between a response and the contract. */
export function departures(method: string, pathname: string, status: number, headers: Headers, text: string): string[] {
  const path = templateOf(pathname);
  const operations =
    path === undefined ? undefined : (document.paths as Record<string, Record<string, Described>>)[path];
  const operation = operations?.[method.toLowerCase()];
  if (path === undefined || operation === undefined) return status === 404 ? [] : [`${status} at an unknown operation`];
  const place = `${method} ${path} ${status}`;
  const response = operation.responses[status];
  if (response === undefined) return [`${place} is not in the contract: ${text}`];
  const found: string[] = [];
  for (const [name, { schema }] of Object.entries(response.headers ?? {})) {
    if (!new RegExp(schema.pattern!).test(headers.get(name) ?? "")) found.push(`${place} has no good ${name}`);
  }
  if (headers.get("content-type") !== "application/json; charset=utf-8")
    found.push(`${place} has no JSON content type`);
  if (response.content === undefined) return text === "" ? found : [...found, `${place} has a body: ${text}`];
  const parts = ["responses", String(status), "content", "application/json", "schema"];
  const validate = validator(["paths", path, method.toLowerCase(), ...parts]);
  if (!validate(JSON.parse(text))) found.push(`${place}: ${ajv.errorsText(validate.errors)} in ${text}`);
  return found;
}
