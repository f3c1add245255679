/**
 * Judges what the objects of a stack are together, with the judges of a plan: two objects with one key, ACLs that can never match, too many
 * ACLs, broken expectations, lock-outs. The plan also counts the objects outside the stack, so synth refuses only what they cannot change.
 */
import * as acl from "../provider/resources/network-acl/definition";
import * as key from "../provider/resources/network-acl-key/definition";
import * as set from "../provider/resources/organization-member-set/definition";
import * as policy from "../provider/resources/rate-limit-policy/definition";
import { type TerraformElement, TerraformResource, TerraformStack } from "cdktf";
import { withUnknowns } from "../formats/cty/template";
import { hasUnknown, isList, isUnknown } from "../formats/cty/value";
import { neverMatches, precedes } from "../judge/access/access";
import type { Effect } from "../judge/impact/effect";
import { grouped, type PlannedObject, type Values, withName } from "../judge/impact/model";
import { aclFrom, aclVersions, type PlannedAcl } from "../judge/impact/network-acl/acl";
import { unreachableAcls } from "../judge/impact/network-acl/analysis";
import { duplicateEffects, duplicatesIn } from "../judge/impact/objects/duplicates";
import { sameKeyEffects } from "../judge/impact/objects/same-key";
import { judgeExpectations } from "../judge/impact/statement/judge";
import { ExpectationError, readExpectation } from "../judge/impact/statement/read";
import type { Expectation, JudgedExpectation } from "../judge/impact/statement/statement";
import { lockoutFacts, lockoutsOf } from "../judge/impact/statement/lockout";
import { builtIn, protectedRequest } from "../judge/impact/statement/built-in";
import { ofLockout } from "../judge/impact/refusals";
import { manyAclsWords } from "../judge/impact/words/acl";
import { judgementWords } from "../judge/impact/words/reason";
import { factWords, sentence } from "../judge/impact/words/words";
import { mostAcls, networkAcl } from "../judge/kinds/network-acl";
import { organizationMemberSet } from "../judge/kinds/organization-member-set";
import { rateLimitPolicy } from "../judge/kinds/rate-limit-policy";
import type { TenantProvider } from "./bindings/provider";
import { addCheck, complaintsOf, takeWritten, warn, writtenOf } from "./checks";
import { described } from "./attributes";
import { inCamelCase } from "./naming";
import { placeOf, sharedMap } from "./origin";
import { isTenantProvider, tenantsIn } from "./tenant";

const definitions = [acl.networkAcl, key.networkAclKey, set.organizationMemberSet, policy.rateLimitPolicy];
const byType = new Map(definitions.map(({ name, config }) => [`tenant_${name}`, described(config)]));

const judged = sharedMap<TerraformStack, true>("judged");

/** Adds the check to the stack of the construct, once for all constructs. */
export function judgeStack(construct: TerraformElement): void {
  const stack = TerraformStack.of(construct);
  if (judged.has(stack)) return;
  judged.set(stack, true);
  addCheck(stack, () => {
    const tenantOf = tenantsIn(stack);
    const all = stack.node.findAll();
    const isWrong = all.filter((one) => one !== stack && complaintsOf(one).length > 0).length > 0;
    const resources = all.filter((one) => TerraformResource.isTerraformResource(one)).filter(isOurs);
    const objects = resources.flatMap(declaredBy);
    const tenants = grouped(objects, ({ construct: one }) => tenantOf(one));
    const same = [...[...tenants.values()].flatMap(sameKeys), ...sameObjects(objects)];
    // The file lacks what an error reports, so its ACLs are not those that the author means.
    if (isWrong) return same;
    for (const own of tenants.values()) warnOfAcls(own);
    const isOpen = (tenant: string) => resources.some((one) => isCounted(one) && tenantOf(one) === tenant);
    return [
      ...same,
      ...all.filter(isTenantProvider).flatMap((provider) => {
        const tenant = tenantOf({ provider });
        const own = tenants.get(tenant) ?? [];
        return [...brokenBy(provider, own, isOpen(tenant)), ...lockedOutBy(provider, aclsOf(own), isOpen(tenant))];
      }),
    ];
  });
}

const isOurs = ({ terraformResourceType: type }: TerraformResource) => byType.has(type);

/** There may be no object, or several that exclude each other. */
const isCounted = ({ count, forEach }: TerraformResource) => count !== undefined || forEach !== undefined;

interface Declared extends PlannedObject {
  readonly construct: TerraformResource;
  readonly after: Values;
}

function declaredBy(construct: TerraformResource): Declared[] {
  const written = withUnknowns(takeWritten(construct));
  if (written === undefined || isCounted(construct)) return [];
  const { terraformResourceType: type, node } = construct;
  const { import: imports } = construct.toTerraform() as { import?: readonly { id?: unknown }[] };
  const id = withUnknowns(imports?.[0]?.id);
  const values = withName(written, `the unknown part of ${node.path}`) as Values;
  const after = { ...byType.get(type)!.defaults, ...values };
  return [
    {
      address: placeOf(construct),
      type,
      actions: ["create"],
      after,
      construct,
      ...(typeof id === "string" && { importId: id }),
    },
  ];
}

/** The error of each unique key of the tenant that several objects have. */
function sameKeys(objects: readonly Declared[]): string[] {
  const acls = objects.filter(({ type }) => type === networkAcl.type);
  return wordsOf(sameKeyEffects({ objects, remote: {} }, aclVersions([acls])), objects);
}

const wordsOf = (effects: readonly Effect[], objects: readonly Declared[]) =>
  effects.map((effect) => {
    const { type } = objects.find(({ address }) => address === effect.subject.address)!;
    return `${inCamelCase(sentence(effect), byType.get(type)!.names)} [${effect.code}]`;
  });

/** The effects on all objects of one identity have one text. */
const sameObjects = (objects: readonly Declared[]): string[] => [
  ...new Set(wordsOf(duplicateEffects(duplicatesIn(objects)), objects)),
];

/** Without a description, its place is the title of an ACL. */
const aclsOf = (objects: readonly Declared[]) =>
  objects
    .filter(({ type }) => type === networkAcl.type)
    .flatMap(({ after, address, construct }) =>
      aclFrom(after, undefined, address).map((one) => ({ ...one, construct })),
    );

function warnOfAcls(objects: readonly Declared[]): void {
  const acls = aclsOf(objects);
  const first = acls[mostAcls];
  if (first) warn(first.construct, `${manyAclsWords("The stack has", acls.length)} [TNF-ACL-MANY]`);
  for (const { acl: one, shadowedBy } of unreachableAcls(acls)) {
    // The definition refuses criteria that contradict each other, and warns of codes that no request has.
    if (shadowedBy.length === 0 || neverMatches(one.rule)) continue;
    const others = shadowedBy.map(({ address, priority }) => `${address} (priority ${String(priority)})`).join(" and ");
    warn(
      one.construct,
      `This network ACL can never match: it is shadowed by ${others}. Give this network ACL a lower priority number, narrow the ` +
        "other rules, or remove this network ACL. [TNF-ACL-SHADOWED]",
    );
  }
}

/** `isOpen`: whether the stack has objects of which the number is not known. */
function brokenBy(provider: TenantProvider, objects: readonly Declared[], isOpen: boolean): string[] {
  const after = {
    acls: aclsOf(objects),
    policies: objects.filter(({ type }) => type === rateLimitPolicy.type).map(asObject),
    memberships: objects.filter(({ type }) => type === organizationMemberSet.type).map(asObject),
  };
  return judgeExpectations(expectationsOf(provider), { after }).flatMap((one) => {
    const { verdict, expectation, cause } = one;
    if (verdict !== "broken") return [];
    const { name, severity, statement } = expectation;
    const words = `The expectation ${JSON.stringify(name)} is broken: ${judgementWords(one)}${becauseOf(cause)}`;
    const isError = severity === "error";
    const code = "TNF-EXPECTATION-BROKEN";
    if (isDecidedBy(one, after.acls, after.policies)) return reported(provider, `${words} [${code}]`, isError);
    const others = { requests: after.acls, policy: after.policies, members: [] }[statement.kind];
    return isOpen || others.length === 0 ? [] : reported(provider, `${words} ${alone} [${code}]`, false);
  });
}

const becauseOf = (cause: readonly { readonly address?: string }[]) =>
  cause.length === 0 ? "" : ` The cause is ${cause.map(({ address }) => address).join(" and ")}.`;

const alone = "This is so with this stack alone: the plan also counts the objects outside it, and decides.";

const lockoutRemedy = 'Narrow its rule. If this is meant, set `lockoutGuard: "warn"` in the TenantProvider.';

/** An error or a warning of the provider block. */
function reported(provider: TenantProvider, text: string, isError: boolean): string[] {
  if (isError) return [text];
  warn(provider, text);
  return [];
}

/** Terraform's own requests, and the protected ones, that the ACLs of the stack certainly block. */
function lockedOutBy(provider: TenantProvider, acls: readonly PlannedAcl[], isOpen: boolean): string[] {
  const block = withName(withUnknowns(writtenOf(provider) ?? {}), "the unknown part of the provider block") as Values;
  const { lockout_guard: strength = "error", protected_request: written = [], access_token: token, domain } = block;
  if (strength !== "error" || acls.length === 0) return [];
  const own = (isList(written) ? written : [{ path: written }]).map((one) =>
    protectedRequest(isUnknown(one) ? { path: one } : (one as Values)),
  );
  const terraform = { ...(typeof domain === "string" && { hostname: domain }), userAgents: [], asksToken: !token };
  const found = builtIn(strength, own).flatMap((one) => lockoutsOf(one, { before: [], after: acls }, terraform));
  return found.flatMap((lockout) => {
    if (lockout.certainty !== "certain") return [];
    const words = factWords(lockoutFacts(lockout)) + becauseOf(lockout.by);
    const { code } = ofLockout(lockout);
    if (isFirst(lockout.by[0], acls)) return [`${words} ${lockoutRemedy} [${code}]`];
    return isOpen ? [] : reported(provider, `${words} ${alone} [${code}]`, false);
  });
}

const asObject = ({ address, after }: Declared) => ({ address, values: after });

/** Without invalid expectations, which the check of the provider block refuses. */
function expectationsOf(provider: TenantProvider): Expectation[] {
  const written = withUnknowns(writtenOf(provider)?.["expectation"]);
  return (isList(written) ? written : []).flatMap((one) => {
    try {
      return readExpectation(withName(one, "the unknown part of an expectation"), "expectation");
    } catch (error) {
      if (error instanceof ExpectationError) return [];
      throw error;
    }
  });
}

/** Whether no object outside the stack can help: no ACL can stand before, or the policy for the selector is here. */
function isDecidedBy(
  { expectation: { statement }, cause }: JudgedExpectation,
  acls: readonly PlannedAcl[],
  policies: readonly ReturnType<typeof asObject>[],
): boolean {
  if (statement.kind === "members") return true;
  if (statement.kind === "requests") return isFirst(cause[0]?.acl, acls);
  const { consumer, consumer_selector: selector = consumer === "client" ? undefined : consumer } = statement;
  const guilty = policies.filter(({ address }) => cause.some((one) => one.address === address));
  return guilty.some(({ values }) => selector === undefined || values["consumer_selector"] === selector);
}

/** Whether the ACL is known, and has so low a priority that no ACL outside the stack can stand before it. */
function isFirst({ rule, priority }: Partial<PlannedAcl> = {}, acls: readonly PlannedAcl[]): boolean {
  if (typeof priority !== "number" || hasUnknown(rule)) return false;
  return new Set(acls.filter((one) => precedes(one, { priority })).map((one) => one.priority)).size === priority - 1;
}
