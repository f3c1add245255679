/** What Terraform starts: the provider "tenant". */
import { createLog } from "./plugin/log";
import { serve } from "./plugin/serve";
import { tenantProvider } from "./resources/provider";
import { providerService } from "./sdk/service";
import { version } from "./version";

const log = createLog();
const provider = tenantProvider(version, process.env, { atEnd: (report) => process.once("exit", report) });
void serve({ provider: providerService(provider, { log }), log });
