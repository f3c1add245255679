/** The body of `tenantform emulate`: a tenant on a port, the lines that point a client at it, a line for every request. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEmulator, type Emulator, type RequestEntry, type Seed } from "./emulator";
import { tiers, type Tier } from "./http/limit";

export interface EmulateOptions {
  /** Port on 127.0.0.1; a free one by default. */
  port?: number;
  /** One of the tiers; "none" by default. */
  tier?: string;
  tls?: boolean;
  /** File to keep the tenant in. */
  data?: string;
  /** File of a seed. */
  seed?: string;
  /** Milliseconds every answer takes at least. */
  latency?: number;
  /** Refuse members that are not users of the tenant. */
  trackUsers?: boolean;
  /** No line for each request. */
  quiet?: boolean;
  /** Takes what is printed; stdout by default. */
  print?: (text: string) => void;
  /** Ends the tenant, like an interrupt. */
  signal?: AbortSignal;
}

/** Always the same, so that a stack can name it. */
const firstOrganization = { id: "org_quickstart000001", name: "quickstart" };

async function readSeed(file: string): Promise<Seed> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text) as Seed;
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function checkTier(name: string): Tier {
  const tier = tiers.find((known) => known === name);
  if (tier === undefined) throw new Error(`There is no tier ${name}; choose one of ${tiers.join(", ")}`);
  return tier;
}

const line = ({ method, path: at, query, status, ms, change }: RequestEntry) => {
  const answer = status === 0 ? "broken" : status;
  return `${method} ${at}${query && `?${query}`} ${answer} ${Math.round(ms)} ms${change ? `  ${change}` : ""}\n`;
};

/** Single quotes keep a shell from reading anything in a value. */
const exported = (name: string, value: string) =>
  `export ${name}=${/^[\w@%+=:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}\n`;

/** Resolves at an interrupt, a termination, or the signal. */
function ended(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      process.off("SIGINT", end);
      process.off("SIGTERM", end);
      resolve();
    };
    process.on("SIGINT", end);
    process.on("SIGTERM", end);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}

async function introduce(emulator: Emulator, url: string, folder: string, ca?: string): Promise<string> {
  const keyFile = path.join(folder, "client-key.pem");
  await writeFile(keyFile, await emulator.clientPrivateKey(), { mode: 0o600 });
  const lines = [
    exported("TENANT_ENDPOINT", url),
    exported("TENANT_CLIENT_ID", emulator.clientId),
    exported("TENANT_CLIENT_SECRET", emulator.clientSecret),
    exported("TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE", keyFile),
  ];
  if (ca !== undefined) {
    const caFile = path.join(folder, "ca.pem");
    await writeFile(caFile, ca);
    lines.push(exported("NODE_EXTRA_CA_CERTS", caFile));
  }
  for (const { id, name } of emulator.store.organizations.values().slice(0, 10)) {
    lines.push(`# organization ${id} (${name})\n`);
  }
  return `${lines.join("")}# the tenant as a page: ${url}/\n`;
}

/** Runs until an interrupt; rejects when it cannot start. */
export async function emulate(options: EmulateOptions = {}): Promise<void> {
  const { print = (text) => void process.stdout.write(text), quiet = false, tls = false, port = 0, latency } = options;
  const emulator = createEmulator({
    tier: checkTier(options.tier ?? "none"),
    latency,
    data: options.data,
    trackUsers: options.trackUsers,
    seed: options.seed === undefined ? undefined : await readSeed(options.seed),
    onRequest: quiet ? undefined : (entry) => print(line(entry)),
  });
  if (emulator.store.organizations.size === 0) emulator.store.addOrganization(firstOrganization);
  const end = ended(options.signal);
  const folder = await mkdtemp(path.join(tmpdir(), "tenantform-"));
  try {
    const { url, ca, close } = await emulator.listen({ port, tls }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") throw error;
      throw new Error(`Port ${port} is in use; choose another with --port`, { cause: error });
    });
    print(await introduce(emulator, url, folder, ca));
    await end;
    await close();
  } finally {
    emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}
