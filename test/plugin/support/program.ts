/** The fixture as a real process, bundled as a provider is shipped and started as Terraform starts it. */
import { buildSync } from "esbuild";
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { createCertificate } from "../../../src/plugin/certificate";
import type { Certificate } from "../../../src/plugin/certificate";

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
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** What has come so far. */
  output: { stdout: string; stderr: string };
  /** The first line of stdout, without its end. */
  firstLine: Promise<string>;
  /** Exit code, once the process and everyone who shares its pipes has gone. */
  exit: Promise<number | null>;
  /** Where its sockets are. */
  folder: string;
  certificate: Certificate;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Start {
  /** Variables beside or instead of those Terraform sets; undefined takes one away. */
  env?: Record<string, string | undefined>;
  /** Code that node runs in place of the program, which it finds in `process.argv[1]`. */
  through?: string;
}

export function startProgram(file: string, { env = {}, through }: Start = {}): Program {
  const folder = temporaryFolder();
  const certificate = createCertificate();
  const argv = through === undefined ? [file] : ["-e", through, file];
  const child = spawn(process.execPath, argv, {
    env: {
      PATH: process.env.PATH,
      TMPDIR: folder,
      TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
      PLUGIN_PROTOCOL_VERSIONS: "5,6",
      PLUGIN_CLIENT_CERT: certificate.pem,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stderr.on("data", (text: Buffer) => (output.stderr += text.toString()));
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (text: Buffer) => {
      output.stdout += text.toString();
      if (output.stdout.includes("\n")) resolve(output.stdout.split("\n", 1)[0]!);
    });
    child.once("close", () => reject(new Error(`No line on stdout; on stderr: ${output.stderr}`)));
  });
  firstLine.catch(() => {});
  const exit = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    output,
    firstLine,
    exit,
    folder,
    certificate,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
