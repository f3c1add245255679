/** Finds changes of network ACLs that change the outcome of requests. */
import type { Change } from "../../access/access";
import { finding, type Code, type Finding } from "../finding";
import type { PlannedAcl } from "./acl";
import type { AclAnalysis } from "./analysis";
import { priorityFindings } from "./priorities";
import { reachabilityFindings } from "./reachability";
import { redirectFindings } from "./redirects";
import type { AclVersions } from "./versions";
import { requestWords } from "./witness";
import { changeWords, titleOf } from "./words";

/** `ownHosts`: the hosts of the tenant. */
export function aclFindings(analysis: AclAnalysis, versions: AclVersions, ownHosts: ReadonlySet<string>): Finding[] {
  return [
    ...outcomeFindings(analysis),
    ...reachabilityFindings(analysis.unreachable),
    ...analysis.unrecorded.map(({ acl, witness }) => {
      const text = `${titleOf(acl)} logged requests that no network ACL logs after this change, such as ${requestWords(witness, analysis.secrets)}.`;
      return finding("TF-ACL-UNRECORDED", text, acl);
    }),
    ...redirectFindings(analysis, ownHosts),
    ...priorityFindings(versions.after),
    ...certaintyFindings(analysis),
  ];
}

type AclChange = Change<PlannedAcl>;

function outcomeFindings({ changes, secrets }: AclAnalysis): Finding[] {
  const isAllowed = ({ after }: AclChange) => after.outcome === "allowed";
  const widened = changes.filter((change) => isAllowed(change) && change.after.acl !== undefined);
  const opened = changes.filter((change) => isAllowed(change) && change.after.acl === undefined);
  const tightened = changes.filter(({ before, after }) => {
    return after.outcome === "blocked" || (before.outcome === "allowed" && after.outcome === "redirected");
  });
  const found = (code: Code, own: readonly AclChange[], side: "before" | "after", words: string) =>
    [...perAcl(own, side)].map(([acl, some]) => {
      const examples = some.slice(0, mostExamples).map((change) => changeWords(change, secrets));
      return finding(code, [`${titleOf(acl)} ${words}.`, ...examples].join(" "), acl);
    });
  return [
    ...found("TF-ACL-WIDENED", widened, "after", "allows requests that were blocked or redirected"),
    ...found("TF-ACL-OPENED", opened, "before", "blocks or redirects fewer requests"),
    ...found("TF-ACL-TIGHTENED", tightened, "after", "blocks or redirects more requests"),
  ];
}

const mostExamples = 3;

function perAcl(
  changes: readonly AclChange[],
  side: "before" | "after",
): ReadonlyMap<PlannedAcl | undefined, readonly AclChange[]> {
  const groups = new Map<PlannedAcl | undefined, AclChange[]>();
  for (const change of changes) groups.set(change[side].acl, [...(groups.get(change[side].acl) ?? []), change]);
  return groups;
}

/** How sure the changes are, in one finding for all of them. */
function certaintyFindings({ changes }: AclAnalysis): Finding[] {
  const possible = changes.filter(({ certainty }) => certainty === "possible");
  const undecided = changes.filter(({ certainty }) => certainty === "not decided");
  const assumptions = [...new Set(possible.flatMap((change) => change.assumptions))].slice(0, mostAssumptions);
  return [
    ...(possible.length > 0
      ? [
          finding(
            "TF-ACL-ASSUMED",
            `${count(possible.length, "change")} in outcome only if: ${assumptions.join("; ")}.`,
          ),
        ]
      : []),
    ...(undecided.length > 0
      ? [
          finding(
            "TF-ACL-UNDECIDED",
            `${count(undecided.length, "pair")} of network ACLs would take too long to compare. An outcome may change there.`,
          ),
        ]
      : []),
  ];
}

const mostAssumptions = 5;

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
