/** The command `tenantform emulate`: a tenant on a port, the settings of its clients, and a line for every request. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { print, printable, shellWord } from "../formats/text/printable";
import { oneOf, unreadFile } from "../formats/text/user-error";
import { withRemedy } from "../formats/text/whole-file";
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type Listening,
  type RequestEntry,
  type Seed,
} from "./emulator";
import { flags } from "./auth/scope";
import { tiers } from "./http/limit";

/** As the options of the command line. */
export interface EmulateOptions extends Pick<EmulatorOptions, "data" | "enforce" | "latency" | "trackUsers"> {
  readonly port?: number;
  readonly tier?: string;
  readonly tls?: boolean;
  readonly hostName?: readonly string[];
  readonly flag?: readonly string[];
  /** File of a seed. */
  readonly seed?: string;
  readonly detach?: boolean;
  /** Minutes without a request after which the tenant ends. */
  readonly idle?: number;
  readonly quiet?: boolean;
  readonly shell?: string;
  readonly writeEnv?: string;
}

/** Always the same, so that a configuration can name it. */
const firstOrganization = { id: "org_quickstart000001", name: "quickstart" };

async function readSeed(file: string): Promise<Seed> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw unreadFile(`The seed ${file}`, error, "give another path");
  });
  let seed: unknown;
  try {
    seed = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}.`, { cause: error });
  }
  if (typeof seed === "object" && seed !== null && !Array.isArray(seed)) return seed;
  throw new Error(`${file} is no seed: give an object such as {"organizations": [{"name": "acme"}]}.`);
}

function line({ method, path: at, query, status, ms, change, acl }: RequestEntry): string {
  const outcome = status === 0 ? "broken" : status;
  const more = [acl, change].filter((words) => words !== undefined);
  const words = [`${method} ${at}${query && `?${query}`} ${outcome} ${Math.round(ms)} ms`, ...more].join("  ");
  return `${printable(words)}\n`;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Milliseconds between two looks at what ends the tenant. */
const interval = 500;

/** Resolves at a signal, when the readers of the output are gone, or when one of the conditions is true. */
function ended(conditions: readonly (() => boolean)[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    for (const signal of signals) process.once(signal, end);
    for (const stream of [process.stdout, process.stderr]) stream.once("error", end);
    setInterval(() => conditions.some((isTrue) => isTrue()) && end(), interval).unref();
  });
}

/** npx does not pass signals on, so the tenant looks whether its parent process is there. */
function parentEnded(): () => boolean {
  const parent = process.ppid;
  return () => process.ppid !== parent;
}

/** The settings that direct a client to the tenant, as names and values. */
async function settingsOf(emulator: Emulator, url: string, folder: string, ca?: string): Promise<[string, string][]> {
  const keyFile = path.join(folder, "client-key.pem");
  const caFile = path.join(folder, "ca.pem");
  const key = await emulator.clientPrivateKey();
  try {
    await writeFile(keyFile, key, { mode: 0o600 });
    if (ca !== undefined) await writeFile(caFile, ca);
  } catch (error) {
    throw withRemedy(folder, error, "set TMPDIR to another folder");
  }
  return [
    ["TENANT_ENDPOINT", url],
    // So that also a block that names another tenant reaches this one.
    ["TENANT_EMBEDDED_ENDPOINT", url],
    ["TENANT_CLIENT_ID", emulator.clientId],
    ["TENANT_CLIENT_SECRET", emulator.clientSecret],
    ["TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE", keyFile],
    ...(ca === undefined ? [] : [["NODE_EXTRA_CA_CERTS", caFile] as [string, string]]),
  ];
}

const shells = ["posix", "fish", "powershell"] as const;
/** Fish evaluates `posix` from version 3 on. */
type Shell = (typeof shells)[number];

const asExport: Record<Shell, (name: string, value: string) => string> = {
  posix: (name, value) => `export ${name}=${shellWord(value)}`,
  fish: (name, value) => `set -gx ${name} ${shellWord(value)}`,
  // PowerShell treats typographic quotes as quotes.
  powershell: (name, value) => `$env:${name} = '${value.replace(/['‘’‚‛]/g, "$&$&")}'`,
};

export const exportLine = (shell: Shell, name: string, value: string) => `${asExport[shell](name, value)}\n`;

/** A line of a file for `node --env-file` or direnv. They know no escapes, so this picks a quote that the value does not contain. */
export function envLine(name: string, value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return `${name}=${value}\n`;
  const quote = ["'", '"', "`"].find((one) => !value.includes(one));
  if (quote === undefined) throw new Error(`${name} cannot be written to a file: it contains every kind of quote`);
  return `${name}=${quote}${value}${quote}\n`;
}

const envHead = "# written by tenantform emulate, and removed when it ends\n";

/** Writes a file that only its owner can read. Throws if it would replace a file that this command did not write. */
async function writeEnvFile(file: string, text: string): Promise<void> {
  const isFile = (await stat(file).catch(absent))?.isFile();
  const before = isFile ? await readFile(file, "utf8") : undefined;
  if (before === "" || before?.startsWith(envHead)) await rm(file);
  await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST")
      throw new Error(`${file} exists already; remove it, or name another with --write-env`, { cause: error });
    await rm(file, { force: true });
    throw withRemedy(file, error, "name another file with --write-env");
  });
}

/** Another tenant replaces the file of this one, and a person removes it to end the tenant. */
function isReplaced(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") !== text;
  } catch {
    return true;
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Organizations that the start names. */
const mostNamed = 10;

/** A configuration needs the ids of organizations. */
function organizationsOf({ store }: Emulator): string[] {
  const all = store.organizations.values();
  const lines = all.slice(0, mostNamed).map(({ id, name }) => `organization ${printable(id)} (${printable(name)})`);
  return all.length > mostNamed ? [...lines, `and ${all.length - mostNamed} more organizations`] : lines;
}

const note = (text: string) => print(process.stderr, text);

async function startEmulator(options: EmulateOptions, onRequest: (entry: RequestEntry) => void): Promise<Emulator> {
  const seed: Seed = options.seed === undefined ? {} : await readSeed(options.seed);
  return createEmulator({
    tier: oneOf(options.tier ?? "none", tiers, "--tier"),
    latency: options.latency,
    data: options.data,
    trackUsers: options.trackUsers,
    enforce: options.enforce,
    flags: options.flag?.map((name) => oneOf(name, flags, "--flag")),
    hostNames: options.hostName,
    seed: { ...seed, organizations: seed.organizations?.length ? seed.organizations : [firstOrganization] },
    onRequest,
  });
}

/** Runs until a signal ends it; rejects if it cannot start. Prints the settings to stdout, and the rest to stderr. */
export async function emulate(options: EmulateOptions = {}): Promise<void> {
  const { tls = false, port = 0, writeEnv, idle } = options;
  if (port > 65_535) throw new Error(`There is no port ${port}: give --port a number from 0 to 65535.`);
  const shell = oneOf(options.shell ?? "posix", shells, "--shell");
  const isKept = options.seed !== undefined && options.data !== undefined && existsSync(options.data);
  let last = performance.now();
  const emulator = await startEmulator(options, (entry) => {
    last = performance.now();
    if (!options.quiet) note(line(entry));
  });
  const conditions = [
    ...(options.detach ? [] : [parentEnded()]),
    ...(idle === undefined ? [] : [() => performance.now() - last >= idle * 60_000]),
  ];
  const end = ended(conditions);
  const folder = await mkdtemp(path.join(tmpdir(), "tenantform-")).catch((error: unknown) => {
    throw withRemedy(tmpdir(), error, "set TMPDIR to another folder");
  });
  let listening: Listening | undefined;
  let written = "";
  try {
    listening = await emulator.listen({ port, tls }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") throw error;
      throw new Error(`Port ${port} is in use; choose another with --port`, { cause: error });
    });
    const { url, ca } = listening;
    const settings = await settingsOf(emulator, url, folder, ca);
    if (writeEnv !== undefined) {
      const text = envHead + settings.map(([name, value]) => envLine(name, value)).join("");
      await writeEnvFile(writeEnv, text);
      written = text;
      conditions.push(() => isReplaced(writeEnv, text));
    }
    process.stdout.write(settings.map(([name, value]) => exportLine(shell, name, value)).join(""));
    if (isKept) note(`# ${printable(options.data!)} has a tenant already, so --seed counts only after a reset\n`);
    for (const one of organizationsOf(emulator)) note(`# ${one}\n`);
    note(`# listening on ${url}\n`);
    if (options.detach) note(`# to stop it: kill ${process.pid}\n`);
    await end;
  } finally {
    await listening?.close();
    emulator.close();
    await rm(folder, { recursive: true, force: true });
    if (written !== "" && !isReplaced(writeEnv!, written)) await rm(writeEnv!, { force: true });
  }
}
