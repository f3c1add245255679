/** Reads one side of a comparison from a tenant. */
import { kinds } from "../kinds/kinds";
import type { Kind } from "../kinds/kind";
import { ReviewError } from "../review/error";
import { ask } from "../review/ask";
import { tenantProvider } from "../resources/provider";
import { isOfOrganization, listKind, readKind, type Provider } from "../resources/survey";
import type { Tenant } from "../tenant/tenant";
import { version } from "../version";
import type { Side, SideObject } from "./side";

/** `env` or `env:PREFIX`. */
export const isTenantName = (name: string): boolean => /^env(?::|$)/.test(name);

/** The organizations whose members are read. */
export interface Wanted {
  readonly ids: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** `organizations`: left out: all. */
export function readTenant(name: string, environment: NodeJS.ProcessEnv, organizations?: Wanted): Promise<Side> {
  const prefix = name.slice("env:".length);
  if (prefix !== "" && !/^[A-Za-z]\w*$/.test(prefix)) {
    throw new ReviewError(
      `${name}: give a prefix of environment variables, such as env:STAGING for STAGING_TENANT_DOMAIN.`,
    );
  }
  const read = async (tenant: Tenant, host: string): Promise<Side> => {
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
  };
  return ask(environment, read, { prefix, called: name });
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
