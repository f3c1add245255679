/** Runs checks at synth, and also in `Testing.synth`, which runs no validations itself. */
import { Aspects, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { originOf, sharedMap } from "./origin";

const checks = sharedMap<IConstruct, (() => readonly string[])[]>("checks");
const tested = sharedMap<TerraformStack, true>("tested");

/** `complaints`: the current problems of the construct or of its stack. */
export function addCheck(construct: IConstruct, complain: () => string[]): void {
  const complaints = () => complain().map((text) => `${originOf(construct)} ${text}`.trimStart());
  construct.node.addValidation({ validate: complaints });
  checks.set(construct, [...(checks.get(construct) ?? []), complaints]);
  const stack = TerraformStack.of(construct);
  if (tested.has(stack) || !isUnderTest(stack)) return;
  tested.set(stack, true);
  checkUnderTest(stack);
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
      const complaints = stack.node.findAll().flatMap((construct) => {
        const made = checks.get(construct)?.flatMap((complain) => complain()) ?? [];
        return made.map((complaint) => `[${construct.node.path}] ${complaint}`);
      });
      if (complaints.length > 0) {
        throw new Error(`Validation failed with the following errors:\n  ${complaints.join("\n  ")}`);
      }
    },
  });
}
