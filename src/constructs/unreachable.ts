/** Warns at synth of network ACLs that can never match. */
import { TerraformStack, type TerraformResource } from "cdktf";
import { neverMatches } from "../access/access";
import { withUnknowns } from "../cty/template";
import { asPlanned } from "../impact/expiry";
import { aclFrom } from "../impact/network-acl/acl";
import { unreachableAcls } from "../impact/network-acl/analysis";
import { withName } from "../impact/value";
import { networkAcl } from "../kinds/network-acl";
import { addCheck } from "./checks";
import { seenWritten, type Plain } from "./plain";
import { sharedMap } from "./shared";
import { tenantsIn } from "./tenant";
import { warn } from "./warn";

const listed = sharedMap<TerraformStack, TerraformResource[]>("listed");

/** Checks all ACLs of the construct's stack together. */
export function warnWhereUnreachable(construct: TerraformResource): void {
  const stack = TerraformStack.of(construct);
  const constructs = listed.get(stack) ?? [];
  constructs.push(construct);
  if (constructs.length > 1) return;
  listed.set(stack, constructs);
  const warned = new Set<TerraformResource>();
  addCheck(stack, () => {
    const tenantOf = tenantsIn(stack);
    const acls = constructs.flatMap((one) => aclsOf(one).map((acl) => ({ ...acl, one, tenant: tenantOf(one) })));
    for (const tenant of new Set(acls.map((acl) => acl.tenant))) {
      for (const { acl, shadowedBy } of unreachableAcls(acls.filter((other) => other.tenant === tenant))) {
        // The definition refuses criteria that contradict each other, and warns of codes that no request has.
        if (!warned.has(acl.one) && shadowedBy.length > 0 && !neverMatches(acl.rule))
          warn(acl.one, wordsOf(shadowedBy));
        warned.add(acl.one);
      }
    }
    return [];
  });
}

/** None for a construct with `count` or `forEach`, which may stand for no ACL. */
function aclsOf(construct: TerraformResource) {
  const { node, count, forEach } = construct;
  if (node.scope?.node.tryFindChild(node.id) !== construct || count !== undefined || forEach !== undefined) return [];
  const written = withUnknowns(seenWritten(construct)) as Plain | undefined;
  if (!written) return [];
  const values = asPlanned(networkAcl, withName(written, node.path) as Plain, Date.now());
  return aclFrom(values, undefined, node.path);
}

function wordsOf(shadowedBy: readonly { readonly address?: string; readonly priority: number }[]): string {
  const others = shadowedBy.map(({ address, priority }) => `${address} (priority ${priority})`).join(" and ");
  return (
    `This network ACL can never match: it is shadowed by ${others}. Give this network ACL a lower priority number, narrow the ` +
    "other rules, or remove this network ACL. [TNF-ACL-SHADOWED]"
  );
}
