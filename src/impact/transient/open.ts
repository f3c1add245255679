/** Reports requests that are denied before and after the plan, but allowed for a moment during the apply. */
import {
  ifDecided,
  momentOf,
  transients,
  transientShares,
  type Api,
  type Transient,
  type TransientShare,
} from "../../access/access";
import { finding, levels, type Finding, type Level } from "../finding";
import { hidden } from "../hidden";
import type { PlannedAcl } from "../network-acl/acl";
import { largestShare, openingLevel } from "../network-acl/effect-level";
import { effectText } from "../network-acl/effect-words";
import { extentWords } from "../network-acl/extent-words";
import { namedBlocks } from "../network-acl/literal-words";
import type { AffectedApi } from "../verdict/effect";
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
import { remedyOf } from "./remedies";
import { hidesRules, wordsOfNamed } from "./requests";
import type { AclStage } from "./stages";

/** At most one finding, for all these requests. */
export function openFindings(transition: AclTransition, secrets: ReadonlySet<string>): Finding[] {
  if (isOneWrite(transition)) return [];
  const shares = ifDecided(() => transientShares(transition, "opens"));
  const counted = (shares ?? []).flatMap(({ api, found }) => (found ? { api, ...found } : []));
  if (counted.length > 0) return [countedFinding(counted, transition, secrets)];
  const { found, complete } = transients(transition, "opens");
  const [first] = found;
  if (first) return [namedFinding(first, transition, secrets)];
  return complete && shares ? [] : [undecidedFinding(transition.changes)];
}

const apiNames: Readonly<Record<Api, AffectedApi>> = {
  authentication: "sign-in",
  management: "management",
  dynamic_client_registration: "registration",
};

const allApis = Object.keys(apiNames) as Api[];

type Counted = NonNullable<TransientShare["found"]> & Pick<TransientShare, "api">;

/** The requests that the review can count: the APIs with the largest share. */
function countedFinding(shares: readonly Counted[], transition: AclTransition, secrets: ReadonlySet<string>): Finding {
  const [worst] = shares.toSorted((one, other) => largestShare(other.extent) - largestShare(one.extent));
  const { api, extent, example } = worst!;
  const alike = shares.filter((one) => sizeOf(one) === sizeOf(worst!));
  const apis = allApis.filter((one) => alike.some((share) => share.api === one)).map((one) => apiNames[one]);
  const asked = { request: requestTo(api, example) };
  const who = extentWords(extent, namedBlocks(transition.changes.map((cause) => ({ cause }))));
  const level = openingLevel(extent, false);
  const described = { apis, who, extent, level };
  const moment = momentOf(transition, "opens", matchOf(asked), "possible")!;
  return openFinding(described, asked, moment, transition, secrets);
}

const sizeOf = ({ extent: { ipv4, ipv6, countries } }: Counted) => JSON.stringify([ipv4, ipv6, countries]);

/** The requests that the review cannot count, because rules name facts such as user agents. */
function namedFinding(
  found: Transient<PlannedAcl, AclStage>,
  transition: AclTransition,
  secrets: ReadonlySet<string>,
): Finding {
  const { request, assumptions } = found;
  const isOpen = (api: Api) => {
    const asked = { request: { ...request, api }, assumptions };
    const areDenied = [transition.before, transition.after].every((acls) => deniedOf(asked)(acls) === "yes");
    return (
      api === request.api || (areDenied && momentOf(transition, "opens", matchOf(asked), "possible") !== undefined)
    );
  };
  const described = {
    apis: allApis.filter(isOpen).map((api) => apiNames[api]),
    who: wordsOfNamed(found, "blocked", "allowed"),
    level: openingLevel(undefined, request.signature_key !== undefined),
  };
  return openFinding(described, found, found, transition, secrets);
}

interface Described extends Pick<Parameters<typeof effectText>[0], "apis" | "who" | "extent"> {
  /** The level of the same effect if it lasted. */
  readonly level: Level;
}

function openFinding(
  { apis, who, extent, level }: Described,
  asked: Asked,
  moment: AclMoment,
  transition: AclTransition,
  secrets: ReadonlySet<string>,
): Finding {
  const isSecret = hidesRules(secrets);
  const isOpen = (acls: readonly PlannedAcl[]) => deniedOf(asked)(acls) !== "yes";
  const involved = involvedIn(moment, transition, isOpen);
  const text = effectText({
    before: "blocked",
    after: "allowed",
    apis,
    extent: isSecret ? undefined : extent,
    who: isSecret ? hidden : who,
    certainty: transition.changes.length === 1 ? "certain" : "possible",
  });
  const words = [
    momentarily(`the plan ${uncapitalized(text)}`),
    momentWords(involved),
    remedyOf(involved, transition, isOpen),
  ];
  return finding("TF-TRANSIENT-OPEN", words.join(" "), { ...subjectOf(involved), level: lower(level) });
}

/** The object without which the requests are open. */
export function subjectOf(involved: readonly Involved[]): { address?: string; plan?: string } {
  const { change } = involved.find(({ status }) => status === "gone") ?? involved[0]!;
  const { plan, address } = (change.after ?? change.before)!;
  return { ...(address !== undefined && { address }), ...(plan !== undefined && { plan }) };
}

/** An effect that lasts for a moment only is one level lower. */
export const lower = (level: Level): Level => levels[Math.max(levels.indexOf(level) - 1, levels.indexOf("low"))]!;

const undecidedWords =
  "The plan changes so many network ACLs together that the review did not evaluate every intermediate state. For a moment during the apply, " +
  "requests that are blocked before and after may be allowed, and allowed requests may be blocked. Apply fewer changes at a time.";

export const undecidedFinding = (changes: AclTransition["changes"]): Finding => {
  const { plan } = (changes[0]!.after ?? changes[0]!.before)!;
  return finding("TF-TRANSIENT-OPEN", undecidedWords, { ...(plan !== undefined && { plan }), level: "info" });
};
