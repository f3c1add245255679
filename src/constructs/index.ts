/** The public entry: constructs for all resources and data sources of the provider. */
export { Action } from "./action";
export { embeddedTenant } from "./embedded-tenant";
export { expectation, type ExpectationOptions, type OpenExpectation, type RequestExpectation } from "./expectation";
export type { Limit, Members } from "./expectation";
export { Match } from "./match";
export { NetworkAcl, DataTenantNetworkAcls } from "./network-acl";
export { NetworkAclKey, DataTenantNetworkAclKey, DataTenantNetworkAclKeys } from "./network-acl-key";
export { NetworkAclOrder, type NetworkAclOrderConfig, type OrderedNetworkAcl } from "./network-acl-order";
export { OrganizationMemberSet, type Member, type OrganizationMemberSetConfig } from "./organization-member-set";
export { DataTenantOrganization, DataTenantOrganizationMembers } from "./organization-member-set";
export { RateLimitPolicy, DataTenantRateLimitPolicies } from "./rate-limit-policy";
export { TenantProvider, type TenantProviderConfig } from "./tenant-provider";

export type { Requests } from "./bindings/requests";
export * from "./bindings/types";
