/** Runs checks at synth, and also in `Testing.synth`, which runs no validations itself. */
import { Aspects, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { originOf, sharedMap } from "./origin";

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
