/** The schemas of requests and responses: how they are written, how values are checked against them, and the words of the service for an error. */
import { isRecord } from "../formats/text/record";
import { isIPv4, isIPv6 } from "node:net";
import { Ajv, type ErrorObject } from "ajv";
import { urlIn } from "../formats/text/url";

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

const isHostname = (text: string) => text.length <= 253 && text.split(".").every((part) => label.test(part));

function isBlock(text: string, isAddress: (address: string) => boolean, bits: number): boolean {
  const parts = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  return parts !== null && isAddress(parts[1]!) && Number(parts[2]) <= bits;
}

// An address with a zone (fe80::1%eth0) means something on one machine only.
const isAddress6 = (text: string) => isIPv6(text) && !text.includes("%");

/** https, a host, and nothing that reads differently to different parsers: no user, no spaces, no control characters. */
function isStrictHttpsUri(text: string): boolean {
  if (!/^https:\/\/[^\s/?#@\\]+([/?#][^\s\\]*)?$/.test(text)) return false;
  return urlIn(text) !== undefined;
}

const formats = {
  hostname: isHostname,
  ipv4: isIPv4,
  cidr: (text: string) => isBlock(text, isIPv4, 32),
  ipv6: isAddress6,
  ipv6_cidr: (text: string) => isBlock(text, isAddress6, 128),
  "strict-https-uri": isStrictHttpsUri,
  "user-id-with-max-length": (text: string) => /^[^\p{Cc}]{1,255}$/u.test(text),
};
type Format = keyof typeof formats;

export interface Schema {
  type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean;
  minProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: Format | "date-time" | "rate-limit-policy-id";
  pattern?: string;
  default?: unknown;
  /** A secret: accepted, and never shown again. */
  writeOnly?: boolean;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
}

export const text: Schema = { type: "string" };
export const number: Schema = { type: "number" };
export const boolean: Schema = { type: "boolean" };

/** An object with these properties and no others; all are required but those named in `optional`. */
export const exactly = (properties: Record<string, Schema>, optional: readonly string[] = []): Schema => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** An object with any of these properties and no others. */
export const optional = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  additionalProperties: false,
  properties,
});

export const listOf = (items: Schema): Schema => ({ type: "array", items });
export const oneOf = (...values: readonly unknown[]): Schema => ({ type: "string", enum: values });

/** The form of an object in a seed: its content, and values that the tenant otherwise generates. */
export const seedOf = (content: Schema, required: readonly string[], ...generated: readonly string[]): Schema => ({
  ...content,
  required,
  properties: {
    ...content.properties,
    ...Object.fromEntries(["id", "created_at", "updated_at", ...generated].map((name) => [name, text])),
  },
});

/** UTC, exactly three decimals. */
export const millisTime: Schema = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
};
/** UTC, up to six decimals, trailing zeros trimmed. */
export const microsTime: Schema = { type: "string", format: "date-time" };

const ajv = new Ajv({
  formats,
  // The parent schema and the value are parts of the messages.
  verbose: true,
  // Schemas are ours: checking and optimizing them would double the time of the first request.
  strict: false,
  validateSchema: false,
  meta: false,
  code: { optimize: false },
});

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const noneMet = "None of the valid schemas were met";

/** The sentence of the service for each keyword of JSON Schema. */
const words: Record<string, (error: ErrorObject) => string> = {
  type: ({ params, data }) => `Expected type ${params.type} but found type ${typeOf(data)}`,
  enum: ({ data }) => `No enum match for: ${typeof data === "string" ? data : JSON.stringify(data)}`,
  minimum: ({ params, data }) => `Value ${data} is less than minimum ${params.limit}`,
  maximum: ({ params, data }) => `Value ${data} is greater than maximum ${params.limit}`,
  minLength: ({ params, data }) =>
    `String is too short (${[...(data as string)].length} chars), minimum ${params.limit}`,
  maxLength: ({ params, data }) =>
    `String is too long (${[...(data as string)].length} chars), maximum ${params.limit}`,
  pattern: ({ params }) => `String does not match pattern: ${params.pattern}`,
  format: ({ params, data }) => `Object didn't pass validation for format ${params.format}: ${data}`,
  minItems: ({ params, data }) => `Array is too short (${(data as unknown[]).length}), minimum ${params.limit}`,
  maxItems: ({ params, data }) => `Array is too long (${(data as unknown[]).length}), maximum ${params.limit}`,
  uniqueItems: ({ params: { i, j } }) => `Array items are not unique (indexes ${Math.min(i, j)} and ${Math.max(i, j)})`,
  required: ({ params }) => `Missing required property: ${params.missingProperty}`,
  minProperties: ({ params, data }) =>
    `Too few properties defined (${Object.keys(data as object).length}), minimum ${params.limit}`,
  additionalProperties({ parentSchema, data }) {
    const { properties = {} } = parentSchema as Schema;
    const unknown = Object.keys(data as object).filter((name) => !Object.hasOwn(properties, name));
    return `Additional properties not allowed: ${unknown.join(",")}`;
  },
  oneOf: ({ params }) => (params.passingSchemas ? "More than one of the valid schemas were met" : noneMet),
  anyOf: () => noneMet,
};

/** `rule.match.asns[0]`, from the JSON Pointer `/rule/match/asns/0`. */
const placeOf = (pointer: string) =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll("~1", "/").replaceAll("~0", "~")}`))
    .join("")
    .replace(/^\./, "");

/** Describes the last error: ajv reports those of the alternatives first, and then that none of them matched. */
function sentence(errors: readonly ErrorObject[]): string {
  const error = errors.at(-1)!;
  const { keyword, instancePath, schemaPath, schema } = error;
  const place = instancePath && ` on property ${placeOf(instancePath)}`;
  const choices = keyword.endsWith("Of") ? (schema as unknown[]) : [];
  const inner = choices
    .map((_, index) => errors.filter((each) => each.schemaPath.startsWith(`${schemaPath}/${index}/`)))
    .filter((own) => own.length > 0)
    .map(sentence);
  const problem = words[keyword]!(error);
  return `'${problem}'${place}.${inner.length > 0 ? ` Inner errors: [ ${inner.join(", ")} ].` : ""}`;
}

/** `'Array is too short (0), minimum 1' on property rule.match.asns.`, or undefined for a valid value. */
export const problemIn = (schema: Schema, value: unknown): string | undefined =>
  ajv.validate(schema, value) ? undefined : sentence(ajv.errors!);

/** An object without its secrets, and without unknown properties next to a secret, because those can be misspelt secrets. */
export function withoutSecrets({ properties = {} }: Schema, value: unknown): unknown {
  if (!Object.values(properties).some(({ writeOnly }) => writeOnly)) return value;
  const isShown = ([name]: [string, unknown]) => Object.hasOwn(properties, name) && !properties[name]!.writeOnly;
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(isShown)) : undefined;
}
