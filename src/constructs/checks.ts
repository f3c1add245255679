/** What runs at synth: checks, also in `Testing.synth`, which runs no validations itself, warnings, and the configuration that a construct will write. */
import {
  Annotations,
  Aspects,
  DefaultTokenResolver,
  StringConcat,
  TerraformStack,
  Tokenization,
  type TerraformElement,
} from "cdktf";
import type { IConstruct } from "constructs";
import { print } from "../formats/text/printable";
import { originOf, sharedMap } from "./origin";

/** Both libraries call the method of a construct under this symbol at synth. */
export const customSynthesis = Symbol.for("cdktf/customSynthesis");

const checks = sharedMap<IConstruct, (() => readonly string[])[]>("checks");
const found = sharedMap<IConstruct, readonly string[]>("complaints");
const tested = sharedMap<TerraformStack, true>("tested");

/** `complain`: the current problems of the construct or of its stack. */
export function addCheck(construct: IConstruct, complain: () => string[]): void {
  const own = checks.get(construct);
  if (!own) construct.node.addValidation({ validate: () => [...takeComplaints(construct)] });
  const complaints = () => complain().map((text) => `${originOf(construct)} ${text}`.trimStart());
  checks.set(construct, [...(own ?? []), complaints]);
  const stack = TerraformStack.of(construct);
  if (tested.has(stack) || !isUnderTest(stack)) return;
  tested.set(stack, true);
  checkUnderTest(stack);
}

/** Kept for the validation of the construct, which follows that of its stack. */
export function complaintsOf(construct: IConstruct): readonly string[] {
  const made = checks.get(construct)?.flatMap((complain) => complain()) ?? [];
  found.set(construct, made);
  return made;
}

function takeComplaints(construct: IConstruct): readonly string[] {
  const made = found.get(construct) ?? complaintsOf(construct);
  found.delete(construct);
  return made;
}

/** `Testing` gives its apps this version instead of the real one. */
export function isUnderTest(construct: IConstruct): boolean {
  return construct.node.tryGetContext("cdktfVersion") === "stubbed";
}

/**
 * `Testing.synth` and `Testing.synthScope` run the aspects of a stack. The last visit sees the stack as it would be synthesized. Only
 * our own checks run, because a stack in a test may be incomplete.
 */
function checkUnderTest(stack: TerraformStack): void {
  let last: IConstruct | undefined;
  Aspects.of(stack).add({
    visit(visited) {
      if (visited === stack) last = stack.node.findAll().at(-1);
      if (visited !== last) return;
      const complaints = stack.node
        .findAll()
        .flatMap((one) => takeComplaints(one).map((complaint) => `[${one.node.path}] ${complaint}`));
      if (complaints.length > 0) {
        throw new Error(`Validation failed with the following errors:\n  ${complaints.join("\n  ")}`);
      }
    },
  });
}

/** cdktf-cli sets this variable, and prints all annotations of the manifest. Nothing else prints them. */
const ofCli = "CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS";

const said = sharedMap<IConstruct, Set<string>>("said");

/** Each text once, because the stack and the app both run the validations. */
export function warn(construct: IConstruct, text: string): void {
  const texts = said.get(construct) ?? new Set();
  if (texts.has(text)) return;
  said.set(construct, texts.add(text));
  const at = originOf(construct).trimStart();
  Annotations.of(construct).addWarning(at === "" ? text : `${at} ${text}`);
  if (process.env[ofCli] !== undefined || isUnderTest(construct)) return;
  print(process.stderr, `Warning: [${construct.node.path}]${originOf(construct)} ${text}\n`);
}

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
