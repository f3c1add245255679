/** Measures a provider from its start to handshake and schema, from Shutdown to exit, and bare Node. */
import { Client, credentials } from "@grpc/grpc-js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { createSecureContext } from "node:tls";
import { createCertificate } from "../../plugin/certificate";
import { executableOf, type Contender } from "./contender";
import { residentMemory } from "./life";
import { cleanEnvironment, type Bench } from "./program";

export interface StartUp {
  readonly name: string;
  /** Milliseconds from the start, for each round. */
  readonly handshake: readonly number[];
  /** Empty for bare Node. */
  readonly schema: readonly number[];
  /** Milliseconds from Shutdown to exit. */
  readonly end: readonly number[];
  /** The most megabytes until the schema, for each round; empty on other systems than Linux. */
  readonly memory: readonly number[];
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
    let line = "";
    for await (const text of child.stdout.setEncoding("utf8")) {
      line += text as string;
      if (line.includes("\n")) break;
    }
    const handshake = performance.now() - started;
    if (line === "ready\n") return { handshake };
    const [core, protocol, network, address, , certificate] = line.trim().split("|");
    if (core !== "1")
      throw new Error(`${path.basename(program)} printed ${JSON.stringify(line)} instead of a handshake`);
    const client = connect(network === "unix" ? `unix:${address}` : address!, certificate!);
    try {
      const response = await ask(client, methods[protocol!]!);
      if (response.length < 1000) throw new Error(`${response.length} bytes are no schema`);
      const schema = performance.now() - started;
      const memory = residentMemory(child.pid!);
      const asked = performance.now();
      // A provider that exits at once sends no response.
      ask(client, "/plugin.GRPCController/Shutdown").catch(() => {});
      await once(child, "exit");
      return { handshake, schema, memory, end: performance.now() - asked };
    } finally {
      client.close();
    }
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
}

function connect(target: string, certificate: string): Client {
  const ca = `-----BEGIN CERTIFICATE-----\n${certificate}${"=".repeat((4 - (certificate.length % 4)) % 4)}\n-----END CERTIFICATE-----\n`;
  const secure = credentials.createFromSecureContext(
    createSecureContext({ ca, cert: identity.pem, key: identity.key }),
  );
  return new Client(target, secure, {
    "grpc.max_receive_message_length": -1,
    "grpc.ssl_target_name_override": "localhost",
    "grpc.use_local_subchannel_pool": 1,
  });
}

function ask(client: Client, method: string): Promise<Buffer> {
  const asIs = (bytes: Buffer) => bytes;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(method, asIs, asIs, Buffer.alloc(0), (error, response) =>
      response ? resolve(response) : reject(error ?? new Error("no response")),
    );
  });
}

/** One start takes so little time that it needs more rounds. */
const times = 5;

/** The providers take turns, so that other load on the machine affects all of them. */
export async function measureStartUp({ folder, signal, rounds }: Bench, contenders: readonly Contender[]) {
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
  const programs = new Map<string, string>();
  for (const contender of contenders) programs.set(contender.name, await executableOf(contender));
  programs.set("bare node", bare);
  const starts = Array.from(programs.keys(), (name) => ({
    name,
    handshake: [] as number[],
    schema: [] as number[],
    end: [] as number[],
    memory: [] as number[],
  }));
  for (let round = 0; round <= rounds * times; round++) {
    for (const { name, ...figures } of starts) {
      signal.throwIfAborted();
      const started: Partial<Record<keyof typeof figures, number>> = await startOnce(programs.get(name)!, env);
      // The first round fills caches.
      if (round === 0) continue;
      for (const [figure, list] of Object.entries(figures)) {
        const value = started[figure as keyof typeof figures];
        if (value !== undefined) list.push(value);
      }
    }
  }
  return starts satisfies StartUp[];
}
