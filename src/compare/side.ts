/** Reads one side of a comparison: a plan (as it is after the apply), a state, a synthesized stack, or a tenant. */
import { andWords } from "../impact/phrases";
import type { Marks, Values } from "../impact/model";
import { kindOf, kinds } from "../kinds/kinds";
import type { Kind } from "../kinds/kind";
import { tenantProvider } from "../resources/provider";
import { isOfOrganization, listKind, readKind, type Provider } from "../resources/survey";
import { ask } from "../review/ask";
import { ReviewError } from "../review/error";
import type { Edge } from "../review/input/input";
import { priorResources, type Plan } from "../review/input/plan";
import { objectsOf } from "../review/objects";
import { readInput } from "../review/test-command/inputs";
import { tenantsIn } from "../review/tenants";
import type { Tenant } from "../tenant/tenant";
import { version } from "../version";

export interface Side {
  /** As the command line names it. A tenant has the name of its host. */
  readonly name: string;
  readonly objects: readonly SideObject[];
  /** The parts that are not known, in clauses without a verb. */
  readonly unknown: readonly string[];
  /** Kinds that the token must not read. */
  readonly unread: readonly Kind[];
}

export interface SideObject {
  readonly kind: Kind;
  readonly type: string;
  /** The address; for a tenant, the noun and the name. */
  readonly label: string;
  /** A value that is not known is a symbol. */
  readonly values: Values;
  readonly sensitive?: Marks;
  /** The name of the organization of a member set, if it is known. */
  readonly organization?: string;
}

/** `env` or `env:PREFIX`. */
export const isTenantName = (name: string): boolean => /^env(?::|$)/.test(name);

export async function readSide(name: string, edge: Edge): Promise<Side> {
  if (/\.(?:ts|tf)$/.test(name)) {
    const how = name.endsWith(".ts")
      ? "`cdktf synth`, and compare the folder of its stack"
      : "`terraform plan -out=plan`, and compare the plan";
    throw new ReviewError(`${name} is a program or a configuration. Run ${how}.`);
  }
  const tenants = tenantsIn(await readInput(name, edge));
  const [{ plans }, ...others] = tenants as [(typeof tenants)[number], ...typeof tenants];
  if (others.length > 0) {
    const names = tenants.map((tenant) => tenant.name).join(", ");
    throw new ReviewError(
      `${name} has objects of several tenants (${names}). Give a plan, a state or a stack of one tenant.`,
    );
  }
  const organizations = organizationNames(plans);
  const kept = plans.flatMap((plan) => objectsOf(plan)).filter(({ after, isDeposed }) => after && !isDeposed);
  const gaps = plans.flatMap(({ complete, errored, incomplete, uncertainties = [], unplanned = [] }) => [
    ...(complete === false || errored === true ? ["the plan is incomplete"] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
    ...(uncertainties.length > 0 ? ["its provider blocks do not say whether they are for one tenant"] : []),
    ...unplanned.map((stack) => `stack ${stack} has no plan`),
  ]);
  return {
    name,
    objects: kept.map(({ type, address, after, afterSensitive }): SideObject => {
      const organization = organizations.get(after!["organization_id"]);
      return {
        kind: kindOf(type)!,
        type,
        label: address,
        values: after!,
        ...(afterSensitive !== undefined && { sensitive: afterSensitive }),
        ...(organization !== undefined && { organization }),
      };
    }),
    unknown: [...gaps.map((gap) => `other objects of ${name}: ${gap}`), ...otherKinds(plans, name)],
    unread: [],
  };
}

/** Resources that this version does not compare. */
function otherKinds(plans: readonly Plan[], name: string): string[] {
  const types = plans.flatMap(({ resource_changes: changes }) =>
    changes.filter(({ mode = "managed", change }) => mode === "managed" && change.after).map(({ type }) => type),
  );
  const isOther = (type: string) => /^(?:tenant|auth0)_/.test(type) && !kindOf(type) && type !== organizationType;
  const found = [...new Set(types)].filter((type) => isOther(type) && type !== "tenant_expectations");
  return found.length === 0 ? [] : [`${andWords(found.slice(0, 5))} in ${name}, which this version does not compare`];
}

const organizationType = "auth0_organization";

/** Id -> name. Each tenant gives an organization another id. */
function organizationNames(plans: readonly Plan[]): ReadonlyMap<unknown, string> {
  const all = plans.flatMap((plan) => [
    ...priorResources(plan),
    ...plan.resource_changes.map(({ type, change }) => ({ type, values: change.after ?? {} })),
  ]);
  return new Map(
    all.flatMap(({ type, values: { id, name } }) =>
      type === organizationType && typeof id === "string" && typeof name === "string" ? [[id, name] as const] : [],
    ),
  );
}

/** `other`: of its sets, only the organizations are read. Left out: all organizations. */
export function readTenant(name: string, environment: NodeJS.ProcessEnv, other?: Side): Promise<Side> {
  const prefix = name.slice("env:".length);
  if (prefix !== "" && !/^[A-Za-z]\w*$/.test(prefix))
    throw new ReviewError(
      `${name}: give a prefix of environment variables, such as env:STAGING for STAGING_TENANT_DOMAIN.`,
    );
  const read = async (tenant: Tenant, host: string): Promise<Side> => {
    const provider = tenantProvider(version, environment);
    const found = await Promise.all(kinds.map((kind) => listOf(provider, kind, tenant, other)));
    const unread = kinds.filter((_, index) => found[index] === undefined);
    return { name: host, objects: found.flatMap((objects) => objects ?? []), unknown: [], unread };
  };
  return ask(environment, read, { prefix, called: name });
}

/** undefined: the token must not read the kind. */
async function listOf(provider: Provider, kind: Kind, tenant: Tenant, other: Side | undefined) {
  const sets = isOfOrganization(kind) ? other?.objects.filter((one) => one.kind === kind) : undefined;
  if (sets?.length === 0) return [];
  const ids = sets && new Set(sets.map(({ values }) => String(values["organization_id"])));
  const names = new Set(sets?.flatMap(({ organization }) => organization ?? []));
  const all = await listKind(provider, kind, tenant);
  // With a token that must not list organizations, those whose ids the other side has.
  const list = all.refusal && ids ? await listKind(provider, kind, tenant, ids) : all;
  const listed = list.listed.filter(({ id, title }) => !ids || ids.has(String(id)) || names.has(title));
  const { refusal, listed: found } = await readKind({ ...list, listed });
  // A tenant without an Early Access feature refuses its kind, so it has none.
  if (refusal) return kind.earlyAccess !== undefined && refusal.code !== "insufficient_scope" ? [] : undefined;
  return found.flatMap(({ id, title, content }): SideObject[] => {
    const isNamed = isOfOrganization(kind) && title !== id;
    const label = `${kind.noun} ${JSON.stringify(title || id)}`;
    return content ? [{ kind, type: kind.type, label, values: content, ...(isNamed && { organization: title }) }] : [];
  });
}
