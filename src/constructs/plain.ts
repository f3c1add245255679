/** What a construct says, in Terraform's names and as it will stand in the stack's file. */
import { DefaultTokenResolver, StringConcat, Tokenization, type TerraformElement } from "cdktf";
import { isObject, unknown } from "../cty/value";

/** A configuration in Terraform's names, in which any part may be `unknown` or absent. */
export type Plain = { readonly [attribute: string]: unknown };

/** The construct as it will stand in the stack's file; undefined where it will not, because it was moved. */
export function plainOf(construct: TerraformElement): Plain | undefined {
  const written = writtenOf(construct);
  return written && (holed(written) as Plain);
}

/** The same before what is not known yet is taken out. */
export function writtenOf(construct: TerraformElement): Plain | undefined {
  const { resource, provider } = construct.toTerraform();
  const [written] = Object.values<object>(resource ?? provider ?? {}).flatMap((entry) => Object.values(entry));
  if (!written) return undefined;
  return resolved(written, construct) as Plain;
}

/** Tokens in the text that Terraform will read. */
export function resolved(value: unknown, scope: TerraformElement): unknown {
  return Tokenization.resolve(value, { scope, resolver: new DefaultTokenResolver(new StringConcat()) });
}

// Terraform takes any text in the file for a template, whoever wrote it: a token, or the author by hand.
const template = /(?<!\$)\$\{|(?<!%)%\{/;

export function holed(value: unknown): unknown {
  if (typeof value === "string") {
    return template.test(value) ? unknown : value.replaceAll("$${", "${").replaceAll("%%{", "%{");
  }
  if (Array.isArray(value)) return value.map(holed);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(present.map(([name, inner]) => [name, holed(inner)]));
}
