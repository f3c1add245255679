/** The lock-out guard: whether the network ACLs that a plan leaves behind would cut off requests that must get through. */
import { decide, type Acl, type Verdict } from "../../access/decide";
import { requestOf, type AccessRequest } from "../../access/request";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import { isKnown, type Change, type Written } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/planned-object";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl, NetworkAclBody } from "../../tenant/network-acls";
import { createSnapshot } from "../../tenant/snapshot";
import type { block } from "../provider/definition";
import { ifReadable, mayLook } from "../looking";
import { breadthOf, most, type Breadth } from "./breadth";
import { networkAcl } from "./definition";
import { toWire } from "./wire";

type Definition = typeof networkAcl;

export type GuardSettings = Pick<Written<typeof block>, "protected_requests" | "lockout_guard">;

export interface Guard {
  /** Reports what the plan cuts off, as far as this ACL has to do with it; `planned` undefined: it goes. */
  review(change: Pick<Change<Definition>, "action" | "planned">, context: Review): Promise<void>;
}

type Review = ReviewContext<unknown, Definition>;
type JudgedAcl = NetworkAclBody & Acl & { readonly id?: string };

/** `list` reads the ACLs that the tenant has, once for all who ask; `hostname` is that of the tenant. */
export function createGuard(settings: GuardSettings, list: () => Promise<NetworkAcl[]>, hostname: string): Guard {
  const { protected_requests: written = [], lockout_guard = "error" } = settings;
  // All of the provider's configuration is known when it comes to an apply, whose reviews ask again.
  const strength = lockout_guard === unknown ? "warn" : lockout_guard;
  if (strength === "off" || written === unknown) return { review: async () => {} };
  const snapshot = createSnapshot(list);
  const standing = async () => (await snapshot.read()) as JudgedAcl[];
  if (written.length === 0) return guardOfBreadth(strength, standing, hostname);

  const requests = written.flatMap(protectedRequest);
  const verdicts = (acls: readonly JudgedAcl[]) =>
    requests.map(({ called, request }) => ({ called, request, verdict: decide(acls, request) }));

  return {
    async review({ action, planned }, { plan, report }) {
      // What is not known yet is guarded right before it is done; what stays is looked at where the list is at hand.
      if ((planned && !isKnown(networkAcl, planned)) || (action === "keep" && plan.phase !== "plan")) return;
      const before = await standing();
      const cutOff = () =>
        verdicts(standingAfter(before, plan.changes())).filter(({ verdict }) => verdict.cutOff !== "no");
      if (cutOff().length === 0) return;
      // Another ACL of the same plan may yet let the request through: wait until Terraform has planned what it can.
      await plan.settled();
      const changed = idsOf(plan.changes());
      for (const { called, request, verdict } of cutOff()) {
        if (!plan.isFirst(JSON.stringify(["cut off", called, request, verdict.by]))) continue;
        const already = isUntouched(verdict, decide(before, request), changed);
        const certain = verdict.cutOff === "yes";
        report({
          severity: strength === "error" && certain && !already ? "error" : "warning",
          summary: `A protected request ${certain ? "is" : "may be"} cut off${already ? " already" : ""}`,
          detail: words(called, verdict, already),
          path: planned && verdict.by?.priority === planned.priority ? attributePath("rule") : [],
        });
      }
    },
  };
}

/** Where nothing is named that must get through, it is most of the Management API that must not be cut off. */
function guardOfBreadth(strength: "error" | "warn", list: () => Promise<JudgedAcl[]>, hostname: string): Guard {
  return {
    async review({ action, planned }, context) {
      const { plan, report } = context;
      if (action === "keep" || (planned && !isKnown(networkAcl, planned))) return;
      // An apply without a plan of its own has not read the list: it is worth a request where the plan alone cuts off most.
      const alone = isWide(breadthOf(standingAfter([], plan.changes()), hostname));
      if (!alone && !mayLook(context)) return;
      const before = await ifReadable(list);
      if (!before) return;
      const after = () => breadthOf(standingAfter(before, plan.changes()), hostname);
      const wide = () => (plan.phase !== "apply" && isWide(after()) ? after() : undefined);
      const [found] = await plan.unresolved("lock-out", wide);
      if (!found) return;
      const both = found.ipv4 > most && found.ipv6 > most;
      const earlier = breadthOf(before, hostname);
      const already = earlier.ipv4 >= found.ipv4 && earlier.ipv6 >= found.ipv6;
      if (!plan.isFirst(JSON.stringify(["lock-out", found.by]))) return;
      report({
        severity: strength === "error" && both && !already ? "error" : "warning",
        summary: `This plan ${already ? "leaves Terraform cut off" : "may cut off Terraform itself"}`,
        detail: wordsOfBreadth(found),
        path: planned && found.by.some(({ priority }) => priority === planned.priority) ? attributePath("rule") : [],
      });
    },
  };
}

function isWide({ ipv4, ipv6 }: Breadth<JudgedAcl>): boolean {
  return ipv4 > most || ipv6 > most;
}

function wordsOfBreadth({ ipv4, ipv6, by }: Breadth<JudgedAcl>): string {
  const parts = [ipv4 > most ? ["IPv4", ipv4] : [], ipv6 > most ? ["IPv6", ipv6] : []].filter(
    ({ length }) => length > 0,
  );
  const shares = parts.map(([family, part]) => `${Math.round(Number(part) * 100)} % of all requests over ${family}`);
  return (
    `${shares.join(" and ")} to the Management API would be blocked or redirected, by ${by.map(titleOf).join(", ")}: nobody whom they ` +
    "stop could undo it. Name the requests that must get through as protected_requests in the provider's configuration, and plans are " +
    'checked against those instead; or set lockout_guard = "warn" there.'
  );
}

/** What stands on the tenant once everything planned so far is done. What is not known yet counts as not planned. */
function standingAfter(before: readonly JudgedAcl[], changes: readonly PlannedChange<Definition>[]): JudgedAcl[] {
  const decided = changes.filter(({ planned }) => !planned || isKnown(networkAcl, planned));
  const changed = idsOf(decided);
  const untouched = before.filter(({ id }) => !changed.has(id));
  const standing = decided.flatMap(({ identity, planned }): JudgedAcl[] =>
    planned && isKnown(networkAcl, planned) ? [{ id: identity?.id, ...toWire(planned) }] : [],
  );
  return [...untouched, ...standing];
}

function idsOf(changes: readonly PlannedChange<Definition>[]): ReadonlySet<unknown> {
  return new Set(changes.map(({ identity }) => identity?.id));
}

/** What an ACL did before that this plan does not touch is no news of the plan. */
function isUntouched(after: Verdict<JudgedAcl>, before: Verdict<JudgedAcl>, changed: ReadonlySet<unknown>): boolean {
  return after.by?.id === before.by?.id && after.cutOff === before.cutOff && !changed.has(after.by?.id);
}

interface ProtectedRequest {
  /** How messages call it. */
  readonly called: string;
  readonly request: AccessRequest;
}

type WrittenRequest = Extract<GuardSettings["protected_requests"], readonly unknown[]>[number];

/** None while it is not known what it asks for. */
function protectedRequest(written: WrittenRequest): ProtectedRequest[] {
  if (written === undefined || written === unknown || written.path === unknown) return [];
  const { name, path = "/api/v2/", ...facts } = written;
  const known = Object.entries({ ...(written.path && { path }), ...facts }).filter(([, fact]) => fact !== unknown);
  const called = typeof name === "string" ? name : known.map((entry) => entry.join(" ")).join(", ");
  return [{ called, request: requestOf(path, facts) }];
}

function words(called: string, { by, outcome, cutOff, because }: Verdict<JudgedAcl>, already: boolean): string {
  const [does, may] = outcome === "redirected" ? ["redirects", "redirect"] : ["blocks", "block"];
  const effect = cutOff !== "yes" ? `may ${may}` : already ? does : `would ${may}`;
  const remedy = already
    ? "This plan does not change that: narrow its rule, or put an ACL that allows the request before it."
    : "Narrow its rule, put an ACL that allows the request before it, or set " +
      'lockout_guard = "warn" in the provider\'s configuration if this is meant.';
  return (
    `${already ? "T" : "After this plan t"}he ${titleOf(by!)} ${effect} the request "${called}" of protected_requests` +
    `${because ? `: ${because}` : ""}. ${remedy}`
  );
}

function titleOf({ description, priority, id }: JudgedAcl): string {
  return `network ACL "${description}" (priority ${priority}${id ? `, ${id}` : ""})`;
}
