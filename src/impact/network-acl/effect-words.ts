/** Words an effect on requests for the people affected. */
import { andWords } from "../list-words";
import type { Extent } from "../../access/access";
import { clipped } from "../clipped";
import type { AffectedApi, Effect, EffectKind, Share } from "../verdict/effect";
import { largestShare } from "./effect-level";
import { shareWords } from "./extent-words";

type Outcome = "allowed" | "blocked" | "redirected";

export const kindOf = { allowed: "allows", blocked: "blocks", redirected: "redirects" } as const satisfies Record<
  Outcome,
  EffectKind
>;

const requests: Record<AffectedApi, string> = {
  "sign-in": "sign-in requests",
  management: "Management API requests",
  registration: "client registrations",
};

export function shareOf(extent: Extent, apis: readonly AffectedApi[]): Share {
  const { ipv4, ipv6 } = extent;
  const family = shareWords(ipv4) === shareWords(ipv6) ? "" : ` over ${ipv4 > ipv6 ? "IPv4" : "IPv6"}`;
  const of = apis.length > 1 ? "requests" : requests[apis[0]!];
  return {
    value: largestShare(extent),
    of: `${of}${family} worldwide`,
    basis:
      "every address counts equally, every country counts by its Internet users, and all other facts have values that no rule names",
  };
}

const mostOfAssumption = 100;

interface Worded extends Pick<Effect, "share" | "who" | "certainty"> {
  readonly before: Outcome;
  readonly after: Outcome;
  readonly apis: readonly AffectedApi[];
  /** The hosts to which requests are redirected. */
  readonly hosts?: readonly string[];
  /** The hosts to which they were redirected. */
  readonly oldHosts?: readonly string[];
  readonly assumptions?: readonly string[];
}

/** `Blocks sign-in for about 69 % of the world (everyone outside DE, FR).` */
export function effectText(worded: Worded): string {
  const { assumptions = [], share, who, after, certainty } = worded;
  const reason =
    certainty === "possible" && assumptions.length > 0 ? `, if ${clipped(assumptions[0]!, mostOfAssumption)}` : "";
  return `${beginning(worded)} ${extentText(share, who, after)}${endOf(worded)}${reason}.`;
}

/** Without entries of rules. `who`: instead of a share. `exceptions`: to the share. */
export function briefText(worded: Worded & { readonly exceptions: string }): string {
  const { share, who, after, exceptions } = worded;
  const extent = share ? allOf(share) + exceptions : who;
  return `${beginning(worded)} ${after === "allowed" ? "to" : "for"} ${extent}${endOf(worded)}.`;
}

const endOf = ({ before, after }: Worded) =>
  before === "redirected" && after === "blocked" ? ", no longer redirected" : "";

function beginning({ before, after, apis, certainty, hosts = [], oldHosts = [] }: Worded): string {
  const verb = certainty === "certain" ? verbs[after].does : verbs[after].may;
  const where = hosts.length > 0 ? ` to ${andWords(hosts)}` : "";
  const isMoved = before === after && oldHosts.join() !== hosts.join();
  const old = isMoved && oldHosts.length > 0 ? `, no longer to ${andWords(oldHosts)},` : "";
  return `${verb} ${apiWords(apis)}${where}${old}`;
}

const verbs = {
  allowed: { does: "Opens", may: "May open" },
  blocked: { does: "Blocks", may: "May block" },
  redirected: { does: "Redirects", may: "May redirect" },
};

function extentText(share: Share | null, who: string, after: Outcome): string {
  const to = after === "allowed" ? "to" : "for";
  if (!share) return `${to} ${who}`;
  if (share.value === 1 || share.value < 0.001) return `${to} ${who}`;
  const all = `${to} ${allOf(share)}`;
  return who.includes("(") ? `${all}: ${who}` : `${all} (${who})`;
}

/** `everyone`, `all IPv4 addresses`, `about 69 % of the world` */
function allOf({ value, of }: Share): string {
  const family = /over (IPv[46])/.exec(of)?.[1];
  if (value === 1) return family ? `all ${family} addresses` : "everyone";
  return `${shareWords(value)} of ${family ? `requests over ${family}` : "the world"}`;
}

const apiNames: Record<AffectedApi, string> = {
  "sign-in": "sign-in",
  management: "the Management API",
  registration: "client registration",
};

export function apiWords(apis: readonly AffectedApi[]): string {
  return andWords(apis.map((api) => apiNames[api]));
}
