/** What a construct says, in Terraform's names and as it will stand in the stack's file. */
import { DefaultTokenResolver, StringConcat, Tokenization, type TerraformElement } from "cdktf";
import { isObject, unknown } from "../cty/value";

/** A configuration in Terraform's names, in which any part may be `unknown` or absent. */
export type Plain = { readonly [attribute: string]: unknown };

/** A host validates a stack and then what is in it: to work it out anew for each would be most of what validation costs. */
const lately = new WeakMap<TerraformElement, Plain>();

/** The construct as it will stand in the stack's file; undefined where it will not, because it was moved. */
export function writtenOf(construct: TerraformElement): Plain | undefined {
  const { resource, provider } = construct.toTerraform();
  const [written] = Object.values<object>(resource ?? provider ?? {}).flatMap((entry) => Object.values(entry));
  const inFile = written && (resolved(written, construct) as Plain);
  if (inFile) lately.set(construct, inFile);
  else lately.delete(construct);
  return inFile;
}

/** The same as somebody saw it in this validation, if anybody did. */
export function seenWritten(construct: TerraformElement): Plain | undefined {
  return lately.get(construct) ?? writtenOf(construct);
}

/** The same, for the last who looks: in the next validation it may be another. */
export function takeWritten(construct: TerraformElement): Plain | undefined {
  const inFile = seenWritten(construct);
  lately.delete(construct);
  return inFile;
}

/** Tokens in the text that Terraform will read. */
export function resolved(value: unknown, scope: TerraformElement): unknown {
  return Tokenization.resolve(value, { scope, resolver: new DefaultTokenResolver(new StringConcat()) });
}

// Terraform takes any text in the file for a template, whoever wrote it: a token, or the author by hand.
const template = /(?<!\$)\$\{|(?<!%)%\{/;

export function withUnknowns(value: unknown): unknown {
  if (typeof value === "string") {
    return template.test(value) ? unknown : value.replaceAll("$${", "${").replaceAll("%%{", "%{");
  }
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isObject(value)) return value;
  // Which keys a map has is then not known either.
  if (Object.keys(value).some((key) => template.test(key))) return unknown;
  const present = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(present.map(([name, inner]) => [name, withUnknowns(inner)]));
}
