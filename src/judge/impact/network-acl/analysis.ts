/** Compares the network ACLs before and after a change, over all possible requests. */
import {
  changesOf,
  flagOf,
  inOrder,
  outcomeKey,
  unreachable,
  type Acl,
  type Changed,
  type Ends,
  type Outcome,
  type Unreachable,
} from "../../access/access";
import { urlIn } from "../../../formats/text/url";
import type { Cause, Change as ObjectChange } from "../cause";
import { attributeChange } from "../effect";
import { canonical, equal, isUnknown } from "../../../formats/cty/value";
import type { PlannedAcl, AclVersions } from "./acl";

/** The requests whose outcome changes in one way. */
export interface OutcomeChange extends Changed<PlannedAcl> {
  readonly before: Outcome;
  readonly after: Outcome;
  readonly isCertain: boolean;
}

/** The requests that are logged only before, or only after the change. */
export interface LogChange extends Changed<PlannedAcl> {
  readonly direction: "lost" | "gained";
  readonly isCertain: boolean;
}

export interface AclAnalysis {
  /** The active ones, in order of evaluation. */
  readonly before: readonly PlannedAcl[];
  readonly after: readonly PlannedAcl[];
  readonly outcomes: readonly OutcomeChange[];
  readonly logs: readonly LogChange[];
  /** How many APIs have ACLs that overlap too much to compare them. */
  readonly undecided: number;
  readonly unreachable: readonly Unreachable<PlannedAcl>[];
  /** Key -> the versions of each ACL that the plan changes. */
  readonly changed: ReadonlyMap<string, AclPair>;
  /** Whether every request was compared, and each outcome is certain. */
  readonly proven: boolean;
  /** Properties of rules that must not be shown. */
  readonly secrets: ReadonlySet<string>;
  /** The known hosts of the tenant. */
  readonly ownHosts: ReadonlySet<string>;
}

/** `isDoubtful`: the tenant may have more than these ACLs. */
export function analyseAcls(
  versions: AclVersions,
  isDoubtful = false,
  ownHosts: ReadonlySet<string> = new Set(),
): AclAnalysis {
  const { before, after } = versions;
  const changed = changedAcls(versions);
  const none = { changed: [], undecided: [] };
  const outcomes = changed.size === 0 ? none : changesOf(versions, outcomeChange);
  const hasLogs = [...before, ...after].some(({ active, rule }) => active && flagOf(rule.action) === "log");
  const logs = changed.size === 0 || !hasLogs ? none : changesOf(versions, logChange, { withLogs: true });
  const found = outcomes.changed.map((one): OutcomeChange => {
    const [{ before: was, after: is, isCertain }] = one.ends as [Ends<PlannedAcl>];
    return { ...one, before: was.outcome, after: is.outcome, isCertain };
  });
  return {
    before: before.length === 0 ? [] : inOrder(before),
    after: after.length === 0 ? [] : inOrder(after),
    outcomes: found,
    logs: logs.changed.map((one) => ({
      ...one,
      direction: isRecorded(one.ends[0]!.before) ? ("lost" as const) : ("gained" as const),
      isCertain: one.ends[0]!.isCertain,
    })),
    undecided: outcomes.undecided.length,
    unreachable: unreachableAcls(after),
    changed,
    proven: !isDoubtful && outcomes.undecided.length === 0 && found.every(({ isCertain }) => isCertain),
    secrets: new Set([...before, ...after].flatMap(({ secret }) => [...secret])),
    ownHosts,
  };
}

type End = Ends<PlannedAcl>["before"];

/** A redirect to another path of one host is not one to another host. */
function outcomeChange(ends: Ends<PlannedAcl>): string | undefined {
  const key = outcomeKey(ends);
  if (key === undefined || ends.before.outcome !== "redirected" || ends.after.outcome !== "redirected") return key;
  return `${key} ${hostOf(ends.before) === hostOf(ends.after)}`;
}

/** Undefined: not known. An address that is no URL may be on any host. */
export function hostOf({ redirect_uri: uri }: Pick<End, "redirect_uri">): string | undefined {
  return uri === undefined ? undefined : urlIn(uri)?.hostname || uri;
}

/** The tenant records logged and blocked requests. */
const isRecorded = ({ log, outcome }: End) => log !== undefined || outcome === "blocked";

function logChange({ before, after, isCertain }: Ends<PlannedAcl>): string | undefined {
  if (before.log && !isRecorded(after)) return `lost ${isCertain}`;
  return after.log && !isRecorded(before) ? `gained ${isCertain}` : undefined;
}

/** The versions of one ACL. */
export interface AclPair {
  readonly before?: PlannedAcl;
  readonly after?: PlannedAcl;
}

/** Key -> the versions of an ACL that the plan changes in a way that can matter for requests. */
function changedAcls({ before, after }: AclVersions): ReadonlyMap<string, AclPair> {
  const pairs = new Map<string, AclPair>(before.map((acl) => [acl.key, { before: acl }]));
  for (const acl of after) pairs.set(acl.key, { ...pairs.get(acl.key), after: acl });
  return new Map([...pairs].filter(([, pair]) => textOf(pair.before) !== textOf(pair.after)));
}

function textOf(acl: PlannedAcl | undefined): string {
  if (!acl) return "";
  const { active, priority, rule } = acl;
  return canonical([active, String(priority), rule]);
}

/** The changed ACLs that decide the requests after the change, or else those that decided them before. */
export function causesOf({ ends }: Changed<PlannedAcl>, { changed }: Pick<AclAnalysis, "changed">): AclPair[] {
  const found = ends.flatMap(({ before, after }) => {
    const own = [after.acl, before.acl, after.log, before.log].flatMap((acl) => (acl && changed.get(acl.key)) ?? []);
    return own.slice(0, 1);
  });
  return [...new Set(found)];
}

export function causeOf({ before, after }: AclPair): Cause {
  const { address = "", plan } = (after ?? before)!;
  return { address, ...(plan !== undefined && { plan }), change: changeOf(before, after) };
}

function changeOf(before: PlannedAcl | undefined, after: PlannedAcl | undefined): ObjectChange {
  if (!before) return { kind: "created" };
  if (!after) return { kind: "destroyed" };
  if (isOpen(before) !== isOpen(after)) return attributeChange("active");
  if (before.active !== after.active) return { kind: after.active ? "activated" : "deactivated" };
  const [old, now] = [flagOf(before.rule.action), flagOf(after.rule.action)];
  if (old !== now) return old && now ? attributeChange("rule.action", old, now) : attributeChange("rule.action");
  if (!equal(before.rule, after.rule)) return attributeChange("rule");
  const isHidden = before.secret.has("priority") || after.secret.has("priority");
  const [was, is] = [before.priority, after.priority];
  return isHidden || isUnknown(was) || isUnknown(is)
    ? attributeChange("priority")
    : attributeChange("priority", was, is);
}

/** Whether it is switched on or off after the apply. */
const isOpen = ({ rule }: PlannedAcl) => isUnknown(rule["active"]);

type Placed = Acl & Pick<PlannedAcl, "tenantUnknown">;

/** ACLs that certainly match no request. An ACL of another tenant shadows nothing. */
export const unreachableAcls = <A extends Placed>(acls: readonly A[]): Unreachable<A>[] =>
  acls.length === 0 ? [] : unreachable(acls.filter(({ tenantUnknown }) => !tenantUnknown));
