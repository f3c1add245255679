/** Words an effect on requests for the people affected. */
import type { Extent } from "../../access/access";
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
  const family = ipv4 === ipv6 ? "" : ` over ${ipv4 > ipv6 ? "IPv4" : "IPv6"}`;
  const of = apis.length > 1 ? "requests" : requests[apis[0]!];
  return {
    value: largestShare(extent),
    of: `${of}${family} worldwide`,
    basis: "addresses count equally, countries by their Internet users, facts that rules name do not count",
  };
}

interface Worded extends Pick<Effect, "share" | "who" | "certainty" | "assumptions"> {
  readonly before: Outcome;
  readonly after: Outcome;
  readonly apis: readonly AffectedApi[];
  /** The hosts to which requests are redirected. */
  readonly hosts: readonly string[];
}

/** `Blocks sign-in for about 69 % of the world (everyone outside DE, FR).` */
export function effectText({ before, after, apis, share, who, certainty, assumptions, hosts }: Worded): string {
  const verb = certainty === "certain" ? verbs[after].does : verbs[after].may;
  const was = before === "redirected" && after === "blocked" ? ", which was redirected," : "";
  const where = hosts.length > 0 ? ` to ${new Intl.ListFormat("en-GB").format(hosts)}` : "";
  const reason = certainty === "possible" && assumptions.length > 0 ? `, if ${assumptions[0]}` : "";
  return `${verb} ${apiWords(apis)}${where}${was} ${extentText(share, who, after)}${reason}.`;
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
  const family = /over (IPv[46])/.exec(share.of)?.[1];
  const all = `${to} ${shareWords(share.value)} of ${family ? `${family} addresses` : "the world"}`;
  return who.includes("(") ? `${all}: ${who}` : `${all} (${who})`;
}

const apiNames: Record<AffectedApi, string> = {
  "sign-in": "sign-in",
  management: "the Management API",
  registration: "client registration",
};

export function apiWords(apis: readonly AffectedApi[]): string {
  if (apis.length === 3) return "sign-in and all other APIs";
  return new Intl.ListFormat("en-GB").format(apis.map((api) => apiNames[api]));
}
