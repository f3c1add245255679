/** Checks the review's JSON in tests against its schema: nothing missing and nothing undeclared. */
import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv2020 from "ajv/dist/2020";

const read = (name: string) =>
  JSON.parse(readFileSync(path.join(__dirname, "../../../src/review", name), "utf8")) as {
    $defs: Record<string, Schema>;
  };
export const schema = read("review.schema.json");

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly string[];
}

/** Programs must ignore members of later versions, but in tests an undeclared member is an error. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isObject = "properties" in part && !("allOf" in part) && "required" in part;
  return isObject ? { ...inner, additionalProperties: false } : inner;
}

/** Each of several plans is a review with a name. */
function named(whole: typeof schema): unknown {
  const { review, reviews } = whole.$defs as Record<string, any>;
  const plan = { ...review, properties: { ...review.properties, name: { type: "string" } } };
  const list = { type: "array", items: plan };
  const plans = { ...reviews, properties: { ...reviews.properties, plans: list, tenants: list } };
  return { ...whole, $defs: { ...whole.$defs, reviews: plans } };
}

const ajv = new Ajv2020({ allErrors: false, allowUnionTypes: true });
const asTold = ajv.compile(schema);
const strictly = ajv.compile(closed(named(schema)) as object);

/** The error. undefined: no error. */
export function faultOf(json: unknown): string | undefined {
  if (!asTold(json)) return ajv.errorsText(asTold.errors);
  return strictly(json) ? undefined : ajv.errorsText(strictly.errors);
}
