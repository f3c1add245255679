/** From the start of a provider to its handshake and to its schema, beside that of a program that does nothing but say a word. */
import { Client, credentials } from "@grpc/grpc-js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { createSecureContext } from "node:tls";
import { createCertificate } from "../../plugin/certificate";
import { executableOf, type Contender } from "./contender";
import { peakOf } from "./memory";
import { cleanEnvironment } from "./program";
import type { Bench } from "./terraform";

export interface StartUp {
  readonly name: string;
  /** Milliseconds from its start, for each round. */
  readonly handshake: readonly number[];
  /** Absent of what is no provider. */
  readonly schema: readonly number[];
  /** Megabytes, at most, until the schema was told. */
  readonly peak?: number;
}

const identity = createCertificate();
const methods: Record<string, string> = {
  5: "/tfplugin5.Provider/GetSchema",
  6: "/tfplugin6.Provider/GetProviderSchema",
};

async function startOnce(program: string, env: NodeJS.ProcessEnv) {
  const started = performance.now();
  const child = spawn(program, { env, stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  try {
    let said = "";
    for await (const text of child.stdout.setEncoding("utf8")) {
      said += text as string;
      if (said.includes("\n")) break;
    }
    const handshake = performance.now() - started;
    if (said === "ready\n") return { handshake };
    const [core, protocol, network, address, , certificate] = said.trim().split("|");
    if (core !== "1") throw new Error(`${path.basename(program)} began with ${JSON.stringify(said)}`);
    await schemaFrom(network === "unix" ? `unix:${address}` : address!, certificate!, methods[protocol!]!);
    return { handshake, schema: performance.now() - started, peak: peakOf(child.pid!) };
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
}

/** Asks as Terraform does; rejects where the answer is too short to be a schema. */
async function schemaFrom(target: string, certificate: string, method: string): Promise<void> {
  const ca = `-----BEGIN CERTIFICATE-----\n${certificate}${"=".repeat((4 - (certificate.length % 4)) % 4)}\n-----END CERTIFICATE-----\n`;
  const secure = credentials.createFromSecureContext(
    createSecureContext({ ca, cert: identity.pem, key: identity.key }),
  );
  const client = new Client(target, secure, {
    "grpc.max_receive_message_length": -1,
    "grpc.ssl_target_name_override": "localhost",
    "grpc.use_local_subchannel_pool": 1,
  });
  const asIs = (bytes: Buffer) => bytes;
  try {
    const schema = await new Promise<Buffer>((resolve, reject) => {
      client.makeUnaryRequest(method, asIs, asIs, Buffer.alloc(0), (error, answer) =>
        answer ? resolve(answer) : reject(error ?? new Error("no answer")),
      );
    });
    if (schema.length < 1000) throw new Error(`${schema.length} bytes are no schema`);
  } finally {
    client.close();
  }
}

/** They take turns, so that whatever else the machine does meets all of them. */
export async function measureStartUp(
  { folder, signal }: Bench,
  contenders: readonly Contender[],
  rounds = 20,
): Promise<StartUp[]> {
  const bare = path.join(folder, "bare");
  await writeFile(bare, '#!/usr/bin/env node\nprocess.stdout.write("ready\\n");\n');
  await chmod(bare, 0o755);
  const env = {
    ...cleanEnvironment(folder),
    TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
    PLUGIN_PROTOCOL_VERSIONS: "5,6",
    PLUGIN_CLIENT_CERT: identity.pem,
    PLUGIN_MIN_PORT: "10000",
    PLUGIN_MAX_PORT: "25000",
  };
  const all = [
    ...(await Promise.all(contenders.map(async (one) => ({ name: one.name, program: await executableOf(one) })))),
    { name: "bare node", program: bare },
  ];
  const times = new Map(all.map(({ name }) => [name, { handshake: [] as number[], schema: [] as number[], peak: 0 }]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, program } of all) {
      signal.throwIfAborted();
      const { handshake, schema, peak = 0 } = await startOnce(program, env);
      // The first round fills caches.
      if (round === 0) continue;
      const of = times.get(name)!;
      of.handshake.push(handshake);
      if (schema !== undefined) of.schema.push(schema);
      of.peak = Math.max(of.peak, peak);
    }
  }
  return Array.from(times, ([name, { peak, ...rest }]) => ({ name, ...rest, ...(peak > 0 && { peak }) }));
}
