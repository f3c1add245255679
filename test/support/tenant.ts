/** An embedded tenant on a port, and the variables by which programs reach it. */
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator";

export interface ListeningTenant {
  readonly emulator: Emulator;
  readonly url: string;
  readonly env: Readonly<Record<"TENANT_ENDPOINT" | "TENANT_CLIENT_ID" | "TENANT_CLIENT_SECRET", string>>;
  close(): Promise<void>;
}

export async function listeningTenant(options: EmulatorOptions = {}): Promise<ListeningTenant> {
  const emulator = createEmulator(options);
  const { url, close } = await emulator.listen();
  const { clientId, clientSecret } = emulator;
  const env = { TENANT_ENDPOINT: url, TENANT_CLIENT_ID: clientId, TENANT_CLIENT_SECRET: clientSecret };
  return { emulator, url, env, close };
}
