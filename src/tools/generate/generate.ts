/** `npm run generate`: what is generated and committed, written anew. Needs no network and no Terraform. */
import path from "node:path";
import { generateProtocol } from "../../plugin/protocol/generate";
import { tenantProvider } from "../../resources/provider";
import { providerService } from "../../sdk/service";
import { version } from "../../version";
import { configsOf, generateBindings } from "./bindings";
import { schemaJson } from "./schema-json";

const sources = path.join(__dirname, "../..");
const address = "registry.terraform.io/tenantform/tenant";

async function main(): Promise<void> {
  generateProtocol(path.join(sources, "plugin/protocol"));
  const provider = tenantProvider(version, {});
  const schema = await schemaJson(address, providerService(provider, { log: () => {} }));
  await generateBindings(schema, configsOf(provider), version, path.join(sources, "constructs/bindings"));
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
