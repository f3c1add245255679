/** Connects a stack to an embedded tenant, so that `cdktf deploy` needs neither an account nor settings. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseEnv } from "node:util";
import { packaged } from "../commands/install/shipment";
import type { TenantProviderConfig } from "./tenant-provider";

/**
 * Settings of a provider block for an embedded tenant on this machine. Starts the tenant with all features in Early Access, unless it runs
 * already: it keeps its objects in memory, and ends after an hour without a request, or when the folder `cdktf.out` is removed. Returns no settings if the environment names
 * an embedded tenant.
 * @example
 * new TenantProvider(stack, "tenant", embeddedTenant());
 */
export function embeddedTenant(): Pick<
  TenantProviderConfig,
  "endpoint" | "clientId" | "clientAssertionPrivateKeyFile"
> {
  if (process.env.TENANT_ENDPOINT || process.env.TENANT_EMBEDDED_ENDPOINT) return {};
  const file = path.resolve(process.env.CDKTF_OUTDIR ?? "cdktf.out", "embedded-tenant.env");
  const program = path.join(packaged(), "../cli.js");
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, "emulate", "--background", file], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`No embedded tenant for this stack. ${error?.message ?? stderr.trim()}`);
  const settings = parseEnv(stdout);
  return {
    endpoint: settings.TENANT_ENDPOINT,
    clientId: settings.TENANT_CLIENT_ID,
    clientAssertionPrivateKeyFile: settings.TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE,
  };
}
