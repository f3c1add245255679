import { status } from "@grpc/grpc-js";
import { encode } from "@msgpack/msgpack";
import { X509Certificate } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { placeFor } from "../../src/plugin/serve";
import {
  bundleFixture,
  greet as shakeHands,
  startProgram,
  temporaryFolder,
  type Program,
  type Start,
} from "./support/program";

const place = temporaryFolder();
const program = path.join(place, "provider.js");
const open: { close(): unknown }[] = [];

beforeAll(() => bundleFixture(program));
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close();
});
afterAll(() => rmSync(place, { recursive: true }));

function start(options?: Start): Program {
  const started = startProgram(program, options);
  open.push({ close: () => started[Symbol.asyncDispose]() });
  return started;
}

async function greet(started: Program) {
  const client = await shakeHands(started);
  open.push(client);
  return client;
}

const note = (text: string) => ({ msgpack: encode({ text, id: null }) });

test("prints the handshake in one line, and nothing else on stdout", async () => {
  const started = start();
  const client = await greet(started);
  const planned = await client.ask("provider", "planResourceChange", { proposedNewState: note("hello") });
  expect(planned).toMatchObject({ diagnostics: [] });
  await expect(client.ask("controller", "shutdown")).rejects.toMatchObject({ code: status.UNAVAILABLE });
  expect(await started.exit).toBe(0);
  expect(started.output.stderr).toBe("a forgotten line\n");

  const { stdout } = started.output;
  expect(stdout).toMatch(/^1\|6\|unix\|\/[^|\n]+\|grpc\|[A-Za-z0-9+/]+\n$/);
  const [, , , address, , proof] = stdout.trim().split("|");
  expect(address!.startsWith(path.join(started.folder, "plugin-"))).toBe(true);
  expect(new X509Certificate(Buffer.from(proof!, "base64")).subjectAltName).toBe("DNS:localhost");
});

test("turns an uncaught exception into the panic that Terraform looks for", async () => {
  const started = start();
  const client = await greet(started);
  const applied = client.ask("provider", "applyResourceChange", { plannedState: note("panic") });
  await expect(applied).rejects.toMatchObject({ code: status.UNAVAILABLE });
  expect(await started.exit).toBe(2);
  expect(started.output.stderr).toMatch(/^panic: Error: the fixture was told to\n {4}at /);
  expect(readdirSync(started.folder)).toEqual([]);
});

test("listens on a port if Terraform offers ports", () => {
  expect(placeFor("linux", {})).toEqual({ network: "unix" });
  expect(placeFor("win32", { PLUGIN_MIN_PORT: "10", PLUGIN_MAX_PORT: "20" })).toEqual({
    network: "tcp",
    firstPort: 10,
    lastPort: 20,
  });
});
