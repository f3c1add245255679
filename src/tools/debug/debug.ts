/** `npm run debug`: runs the provider from its sources, for a debugger and a Terraform that attaches to it. */
import { source } from "../../commands/install/product";
import { createLog } from "../../provider/plugin/log";
import { callsOf } from "../../provider/plugin/calls";
import { listen, reattachment } from "../../provider/plugin/listener";
import { tenantProvider } from "../../provider/resources/provider";
import { handlersOf } from "../../provider/sdk/handlers";
import { version } from "../../version";

async function main(): Promise<void> {
  const provider = handlersOf(tenantProvider(version, process.env), { log: createLog() });
  const listening = await listen(callsOf(provider));
  const reattach = reattachment(source, listening);
  process.stdout.write(`export TF_REATTACH_PROVIDERS='${reattach}'\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void listening.close());
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
