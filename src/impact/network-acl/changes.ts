/** Judges a change of network ACLs: what happens to requests, and which rules do not do what they say. */
import { effect, type Effect } from "../effect";
import type { AclAnalysis } from "./analysis";
import { codeEffects } from "./codes";
import { aclEffects } from "./effects";
import { logEffects } from "./log-effects";
import { priorityEffects } from "./priorities";
import { reachabilityEffects } from "./reachability";
import { redirectEffects } from "./redirects";
import { unchangedAcls } from "./unchanged";
import type { AclVersions } from "./versions";

/** `ownHosts`: the hosts of the tenant. */
export function judgeAcls(analysis: AclAnalysis, versions: AclVersions, ownHosts: ReadonlySet<string>): Effect[] {
  const unchanged = unchangedAcls(versions);
  return [
    ...aclEffects(analysis),
    ...logEffects(analysis),
    ...codeEffects(versions.after, unchanged),
    ...reachabilityEffects(analysis.unreachable, unchanged),
    ...redirectEffects(analysis, ownHosts),
    ...priorityEffects(versions.after, unchanged),
    ...undecidedEffects(analysis),
  ];
}

function undecidedEffects({ changes }: AclAnalysis): Effect[] {
  const { length } = changes.filter(({ certainty }) => certainty === "not decided");
  if (length === 0) return [];
  const pairs = `${length} pair${length === 1 ? "" : "s"}`;
  const text = `${pairs} of network ACLs would take too long to compare. An outcome may change there.`;
  return [effect("TNF-ACL-UNDECIDED", text)];
}
