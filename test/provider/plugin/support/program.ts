/** The fixture as a real process, bundled like a shipped provider and started as Terraform starts it. */
import { buildSync } from "esbuild";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createCertificate, type Certificate } from "../../../../src/provider/plugin/certificate";
import { connect, type PluginClient } from "./client";
import { start, type Running } from "../../../support/program";

export function temporaryFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), "plugin-test-"));
}

/** Writes the executable program to `file`. */
export function bundleFixture(file: string): void {
  buildSync({
    entryPoints: [path.join(__dirname, "fixture-main.ts")],
    outfile: file,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    external: ["@grpc/proto-loader"],
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "warning",
  });
  chmodSync(file, 0o755);
}

export interface Program {
  child: Running["child"];
  /** The output so far. */
  output: Pick<Running, "stdout" | "stderr">;
  /** The first line of stdout, without its end. */
  firstLine: Promise<string>;
  /** The exit code, after the process and all processes that share its pipes have ended. */
  exit: Promise<number | null>;
  /** The folder of its sockets. */
  folder: string;
  certificate: Certificate;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Reads the first line and connects, like Terraform. */
export async function greet(started: Program, own = started.certificate): Promise<PluginClient> {
  const [, , network, address, , proof] = (await started.firstLine).split("|");
  return connect(`${network}:${address}`, { server: Buffer.from(proof!, "base64"), own });
}

export interface Start {
  /** Variables in addition to Terraform's, or instead of them. undefined removes one. */
  env?: Record<string, string | undefined>;
  /** Code that Node runs instead of the program, which it finds in `process.argv[1]`. */
  through?: string;
  /** Default: an empty folder. */
  cwd?: string;
}

export function startProgram(file: string, { env = {}, through, cwd }: Start = {}): Program {
  const folder = temporaryFolder();
  const certificate = createCertificate();
  const [program, argv] = through === undefined ? [file, []] : [process.execPath, ["-e", through, file]];
  const running = start(program, argv, {
    cwd: cwd ?? folder,
    env: {
      TMPDIR: folder,
      // Without a home it keeps nothing from one process to the next.
      HOME: undefined,
      TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
      PLUGIN_PROTOCOL_VERSIONS: "5,6",
      PLUGIN_CLIENT_CERT: certificate.pem,
      ...env,
    },
  });
  const firstLine = running.prints(/\n/).then(() => running.stdout.split("\n", 1)[0]!);
  firstLine.catch(() => {});
  const exit = running.ended.then(({ code }) => code);
  return {
    child: running.child,
    output: running,
    firstLine,
    exit,
    folder,
    certificate,
    async [Symbol.asyncDispose]() {
      running.child.kill("SIGKILL");
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts programs and clients, and ends them after each test. */
export function processes(program: () => string) {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const opened of open.splice(0).toReversed()) await opened.close();
  });
  return {
    start(options?: Start, file = program()): Program {
      const started = startProgram(file, options);
      open.push({ close: () => started[Symbol.asyncDispose]() });
      return started;
    },
    async greet(started: Program, own = started.certificate): Promise<PluginClient> {
      const client = await greet(started, own);
      open.push(client);
      return client;
    },
  };
}
