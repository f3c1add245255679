/** The process of tenant.ts: an embedded tenant that shares no event loop with the benchmark. */
import { createEmulator } from "../../emulator/emulator";
import type { Reply, Command, Served, TenantOptions } from "./tenant";

async function main({ tls = false, ...options }: TenantOptions): Promise<void> {
  let served: Served[] = [];
  const emulator = createEmulator({
    ...options,
    onRequest: ({ method, path, status }) => served.push({ method, path, status }),
  });
  const { url, ca } = await emulator.listen({ tls });
  const replies: Record<Command, () => Reply> = {
    served: () => ({ served: served.splice(0) }),
    reset() {
      emulator.reset();
      served = [];
      return {};
    },
  };
  process.on("message", (command: Command) => process.send!(replies[command]()));
  const { clientId, clientSecret } = emulator;
  process.send!({ ready: { url, ca, clientId, clientSecret } } satisfies Reply);
}

process.once("disconnect", () => process.exit());
process.once("message", (options: TenantOptions) => void main(options));
