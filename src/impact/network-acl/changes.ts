/** Finds changes of network ACLs that change the outcome of requests. */
import { byGravity, type Effect } from "../verdict/effect";
import { finding, isAtLeast, type Code, type Finding } from "../finding";
import type { AclAnalysis } from "./analysis";
import { codeFindings } from "./codes";
import { aclEffects, effectsOf } from "./effects";
import { decider, keyOf, type OutcomePart } from "./outcome-parts";
import { priorityFindings } from "./priorities";
import { reachabilityFindings } from "./reachability";
import { redirectFindings } from "./redirects";
import { unchangedAcls } from "./unchanged";
import type { AclVersions } from "./versions";
import { requestWords } from "./witness";
import { changeWords, titleOf } from "./words";

/** `ownHosts`: the hosts of the tenant. */
export function aclFindings(analysis: AclAnalysis, versions: AclVersions, ownHosts: ReadonlySet<string>): Finding[] {
  const unchanged = unchangedAcls(versions);
  return [
    ...outcomeFindings(analysis),
    ...codeFindings(versions.after, unchanged),
    ...reachabilityFindings(analysis.unreachable, unchanged),
    ...analysis.unrecorded.map(({ acl, witness }) => {
      const text = `${titleOf(acl)} logged requests that no network ACL logs after this change, such as ${requestWords(witness, analysis.secrets)}.`;
      return finding("TNF-ACL-UNRECORDED", text, acl);
    }),
    ...redirectFindings(analysis, ownHosts),
    ...priorityFindings(versions.after, unchanged),
    ...certaintyFindings(analysis),
  ];
}

/** One finding for each changed ACL, the largest effect first. */
function outcomeFindings(analysis: AclAnalysis): Finding[] {
  const causes = new Map<string, OutcomePart[]>();
  // A redirect with another target is a finding of its own.
  const counted = analysis.parts.filter(({ before, after }) => before !== after);
  for (const part of counted) causes.set(keyOf(part), [...(causes.get(keyOf(part)) ?? []), part]);
  const found = [...causes.values()]
    .map((parts) => ({ parts, effects: partEffects(parts, analysis) }))
    .toSorted((a, b) => byGravity(a.effects[0]!, b.effects[0]!))
    .map(({ parts, effects }) => outcomeFinding(parts, effects, analysis));
  return aclEffects(analysis).reduce(withSum, found);
}

/** Several ACLs can have a graver effect together than each of them alone: then the finding of the largest one says so. */
function withSum(findings: readonly Finding[], { level, text, cause }: Effect): Finding[] {
  const addresses = new Set(cause.map(({ address }) => address));
  const isOwn = ({ address }: Finding) => address !== undefined && addresses.has(address);
  const own = findings.filter(isOwn);
  const [first] = own;
  if (!first || own.length < 2 || own.some((one) => isAtLeast(one.level, level))) return [...findings];
  const sum = { ...first, level, text: `${first.text} Together with ${own.length - 1} other changes: ${text}` };
  return findings.map((one) => (one === first ? sum : one));
}

function partEffects(parts: readonly OutcomePart[], analysis: AclAnalysis): Effect[] {
  return parts.flatMap((part) => effectsOf([part], analysis)).toSorted(byGravity);
}

function outcomeFinding(parts: readonly OutcomePart[], effects: readonly Effect[], { secrets }: AclAnalysis): Finding {
  const [worst] = effects;
  const acl = decider(parts[0]!);
  const [example] = parts.flatMap(({ changes }) => changes).filter(({ witness }) => witness);
  const causing = worst!.cause[0]?.words ?? "changes";
  const text = [
    `${titleOf(acl)} ${causing}.`,
    ...effects.map((effect) => effect.text),
    ...(example ? [changeWords(example, secrets)] : []),
  ].join(" ");
  return finding(codeOf(worst!, parts), text, { ...acl, level: worst!.level });
}

function codeOf({ kind }: Effect, parts: readonly OutcomePart[]): Code {
  if (kind !== "allows") return "TNF-ACL-TIGHTENED";
  return parts.some(({ after, isAfter }) => after === "allowed" && isAfter) ? "TNF-ACL-WIDENED" : "TNF-ACL-OPENED";
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
            "TNF-ACL-ASSUMED",
            `${count(possible.length, "change")} in outcome only if: ${assumptions.join("; ")}.`,
          ),
        ]
      : []),
    ...(undecided.length > 0
      ? [
          finding(
            "TNF-ACL-UNDECIDED",
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
