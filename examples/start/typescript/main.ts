/** The app for `npx cdktf diff` and `npx cdktf deploy`. Needs no settings: without TENANT_DOMAIN, it deploys to an embedded tenant. */
import { App } from "cdktf";
import { embeddedTenant } from "tenantform/cdktf";
import { TenantStack } from "./tenant";

const app = new App();
if (process.env.TENANT_DOMAIN) {
  // TENANT_CLIENT_ID and TENANT_CLIENT_SECRET come from the environment too. No plan, and no saved plan, reaches another tenant.
  new TenantStack(app, "tenant", { allowedDomains: ["acme.eu.auth0.com"] });
} else {
  new TenantStack(app, "embedded", embeddedTenant());
}
app.synth();
