/** Network ACLs in CDK programs. */
import type { Construct } from "constructs";
import { mostAcls, networkAcl as kind } from "../judge/kinds/network-acl";
import { networkAcl } from "../provider/resources/network-acl/definition";
import { NetworkAcl as Generated, type NetworkAclConfig } from "./bindings/network-acl";
import { checkResource } from "./resource";
import { given } from "./validation";
import type { TerraformResource } from "cdktf";
import { neverMatches } from "../judge/access/access";
import { withUnknowns } from "../formats/cty/template";
import { aclFrom } from "../judge/impact/network-acl/acl";
import { unreachableAcls } from "../judge/impact/network-acl/analysis";
import { manyAclsWords } from "../judge/impact/words/acl";
import { withName } from "../judge/impact/value";
import { addCheckOfAll } from "./checks";
import { seenWritten, type Plain } from "./plain";
import { tenantsIn } from "./tenant";
import { warn } from "./warn";

/**
 * A network ACL, which blocks, allows, logs or redirects requests to the tenant by their origin.
 * `NetworkAclOrder` assigns priorities to several ACLs.
 * @example
 * new NetworkAcl(stack, "sanctions", {
 *   description: "No sign-in from sanctioned countries",
 *   priority: 10,
 *   rule: { action: Action.block(), match: Match.countries("KP"), scope: "authentication" },
 * });
 */
export class NetworkAcl extends Generated {
  constructor(scope: Construct, id: string, config: NetworkAclConfig) {
    super(scope, id, given(networkAcl, id, config));
    checkResource(this, kind, networkAcl, config, {
      remedy: "The tenant refuses all but one: give each its own priority. [TNF-ACL-SAME-PRIORITY]",
    });
    compareAcls(this);
  }
}

// Warns at synth of what the network ACLs of one tenant are together: ACLs that can never match, and too many of them.

/** Compares the ACL with all others of its tenant in the stack. */
export function compareAcls(construct: TerraformResource): void {
  addCheckOfAll("acls", construct, (constructs, stack) => {
    const tenantOf = tenantsIn(stack);
    for (const tenant of new Set(constructs.map(tenantOf))) {
      const own = constructs.filter((one) => tenantOf(one) === tenant);
      const first = own[mostAcls];
      if (first) warn(first, `${manyAclsWords("The stack has", own.length)} [TNF-ACL-MANY]`);
      warnOfUnreachable(own);
    }
    return [];
  });
}

function warnOfUnreachable(constructs: readonly TerraformResource[]): void {
  const acls = constructs.flatMap((one) => aclsOf(one).map((acl) => ({ ...acl, one })));
  for (const { acl, shadowedBy } of unreachableAcls(acls)) {
    // The definition refuses criteria that contradict each other, and warns of codes that no request has.
    if (shadowedBy.length === 0 || neverMatches(acl.rule)) continue;
    const others = shadowedBy.map(({ address, priority }) => `${address} (priority ${priority})`).join(" and ");
    warn(
      acl.one,
      `This network ACL can never match: it is shadowed by ${others}. Give this network ACL a lower priority number, narrow the ` +
        "other rules, or remove this network ACL. [TNF-ACL-SHADOWED]",
    );
  }
}

/** None for a construct with `count` or `forEach`, which may stand for no ACL. */
function aclsOf(construct: TerraformResource) {
  const { node, count, forEach } = construct;
  const written = withUnknowns(seenWritten(construct)) as Plain | undefined;
  if (!written || count !== undefined || forEach !== undefined) return [];
  return aclFrom(withName(written, node.path) as Plain, undefined, node.path);
}
