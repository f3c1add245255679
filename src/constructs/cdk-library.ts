/** Refuses a construct for one CDK library (cdktf, cdktn) in a stack of the other, where it would fail without a reason. */
import { TerraformStack, type TerraformElement } from "cdktf";
import { libraryOf } from "./testing/stack";

/** Both libraries call the method of a construct under this symbol at synth. */
export const customSynthesis = Symbol.for("cdktf/customSynthesis");

/** Throws if the stack of the construct belongs to the other library. */
export function demandSameLibrary(construct: TerraformElement): void {
  const stack = TerraformStack.of(construct);
  const theirs = libraryOf(stack.constructor);
  const ours = libraryOf(TerraformStack);
  if (theirs === ours || theirs === undefined) return;
  throw new Error(
    `${construct.node.path} is a construct for ${ours} in a stack of ${theirs}: import it from "tenantform/${theirs}".`,
  );
}
