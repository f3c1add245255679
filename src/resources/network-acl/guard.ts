/** The lock-out guard: whether the network ACLs that a plan leaves behind block requests that must get through. */
import {
  requestLockouts,
  ownLockouts,
  blocksMuch,
  type AclChange,
  type Lockout,
  type Terraform,
} from "../../impact/lockout/lockout";
import type { ProtectedRequest } from "../../impact/lockout/protected-request";
import { lockoutWords } from "../../impact/lockout/words";
import type { Acl } from "../../access/access";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import { isKnown, type Change, type Written } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/planned-object";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl, NetworkAclBody } from "../../tenant/network-acls";
import { createSnapshot } from "../../tenant/snapshot";
import { countries } from "../country";
import type { block } from "../provider/definition";
import { ifReadable, mayLook } from "../lookup";
import { networkAcl } from "./definition";
import { toWire } from "./wire";

type Definition = typeof networkAcl;

export type GuardSettings = Pick<Written<typeof block>, "protected_requests" | "lockout_guard">;

export interface Guard {
  /** Reports what the plan blocks, as far as this ACL has to do with it; `planned` undefined: it goes. */
  review(change: GuardedChange, context: Review): Promise<void>;
}

type GuardedChange = Pick<Change<Definition>, "action" | "planned" | "prior">;
type Review = ReviewContext<unknown, Definition>;
type JudgedAcl = NetworkAclBody & Acl & { readonly id?: string };

/** What is known of Terraform's own requests. */
export type OwnRequests = Pick<Terraform, "hostname" | "userAgents" | "asksToken">;

/** `list` reads the ACLs of the tenant, once for all callers. */
export function createGuard(settings: GuardSettings, list: () => Promise<NetworkAcl[]>, own: OwnRequests): Guard {
  const { protected_requests: written = [], lockout_guard = "error" } = settings;
  const requests = written === unknown ? [] : written.flatMap(protectedRequest);
  // All of the provider's configuration is known when it comes to an apply, whose reviews ask again.
  const isOpen = lockout_guard === unknown || written === unknown || requests.some(isUnknown);
  const strength = lockout_guard === unknown ? "warn" : lockout_guard;
  const terraform: Terraform = { ...own, countries };
  const snapshot = createSnapshot(list);
  const standing = async () => (await snapshot.read()) as JudgedAcl[];

  /** The changes planned so far: more may follow. */
  const changeBy = (before: readonly JudgedAcl[], { plan }: Review): AclChange<JudgedAcl> => {
    const changed = idsOf(plan.changes());
    return {
      before,
      after: standingAfter(before, plan.changes()),
      isSame: (one, other) => one.id === other.id && !changed.has(other.id),
    };
  };

  const report = (lockout: Lockout<JudgedAcl>, planned: GuardedChange["planned"], { plan, report: say }: Review) => {
    // A blocked token request only warns: some tenants close sign-in, and `access_token` needs no token request.
    const refused = lockout.certainty !== "possible" && !lockout.already && lockout.kind !== "token";
    if (strength === "off" && !refused) return;
    const topic = [lockout.kind, lockout.called, lockout.by.map(({ id, priority }) => [id, priority])];
    if (!plan.isFirst(JSON.stringify(["lock-out", ...topic]))) return;
    // A plan of one object at a time cannot see whether another ACL will let Terraform through.
    const isSerial = plan.phase === "plan" && !plan.othersMayCome() && lockout.kind !== "protected request";
    const refusal = strength !== "error" ? strength : isOpen ? "open" : isSerial ? "serial" : "error";
    say({
      severity: refusal === "error" && refused ? "error" : "warning",
      ...(strength === "off" ? { summary: "The lock-out guard is off" } : headOf(lockout)),
      detail: detailOf(lockout, refused ? refusal : undefined),
      path: planned && lockout.by.some(({ priority }) => priority === planned.priority) ? attributePath("rule") : [],
    });
  };

  let last: Judged | undefined;
  /** Many resources ask, and ask again while they wait: judges once until the planned changes differ. */
  const judged = (before: readonly JudgedAcl[], context: Review) => {
    const changes = context.plan.changes();
    if (!last || last.before !== before || !areSame(last.changes, changes)) {
      const found = gravest(ownLockouts(changeBy(before, context), requests, terraform));
      last = { before, changes, found };
    }
    return last.found.length > 0 ? last.found : undefined;
  };

  async function reviewRequests(planned: GuardedChange["planned"], context: Review): Promise<void> {
    const before = await standing();
    const found = () => requestLockouts(changeBy(before, context), requests);
    if (found().length === 0) return;
    // Another ACL of the same plan may yet let the request through: wait until Terraform has planned what it can.
    await context.plan.settled();
    for (const lockout of found()) report(lockout, planned, context);
  }

  async function reviewOwn({ planned, prior }: GuardedChange, context: Review): Promise<void> {
    const { plan } = context;
    const isLetIn = prior?.active === true && prior.rule.action.allow === true;
    // An apply has been planned: it is worth a request only for what may not have been known then.
    const alone = standingAfter([], plan.changes());
    if (!mayLook(context) && !(isLetIn && planned) && !blocksMuch(alone, requests, terraform)) return;
    const before = await ifReadable(standing);
    if (!before) return;
    const found = () => judged(before, context);
    if (plan.phase !== "apply" && plan.othersMayCome()) {
      const [all] = await plan.unresolved("lock-out", found);
      for (const lockout of all ?? []) report(lockout, planned, context);
      return;
    }
    // Operations that run one at a time run in this order, so a later ACL cannot help.
    const isConcerned = ({ by }: Lockout<JudgedAcl>) =>
      !planned || isLetIn || by.some(({ priority }) => priority === planned.priority);
    if (!found()?.some(isConcerned)) return;
    await plan.settled();
    for (const lockout of found() ?? []) if (isConcerned(lockout)) report(lockout, planned, context);
  }

  return {
    async review(change, context) {
      const { action, planned } = change;
      const { plan } = context;
      // What is not known yet is guarded right before it is done; what stays is looked at where the list is at hand.
      if ((planned && !isKnown(networkAcl, planned)) || (action === "keep" && plan.phase !== "plan")) return;
      if (requests.length > 0) await reviewRequests(planned, context);
      if (action !== "keep") await reviewOwn(change, context);
    },
  };
}

interface Judged {
  readonly before: readonly JudgedAcl[];
  readonly changes: readonly PlannedChange<Definition>[];
  readonly found: readonly Lockout<JudgedAcl>[];
}

function areSame(some: readonly PlannedChange<Definition>[], others: readonly PlannedChange<Definition>[]): boolean {
  const isSame = (one: PlannedChange<Definition>, other: PlannedChange<Definition> | undefined) =>
    one.planned === other?.planned && one.identity === other?.identity;
  return some.length === others.length && some.every((one, index) => isSame(one, others[index]));
}

/** If the Management API is blocked, the token request does not matter. */
function gravest(lockouts: readonly Lockout<JudgedAcl>[]): readonly Lockout<JudgedAcl>[] {
  const isGrave = lockouts.some((one) => one.kind === "breadth" && one.certainty === "certain" && !one.already);
  return isGrave ? lockouts.filter(({ kind }) => kind === "breadth") : lockouts;
}

/** The ACLs of the tenant once everything planned so far is done. What is not known yet counts as not planned. */
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

type WrittenRequest = Extract<GuardSettings["protected_requests"], readonly unknown[]>[number];

function protectedRequest(written: WrittenRequest): ProtectedRequest[] {
  if (written === undefined || written === unknown) return [{ called: "not known yet", path: unknown, facts: {} }];
  const { name, path, ...facts } = written;
  const known = Object.entries({ ...(path !== undefined && { path }), ...facts }).filter(
    ([, fact]) => fact !== unknown,
  );
  const called = typeof name === "string" ? name : known.map((entry) => entry.join(" ")).join(", ");
  return [{ called, path, facts }];
}

function isUnknown({ path, facts }: ProtectedRequest): boolean {
  return path === unknown || Object.values(facts).includes(unknown);
}

function headOf({ kind, certainty, already, outcome }: Lockout<JudgedAcl>): { summary: string } {
  if (kind !== "protected request") {
    return { summary: `This plan ${already ? "leaves Terraform locked out" : "may lock out Terraform itself"}` };
  }
  return {
    summary: `A protected request ${certainty === "possible" ? "may be" : "is"} ${outcome}${already ? " already" : ""}`,
  };
}

/** Why a plan that "error" would refuse is not refused. */
const reasons = {
  off: '`lockout_guard` is "off", so this plan is not refused.',
  warn: '`lockout_guard` is "warn", so this plan is not refused.',
  open: "Part of `protected_requests` or `lockout_guard` is not known yet, so the apply decides.",
  serial: "Terraform plans one object at a time (-parallelism=1), so the apply decides.",
  error: "",
};

function detailOf(lockout: Lockout<JudgedAcl>, refusal: keyof typeof reasons | undefined): string {
  const what = `${lockoutWords(lockout, lockout.by.map(titleOf))}.`;
  const reason = refusal ? reasons[refusal] : "";
  const isWeak = refusal === "warn" || refusal === "off";
  const way = isWeak || lockout.already || lockout.kind === "token" ? "" : wayOut;
  return [what, reason, remedyOf(lockout), way].filter((sentence) => sentence !== "").join(" ");
}

const wayOut = 'If this is meant, set `lockout_guard = "warn"` in the provider block.';

function remedyOf({ kind, already, called, certainty }: Lockout<JudgedAcl>): string {
  if (already) {
    return "This plan does not change that. Narrow the rule, or add an ACL that allows the request and is evaluated first.";
  }
  if (kind === "protected request")
    return "Narrow the rule, or add an ACL that allows the request and is evaluated first.";
  if (kind === "token")
    return "Add an ACL that allows the machines that run Terraform and is evaluated first, or give a token (`access_token`).";
  if (certainty === "not decided") return "Use fewer network ACLs.";
  const name =
    called === undefined
      ? "name the machines that run Terraform in `protected_requests`, with their `ip`: plans are then judged by these requests"
      : "add more facts of that machine to the protected request: those that the rules look at";
  return `Narrow the rule, or ${name}.`;
}

function titleOf({ description, priority, id }: JudgedAcl): string {
  return `the network ACL "${description}" (priority ${priority}${id ? `, ${id}` : ""})`;
}
