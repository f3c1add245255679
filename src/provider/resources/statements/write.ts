/** Refuses writes that break a statement at that moment of the apply: judged by the tenant right before and right after each of them. */
import { stateOf, type States } from "../../../judge/impact/state";
import { judgeExpectations } from "../../../judge/impact/statement/judge";
import type { Expectation, JudgedExpectation } from "../../../judge/impact/statement/statement";
import { partsOf } from "../../../judge/access/access";
import { isDenial, lockoutFacts } from "../../../judge/impact/statement/lockout";
import { mayRestrict, writeLockouts } from "../../../judge/impact/statement/write";
import { attributePath } from "../../../formats/cty/path";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { NetworkAclBody } from "../../../tenant/network-acls";
import type { RateLimitPolicyBody } from "../../../tenant/rate-limit-policies";
import type { Guard, InTenant, Write } from "../../../tenant/gate/verdict";
import type { Client } from "../client";
import { without } from "../organization-member-set/definition";
import { enforced, type Statements } from "./statements";
import { expectationStepWords, lockoutStepWords, type Operation } from "./words";

/** The write that is judged. */
interface Step {
  readonly operation: Operation;
  /** The attribute that messages point to. */
  readonly attribute: string;
}

export const isNewlyBroken = ({ verdict, already }: JudgedExpectation) => verdict === "broken" && !already;

/** Undefined: the write breaks no expectation that held before. */
export function refusalOf(
  expectations: readonly Expectation[],
  states: Required<States>,
  { operation, attribute }: Step,
): DiagnosticError | undefined {
  const broken = expectations.length > 0 && judgeExpectations(expectations, states, true).find(isNewlyBroken);
  if (!broken) return undefined;
  const path = operation === "delete" || operation === "replace" ? [] : attributePath(attribute);
  return new DiagnosticError("TNF-STEP-BREAKS-EXPECTATION", expectationStepWords(broken, operation), path);
}

type Content = Parameters<typeof mayRestrict>[0];

export function aclWriteGuard(
  statements: Omit<Statements, "asked">,
  operation: Operation,
): Required<Guard<NetworkAclBody>> {
  const { builtIn, own } = statements;
  const expectations = enforced(statements, "requests");
  const restricts = ({ before, after }: Write<NetworkAclBody>) => mayRestrict(before as Content, after as Content);
  const affected = ({ before, after }: Write<NetworkAclBody>) =>
    expectations.filter((one) => mayAffect(one, before as Content, after as Content));
  return {
    mayRefuse: (write) => restricts(write) || affected(write).length > 0,
    refusal(before, after, write) {
      const [lockout] = restricts(write)
        ? writeLockouts({ before: aclsOf(before), after: aclsOf(after) }, builtIn, own)
        : [];
      if (lockout)
        return new DiagnosticError(
          "TNF-STEP-LOCKOUT",
          lockoutStepWords(lockoutFacts(lockout), lockout.certainty === "possible", operation),
          operation === "delete" ? [] : attributePath("rule"),
        );
      const states = { before: stateOf({ acls: before }), after: stateOf({ acls: after }) };
      return refusalOf(affected(write), states, { operation, attribute: "rule" });
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
  if (outcomes.has("blocked"))
    return mayOpen(before, after) || (isDenial(after) && !partsOf(after!.rule.action)["block"]);
  return outcomes.has("redirected") || mayRestrict(before, after);
}

const mayOpen = (before: Content, after: Content) => mayRestrict(after, before);

/** The error for a write that turns the first policies into the second ones. */
export const policyWriteJudge =
  (statements: Statements, operation: Operation) =>
  (before: readonly RateLimitPolicyBody[], after: readonly RateLimitPolicyBody[]) =>
    refusalOf(
      enforced(statements, "policy"),
      { before: stateOf({ policies: before }), after: stateOf({ policies: after }) },
      { operation, attribute: "configuration" },
    );

/** Throws if the change of the members breaks an expectation that held before. */
export async function demandMembers(
  { tenant, statements }: Pick<Client, "tenant" | "statements">,
  organization: string,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
  operation: Operation,
): Promise<void> {
  const own = enforced(statements, "members").filter(
    ({ statement }) => statement.kind === "members" && statement.organization_id === organization,
  );
  if (own.length === 0 || added.length + removed.length === 0) return;
  const present = await tenant.organizationMembers.list(organization);
  const stateWith = (members: readonly string[]) => stateOf({ members: { [organization]: members } });
  const after = stateWith(without([...new Set([...present, ...added])], removed));
  const refusal = refusalOf(own, { before: stateWith(present), after }, { operation, attribute: "organization_id" });
  if (refusal) throw refusal;
}
