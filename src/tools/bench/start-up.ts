/** From the start of the built provider to its handshake, beside that of a program that does nothing but say a word. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { createCertificate } from "../../plugin/certificate";
import { version } from "../../version";
import { cleanEnvironment } from "./program";
import { median } from "./table";
import { builtProvider, type Bench } from "./terraform";

export interface StartUp {
  rounds: number;
  /** Milliseconds to the first line of output. */
  provider: { least: number; median: number };
  /** The same of a bare Node program. */
  node: { least: number; median: number };
}

const rounds = 20;

async function toFirstLine(program: string, env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const child = spawn(program, { env, stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    said += text as string;
    if (said.includes("\n")) break;
  }
  const spent = performance.now() - started;
  child.kill();
  await closed;
  if (said.startsWith("1|6|") || said === "ready\n") return spent;
  throw new Error(`${path.basename(program)} began with ${JSON.stringify(said)}`);
}

/** The two take turns, so that whatever else the machine does meets both. */
export async function measureStartUp({ folder, signal }: Bench): Promise<StartUp> {
  const bare = path.join(folder, "bare");
  await writeFile(bare, '#!/usr/bin/env node\nprocess.stdout.write("ready\\n");\n');
  await chmod(bare, 0o755);
  const provider = path.join(builtProvider, `terraform-provider-tenant_v${version}`);
  const env = {
    ...cleanEnvironment(folder),
    TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
    PLUGIN_PROTOCOL_VERSIONS: "5,6",
    PLUGIN_CLIENT_CERT: createCertificate().pem,
    PLUGIN_MIN_PORT: "10000",
    PLUGIN_MAX_PORT: "25000",
  };
  const spent = { provider: [] as number[], node: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    signal.throwIfAborted();
    const [node, ours] = [await toFirstLine(bare, env), await toFirstLine(provider, env)];
    // The first round fills the disk cache.
    if (round === 0) continue;
    spent.node.push(node);
    spent.provider.push(ours);
  }
  const both = (values: number[]) => ({ least: Math.min(...values), median: median(values) });
  return { rounds, provider: both(spent.provider), node: both(spent.node) };
}
