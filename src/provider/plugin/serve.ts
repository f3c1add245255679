/** Runs a plugin process from the handshake to its end. */
import { writeSync } from "node:fs";
import { printableLines } from "../../formats/text/printable";
import type { Calls } from "./calls";
import { createCertificate } from "./certificate";
import { createLog, type Log } from "./log";
import { listen, type Place, type Prepared } from "./listener";

export interface ServeOptions {
  calls: Calls;
  prepared?: Prepared;
  log?: Log;
}

const magicCookie = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const coreVersion = 1;
const protocolVersion = 6;
const parentWatchInterval = 1000;

/**
 * Serves the provider's calls to the Terraform that started this process. Resolves after the handshake. From then on the
 * process ends when Terraform asks for it or has ended. Without Terraform it prints an explanation on stderr and sets the
 * exit code to 1.
 */
export async function serve({ calls, prepared, log = createLog() }: ServeOptions): Promise<void> {
  const { env } = process;
  if (env.TF_PLUGIN_MAGIC_COOKIE !== magicCookie) {
    process.stderr.write(
      "This program is a Terraform provider and is not meant to be started by hand.\n" +
        "Name it under required_providers in a configuration and run `terraform init`; Terraform starts it from then on.\n",
    );
    process.exitCode = 1;
    return;
  }
  reportPanics();
  guardStdout();
  obeySignals();
  watchParent();
  try {
    demandProtocol(env.PLUGIN_PROTOCOL_VERSIONS);
    const clientCertificate = env.PLUGIN_CLIENT_CERT;
    const certificate = clientCertificate ? createCertificate() : undefined;
    const { network, address } = await listen(calls, {
      place: placeFor(process.platform, env),
      prepared,
      tls: clientCertificate && certificate ? { certificate, clientCertificate } : undefined,
      log,
      onShutdown: leave,
      onDeserted: leave,
    });
    const proof = certificate?.der.toString("base64").replaceAll("=", "") ?? "";
    say([coreVersion, protocolVersion, network, address, "grpc", proof].join("|"));
  } catch (error) {
    abandon(error);
  }
}

function demandProtocol(offered: string | undefined): void {
  if (offered?.split(",").includes(String(protocolVersion))) return;
  throw new Error(
    `this provider speaks plugin protocol ${protocolVersion} and needs Terraform 1.0 or newer; ` +
      `the program that started it offers ${offered ? `only ${offered}` : "none"}`,
  );
}

/** On Windows Terraform accepts no socket with a path, and names a range of ports instead. */
export function placeFor(platform: NodeJS.Platform, env: Readonly<NodeJS.ProcessEnv>): Place {
  if (platform !== "win32") return { network: "unix" };
  return {
    network: "tcp",
    firstPort: Number(env.PLUGIN_MIN_PORT || 10_000),
    lastPort: Number(env.PLUGIN_MAX_PORT || 25_000),
  };
}

/** Terraform reads the first line of stdout and nothing after it. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Before the handshake Terraform does not show stderr to its user, but it shows a first line that is not a handshake. */
function abandon(error: unknown): never {
  const words = error instanceof Error ? error.message : String(error);
  say(words.replace(/[\p{Cc}|]+/gu, " "));
  process.exit(1);
}

/**
 * Terraform would read a library's output on stdout as part of the handshake. A new getter of `process.stdout` would make the runtime
 * build that stream first, which takes 3 ms of each process.
 */
function guardStdout(): void {
  console.log = console.info = console.debug = console.error;
}

/** Terraform shows a line that starts with `panic:`, and the lines after it, as the crash of this plugin. */
function reportPanics(): void {
  process.on("uncaughtException", (error: unknown) => {
    const stack = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`panic: ${printableLines(String(stack))}\n`, () => process.exit(2));
  });
}

/** An interrupt reaches the whole process group, so it is ignored here. Terraform reacts to it and calls StopProvider. */
function obeySignals(): void {
  process.on("SIGINT", () => {});
  process.on("SIGTERM", leave);
  process.on("SIGHUP", leave);
}

/** After a kill -9 of Terraform, one process in 75 did not see the connection end. */
function watchParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) leave();
  }, parentWatchInterval).unref();
}

function leave(): never {
  process.exit(0);
}
