/** The connection and the settings that the resources of one provider configuration share. */
import type { Tenant } from "../../tenant/tenant";
import type { PlanWarnings } from "./provider-block/definition";
import type { Statements } from "./statements/statements";

export interface Client {
  readonly tenant: Tenant;
  readonly statements: Statements;
  /** The address of the tenant, the same for all its spellings. */
  readonly tenantAddress: string;
  readonly planWarnings: PlanWarnings;
  /** True for the first caller, unless the configuration confirms features in Early Access. */
  sayEarlyAccess(): boolean;
  stop(): void;
}
