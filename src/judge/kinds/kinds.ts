/** All kinds of objects, and lookups by type. */
import type { GoProviderType, Kind } from "./kind";
import { networkAcl } from "./network-acl";
import { networkAclKey } from "./network-acl-key";
import { organizationMemberSet } from "./organization-member-set";
import { rateLimitPolicy } from "./rate-limit-policy";

/** In the order in which lists and files name them. */
export const kinds: readonly Kind[] = [networkAcl, rateLimitPolicy, organizationMemberSet, networkAclKey];

const byType = new Map(kinds.flatMap((kind) => typesOf(kind).map((type) => [type, kind] as const)));
const byDataSource = new Map(kinds.map((kind) => [kind.dataSource.type, kind]));

/** The kind of a managed resource: a type of this provider or of the Go provider. */
export const kindOf = (type: string): Kind | undefined => byType.get(type);

/** The kind that a data source reads. */
export const kindRead = (dataSource: string): Kind | undefined => byDataSource.get(dataSource);

/** The types of managed resources of a kind: this provider's first, then those of the Go provider. */
export function typesOf({ type, goProvider }: Kind): string[] {
  return [type, ...goProvider.map((theirs) => theirs.type)];
}

/** All types of managed resources: those of this provider and of the Go provider. */
export const resourceTypes: readonly string[] = kinds.flatMap(typesOf);

/** Every type of the Go provider, with its kind. */
export const goProviderTypes: readonly (GoProviderType & { readonly kind: Kind })[] = kinds.flatMap((kind) =>
  kind.goProvider.map((theirs) => ({ ...theirs, kind })),
);

/** `read:network_acls`. */
export const scopeOf = (verb: string, { family }: Kind): string => `${verb}:${family}`;
