/** Reads one side of a comparison from a tenant. */
import { kinds } from "../kinds/kinds";
import type { Kind } from "../kinds/kind";
import { ReviewError } from "../review/error";
import { connectionFrom } from "../resources/provider-block/connection";
import { hostOf, rootOf } from "../resources/provider-block/root";
import { tenantProvider } from "../resources/provider";
import { isOfOrganization, listKind, readKind, type Provider } from "../resources/survey";
import { createTenant, type Tenant } from "../tenant/tenant";
import { version } from "../version";
import type { Side, SideObject } from "./side";

/** `env` or `env:PREFIX`. */
export const isTenantName = (name: string): boolean => /^env(?::|$)/.test(name);

/** The variables of one tenant: with a prefix, only those that begin with it. */
export function environmentOf(name: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const prefix = name.slice("env:".length);
  if (prefix === "") return environment;
  if (!/^[A-Za-z]\w*$/.test(prefix)) {
    throw new ReviewError(
      `${name}: give a prefix of environment variables, such as env:STAGING for STAGING_TENANT_DOMAIN.`,
    );
  }
  const all = Object.entries(environment);
  // The variables of another tenant must not complete those of this one.
  const others = all.filter(([variable]) => !/^(?:TENANT|AUTH0)_/.test(variable));
  const own = all.filter(([variable]) => variable.startsWith(`${prefix}_TENANT_`));
  if (own.length === 0) {
    throw new ReviewError(
      `${name}: no variable begins with ${prefix}_TENANT_. Set ${prefix}_TENANT_DOMAIN and credentials.`,
    );
  }
  return Object.fromEntries([...others, ...own.map(([variable, value]) => [variable.slice(prefix.length + 1), value])]);
}

/** The organizations whose members are read. */
export interface Wanted {
  readonly ids: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

export interface RemoteOptions {
  /** Left out: all. */
  readonly organizations?: Wanted;
}

export async function readTenant(
  name: string,
  environment: NodeJS.ProcessEnv,
  { organizations }: RemoteOptions,
): Promise<Side> {
  const connection = connectionOf(name, environmentOf(name, environment));
  const tenant = createTenant({ ...connection, userAgent: `tenantform/${version}`, log: () => {} });
  const host = hostOf(rootOf({ endpoint: connection.endpoint })!);
  try {
    const provider = tenantProvider(version, environment);
    const found = await Promise.all(kinds.map((kind) => objectsOf(provider, kind, tenant, organizations)));
    return {
      name: host,
      objects: found.flatMap((objects) => objects ?? []),
      unknown: [],
      unread: kinds.filter((_, index) => found[index] === undefined),
      isTenant: true,
      isPartial: false,
    };
  } catch (error) {
    if (error instanceof ReviewError) throw error;
    throw new ReviewError(`${name}: the tenant could not be read: ${(error as Error).message}`);
  } finally {
    tenant.stop();
  }
}

/** The objects of a kind. undefined: the token must not read them. */
async function objectsOf(
  provider: Provider,
  kind: Kind,
  tenant: Tenant,
  wanted: Wanted | undefined,
): Promise<readonly SideObject[] | undefined> {
  const own = isOfOrganization(kind) ? wanted : undefined;
  if (own && own.ids.size + own.names.size === 0) return [];
  const all = await listKind(provider, kind, tenant);
  // With a token that must not list organizations, those whose ids the other side has.
  const list = all.refusal && own && own.ids.size > 0 ? await listKind(provider, kind, tenant, own.ids) : all;
  const listed = list.listed.filter(({ id, title }) => !own || own.ids.has(String(id)) || own.names.has(title));
  const { refusal, listed: found } = await readKind({ ...list, listed });
  // A tenant without an Early Access feature refuses its kind, so it has none.
  if (refusal) return kind.earlyAccess !== undefined && refusal.code !== "insufficient_scope" ? [] : undefined;
  return found.flatMap(({ id, title, content }): SideObject[] => {
    if (!content) return [];
    const isNamed = isOfOrganization(kind) && title !== id;
    const label = `${kind.noun} ${JSON.stringify(title || id)}`;
    return [{ kind, label, values: content, ...(isNamed && { organization: title }) }];
  });
}

function connectionOf(name: string, environment: NodeJS.ProcessEnv) {
  try {
    return connectionFrom({}, environment)!;
  } catch (error) {
    const { message, detail } = error as Error & { readonly detail?: string };
    throw new ReviewError(`${name}: ${detail ?? message}`, "usage");
  }
}
