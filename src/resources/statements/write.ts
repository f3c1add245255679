/**
 * Refuses writes that break a statement at that moment of the apply. For expectations, a write is judged twice: by the tenant right before
 * and after it, for those that always hold, and, for the others, as if the successors of deleted objects were there already.
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
import { guardsOf, refusedBy } from "./guard";
import { enforced, type Statements } from "./statements";
import { detailOfStep, lockoutRefusalOf, type Operation } from "./words";

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
  written: Required<States>,
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

/** A write of one kind of objects. */
interface Written<Body> {
  readonly operation: Operation;
  readonly attribute: string;
  readonly successors: ReadonlySet<Body>;
  /** The successor of the object that the write deletes, if it is known. */
  readonly own: Body | undefined;
  readonly before: readonly Body[];
  readonly after: readonly Body[];
  readonly isFinal: boolean;
  state(all: readonly Body[]): TenantState;
  /** What only one object of a tenant has, so that a successor is there once another object has it. */
  place(object: Body): unknown;
}

/** Undefined: the write breaks no expectation that held before. */
function refusalOf<Body>(expectations: readonly Expectation[], written: Written<Body>): DiagnosticError | undefined {
  const { operation, attribute, successors, own, before, after, isFinal, state, place } = written;
  const withThose = (objects: readonly Body[], more: readonly Body[]) => {
    const taken = new Set(objects.map(place));
    return state([...objects, ...more.filter((one) => !taken.has(place(one)))]);
  };
  const others = [...successors].filter((one) => one !== own);
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

export function aclWriteGuard(
  statements: Pick<Statements, "settings" | "expectations" | "successors">,
  operation: Operation,
  own?: NetworkAclBody,
): Required<Guard<NetworkAclBody>> {
  const guards = guardsOf(statements);
  const expectations = enforced(statements, "requests");
  const restricts = ({ before, after }: Write<NetworkAclBody>) => mayRestrict(before as Content, after as Content);
  const affected = ({ before, after }: Write<NetworkAclBody>) =>
    expectations.filter((one) => mayAffect(one, before as Content, after as Content));
  const kind = {
    attribute: "rule",
    state: (all: readonly InTenant<NetworkAclBody>[]) => stateOf({ acls: all }),
    place: ({ priority }: NetworkAclBody) => priority,
  };
  return {
    mayRefuse: (write) => restricts(write) || affected(write).length > 0,
    refusal(before, after, write, isFinal) {
      const [lockout] = restricts(write) ? refusedBy(guards, { before: aclsOf(before), after: aclsOf(after) }) : [];
      if (lockout) return lockoutRefusalOf(lockout, operation);
      const written = { ...kind, operation, successors: statements.successors.acls, own, before, after, isFinal };
      return refusalOf(affected(write), written);
    },
  };
}

/** Two versions of one ACL may be given while its write is under way. */
const aclsOf = (all: readonly InTenant<NetworkAclBody>[]) =>
  stateOf({ acls: all }).acls!.map((acl, index) => ({ ...acl, key: `${acl.key} ${index}` }));

/** A write that only blocks more breaks no expectation that requests are blocked, and the other way round. */
function mayAffect({ statement }: Expectation, before: Content, after: Content): boolean {
  const outcomes = new Set(statement.kind === "requests" ? (statement.outcomes as readonly string[]) : []);
  if (outcomes.has("logged")) return true;
  if (outcomes.has("blocked") && outcomes.has("redirected")) return outcomes.has("reached") || mayOpen(before, after);
  if (outcomes.has("blocked")) return mayOpen(before, after) || (isDenial(after) && !after!.rule.action["block"]);
  return outcomes.has("redirected") || mayRestrict(before, after);
}

const mayOpen = (before: Content, after: Content) => mayRestrict(after, before);

/** The error for a write that turns the first policies into the second ones. */
export const policyWriteJudge =
  (statements: Statements, operation: Operation, own: RateLimitPolicyBody | undefined) =>
  (before: readonly RateLimitPolicyBody[], after: readonly RateLimitPolicyBody[]) =>
    refusalOf<RateLimitPolicyBody>(enforced(statements, "policy"), {
      operation,
      attribute: "configuration",
      successors: statements.successors.policies,
      own,
      before,
      after,
      isFinal: true,
      state: (all) => stateOf({ policies: all }),
      place: ({ resource, consumer, consumer_selector }) => JSON.stringify([resource, consumer, consumer_selector]),
    });
