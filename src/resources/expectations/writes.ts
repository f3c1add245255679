/** Refuses writes that break an expectation at that moment of the apply. */
import type { Expectation } from "../../impact/expectation/expectation";
import { judgeExpectations, type TenantState } from "../../impact/expectation/judge";
import type { JudgedExpectation } from "../../impact/expectation/judged";
import { aclFrom } from "../../impact/network-acl/acl";
import type { Values } from "../../impact/model";
import { isDenial, mayRestrict } from "../../impact/lockout/write";
import { attributePath } from "../../cty/path";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { NetworkAclBody } from "../../tenant/network-acls";
import type { Guard, InTenant, Write } from "../../tenant/gate/verdict";
import type { Operation } from "../network-acl/guard-words";
import { enforced } from "./expectations";
import { detailOfStep } from "./words";

export interface Written {
  readonly before: TenantState;
  readonly after: TenantState;
}

/** A write as it leaves the tenant, and the change that it belongs to, which counts the successors of deleted objects as there. */
export interface WrittenChange {
  readonly now: Written;
  readonly whole: Written;
}

/** The write that is judged. */
export interface Step {
  readonly operation: Operation;
  /** Whether the change is whole then. Otherwise, only expectations that always hold count. */
  readonly isFinal: boolean;
  /** Whether Terraform creates the deleted object again, with values that are not known yet. */
  readonly isOpen?: boolean;
  /** The attribute that messages point to. */
  readonly attribute: string;
}

/** Undefined: the write breaks no expectation that held before. */
export function refusalOfStep(
  expectations: readonly Expectation[],
  { now, whole }: WrittenChange,
  step: Step,
): DiagnosticError | undefined {
  const lasting = expectations.filter(({ always }) => always !== true);
  const broken = brokenBy(expectations, now, false) ?? brokenBy(lasting, whole, step.isFinal);
  return broken && refusalFor(broken, step);
}

/** An expectation that held before the write, and that the write breaks. */
export function brokenBy(
  expectations: readonly Expectation[],
  written: Written,
  isFinal: boolean,
): JudgedExpectation | undefined {
  const own = expectations.filter(({ always }) => isFinal || always === true);
  return own.length === 0 ? undefined : judgeExpectations(own, written).find(isNewlyBroken);
}

export function refusalFor(
  broken: JudgedExpectation,
  { operation, attribute, isOpen = false }: Omit<Step, "isFinal">,
): DiagnosticError {
  const path = operation === "delete" || operation === "replace" ? [] : attributePath(attribute);
  return new DiagnosticError("TNF-STEP-BREAKS-EXPECTATION", detailOfStep(broken, operation, isOpen), path);
}

export const isNewlyBroken = ({ verdict, already }: JudgedExpectation) => verdict === "broken" && !already;

type Content = Parameters<typeof mayRestrict>[0];

/** `own`: the successor of the ACL that the write deletes, if it is known. */
export interface AclSuccessors {
  readonly all: ReadonlySet<NetworkAclBody>;
  readonly own: NetworkAclBody | undefined;
}

/** Refuses writes that break an expectation. */
export interface AclWriteJudge extends Pick<Guard<NetworkAclBody>, "refusal"> {
  /** Whether the write may be refused. */
  mayBreak(write: Write<NetworkAclBody>): boolean;
}

/** Returns undefined if no expectation is about requests. */
export function aclWriteJudge(
  all: readonly Expectation[],
  operation: Operation,
  successors: AclSuccessors = { all: new Set(), own: undefined },
): AclWriteJudge | undefined {
  const expectations = enforced(all, "requests");
  if (expectations.length === 0) return undefined;
  const affected = ({ before, after }: Write<NetworkAclBody>) =>
    expectations.filter((expectation) => mayAffect(expectation, before as Content, after as Content));
  return {
    mayBreak: (write) => affected(write).length > 0,
    refusal(before, after, write, isFinal) {
      const found = affected(write);
      if (found.length === 0) return undefined;
      const { own } = successors;
      const others = [...successors.all].filter((one) => one !== own);
      const now = { before: aclState(before), after: aclState(after) };
      const ends = own ? [...others, own] : others;
      const whole = { before: aclState(withThose(before, others)), after: aclState(withThose(after, ends)) };
      const isOpen = operation === "replace" && !own;
      return refusalOfStep(found, { now, whole }, { operation, isFinal, isOpen, attribute: "rule" });
    },
  };
}

/** A tenant has one ACL for each priority, so a successor is there once another one has its priority. */
function withThose(
  acls: readonly InTenant<NetworkAclBody>[],
  successors: readonly NetworkAclBody[],
): readonly InTenant<NetworkAclBody>[] {
  const taken = new Set(acls.map(({ priority }) => priority));
  return [...acls, ...successors.filter(({ priority }) => !taken.has(priority))];
}

/** A write that only blocks more breaks no expectation that requests are blocked, and the other way round. */
function mayAffect({ statement }: Expectation, before: Content, after: Content): boolean {
  const outcomes = new Set(statement.kind === "requests" ? (statement.outcomes as readonly string[]) : []);
  if (outcomes.has("logged")) return true;
  if (outcomes.has("blocked") && outcomes.has("redirected")) return outcomes.has("reached") || mayOpen(before, after);
  if (outcomes.has("blocked")) return mayOpen(before, after) || (isDenial(after) && !after!.rule.action["block"]);
  return outcomes.has("redirected") || mayRestrict(before, after);
}

const mayOpen = (before: Content, after: Content) => mayRestrict(after, before);

export function aclState(acls: readonly InTenant<NetworkAclBody>[]): TenantState {
  return {
    acls: acls.flatMap((acl) =>
      aclFrom(acl as object as Values, undefined, undefined, acl.id ?? `new ${acl.priority}`),
    ),
  };
}
