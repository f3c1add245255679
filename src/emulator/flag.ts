/** Features that the service turns on tenant by tenant. */

export const flags = ["tenant_acl_match_all", "tenant_acl_hmac_signature"] as const;
export type Flag = (typeof flags)[number];
export type Flags = ReadonlySet<Flag>;

export const everyFlag: Flags = new Set(flags);
