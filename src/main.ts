/** What Terraform starts: the provider "tenant". */
import { createLog } from "./plugin/log";
import { serve } from "./plugin/serve";
import { tenantProvider } from "./resources/provider";
import { providerService } from "./sdk/service";
import { version } from "./version";

const log = createLog();
void serve({ provider: providerService(tenantProvider(version, process.env), { log }), log });
