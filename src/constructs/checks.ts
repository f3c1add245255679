/** Checks that the host runs at synth; in tests of stacks, too, where the host's own `Testing.synth` asks nobody. */
import { Aspects, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";

const checks = new WeakMap<IConstruct, (() => readonly string[])[]>();
const tested = new WeakSet<TerraformStack>();

/** `complaints`: what is wrong with the construct, or with the stack, as it stands when they are asked for. */
export function addCheck(construct: IConstruct, complaints: () => string[]): void {
  construct.node.addValidation({ validate: complaints });
  checks.set(construct, [...(checks.get(construct) ?? []), complaints]);
  const stack = TerraformStack.of(construct);
  if (tested.has(stack) || !isUnderTest(stack)) return;
  tested.add(stack);
  checkUnderTest(stack);
}

/** `Testing` gives its apps this version in place of the host's own. */
function isUnderTest(stack: TerraformStack): boolean {
  return stack.node.tryGetContext("cdktfVersion") === "stubbed";
}

/**
 * `Testing.synth` and `Testing.synthScope` let the aspects of a stack visit all that is in it; what the last of them finds
 * is what would be synthesized. Only our own checks are made: a stack in a test may well lack what an app must have.
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
