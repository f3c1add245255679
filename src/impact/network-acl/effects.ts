/** Tells what a change of network ACLs does to requests: how many, to which API, from where, and which ACLs are the cause. */
import type { Api, Extent, Shift, LoggingChange } from "../../access/access";
import { urlIn } from "../../text/url";
import { clipped, hidden, andWords } from "../phrases";
import { byGravity, effect, type Code, type Effect, type Level } from "../effect";
import { grouped } from "../value";
import type { PlannedAcl } from "./acl";
import { causeOf, concerns, examplesOf, keyOf, type AclAnalysis, type OutcomePart } from "./analysis";
import { shownWitness } from "./witness";
import { briefText, effectText, shareOf } from "./words";
import {
  extentWords,
  criteriaNouns,
  criteriaWords,
  exceptionWords,
  largestShare,
  matchesBy,
  namedBlocks,
} from "./extent-words";

const allApis: readonly Api[] = ["authentication", "management", "dynamic_client_registration"];

/** The effects of all ACLs together, the worst first. Changes with the same outcomes and the same certainty are one effect. */
export function aclEffects(analysis: AclAnalysis): Effect[] {
  const alike = grouped(analysis.parts, (part) => JSON.stringify([part.before, part.after, certaintyOf(part)]));
  return [...alike.values()].flatMap((parts) => effectsOf(parts, analysis)).toSorted(byGravity);
}

/** Parts that affect an API in the same way. */
interface Group {
  readonly apis: readonly Api[];
  readonly parts: readonly OutcomePart[];
  /** Left out: how many requests are affected is not known. */
  readonly extent?: Extent;
}

/** `parts`: with the same outcomes. One effect for each group of APIs that are affected in the same way. */
export function effectsOf(parts: readonly OutcomePart[], analysis: AclAnalysis): Effect[] {
  const groups = new Map<string, Group>();
  const add = (key: string, api: Api, own: readonly OutcomePart[], extent?: Extent) => {
    const apis = [...(groups.get(key)?.apis ?? []), api];
    groups.set(key, { apis, parts: own, ...(extent && { extent }) });
  };
  for (const api of allApis) {
    const counted = parts.filter((part) => shiftsAt(part, api).length > 0);
    const others = parts.filter(
      (part) => !counted.includes(part) && part.changes.some((change) => concerns(change, api, analysis)),
    );
    if (counted.length > 0) {
      const extent = analysis.shifts!.extent(counted.flatMap((part) => shiftsAt(part, api)));
      const { ipv4, ipv6, countries, blocks } = extent;
      add(JSON.stringify([counted.map(keyOf), ipv4, ipv6, countries, blocks]), api, counted, extent);
    }
    if (others.length > 0) add(JSON.stringify(others.map(keyOf)), api, others);
  }
  return [...groups.values()].map((group) => effectOf(group, analysis));
}

const shiftsAt = ({ shifts }: OutcomePart, api: Api): Shift<PlannedAcl>[] =>
  shifts.filter((shift) => shift.api === api);

const mostExamples = 3;

function effectOf(group: Group, analysis: AclAnalysis): Effect {
  const { apis, extent } = group;
  const parts = bySize(group.parts, analysis);
  const { before, after } = parts[0]!;
  const certainty = certaintyOf(parts[0]!);
  const changes = parts.flatMap((part) => part.changes);
  const isSecret = hidesExtents(analysis);
  const assumptions = certainty === "certain" ? [] : [...new Set(changes.flatMap((change) => change.assumptions))];
  const share = extent && !isSecret ? shareOf(extent, apis) : null;
  const who = isSecret ? hidden : whoWords(parts, extent, analysis);
  const worded = { before, after, apis, extent: isSecret ? undefined : extent, certainty };
  const text = effectText({ ...worded, who, assumptions, ...shownHosts(parts, analysis) });
  return effect(codeOf(parts), text, {
    level: levelOf({ ...group, parts }, analysis),
    apis,
    share,
    who,
    brief: briefText({
      ...worded,
      who: criteriaNouns(parts),
      exceptions: extent ? exceptionWords(parts, analysis) : "",
    }),
    cause: parts.map(({ cause }) => causeOf(cause)),
    certainty,
    assumptions,
    examples: parts
      .flatMap((part) => examplesOf(part, apis, analysis))
      .slice(0, mostExamples)
      .map((witness) => shownWitness(witness, analysis.secrets)),
  });
}

function codeOf(parts: readonly OutcomePart[]): Code {
  const { before, after } = parts[0]!;
  if (before === "redirected" && after === "redirected") return "TNF-ACL-REDIRECT";
  if (after !== "allowed") return "TNF-ACL-TIGHTENED";
  return parts.some(({ isAfter }) => isAfter) ? "TNF-ACL-WIDENED" : "TNF-ACL-OPENED";
}

/** Whether the affected requests would reveal a sensitive value. */
export const hidesExtents = ({ secrets }: AclAnalysis): boolean =>
  [...secrets].some((name) => name !== "description" && name !== "priority");

function whoWords(parts: readonly OutcomePart[], extent: Extent | undefined, analysis: AclAnalysis): string {
  if (extent) return extentWords(extent, namedBlocks(parts)) + exceptionWords(parts, analysis);
  const words = [...new Set(parts.flatMap(criteriaWords))];
  return [...words.slice(0, 2), ...(words.length > 2 ? [`${words.length - 2} more kinds of requests`] : [])].join("; ");
}

/** The shifts follow the documented semantics. The changes are compared under every assumption, so one of them must be certain. */
function certaintyOf({ shifts, changes }: OutcomePart): Effect["certainty"] {
  const isSure = changes.some(({ certainty }) => certainty === "certain");
  const isCertain =
    shifts.length > 0 ? shifts.every((shift) => shift.isCertain) && (isSure || changes.length === 0) : isSure;
  if (isCertain) return "certain";
  return shifts.length > 0 || changes.some(({ certainty }) => certainty === "possible") ? "possible" : "undecided";
}

function shownHosts(parts: readonly OutcomePart[], { secrets }: AclAnalysis) {
  const shown = (side: "before" | "after") =>
    secrets.has("redirect_uri")
      ? []
      : hostsAt(parts, side)
          .slice(0, 2)
          .map((host) => clipped(host));
  return { hosts: shown("after"), oldHosts: shown("before") };
}

/** undefined: not known. */
const targetsAt = (parts: readonly OutcomePart[], side: "before" | "after"): (string | undefined)[] =>
  parts.flatMap(({ changes, shifts }) => [...changes, ...shifts].map((one) => one[side].redirect_uri));

/** The hosts of the redirects on one side. */
function hostsAt(parts: readonly OutcomePart[], side: "before" | "after"): string[] {
  const uris = targetsAt(parts, side).flatMap((uri) => uri ?? []);
  // An address that is no URL may be on any host.
  return [...new Set(uris)].map((uri) => urlIn(uri)?.hostname || uri);
}

/** A host of the tenant is no other host. */
function hasOtherHost(parts: readonly OutcomePart[], { ownHosts }: AclAnalysis): boolean {
  return parts.some((part) => {
    const old = new Set(hostsAt([part], "before"));
    const isUnknown = targetsAt([part], "after").includes(undefined);
    return isUnknown || hostsAt([part], "after").some((host) => !old.has(host) && !ownHosts.has(host));
  });
}

function bySize(parts: readonly OutcomePart[], { shifts }: AclAnalysis): readonly OutcomePart[] {
  if (parts.length === 1 || !shifts) return parts;
  const sizes = new Map(parts.map((part) => [part, largestShare(shifts.extent(part.shifts))]));
  return parts.toSorted((a, b) => sizes.get(b)! - sizes.get(a)!);
}

function levelOf({ apis, parts, extent }: Group, analysis: AclAnalysis): Level {
  const level = certainLevel(parts, extent, apis, analysis);
  return level === "critical" && certaintyOf(parts[0]!) !== "certain" ? "high" : level;
}

function certainLevel(
  parts: readonly OutcomePart[],
  extent: Extent | undefined,
  apis: readonly Api[],
  analysis: AclAnalysis,
): Level {
  const { before, after } = parts[0]!;
  const isSigned = parts.every((part) => matchesBy(part, "http_message_signature"));
  const namesHosts = parts.some((part) => matchesBy(part, "hostnames"));
  if (after === "allowed") return openingLevel(extent, isSigned);
  if (before === "allowed") return stopLevel(extent, apis, namesHosts);
  if (before === "redirected" && after === "redirected" && hasOtherHost(parts, analysis)) return "high";
  // The requests did not get through before either.
  return extent && largestShare(extent) > 0.5 ? "medium" : "low";
}

// docs/guides/effects.md lists the levels.

/** `extent`: the requests that are stopped; undefined: their share is not known. */
function stopLevel(extent: Extent | undefined, apis: readonly Api[], namesHosts: boolean): Level {
  // A host name may be the one that everybody uses.
  if (!extent) return namesHosts ? "high" : "medium";
  const share = largestShare(extent);
  if (share > 0.5) return apis.some((api) => api !== "dynamic_client_registration") ? "critical" : "high";
  if (share >= 0.1) return "high";
  return share >= 0.01 ? "medium" : "low";
}

/** More addresses than this are not one organization. IPv6 counts networks of 2^64 addresses. */
const manyAddresses = 2n ** 16n;
const manyOfSix = manyAddresses << 64n;

/** `extent`: the requests that are newly allowed; undefined: their share is not known. */
function openingLevel(extent: Extent | undefined, isSigned: boolean): Level {
  // Anybody can send a user agent. Only the owner of the key can sign.
  if (!extent) return isSigned ? "medium" : "high";
  if (largestShare(extent) > 0.5) return "critical";
  const { wholeCountries, addresses } = extent;
  const isWide = wholeCountries.length > 0 || addresses.ipv4 > manyAddresses || addresses.ipv6 > manyOfSix;
  return isWide ? "high" : "medium";
}

export function logEffects(analysis: AclAnalysis): Effect[] {
  const { unrecorded, recorded } = analysis;
  const gained = (certainty: Effect["certainty"]) => recorded.filter((change) => change.certainty === certainty);
  return [
    ...loggingEffect(unrecorded, analysis, "lost"),
    ...loggingEffect(gained("certain"), analysis, "gained"),
    ...loggingEffect(gained("possible"), analysis, "perhaps gained"),
  ];
}

const texts = {
  lost: (by: string) => `Requests that ${by} logged are no longer logged.`,
  gained: (by: string) => `Requests that match ${by} are newly logged. Logging changes no outcome.`,
  "perhaps gained": (by: string) => `Requests that match ${by} may be newly logged. Logging changes no outcome.`,
};

function loggingEffect(
  changes: readonly LoggingChange<PlannedAcl>[],
  { changed, secrets }: AclAnalysis,
  direction: keyof typeof texts,
): Effect[] {
  if (changes.length === 0) return [];
  const names = changes.map(({ acl }) =>
    acl.description === "" ? (acl.address ?? acl.key) : `"${clipped(acl.description)}"`,
  );
  const by = andWords([...names.slice(0, 2), ...(names.length > 2 ? [`${names.length - 2} more`] : [])]);
  return [
    effect(direction === "lost" ? "TNF-ACL-UNRECORDED" : "TNF-ACL-RECORDED", texts[direction](by), {
      who: `requests that match ${by}`,
      cause: changes.flatMap(({ acl }) => {
        const pair = changed.get(acl.key);
        return pair ? causeOf(pair) : [];
      }),
      certainty: direction === "perhaps gained" ? "possible" : "certain",
      examples: changes.slice(0, 3).map(({ witness }) => shownWitness(witness, secrets)),
    }),
  ];
}
