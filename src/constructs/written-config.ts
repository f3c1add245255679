/** Reads the configuration that a construct will write to the file of its stack. */
import { DefaultTokenResolver, StringConcat, Tokenization, type TerraformElement } from "cdktf";

/** A configuration in Terraform's names, in which any part may be `unknown` or absent. */
export type Plain = { readonly [attribute: string]: unknown };

/** The check of a construct and the judge of its stack read it. Computing each configuration twice would be most of the cost. */
const lately = new WeakMap<TerraformElement, Plain>();

/** The configuration in the file of the stack; undefined if the construct was moved and has none. */
export function writtenOf(construct: TerraformElement): Plain | undefined {
  const { resource, data, provider } = construct.toTerraform();
  const [written] = Object.values<object>(resource ?? data ?? provider ?? {}).flatMap((entry) => Object.values(entry));
  const inFile = written && (resolved(written, construct) as Plain);
  if (inFile) lately.set(construct, inFile);
  else lately.delete(construct);
  return inFile;
}

/** The same for the last reader, computed already in this validation or anew. The next validation computes it again. */
export function takeWritten(construct: TerraformElement): Plain | undefined {
  const inFile = lately.get(construct) ?? writtenOf(construct);
  lately.delete(construct);
  return inFile;
}

/** Replaces tokens by the text that Terraform reads. */
function resolved(value: unknown, scope: TerraformElement): unknown {
  return Tokenization.resolve(value, { scope, resolver: new DefaultTokenResolver(new StringConcat()) });
}
