/** The lock-out guard: whether the network ACLs that a plan leaves behind would cut off requests that must get through. */
import { decide, type Acl, type Verdict } from "../../access/decide";
import { apiOf, type AccessRequest } from "../../access/request";
import { attributePath } from "../../cty/path";
import type { Outcome } from "../../sdk/ledger";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl, NetworkAclBody } from "../../tenant/network-acls";
import type { GuardStrength, ProtectedRequest } from "../provider/definition";
import type { networkAcl } from "./definition";
import { isKnown, toWire } from "./wire";

type Definition = typeof networkAcl;

export interface GuardSettings {
  readonly protected_requests?: readonly ProtectedRequest[];
  readonly lockout_guard?: GuardStrength;
}
export interface Guard {
  /** Nothing is named that must get through. */
  readonly unconfigured: boolean;
  /** Reports which protected requests the plan cuts off, as far as this ACL has to do with it; undefined: it goes. */
  review(planned: NetworkAclBody | undefined, context: ReviewContext<unknown, Definition>): Promise<void>;
}

type Standing = NetworkAclBody & Acl & { readonly id?: string };

/** `list` reads the ACLs that the tenant has; it is called once at most, and only where there is something to protect. */
export function createGuard(settings: GuardSettings, list: () => Promise<NetworkAcl[]>): Guard {
  const { protected_requests: requests = [], lockout_guard: strength = "error" } = settings;
  let existing: Promise<NetworkAcl[]> | undefined;

  const verdicts = (acls: readonly Standing[]) =>
    requests.map((request) => ({ request, verdict: decide(acls, asAccessRequest(request)) }));

  return {
    unconfigured: strength !== "off" && requests.length === 0,
    async review(planned, { plan, report }) {
      if (strength === "off" || requests.length === 0) return;
      const before = (await (existing ??= list())) as Standing[];
      const cutOff = () =>
        verdicts(standingAfter(before, plan.changes())).filter(({ verdict }) => verdict.cutOff !== "no");
      if (cutOff().length === 0) return;
      // Another ACL of the same plan may yet let the request through: wait until Terraform has planned what it can.
      await plan.settled();
      const changed = idsOf(plan.changes());
      for (const { request, verdict } of cutOff()) {
        if (isUntouched(verdict, decide(before, asAccessRequest(request)), changed)) continue;
        if (!plan.isFirst(JSON.stringify(["cut off", request, verdict.by]))) continue;
        report({
          severity: strength === "error" && verdict.cutOff === "yes" ? "error" : "warning",
          summary: verdict.cutOff === "yes" ? "A protected request is cut off" : "A protected request may be cut off",
          detail: words(request, verdict),
          path: verdict.by?.priority === planned?.priority ? attributePath("rule") : [],
        });
      }
    },
  };
}

/** What stands on the tenant once everything planned so far is done. What is not known yet counts as not planned. */
function standingAfter(before: readonly Standing[], changes: readonly Outcome<Definition>[]): Standing[] {
  const decided = changes.filter(({ planned }) => !planned || isKnown(planned));
  const changed = idsOf(decided);
  const untouched = before.filter(({ id }) => !changed.has(id));
  const standing = decided.flatMap(({ identity, planned }): Standing[] =>
    planned && isKnown(planned) ? [{ id: identity?.id, ...toWire(planned) }] : [],
  );
  return [...untouched, ...standing];
}

function idsOf(changes: readonly Outcome<Definition>[]): ReadonlySet<unknown> {
  return new Set(changes.map(({ identity }) => identity?.id));
}

/** What an ACL did before that this plan does not touch is no news of the plan. */
function isUntouched(after: Verdict<Standing>, before: Verdict<Standing>, changed: ReadonlySet<unknown>): boolean {
  return after.by?.id === before.by?.id && after.cutOff === before.cutOff && !changed.has(after.by?.id);
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
