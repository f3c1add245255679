/** Reports requests that are allowed before and after the plan, but blocked for a moment: protected ones, and Terraform's own. */
import {
  decide,
  ifDecided,
  matches,
  momentOf,
  requestOf,
  transientShares,
  transients,
  type AccessRequest,
  type Transient,
  type TransientShare,
} from "../../access/access";
import { clipped } from "../clipped";
import { finding, type Finding } from "../finding";
import { hidden } from "../hidden";
import type { Terraform } from "../lockout/lockout";
import { apisOf, isKnownRequest, speaksForTerraform, type ProtectedRequest } from "../lockout/protected-request";
import type { PlannedAcl } from "../network-acl/acl";
import { effectText } from "../network-acl/effect-words";
import { extentWords } from "../network-acl/extent-words";
import { namedBlocks } from "../network-acl/literal-words";
import { titleOf } from "../network-acl/words";
import { isOneWrite, requestTo, type AclTransition } from "./acl-transition";
import {
  deniedOf,
  involvedIn,
  matchOf,
  momentarily,
  momentWords,
  uncapitalized,
  type AclMoment,
  type Asked,
  type Involved,
} from "./moment-words";
import { subjectOf, undecidedFinding } from "./open";
import { hidesRules, wordsOfNamed } from "./requests";
import { remedyOf } from "./remedies";
import type { AclStage } from "./stages";

/** `requests`: those that the provider does not guard while it applies the plan. */
export function requestFindings(
  requests: readonly ProtectedRequest[],
  transition: AclTransition,
  { countries }: Terraform,
): Finding[] {
  if (isOneWrite(transition)) return [];
  return requests.filter(isKnownRequest).flatMap((request) => requestFinding(request, transition, countries));
}

/** One finding for each request: it may concern two APIs. */
function requestFinding(
  protectedRequest: ProtectedRequest,
  transition: AclTransition,
  countries: readonly string[],
): Finding[] {
  const { called, facts } = protectedRequest;
  for (const api of apisOf(protectedRequest)) {
    const request: AccessRequest = { ...requestOf("/", facts), api };
    const isBlocked = (acls: readonly PlannedAcl[]) => decide(acls, request).denied === "yes";
    if (isBlocked(transition.before) || isBlocked(transition.after)) continue;
    const matchesOf = (acl: PlannedAcl) => matches(acl.rule, request).matches;
    const moment = momentOf(transition, "closes", matchesOf);
    if (!moment) continue;
    const involved = involvedIn(moment, transition, isBlocked);
    const text = `${shortTitle(moment.acl)} ${verb(transition, moment)} the request "${called}" of protected_requests.`;
    const isOwn = speaksForTerraform(protectedRequest, countries);
    return [lockoutFinding(text, isOwn, involved, transition, isBlocked)];
  }
  return [];
}

const shortTitle = (acl: PlannedAcl | undefined) => titleOf(acl && { ...acl, description: clipped(acl.description) });

const verb = ({ changes }: AclTransition, { acl }: AclMoment) => {
  const isRedirect = acl?.rule.action["redirect"] === true;
  if (changes.length === 1) return isRedirect ? "redirects" : "blocks";
  return isRedirect ? "may redirect" : "may block";
};

/** Terraform runs where the Management API is allowed. It cannot go on if most of these requests are blocked. */
export function terraformFindings(
  requests: readonly ProtectedRequest[],
  transition: AclTransition,
  { countries }: Terraform,
  secrets: ReadonlySet<string>,
): Finding[] {
  const isNamed = requests.filter(isKnownRequest).some((request) => speaksForTerraform(request, countries));
  if (isNamed || isOneWrite(transition)) return [];
  const [share] = ifDecided(() => transientShares(transition, "closes", ["management"])) ?? [];
  if (share) return share.found && isMost(share.found) ? [countedFinding(share.found, transition, secrets)] : [];
  // All counted requests are blocked before or after, so Terraform must have facts that rules name.
  const { found, complete } = transients(transition, "closes", { api: "management" });
  const [first] = found;
  if (first) return [namedFinding(first, transition, secrets)];
  return complete ? [] : [undecidedFinding(transition.changes)];
}

const worded = { before: "allowed", after: "blocked", apis: ["management"] } as const;
const certaintyOf = ({ changes }: AclTransition) => (changes.length === 1 ? "certain" : "possible");

type Counted = NonNullable<TransientShare["found"]>;

function countedFinding(
  { extent, example }: Counted,
  transition: AclTransition,
  secrets: ReadonlySet<string>,
): Finding {
  const asked = { request: requestTo("management", example) };
  const moment = momentOf(transition, "closes", matchOf(asked), "possible")!;
  const isSecret = hidesRules(secrets);
  const text = effectText({
    ...worded,
    extent: isSecret ? undefined : extent,
    who: isSecret ? hidden : extentWords(extent, namedBlocks(transition.changes.map((cause) => ({ cause })))),
    certainty: certaintyOf(transition),
  });
  return ownFinding(text, asked, moment, transition);
}

function namedFinding(
  found: Transient<PlannedAcl, AclStage>,
  transition: AclTransition,
  secrets: ReadonlySet<string>,
): Finding {
  const who = hidesRules(secrets) ? hidden : wordsOfNamed(found, "allowed", "blocked");
  const text = effectText({ ...worded, who, certainty: certaintyOf(transition) });
  return ownFinding(text, found, found, transition);
}

function ownFinding(text: string, asked: Asked, moment: AclMoment, transition: AclTransition): Finding {
  const isBlocked = (acls: readonly PlannedAcl[]) => deniedOf(asked)(acls) !== "no";
  const involved = involvedIn(moment, transition, isBlocked);
  return lockoutFinding(`the plan ${uncapitalized(text)}`, true, involved, transition, isBlocked);
}

/** More than half of the requests that the tenant allows before and after. */
const isMost = ({ extent, base }: Counted) => 2 * extent.ipv4 > base.ipv4 || 2 * extent.ipv6 > base.ipv6;

/** `isOwn`: whether Terraform's own requests are blocked. */
function lockoutFinding(
  text: string,
  isOwn: boolean,
  involved: readonly Involved[],
  transition: AclTransition,
  isBlocked: (acls: readonly PlannedAcl[]) => boolean,
): Finding {
  const isCertain = transition.changes.length === 1;
  const end = isOwn
    ? [`Terraform ${isCertain ? "is then" : "may then be"} locked out, and can neither finish the apply nor undo it.`]
    : [];
  const words = [momentarily(text), momentWords(involved), ...end, remedyOf(involved, transition, isBlocked)];
  const level = isOwn && isCertain ? "critical" : "high";
  return finding("TF-TRANSIENT-LOCKOUT", words.join(" "), { ...subjectOf(involved), level });
}
