/** The two hosts of one family: constructs of one do not work in stacks of the other, and fail there without a reason. */
import { TerraformStack, type TerraformElement } from "cdktf";

/** Where a host looks for what a construct does at synth beside its own part; the same for both. */
export const customSynthesis = Symbol.for("cdktf/customSynthesis");

const typeInformation = Symbol.for("jsii.rtti");

/** Throws where the construct stands in a stack of the other host. */
export function demandSameLibrary(construct: TerraformElement): void {
  const stack = TerraformStack.of(construct);
  const theirs = hostOf(stack.constructor);
  const ours = hostOf(TerraformStack);
  if (theirs === ours || theirs === undefined) return;
  throw new Error(
    `${construct.node.path} is a construct for ${ours} in a stack of ${theirs}: import it from "tenantform/${theirs}".`,
  );
}

/** `cdktf` or `cdktn`, which both write their names on their classes. */
function hostOf(stackClass: object): string | undefined {
  const known = Reflect.get(stackClass, typeInformation) as { readonly fqn?: string } | undefined;
  return known?.fqn?.split(".")[0];
}
