/** Words a network ACL, and what a change does to requests. The renderer makes untrusted text safe. */
import { requestWords } from "./witness";
import type { Change, Api, Extent } from "../../access/access";
import { clipped, hidden, andWords } from "../phrases";
import type { Effect, Share } from "../effect";
import type { PlannedAcl } from "./acl";
import type { Outcome } from "./analysis";
import { largestShare, shareWords } from "./extent-words";

/** Description and priority; without a description, the address or id. */
export function titleOf(acl: PlannedAcl | undefined): string {
  if (!acl) return "No ACL";
  const number = acl.secret.has("priority") ? hidden : acl.priority;
  const place = Number.isNaN(number) ? "priority not known yet" : `priority ${number}`;
  const whose = acl.unplaced ? ", perhaps another tenant's" : "";
  return `${acl.description === "" ? (acl.address ?? acl.id ?? "an ACL") : `"${acl.description}"`} (${place}${whose})`;
}

/** Why an ACL can never match. */
export function shadowWords(shadowedBy: readonly PlannedAcl[]): string {
  if (shadowedBy.length === 0) return "no request has all that its own criteria demand";
  return `shadowed by ${shadowedBy.map(titleOf).join(" and ")}`;
}

/** `A request such as /login from 203.0.113.7: was blocked ("Office" (priority 1)), will be allowed (no ACL matches).` */
export function changeWords(
  { before, after, certainty, witness, assumptions }: Change<PlannedAcl>,
  secrets: ReadonlySet<string>,
): string {
  const by = (acl: PlannedAcl | undefined) => (acl ? titleOf(acl) : "no ACL matches");
  const to = after.redirect_uri && !secrets.has("redirect_uri") ? ` to ${after.redirect_uri}` : "";
  const which = witness ? `A request such as ${requestWords(witness, secrets)}` : "Some requests perhaps";
  const when = { certain: "", possible: `, if ${assumptions.join(" and ")}`, "not decided": " (not decided)" };
  return `${which}: was ${before.outcome} (${by(before.acl)}), will be ${after.outcome}${to} (${by(after.acl)})${when[certainty]}.`;
}

const requests: Record<Api, string> = {
  authentication: "sign-in requests",
  management: "Management API requests",
  dynamic_client_registration: "client registrations",
};

export function shareOf(extent: Extent, apis: readonly Api[]): Share {
  const { ipv4, ipv6 } = extent;
  const family = areAlike(extent) ? "" : ` over ${ipv4 > ipv6 ? "IPv4" : "IPv6"}`;
  const of = apis.length > 1 ? "requests" : requests[apis[0]!];
  return {
    value: isNearlyAll(extent) ? Math.min(ipv4, ipv6) : largestShare(extent),
    of: `${of}${family} worldwide`,
    basis:
      "every address counts equally, every country counts by its Internet users, and all other facts have values that no rule names",
  };
}

const isNearlyAll = ({ ipv4, ipv6 }: Extent) => Math.min(ipv4, ipv6) > 0.99;

const areAlike = (extent: Extent) => isNearlyAll(extent) || shareWords(extent.ipv4) === shareWords(extent.ipv6);

const mostOfAssumption = 100;

interface Worded extends Pick<Effect, "certainty"> {
  readonly who: string;
  /** Left out: how many requests are affected is not known, or it would reveal a sensitive value. */
  readonly extent?: Extent | undefined;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly apis: readonly Api[];
  /** The hosts to which requests are redirected. */
  readonly hosts?: readonly string[];
  /** The hosts to which they were redirected. */
  readonly oldHosts?: readonly string[];
  readonly assumptions?: readonly string[];
}

/** `Blocks sign-in for about 69 % of the world (everyone outside DE, FR).` */
export function effectText(worded: Worded): string {
  const { assumptions = [], extent, who, after, certainty } = worded;
  const reason =
    certainty === "possible" && assumptions.length > 0 ? `, if ${clipped(assumptions[0]!, mostOfAssumption)}` : "";
  return `${beginning(worded)} ${extentText(extent, who, after)}${endOf(worded)}${reason}.`;
}

/** Without entries of rules. `who`: instead of a share. `exceptions`: to the share. */
export function briefText(worded: Worded & { readonly exceptions: string }): string {
  const { extent, who, after, exceptions } = worded;
  const whole = extent ? allOf(extent) + exceptions : who;
  return `${beginning(worded)} ${after === "allowed" ? "to" : "for"} ${whole}${endOf(worded)}.`;
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

function extentText(extent: Extent | undefined, who: string, after: Outcome): string {
  const to = after === "allowed" ? "to" : "for";
  if (!extent || isNearlyAll(extent)) return `${to} ${who}`;
  const share = largestShare(extent);
  if (share === 1 || share < 0.001) return `${to} ${who}`;
  const all = `${to} ${allOf(extent)}`;
  return who.includes("(") ? `${all}: ${who}` : `${all} (${who})`;
}

/** `everyone`, `almost everyone`, `all IPv4 addresses`, `about 69 % of the world` */
function allOf(extent: Extent): string {
  const { ipv4, ipv6 } = extent;
  if (ipv4 === 1 && ipv6 === 1) return "everyone";
  if (isNearlyAll(extent)) return "almost everyone";
  if (areAlike(extent)) return `${shareWords(largestShare(extent))} of the world`;
  return andWords(Object.entries({ IPv4: ipv4, IPv6: ipv6 }).flatMap(([family, share]) => familyWords(family, share)));
}

function familyWords(family: string, share: number): string[] {
  if (share === 0) return [];
  return [share === 1 ? `all ${family} addresses` : `${shareWords(share)} of requests over ${family}`];
}

const apiNames: Record<Api, string> = {
  authentication: "sign-in",
  management: "the Management API",
  dynamic_client_registration: "client registration",
};

export function apiWords(apis: readonly Api[]): string {
  return andWords(apis.map((api) => apiNames[api]));
}
