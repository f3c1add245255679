/** The script in its two halves: what each knows, and what is kept of the second. */
import { status } from "@grpc/grpc-js";
import { encode } from "@msgpack/msgpack";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { codeCache } from "../../src/code-cache";
import { callsOf } from "../../src/plugin/calls";
import { GetMetadata_Response, GetProviderSchema_Response } from "../../src/plugin/protocol/tfplugin6";
import { tenantProvider } from "../../src/resources/provider";
import { handlersOf } from "../../src/sdk/handlers";
import { version } from "../../src/version";
import type { PluginClient } from "../plugin/support/client";
import { run } from "../support/program";
import { greet, startProgram, type Program } from "../plugin/support/program";

const script = path.join(__dirname, `../../dist/provider/terraform-provider-tenant_v${version}`);
const none = { typeName: "tenant_network_acl", config: { msgpack: encode(null) } };

const open: { close(): unknown }[] = [];
let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "script-test-"));
});
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close();
  fs.rmSync(home, { recursive: true });
});

async function start(file = script): Promise<{ program: Program; client: PluginClient }> {
  const program = startProgram(file, { env: { HOME: home } });
  open.push({ close: () => program[Symbol.asyncDispose]() });
  const client = await greet(program);
  open.push(client);
  return { program, client };
}

test("the prepared answers are those of the definitions", async () => {
  const call = callsOf(handlersOf(tenantProvider(version, {}), { log: () => {} }));
  const { client } = await start();
  for (const [method, codec] of [
    ["GetProviderSchema", GetProviderSchema_Response],
    ["GetMetadata", GetMetadata_Response],
  ] as const) {
    const answer = await client.ask("provider", method.replace("Get", "get"));
    expect(answer).toEqual(codec.decode((await call(method, new Uint8Array())) as Uint8Array));
  }
});

test("the schema is told without a look at the second half", async () => {
  const first = path.join(home, "first-half");
  const whole = fs.readFileSync(script, "utf8");
  fs.writeFileSync(
    first,
    `${whole.slice(0, whole.lastIndexOf("\n/*provider:"))}\n/*provider:throw new Error("no second half")*/\n`,
    { mode: 0o755 },
  );
  const { client } = await start(first);
  expect(await client.ask("provider", "getProviderSchema")).toMatchObject({ diagnostics: [] });
  const validation = client.ask("provider", "validateResourceConfig", none);
  await expect(validation).rejects.toMatchObject({ code: status.UNKNOWN, details: "no second half" });
});

test("what was compiled once is kept, and junk in its place does no harm", async () => {
  const first = await start();
  const folder = path.join(home, ".cache/tenantform/code");
  await first.client.ask("provider", "validateResourceConfig", none);
  const [key] = await filesIn(folder, first.client);
  const { size } = fs.statSync(path.join(folder, key!));
  expect(size).toBeGreaterThan(100_000);

  codeCache(key!, { HOME: home }).keep(Buffer.from("junk".repeat(1000)));
  const second = await start();
  expect(await second.client.ask("provider", "validateResourceConfig", none)).toEqual({ diagnostics: [] });
});

/** Asks until the program has written something there. */
async function filesIn(folder: string, client: PluginClient): Promise<string[]> {
  for (;;) {
    const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => !/\.\d+$/.test(name)) : [];
    if (files.length > 0) return files;
    await client.ask("health", "check");
  }
}

describe("where the script cannot run, it says so on the line that Terraform shows", () => {
  test("no Node on the PATH", async () => {
    const { code, stdout } = await run(script, [], { cwd: home, env: { PATH: home } });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Tenantform needs Node 20\.19 or later, and there is no node on the PATH: .*native build.*\n$/,
    );
  });

  test.each([
    ["18.20.8", true],
    ["20.18.3", true],
    ["20.19.0", false],
    ["22.0.0", false],
  ])("Node %s", (node, isRefused) => {
    const check = fs
      .readFileSync(script, "utf8")
      .split("\n")
      .find((line) => line.startsWith('"use strict"'))!;
    const said: string[] = [];
    const ended: number[] = [];
    runInNewContext(check, {
      process: {
        versions: { node },
        version: `v${node}`,
        execPath: "/opt/node",
        stdout: { write: (text: string) => said.push(text) },
        exit: (code: number) => ended.push(code),
      },
    });
    expect(ended).toEqual(isRefused ? [1] : []);
    if (isRefused)
      expect(said).toEqual([expect.stringMatching(/^Tenantform needs Node 20\.19 .* is v.*opt.node.*\n$/)]);
  });

  test("a project of modules around it is no hindrance", async () => {
    fs.writeFileSync(path.join(home, "package.json"), '{ "type": "module" }');
    fs.cpSync(path.dirname(script), path.join(home, "plugin"), { recursive: true });
    const { client } = await start(path.join(home, "plugin", path.basename(script)));
    expect(await client.ask("provider", "getProviderSchema")).toMatchObject({ diagnostics: [] });
  });
});
