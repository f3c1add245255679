/** The provider with an embedded tenant, over the plugin protocol, with a test client in Terraform's place. */
import type { EmulatorOptions } from "../../../../src/emulator/emulator";
import { callsOf } from "../../../../src/provider/plugin/calls";
import { listen } from "../../../../src/provider/plugin/listener";
import { tenantProvider } from "../../../../src/provider/resources/provider";
import { createCodec } from "../../../../src/provider/sdk/codec";
import { handlersOf } from "../../../../src/provider/sdk/handlers";
import { listeningTenant } from "../../../support/tenant";
import { connect } from "../../plugin/support/client";

export type Served = Awaited<ReturnType<typeof serveTenant>>;

export async function serveTenant(options: EmulatorOptions, terraformVersion = "") {
  const { emulator, env, close } = await listeningTenant(options);
  const provider = tenantProvider("0.0.0-test", env);
  const block = createCodec({ ...(await provider.block()), description: "" });
  const served = await listen(callsOf(handlersOf(provider, { log: () => {} })));
  const client = connect(`unix:${served.address}`);
  const ask = <Answer = any>(method: string, request: object = {}) => client.ask<Answer>("provider", method, request);
  /** Begins as a new process does. */
  const configure = () => ask("configureProvider", { config: block.encode(block.fromPlain({})), terraformVersion });
  await configure();
  return {
    emulator,
    client,
    ask,
    configure,
    async close() {
      await ask("stopProvider").catch(() => {});
      client.close();
      await Promise.all([served.close(), close()]);
    },
  };
}
