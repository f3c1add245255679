/** What Terraform starts: the provider "tenant". */
import { createLog } from "./plugin/log";
import { serve } from "./plugin/serve";
import { version } from "./version";

// A bundle carries the answers that are always the same; the build puts them in place of this name, in base64.
declare const bundledAnswers: Readonly<Record<string, string>> | undefined;

const answers = typeof bundledAnswers === "object" ? Object.entries(bundledAnswers) : [];
const log = createLog();

void serve({
  prepared: Object.fromEntries(answers.map(([name, bytes]) => [name, Buffer.from(bytes, "base64")])),
  async provider() {
    const [{ tenantProvider }, { providerService }] = await Promise.all([
      import("./resources/provider.js"),
      import("./sdk/service.js"),
    ]);
    const provider = tenantProvider(version, process.env, { atEnd: (report) => process.once("exit", report) });
    return providerService(provider, { log });
  },
  log,
});
