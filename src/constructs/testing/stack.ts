/** Reads values of a CDK program as Terraform would, without tokens. */
import type { Values } from "../../judge/impact/model";

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
