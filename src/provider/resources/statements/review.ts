/** Reviews a change by the statements that it concerns. The head of `statements` says how. */
import { isWhollyKnown } from "../../../formats/cty/value";
import { unseen, wholePlan } from "../../sdk/diagnostic";
import { attributePath } from "../../../formats/cty/path";
import type { Values } from "../../../judge/impact/model";
import { stateOf } from "../../../judge/impact/state";
import { blocksMuch, distinctBy } from "../../../judge/impact/statement/lockout";
import type { Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import type { networkAcl } from "../network-acl/definition";
import type { rateLimitPolicy } from "../rate-limit-policy/definition";
import { guardsOf, type Guard } from "./guard";
import { expectationProblems, nameOf, ownProblems, requestProblems, stateAfter } from "./problem";
import { remembered, statementsAbout, type Problem, type Statements } from "./statements";

type Review = ReviewContext<Client>;

/** A change, and the statements that it concerns. `C`: the changes that are judged together. */
interface Subject<C extends object> {
  /** Tells apart the objects that are judged together. */
  readonly topic: string;
  /** The plan leaves the object as it is, so the review says only what does not hold anyway. */
  readonly isKept: boolean;
  /** The attribute that messages point to. */
  readonly attribute: string;
  /** The objects of the tenant. */
  readonly present: readonly unknown[];
  /** Everything that is planned so far. */
  changes(): readonly C[];
  isThis(change: C): boolean;
  judge(changes: readonly C[]): readonly Problem[];
  /** Whether its own object decides. */
  isMine(problem: Problem): boolean;
}

export async function review<C extends object>(
  subject: Subject<C>,
  { client, plan, report }: Pick<Review, "client" | "plan" | "report">,
): Promise<void> {
  const { topic, isKept, attribute } = subject;
  // An apply judges its writes.
  const all = () => (plan.phase === "apply" ? [] : judged(subject, client!.statements));
  /** Whether the problem stays without the change of this index. All calls of a plan ask about the same changes, so each answer is kept. */
  const staysWithout = ({ key }: Problem, index: number) => {
    const changes = subject.changes();
    const version = versionOf(subject, changes);
    const kept = remembered(client!.statements, `${topic} without one`, version, () => new Map<number, Set<string>>());
    const known = kept.get(index) ?? newIn(subject.judge(changes.filter((_, at) => at !== index)));
    kept.set(index, known);
    return known.has(key);
  };
  /** Several changes cause the problem, and none of them alone: the deletions of two ACLs that an expectation needs, for example. */
  const isShared = (problem: Problem) => subject.changes().every((_, index) => staysWithout(problem, index));
  /** The object of the change decides, or the statement holds without the change, or without no change alone. */
  const isCause = (problem: Problem) =>
    subject.isMine(problem) ||
    subject.changes().some((one, index) => subject.isThis(one) && !staysWithout(problem, index)) ||
    isShared(problem);

  async function tell(concern: string, find: () => readonly Problem[], isOwn: (problem: Problem) => boolean) {
    const orNothing = () => {
      const now = find();
      return now.length > 0 ? now : undefined;
    };
    const found = await plan.gathered(concern, orNothing, (now) => now.some(({ refuses }) => refuses));
    for (const problem of distinctBy(found.flat(), ({ id }) => id)) {
      const { refuses, title: code } = problem;
      const severity = refuses ? "error" : "warning";
      if (!plan.isFirst(`${severity} ${problem.id}`)) continue;
      const path = subject.isMine(problem) ? attributePath(attribute) : [];
      const detail = [isOwn(problem) ? [] : wholePlan, problem.detail, refuses ? unseen : []].flat().join(" ");
      report({ severity, code, detail, path });
    }
  }

  const isOld = ({ isNew, isOld: wasSo }: Problem) => !isNew && (wasSo || !isKept);
  await tell(isKept ? `${topic}, unchanged` : topic, () => all().filter(isOld), subject.isMine);
  if (!isKept) await tell(`refused ${topic}`, () => all().filter((one) => one.isNew && isCause(one)), isCause);
}

const newIn = (found: readonly Problem[]) => new Set(found.filter(({ isNew }) => isNew).map(({ key }) => key));

const versionOf = <C extends object>({ present }: Subject<C>, changes: readonly C[]): unknown[] => [
  ...present,
  ...changes.flatMap((one): unknown[] => Object.values(one)),
];

function judged<C extends object>(subject: Subject<C>, known: Pick<Statements, "judged">): readonly Problem[] {
  const changes = subject.changes();
  return remembered(known, subject.topic, versionOf(subject, changes), () => subject.judge(changes));
}

/** An apply judges its writes, and an unchanged object is judged only in a plan. */
export const isOver = ({ action }: Pick<Change, "action">, { plan }: Review) =>
  plan.phase === "apply" || (action === "keep" && plan.phase !== "plan");

type ObjectChange = Change<typeof networkAcl> | Change<typeof rateLimitPolicy>;

/** What the subjects of network ACLs and policies have in common. */
export function subjectOf({ action, prior, planned, replaced }: ObjectChange, { plan }: Review) {
  const changes = () => plan.changes();
  const ids = [prior?.id, (replaced as { readonly id?: string } | undefined)?.id];
  const isThis = ({ identity, planned: other }: PlannedChange) => {
    const id = (identity as { readonly id?: string } | undefined)?.id;
    return (planned !== undefined && (other as unknown) === planned) || (id !== undefined && ids.includes(id));
  };
  const name = () => prior?.id ?? nameOf(changes().findIndex((one) => (one.planned as unknown) === planned));
  const isMine = ({ by }: Problem) => planned !== undefined && by.includes(name());
  return { isKept: action === "keep", changes, isThis, isMine };
}

/** The guards whose requests the planned ACLs might block, whatever the tenant has. */
function blockingMuch(
  guards: readonly Guard[],
  changes: readonly PlannedChange[],
  statements: Statements,
): readonly Guard[] {
  const version = changes.flatMap((one): unknown[] => Object.values(one));
  return remembered(statements, "blocks much", version, () => {
    const { acls } = stateAfter({ acls: [] }, "acls", changes);
    return guards.filter(({ requests, terraform }) => blocksMuch(acls!, requests, terraform));
  });
}

export async function reviewAclStatements(change: Change<typeof networkAcl>, context: Review): Promise<void> {
  const { action, prior, replaced } = change;
  const { client, plan } = context;
  if (!client || isOver(change, context)) return;
  const { statements, tenant } = client;
  const guards = guardsOf(statements);
  const expectations = statementsAbout(statements, "requests");
  const protecting = guards.filter(({ requests }) => requests.length > 0);
  // A destroy or an apply without a plan asks only if the change may lock out.
  const wasLetIn = prior?.active === true && prior.rule.action.allow === true;
  const isAsked = plan.phase === "plan" || wasLetIn;
  const mayLockOut = action === "keep" ? [] : isAsked ? guards : blockingMuch(guards, plan.changes(), statements);
  if (protecting.length + mayLockOut.length + expectations.length === 0) return;
  const list = () => tenant.networkAcls.list();
  const present = await (protecting.length > 0 ? list() : ifReadable(list));
  if (present) client.remote.network_acls = present as readonly object[] as readonly Values[];
  const before = stateOf(present ? { acls: present } : {});
  const judge = (changes: readonly PlannedChange[]): Problem[] => {
    const after = stateAfter(before, "acls", changes);
    const versions = { before: before.acls ?? [], after: after.acls ?? [] };
    const isOpen = changes.some((one) => one.planned && !decided(one.planned, "active", "priority", "rule"));
    return [
      ...(present ? protecting.flatMap((guard) => requestProblems(guard, versions)) : []),
      ...(present ? mayLockOut.flatMap((guard) => ownProblems(guard, versions)) : []),
      ...expectationProblems(expectations, { before, after }, isOpen),
    ];
  };
  // Whether Terraform's own requests count depends on the change.
  const topic = `statements about requests${mayLockOut.length > 0 ? "" : " of others"}`;
  await review({ ...subjectOf(change, context), topic, attribute: "rule", present: present ?? [], judge }, context);
  if (!replaced || !present) return;
  const { reviewAclReplacement } = await import("./replacement.js");
  reviewAclReplacement(change, present, context);
}

/** The values that decide, as the tenant will have them. Undefined while one of them is not known. */
export function decided(planned: object, ...names: readonly string[]): object | undefined {
  const values = Object.fromEntries(names.map((name) => [name, (planned as Values)[name]]));
  return !isWhollyKnown(values) ? undefined : values;
}
