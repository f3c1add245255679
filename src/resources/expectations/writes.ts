/**
 * Refuses writes that break an expectation at that moment of the apply. A write is judged twice: by the tenant right before and after it,
 * for expectations that always hold, and, for the others, as if the successors of deleted objects were there already.
 */
import { stateOf, type States, type TenantState } from "../../impact/state";
import { judgeExpectations } from "../../impact/statement/judge";
import type { Expectation, JudgedExpectation } from "../../impact/statement/statement";
import { isDenial, mayRestrict } from "../../impact/statement/write";
import { attributePath } from "../../cty/path";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { NetworkAclBody } from "../../tenant/network-acls";
import type { RateLimitPolicyBody } from "../../tenant/rate-limit-policies";
import type { Guard, InTenant, Write } from "../../tenant/gate/verdict";
import { enforced } from "./expectations";
import { detailOfStep, type Operation } from "./words";

export type StatesOfWrite = Required<States>;

/** The write that is judged. */
interface Step {
  readonly operation: Operation;
  /** Whether Terraform creates the deleted object again, with values that are not known yet. */
  readonly isOpen?: boolean;
  /** The attribute that messages point to. */
  readonly attribute: string;
}

/** An expectation that held before the write, and that the write breaks. `isFinal`: otherwise, only those that always hold count. */
export function brokenBy(
  expectations: readonly Expectation[],
  written: StatesOfWrite,
  isFinal: boolean,
): JudgedExpectation | undefined {
  const own = expectations.filter(({ always }) => isFinal || always === true);
  return own.length === 0 ? undefined : judgeExpectations(own, written).find(isNewlyBroken);
}

export const isNewlyBroken = ({ verdict, already }: JudgedExpectation) => verdict === "broken" && !already;

export function refusalFor(broken: JudgedExpectation, { operation, attribute, isOpen = false }: Step): DiagnosticError {
  const path = operation === "delete" || operation === "replace" ? [] : attributePath(attribute);
  return new DiagnosticError("TNF-STEP-BREAKS-EXPECTATION", detailOfStep(broken, operation, isOpen), path);
}

/** `own`: the successor of the object that the write deletes, if it is known. */
export interface Successors<Body> {
  readonly all: ReadonlySet<Body>;
  readonly own: Body | undefined;
}

interface Written<Body> {
  readonly before: readonly Body[];
  readonly after: readonly Body[];
  readonly isFinal: boolean;
}

/** How writes of one kind of objects are judged. */
interface Kind<Body> {
  readonly attribute: string;
  state(all: readonly Body[]): TenantState;
  /** What only one object of a tenant has, so that a successor is there once another object has it. */
  place(object: Body): unknown;
}

/** Undefined: the write breaks no expectation that held before. */
function refusalOf<Body>(
  { attribute, state, place }: Kind<Body>,
  expectations: readonly Expectation[],
  operation: Operation,
  { all, own }: Successors<Body>,
  { before, after, isFinal }: Written<Body>,
): DiagnosticError | undefined {
  const withThose = (objects: readonly Body[], successors: readonly Body[]) => {
    const taken = new Set(objects.map(place));
    return state([...objects, ...successors.filter((one) => !taken.has(place(one)))]);
  };
  const others = [...all].filter((one) => one !== own);
  const lasting = expectations.filter(({ always }) => always !== true);
  const broken =
    brokenBy(expectations, { before: state(before), after: state(after) }, false) ??
    brokenBy(
      lasting,
      { before: withThose(before, others), after: withThose(after, own ? [...others, own] : others) },
      isFinal,
    );
  return broken && refusalFor(broken, { operation, isOpen: operation === "replace" && !own, attribute });
}

type Content = Parameters<typeof mayRestrict>[0];

const acls: Kind<InTenant<NetworkAclBody>> = {
  attribute: "rule",
  state: (all) => stateOf({ acls: all }),
  place: ({ priority }) => priority,
};

/** Refuses writes that break an expectation. */
export interface AclWriteJudge extends Pick<Guard<NetworkAclBody>, "refusal"> {
  /** Whether the write may be refused. */
  mayBreak(write: Write<NetworkAclBody>): boolean;
}

/** Returns undefined if no expectation is about requests. */
export function aclWriteJudge(
  all: readonly Expectation[],
  operation: Operation,
  successors: Successors<NetworkAclBody> = { all: new Set(), own: undefined },
): AclWriteJudge | undefined {
  const expectations = enforced(all, "requests");
  if (expectations.length === 0) return undefined;
  const affected = ({ before, after }: Write<NetworkAclBody>) =>
    expectations.filter((one) => mayAffect(one, before as Content, after as Content));
  return {
    mayBreak: (write) => affected(write).length > 0,
    refusal: (before, after, write, isFinal) =>
      refusalOf(acls, affected(write), operation, successors, { before, after, isFinal }),
  };
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

const policies: Kind<RateLimitPolicyBody> = {
  attribute: "configuration",
  state: (all) => stateOf({ policies: all }),
  place: ({ resource, consumer, consumer_selector }) => JSON.stringify([resource, consumer, consumer_selector]),
};

/** The error for a write that turns the first policies into the second ones. */
export const policyWriteJudge =
  (expectations: readonly Expectation[], operation: Operation, successors: Successors<RateLimitPolicyBody>) =>
  (before: readonly RateLimitPolicyBody[], after: readonly RateLimitPolicyBody[]) =>
    refusalOf(policies, expectations, operation, successors, { before, after, isFinal: true });
