/** Checks expectations at synth, as far as the stack alone can break them. */
import { TerraformResource, TerraformStack } from "cdktf";
import { withUnknowns } from "../formats/cty/template";
import { isList } from "../formats/cty/value";
import type { Expectation, ExpectedOutcome, JudgedExpectation } from "../judge/impact/statement/statement";
import { judgeExpectations } from "../judge/impact/statement/judge";
import { ExpectationError, readExpectation } from "../judge/impact/statement/read";
import type { TenantObject } from "../judge/impact/state";
import { aclFrom, type PlannedAcl } from "../judge/impact/network-acl/acl";
import { withName } from "../judge/impact/value";
import type { Kind } from "../judge/kinds/kind";
import { networkAcl } from "../judge/kinds/network-acl";
import { organizationMemberSet } from "../judge/kinds/organization-member-set";
import { rateLimitPolicy } from "../judge/kinds/rate-limit-policy";
import type { TenantProvider } from "./bindings/provider";
import { addCheck } from "./checks";
import { writtenOf, type Plain } from "./plain";
import { tenantsIn } from "./tenant";
import { warn } from "./warn";

/** Adds an error to the stack if it certainly breaks an expectation, and a warning if it breaks one unless other objects exist. */
export function checkExpectations(provider: TenantProvider): void {
  const warned = new Set<string>();
  addCheck(provider, () => {
    const expectations = expectationsOf(provider);
    if (expectations.length === 0) return [];
    const own = objectsOf(provider);
    const found = judgeExpectations(expectations, { after: own }).flatMap((judged) => complaintOf(judged, own));
    for (const { text } of found.filter(({ isError }) => !isError)) {
      if (!warned.has(text)) warn(provider, text);
      warned.add(text);
    }
    return found.flatMap(({ isError, text }) => (isError ? text : []));
  });
}

/** Without invalid expectations, which the check of the provider block refuses. */
function expectationsOf(provider: TenantProvider): Expectation[] {
  const written = withUnknowns(writtenOf(provider)?.["expectation"]);
  const all = isList(written) ? written : [];
  return all.flatMap((one) => {
    try {
      return readExpectation(withName(one, "the unknown part of an expectation"), "expectation");
    } catch (error) {
      if (error instanceof ExpectationError) return [];
      throw error;
    }
  });
}

/** The objects that the stack declares for the tenant of the provider. */
interface Own {
  readonly acls: readonly PlannedAcl[];
  readonly policies: readonly TenantObject[];
  readonly memberships: readonly TenantObject[];
  /** Whether it declares other objects, whose number is not known. */
  readonly isOpen: boolean;
}

function objectsOf(provider: TenantProvider): Own {
  const stack = TerraformStack.of(provider);
  const tenantOf = tenantsIn(stack);
  const resources = stack.node
    .findAll()
    .filter((one) => TerraformResource.isTerraformResource(one))
    .filter((one) => one.terraformResourceType.startsWith("tenant_") && tenantOf(one) === tenantOf({ provider }));
  const isCounted = ({ count, forEach }: TerraformResource) => count === undefined && forEach === undefined;
  const declared = (kind: Kind): TenantObject[] =>
    resources
      .filter((one) => one.terraformResourceType === kind.type && isCounted(one))
      .flatMap((one) => {
        const written = withUnknowns(writtenOf(one)) as Plain | undefined;
        const { path } = one.node;
        if (!written) return [];
        return [{ address: path, values: withName(written, `the unknown part of ${path}`) as Plain }];
      });
  return {
    acls: declared(networkAcl).flatMap(({ address, values }) => aclFrom(values, undefined, address)),
    policies: declared(rateLimitPolicy),
    memberships: declared(organizationMemberSet),
    isOpen: !resources.every(isCounted),
  };
}

interface Complaint {
  readonly isError: boolean;
  readonly text: string;
}

function complaintOf(alone: JudgedExpectation, own: Own): Complaint[] {
  const { expectation, verdict } = alone;
  const { statement, severity, name } = expectation;
  if (verdict !== "broken") return [];
  const certain = statement.kind === "requests" ? withBestOthers(expectation, own) : alone;
  if (certain.verdict === "broken" && isDecidedHere(certain, own)) {
    const text = `The expectation ${JSON.stringify(name)} is broken: ${wordsOf(certain)} [TNF-EXPECTATION-BROKEN]`;
    return [{ isError: severity === "error", text }];
  }
  const declared = { requests: own.acls, policy: own.policies, members: own.memberships }[statement.kind];
  if (own.isOpen || declared.length === 0) return [];
  const text =
    `This stack alone breaks the expectation ${JSON.stringify(name)}: ${wordsOf(alone)} The plan also counts the objects ` +
    "outside this stack, and decides. [TNF-EXPECTATION-BROKEN]";
  return [{ isError: false, text }];
}

function wordsOf({ text, cause }: JudgedExpectation): string {
  const addresses = cause.flatMap(({ address }) => address ?? []);
  return addresses.length === 0 ? text : `${text} The cause is ${addresses.join(" and ")}.`;
}

/**
 * The judgement with the unmanaged ACLs that help the expectation most. A tenant has one ACL for each priority, so an unmanaged ACL has a
 * priority that this stack does not use, and one that matches every request at the lowest such priority helps most.
 */
function withBestOthers(expectation: Expectation, { acls }: Own): JudgedExpectation {
  const used = new Set(acls.map(({ priority }) => priority));
  let first = 1;
  while (used.has(first)) first++;
  const before = acls.filter(({ priority }) => priority < first);
  const after = { acls: [...before, ...bestAcl(expectation, first)] };
  return judgeExpectations([expectation], { after })[0]!;
}

function bestAcl({ statement }: Expectation, priority: number): PlannedAcl[] {
  const outcomes: readonly unknown[] =
    statement.kind === "requests" && Array.isArray(statement.outcomes) ? (statement.outcomes as unknown[]) : [];
  const [outcome] = outcomes as readonly ExpectedOutcome[];
  const action = outcome && actions[outcome];
  return aclFrom({ priority, rule: { action, match_all: true, scope: "tenant" } });
}

const actions: Readonly<Record<ExpectedOutcome, object>> = {
  blocked: { block: true },
  reached: { allow: true },
  redirected: { redirect: true, redirect_uri: "https://example.com" },
  logged: { log: true },
};

/** Another policy may apply to the callers of the expectation, unless the stack has the policy for their selector. */
function isDecidedHere({ expectation: { statement }, cause }: JudgedExpectation, { policies }: Own): boolean {
  if (statement.kind !== "policy") return true;
  const { consumer, consumer_selector: selector = consumer === "client" ? undefined : consumer } = statement;
  const guilty = policies.filter(({ address }) => cause.some((one) => one.address === address));
  return guilty.some(({ values }) => selector === undefined || values["consumer_selector"] === selector);
}
