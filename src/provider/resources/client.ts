/** The connection and the settings that the resources of one provider configuration share. */
import type { Tenant } from "../../tenant/tenant";
import type { Effect } from "../../judge/impact/effect";
import type { Remote } from "../../judge/impact/model";
import type { PlanWarnings } from "./provider-block/definition";
import type { Statements } from "./statements/statements";

export interface Client {
  readonly tenant: Tenant;
  readonly statements: Statements;
  /** The address of the tenant, the same for all its spellings. */
  readonly tenantAddress: string;
  readonly planWarnings: PlanWarnings;
  /** Whether the configuration confirms features in Early Access. */
  readonly meansEarlyAccess: boolean;
  /** What plans have read of the tenant. */
  readonly remote: { -readonly [Name in keyof Remote]: Remote[Name] };
  /** The scopes that the plan needs and the token lacks. */
  readonly missing: Set<string>;
  /** The last judgement of the whole plan, and what was judged. */
  readonly judgement: { version?: readonly unknown[]; effects?: readonly Effect[] };
  stop(): void;
}
