/** The lock-out guard: whether the network ACLs that a plan leaves behind would cut off requests that must get through. */
import { decide, type Acl, type Verdict } from "../../access/decide";
import { apiOf, type AccessRequest } from "../../access/request";
import { attributePath } from "../../cty/path";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl, NetworkAclBody } from "../../tenant/network-acls";
import type { GuardStrength, ProtectedRequest } from "../provider/definition";

export interface GuardSettings {
  readonly protected_requests?: readonly ProtectedRequest[];
  readonly lockout_guard?: GuardStrength;
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
