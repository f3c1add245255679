/** Reads values of a CDK program as Terraform would, without tokens. */
import type { Values } from "../../judge/impact/model";
import { resourceTypes } from "../../judge/kinds/kinds";

/** A `TerraformStack` of either CDK library. */
export interface Stack {
  readonly node: { findAll(): readonly object[] };
  toTerraform(): Values;
}

export const isStack = (subject: unknown): subject is Stack =>
  typeof subject === "object" &&
  subject !== null &&
  "toTerraform" in subject &&
  typeof subject.toTerraform === "function" &&
  "node" in subject;

interface Library {
  readonly Tokenization: { resolve(value: unknown, options: object): unknown };
  readonly DefaultTokenResolver: new (concat: object) => object;
  readonly StringConcat: new () => object;
}

const typeInformation = Symbol.for("jsii.rtti");

/** The value itself if the subject is no stack. */
export function withoutTokens(value: unknown, subject: unknown): unknown {
  return isStack(subject) ? (resolverOf(subject)?.(value, subject) ?? value) : value;
}

/** The content of `cdk.tf.json`, without resources of other types: to synthesize the whole stack would take most of the time of a test. */
export function contentOf(stack: Stack): Values {
  const resolve = resolverOf(stack);
  const overrides = (stack as { readonly rawOverrides?: object }).rawOverrides ?? {};
  if (!resolve || Object.keys(overrides).length > 0) return stack.toTerraform();
  return stack.node
    .findAll()
    .filter((one) => one !== stack)
    .filter(isElement)
    .filter(concernsTenant)
    .map((one) => resolve(one.toTerraform(), one) as Values)
    .reduce(merged, {});
}

interface Element {
  readonly terraformResourceType?: string;
  toTerraform(): Values;
}

/** A provider has its name as its type. */
const concernsTenant = ({ terraformResourceType: type }: Element) =>
  type === undefined || !type.includes("_") || resourceTypes.includes(type);

const isElement = (one: object): one is Element => "toTerraform" in one && typeof one.toTerraform === "function";

function merged(one: unknown, other: unknown): Values {
  const [all, more] = [one, other] as [Values, Values];
  const entries = Object.entries(more).map(([name, part]) => {
    const known = all[name];
    if (Array.isArray(known) && Array.isArray(part)) return [name, [...(known as unknown[]), ...(part as unknown[])]];
    const areObjects = [known, part].every((each) => typeof each === "object" && each !== null);
    return [name, areObjects ? merged(known, part) : part];
  });
  return { ...all, ...Object.fromEntries(entries) };
}

function resolverOf(stack: Stack): ((value: unknown, scope: object) => unknown) | undefined {
  const library = libraryOf(stack.constructor);
  if (library === undefined) return undefined;
  const { Tokenization, DefaultTokenResolver, StringConcat } = require(library) as Library;
  const resolver = new DefaultTokenResolver(new StringConcat());
  return (value, scope) => Tokenization.resolve(value, { scope, resolver });
}

/** `cdktf` or `cdktn`, as jsii records it on their classes. A test loads only one of them. */
export function libraryOf(stackClass: object): string | undefined {
  const known = Reflect.get(stackClass, typeInformation) as { readonly fqn?: string } | undefined;
  return known?.fqn?.split(".")[0];
}
