/** The lock-out guard: whether the network ACLs that a plan leaves behind would cut off requests that must get through. */
import * as z from "zod";
import { decide, type Acl, type Verdict } from "../access/decide";
import { apiOf, type AccessRequest } from "../access/request";
import { attributePath } from "../cty/path";
import { attribute } from "../sdk/attribute";
import type { ReviewContext } from "../sdk/resource";
import type { NetworkAcl, NetworkAclBody } from "../tenant/network-acls";
import { ipAddress } from "./address";

const fact = (description: string) =>
  attribute(z.string().min(1, "give a text that is not empty").optional(), description);

const protectedRequest = z.object({
  name: fact("How messages call the request, such as `our CI`."),
  path: fact(
    "Path that is asked for, such as `/api/v2/clients`. Default: the Management API, which Terraform itself uses.",
  ),
  ip: attribute(ipAddress.optional(), "Address of the end user, IPv4 or IPv6."),
  connecting_ip: attribute(ipAddress.optional(), "Address of the host that connects, such as a proxy. Default: `ip`."),
  asn: attribute(z.int("give a whole number").optional(), "AS number of the network."),
  country: fact("ISO 3166-1 alpha-2 code of the country."),
  subdivision: fact("ISO 3166-2 code of the region."),
  user_agent: fact("User agent."),
  hostname: fact("Host name that is asked for."),
  ja3: fact("JA3 fingerprint of the TLS client."),
  ja4: fact("JA4 fingerprint of the TLS client."),
});

type ProtectedRequest = z.output<typeof protectedRequest>;

const strengths = ["error", "warn", "off"] as const;

/** The part of the provider block that is about the guard. */
export const guardBlock = {
  protected_requests: attribute(
    z.array(protectedRequest).optional(),
    "Requests that no network ACL may cut off, such as those of the machine that runs Terraform. Facts that are left out are " +
      "taken as not known: an ACL that may hold for them is warned of.",
  ),
  lockout_guard: attribute(
    z.enum(strengths, `choose one of ${strengths.join(", ")}`).optional(),
    "What happens to a plan that would cut off a protected request: `error` (it is refused), `warn` or `off`. Default: `error`.",
  ),
};

export interface GuardSettings {
  readonly protected_requests?: readonly ProtectedRequest[];
  readonly lockout_guard?: (typeof strengths)[number];
}

/** An ACL as it will be: without an id while it is yet to be made, undefined where it will be gone. */
export interface PlannedAcl {
  readonly id?: string;
  readonly acl?: NetworkAclBody;
}

export interface Guard {
  /** Nothing is named that must get through. */
  readonly unconfigured: boolean;
  /** Notes what becomes of an ACL, and reports which protected requests that cuts off. */
  review(planned: PlannedAcl, context: ReviewContext<unknown>): Promise<void>;
}

type Standing = NetworkAclBody & Acl & { readonly id?: string };

/** `list` reads the ACLs that the tenant has; it is called once at most, and only where there is something to protect. */
export function createGuard(settings: GuardSettings, list: () => Promise<NetworkAcl[]>): Guard {
  const { protected_requests: requests = [], lockout_guard: strength = "error" } = settings;
  const planned = new Map<string | symbol, PlannedAcl>();
  const reported = new Set<string>();
  let existing: Promise<NetworkAcl[]> | undefined;

  /** What stands on the tenant once everything planned so far is done. */
  const outcome = async () => {
    existing ??= list();
    const untouched = (await existing).filter(({ id }) => !planned.has(id));
    const changed = [...planned.values()].flatMap(({ id, acl }) => (acl ? { id, ...acl } : []));
    return [...untouched, ...changed] as Standing[];
  };

  const cutOff = async () => {
    const acls = await outcome();
    return requests
      .map((request) => ({ request, verdict: decide(acls, asAccessRequest(request)) }))
      .filter(({ verdict }) => verdict.cutOff !== "no");
  };

  return {
    unconfigured: strength !== "off" && requests.length === 0,
    async review(change, context) {
      planned.set(change.id ?? Symbol("new"), change);
      if (strength === "off" || requests.length === 0) return;
      if ((await cutOff()).length === 0) return;
      // Another ACL of the same plan may yet let the request through: wait until Terraform has planned what it can.
      await context.session.settled();
      const before = await existing!;
      for (const { request, verdict } of await cutOff()) {
        if (isUntouched(verdict, decide(before as Standing[], asAccessRequest(request)), planned)) continue;
        const key = JSON.stringify([request, verdict.by]);
        if (reported.has(key)) continue;
        reported.add(key);
        context.report({
          severity: strength === "error" && verdict.cutOff === "yes" ? "error" : "warning",
          summary: verdict.cutOff === "yes" ? "A protected request is cut off" : "A protected request may be cut off",
          detail: words(request, verdict),
          path: verdict.by?.priority === change.acl?.priority ? attributePath("rule") : [],
        });
      }
    },
  };
}

/** What an ACL did before that this plan does not touch is no news of the plan. */
function isUntouched(
  after: Verdict<Standing>,
  before: Verdict<Standing>,
  planned: ReadonlyMap<unknown, unknown>,
): boolean {
  return after.by?.id === before.by?.id && after.cutOff === before.cutOff && !planned.has(after.by?.id);
}

function asAccessRequest({ path = "/api/v2/", name: _name, ...facts }: ProtectedRequest): AccessRequest {
  return { connecting_ip: facts.ip, ...facts, api: apiOf(path) };
}

function words(request: ProtectedRequest, { by, outcome, cutOff, because }: Verdict<Standing>): string {
  const { name, ...facts } = request;
  const called =
    name ??
    Object.entries(facts)
      .map((entry) => entry.join(" "))
      .join(", ");
  const { description, priority, id } = by!;
  return (
    `After this plan the network ACL "${description}" (priority ${priority}${id ? `, ${id}` : ""}) ` +
    `${cutOff === "yes" ? "would" : "may"} ${outcome === "redirected" ? "redirect" : "block"} the request "${called}" of protected_requests` +
    `${because ? `: ${because}` : ""}. Narrow its rule, put an ACL that allows the request before it, or set ` +
    'lockout_guard = "warn" in the provider block if this is meant.'
  );
}
