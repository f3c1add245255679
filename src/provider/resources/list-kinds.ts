/**
 * Reads what a tenant has of a kind, in as few requests as its lists allow, for `adopt`. A kind that the token may not read,
 * or that the tenant does not offer, is refused, which is not the same as empty.
 */
import type { Kind } from "../../judge/kinds/kind";
import type { Definition } from "../sdk/definition";
import type { Listed } from "../sdk/resource";
import { isTenantError, type TenantError } from "../../tenant/error";
import type { Tenant } from "../../tenant/tenant";
import type { Client } from "./client";
import type { tenantProvider } from "./provider";

export type Provider = ReturnType<typeof tenantProvider>;
type Content = Readonly<Record<string, unknown>>;

export interface KindSurvey<Item = SurveyedObject> {
  readonly kind: Kind;
  readonly definition: Definition;
  readonly listed: readonly Item[];
  /** Why the kind cannot be read. */
  readonly refusal?: TenantError;
}

interface SurveyedObject {
  /** Of any form: a tenant may return anything. */
  readonly id: unknown;
  readonly title: string;
  /** Left out: it is not read yet. undefined: it is gone meanwhile. */
  readonly content?: Content | undefined;
}

export interface Unread extends SurveyedObject {
  readonly one: Listed;
}

/** Whether the objects of the kind are the members of an organization. */
export const isOfOrganization = ({ identity }: Kind): boolean => identity.attribute === "organization_id";

/** Lists the objects of a kind. `organizations`: only theirs, for a kind of organizations. */
export async function listKind(
  provider: Provider,
  kind: Kind,
  tenant: Tenant,
  organizations?: Iterable<string>,
): Promise<KindSurvey<Unread>> {
  const resource = await provider.lists![kind.name]!();
  const { definition } = resource;
  // Lists need nothing else of the client.
  const context = {
    client: { tenant } as Client,
    log: () => {},
    warn: () => {},
    madeHere: () => false,
    others: () => [],
    adopted: () => {},
    report: () => {},
  };
  const matching = async (filter: Content): Promise<Unread[]> => {
    const found: Unread[] = [];
    for await (const one of resource.list(filter, context))
      found.push({ id: (one.known as Content)[kind.identity.attribute], title: one.title, one });
    return found;
  };
  const filters = isOfOrganization(kind) && organizations ? [...new Set(organizations)] : undefined;
  const lists = filters ? filters.map((id) => matching({ organization_id: id })) : [matching({})];
  const answer = await ifAllowed(kind, async () => (await Promise.all(lists)).flat());
  return { kind, definition, listed: [], ...answer };
}

/** Reads the listed objects. */
export async function readKind(survey: KindSurvey<Unread>): Promise<KindSurvey> {
  const { kind, listed } = survey;
  const readOne = async ({ one, ...rest }: Unread) => ({ ...rest, content: (await one.read()) as Content | undefined });
  return { ...survey, listed: [], ...(await ifAllowed(kind, () => Promise.all(listed.map(readOne)))) };
}

/** A token may lack the scope for a kind, and a tenant without Early Access may not know the kind. */
async function ifAllowed<One>(
  { earlyAccess }: Kind,
  read: () => Promise<readonly One[]>,
): Promise<{ readonly listed: readonly One[] } | { readonly refusal: TenantError }> {
  try {
    return { listed: await read() };
  } catch (error) {
    if (isTenantError(error, "insufficient_scope", "forbidden")) return { refusal: error };
    if (earlyAccess !== undefined && isTenantError(error, "not_found")) return { refusal: error };
    throw error;
  }
}
