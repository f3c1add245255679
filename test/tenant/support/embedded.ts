// The embedded tenant on its port, a client for it, and the log of its requests.
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/emulator";
import { createTenant, type Tenant, type TenantOptions } from "../../../src/tenant/tenant";

export interface Embedded {
  emulator: Emulator;
  tenant: Tenant;
  endpoint: string;
  /** `POST /network-acls 201` for each request below /api/v2, in order. */
  lines(): string[];
  /** The number of token requests. */
  tokens(): number;
  /** Another client of the same tenant. */
  client(options?: Partial<TenantOptions>): Tenant;
  close(): Promise<void>;
}

const opened: Embedded[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Moves that wait for each other do so in the time of the tests. */
const priorityTimeouts = { stepAside: 60, slot: 150, giveUp: 250 };

/** It ends with the test. */
export async function embed(
  emulatorOptions: EmulatorOptions = {},
  tenantOptions: Partial<TenantOptions> = {},
): Promise<Embedded> {
  const emulator = createEmulator(emulatorOptions);
  const listening = await emulator.listen();
  const clients: Tenant[] = [];
  const client = (options: Partial<TenantOptions> = {}) => {
    const tenant = createTenant({
      endpoint: listening.url,
      credentials: { kind: "client_secret", clientId: emulator.clientId, clientSecret: emulator.clientSecret },
      userAgent: "tests/1",
      // Retries after failures come at once. Waits for the quota are as long as their padding.
      random: () => 0,
      priorityTimeouts,
      ...tenantOptions,
      ...options,
    });
    clients.push(tenant);
    return tenant;
  };
  const tenant = client();
  let isClosed = false;
  const embedded: Embedded = {
    emulator,
    tenant,
    endpoint: listening.url,
    client,
    lines: () =>
      emulator.requests
        .filter(({ path }) => path.startsWith("/api/v2"))
        .map(({ method, path, status }) => `${method} ${path.slice("/api/v2".length)} ${status}`),
    tokens: () => emulator.requests.filter(({ path }) => path.startsWith("/oauth")).length,
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const one of clients) one.stop();
      await Promise.all(clients.map((one) => one.close()));
      await listening.close();
    },
  };
  opened.push(embedded);
  return embedded;
}

/** A network ACL as the stack declares it. */
export const aclBody = (priority: number, description = `list ${priority}`) => ({
  description,
  active: true,
  priority,
  rule: { action: { block: true as const }, match: { geo_country_codes: ["UK", "DE"] }, scope: "tenant" },
});

/** A policy as the stack declares it. */
export const policyBody = (number: number) => ({
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: `client_id:client${number}`,
  configuration: { action: "block", limit: number },
});

export const userIds = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `auth0|${String(from + index).padStart(6, "0")}`);
