/** Replaces the tokens of a CDK library by the text that Terraform reads. */
import { isStack } from "./state";

interface Library {
  readonly Tokenization: { resolve(value: unknown, options: object): unknown };
  readonly DefaultTokenResolver: new (concat: object) => object;
  readonly StringConcat: new () => object;
}

const typeInformation = Symbol.for("jsii.rtti");

/** The value itself if the subject is no stack. */
export function withoutTokens(value: unknown, subject: unknown): unknown {
  const library = isStack(subject) && libraryOf(subject);
  if (!library) return value;
  const { Tokenization, DefaultTokenResolver, StringConcat } = require(library) as Library;
  const resolver = new DefaultTokenResolver(new StringConcat());
  return Tokenization.resolve(value, { scope: subject, resolver });
}

/** `cdktf` or `cdktn`, as jsii records it on their classes. A test loads only one of them. */
function libraryOf(stack: object): string | undefined {
  const known = Reflect.get(stack.constructor, typeInformation) as { readonly fqn?: string } | undefined;
  return known?.fqn?.split(".")[0];
}
