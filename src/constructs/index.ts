/** The public entry: constructs for all resources and data sources of the provider. */
export { Action } from "./action";
export { embeddedTenant } from "./embedded-tenant";
export { expectation, type ExpectationOptions, type OpenExpectation, type RequestExpectation } from "./expectation";
export { Match } from "./match";
export { NetworkAcl, DataTenantNetworkAcls } from "./network-acl";
export { NetworkAclKey, DataTenantNetworkAclKey, DataTenantNetworkAclKeys } from "./network-acl-key";
export { NetworkAclOrder, type NetworkAclOrderConfig, type OrderedNetworkAcl } from "./network-acl-order";
export { OrganizationMemberSet, type Member, type OrganizationMemberSetConfig } from "./organization-member-set";
export { DataTenantOrganization, DataTenantOrganizationMembers } from "./organization-member-set";
export { RateLimitPolicy, DataTenantRateLimitPolicies } from "./rate-limit-policy";
export { TenantProvider, type TenantProviderConfig } from "./tenant-provider";

export type { DataTenantNetworkAclKeyConfig } from "./bindings/data-tenant-network-acl-key";
export type { DataTenantNetworkAclKeysConfig } from "./bindings/data-tenant-network-acl-keys";
export type { DataTenantNetworkAclsConfig } from "./bindings/data-tenant-network-acls";
export type { DataTenantOrganizationConfig } from "./bindings/data-tenant-organization";
export type { DataTenantOrganizationMembersConfig } from "./bindings/data-tenant-organization-members";
export type { DataTenantRateLimitPoliciesConfig } from "./bindings/data-tenant-rate-limit-policies";

export type { Limit, Members, Requests } from "./testing/requests";
export * from "./bindings/types";
