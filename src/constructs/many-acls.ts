/** Warns at synth of more network ACLs than any plan of Auth0 includes. */
import { TerraformStack, type TerraformResource } from "cdktf";
import { addCheck } from "./checks";
import { sharedMap } from "./shared";
import { tenantsIn } from "./tenant";
import { warn } from "./warn";

/** With an Enterprise plan and the Attack Protection add-on. */
const most = 10;

const counted = sharedMap<TerraformStack, TerraformResource[]>("counted");

/** Counts the ACLs of the construct's stack for each tenant. */
export function warnOfMany(construct: TerraformResource): void {
  const stack = TerraformStack.of(construct);
  const constructs = counted.get(stack) ?? [];
  constructs.push(construct);
  if (constructs.length > 1) return;
  counted.set(stack, constructs);
  const warned = new Set<TerraformResource>();
  addCheck(stack, () => {
    const tenantOf = tenantsIn(stack);
    const left = constructs.filter((one) => one.node.scope?.node.tryFindChild(one.node.id) === one);
    for (const tenant of new Set(left.map(tenantOf))) {
      const own = left.filter((one) => tenantOf(one) === tenant);
      const first = own[most];
      if (first === undefined || warned.has(first)) continue;
      warned.add(first);
      warn(
        first,
        `The stack has ${own.length} network ACLs for one tenant. An Auth0 Enterprise plan includes one, or ${most} with the Attack ` +
          "Protection add-on. Auth0 refuses further ones.",
      );
    }
    return [];
  });
}
