/**
 * Tells what a change of network ACLs does to requests: which ones, at which API, from where, and which ACLs are the cause. For example:
 * CU and US join the block of KP, and DE stays allowed. The effect is `allowed -> blocked, {countries: in CU, US}`; KP, which was blocked
 * before, is no part of it.
 */
import type { Api } from "../../access/access";
import { clipped, hidden } from "../../../formats/text/lists";
import { type Code, effect, type Effect, type Share, worstFirst } from "../effect";
import { type AclAnalysis, causeOf, causesOf, hostOf, type LogChange, type OutcomeChange } from "./analysis";
import { doubtsIn } from "./acl";
import type { Assumption } from "../words/assumption";
import type { Log, LoggedRequests, LoggingFacts, OutcomeFacts, Requests } from "./facts";
import { countedOf, largestShare, levelOfOutcome, measureOf, shownWitness } from "./levels";

/** The effects of all ACLs together, the worst first. */
export const aclEffects = (analysis: AclAnalysis, log?: Log): Effect[] =>
  analysis.outcomes.map((change) => outcomeEffect(change, analysis, log)).toSorted(worstFirst);

function outcomeEffect(change: OutcomeChange, analysis: AclAnalysis, log: Log | undefined): Effect {
  const { before, after, isCertain } = change;
  const hosts = {
    before: hostsOf(change, "before", analysis),
    after: hostsOf(change, "after", analysis),
  };
  const isHidden = hidesRequests(analysis);
  const logged = loggedOf(change, log);
  const facts: OutcomeFacts = {
    kind: "outcome",
    before,
    after,
    ...requestsOf(change, isHidden),
    hosts,
    ...(!isHidden && allowedBeside(change)),
    ...(logged && { logged }),
  };
  return effect(codeOf(change, analysis), facts, {
    level: levelOfOutcome(measureOf(change, hasOtherHost(change, analysis)), isCertain, logged),
    share: isHidden ? null : logged?.possible === 0 ? logShare(logged) : shareOf(change),
    cause: causesOf(change, analysis).map(causeOf),
    certainty: isCertain ? "certain" : "possible",
    assumptions: isCertain ? [] : assumptionsOf(change, analysis),
    examples: change.examples.map((witness) => shownWitness(witness, analysis.secrets)),
  });
}

/** Whether the affected requests would reveal a sensitive value. */
export const hidesRequests = ({ secrets }: Pick<AclAnalysis, "secrets">): boolean =>
  [...secrets].some((name) => name !== "description" && name !== "priority");

function requestsOf(
  { apis, extent, cases, exceptions, isBound }: OutcomeChange | LogChange,
  isHidden: boolean,
): Requests {
  if (isHidden) return { apis, extent: null, cases: [], exceptions: [], isHidden };
  return {
    apis,
    extent: extent ? { areas: extent.areas, ipv4: extent.ipv4, ipv6: extent.ipv6 } : null,
    cases,
    exceptions,
    ...(isBound && { isBound }),
  };
}

/** If everyone outside of some countries is stopped, a reader takes it that the others can sign in. */
function allowedBeside({ after, extent, allowed, isCertain }: OutcomeChange): Pick<OutcomeFacts, "allowed"> {
  if (after === "allowed" || !isCertain || extent?.areas.length !== 1) return {};
  const { countries, addresses } = extent.areas[0]!;
  if (!("outside" in addresses) || addresses.outside.length > 0) return {};
  if (!("outside" in countries) || countries.outside.length === 0) return {};
  return countries.outside.join() === allowed.join() ? {} : { allowed };
}

/** What is in a log was allowed. */
function loggedOf({ before, after, apis, ends }: OutcomeChange, log: Log | undefined): LoggedRequests | undefined {
  if (before !== "allowed" || after === "allowed") return undefined;
  return log?.stopped(apis, new Set(ends.flatMap((one) => one.after.acl?.key ?? [])));
}

function codeOf({ before, after, ends }: OutcomeChange, { changed }: AclAnalysis): Code {
  if (before === "redirected" && after === "redirected") return "TNF-ACL-REDIRECT";
  if (after !== "allowed") return "TNF-ACL-TIGHTENED";
  const isByAcl = ends.some((one) => one.after.acl !== undefined && changed.has(one.after.acl.key));
  return isByAcl ? "TNF-ACL-WIDENED" : "TNF-ACL-OPENED";
}

const mostHosts = 2;

function hostsOf({ ends }: OutcomeChange, side: "before" | "after", { secrets }: AclAnalysis): string[] {
  if (secrets.has("redirect_uri")) return [];
  const hosts = new Set(ends.flatMap((one) => (one[side].outcome === "redirected" ? (hostOf(one[side]) ?? []) : [])));
  return [...hosts].slice(0, mostHosts).map((host) => clipped(host));
}

/** A host of the tenant is no other host. */
const hasOtherHost = ({ before, after, ends }: OutcomeChange, { ownHosts }: AclAnalysis): boolean =>
  before === "redirected" &&
  after === "redirected" &&
  ends.some((one) => {
    const [was, is] = [hostOf(one.before), hostOf(one.after)];
    return is === undefined || (is !== was && !ownHosts.has(is));
  });

/** What is not known about the ACLs that decide. */
function assumptionsOf({ ends }: OutcomeChange | LogChange, { before, after }: AclAnalysis): Assumption[] {
  const acls = new Set(ends.flatMap(({ doubted }) => doubted));
  return [...acls].flatMap((acl) => doubtsIn(acl, after.includes(acl) ? after : before));
}

function shareOf(change: OutcomeChange): Share | null {
  const { apis } = change;
  const extent = countedOf(change);
  if (!extent) return null;
  const { ipv4, ipv6 } = extent;
  const isNearlyAll = Math.min(ipv4, ipv6) > 0.99;
  const areAlike = isNearlyAll || Math.abs(ipv4 - ipv6) < 0.005;
  const family = areAlike ? "" : ` over ${ipv4 > ipv6 ? "IPv4" : "IPv6"}`;
  return {
    value: isNearlyAll ? Math.min(ipv4, ipv6) : largestShare(extent),
    of: `${apis.length === 1 ? requestNouns[apis[0]!] : "requests"}${family} worldwide`,
    basis:
      "every address counts equally, every country by its Internet users, and every other attribute has a value that no rule names",
  };
}

const logShare = ({ api, sure, of }: LoggedRequests): Share => ({
  value: sure / of,
  of: `${requestNouns[api]} in the log`,
  basis: "every event of the log that is a request counts equally",
});

const requestNouns: Record<Api, string> = {
  authentication: "sign-in requests",
  management: "Management API requests",
  dynamic_client_registration: "client registrations",
};

export const logEffects = (analysis: AclAnalysis): Effect[] =>
  analysis.logs
    .filter(({ direction, isCertain }) => direction === "gained" || isCertain)
    .map((change) => logEffect(change, analysis))
    .toSorted(worstFirst);

function logEffect(change: LogChange, analysis: AclAnalysis): Effect {
  const { direction, isCertain, ends } = change;
  const side = direction === "lost" ? "before" : "after";
  const acls = new Map(ends.flatMap((one) => (one[side].log ? [[one[side].log.key, one[side].log] as const] : [])));
  const names = [...acls.values()].map(({ description, address, key, secret }) =>
    secret.has("description") ? hidden : description === "" ? (address ?? key) : clipped(description),
  );
  const facts: LoggingFacts = {
    kind: "logging",
    direction,
    ...requestsOf(change, hidesRequests(analysis)),
    acls: names,
  };
  return effect(direction === "lost" ? "TNF-ACL-UNRECORDED" : "TNF-ACL-RECORDED", facts, {
    cause: causesOf(change, analysis).map(causeOf),
    certainty: isCertain ? "certain" : "possible",
    assumptions: isCertain ? [] : assumptionsOf(change, analysis),
    examples: change.examples.map((witness) => shownWitness(witness, analysis.secrets)),
  });
}
