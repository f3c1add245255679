/** The script for Node: its two files, and the cache for compiled code. */
import { status } from "@grpc/grpc-js";
import { encode } from "@msgpack/msgpack";
import fs from "node:fs";
import * as nodeModule from "node:module";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { callsOf } from "../../../src/provider/plugin/calls";
import { GetMetadata_Response, GetProviderSchema_Response } from "../../../src/provider/plugin/protocol/tfplugin6";
import { tenantProvider } from "../../../src/provider/resources/provider";
import { handlersOf } from "../../../src/provider/sdk/handlers";
import { version } from "../../../src/version";
import type { PluginClient } from "../plugin/support/client";
import { newFolder } from "../../support/folder";
import { run } from "../../support/program";
import { processes, type Program } from "../plugin/support/program";

const script = path.join(__dirname, `../../../dist/plugin/terraform-provider-tenant_v${version}`);
const none = { typeName: "tenant_network_acl", config: { msgpack: encode(null) } };

const programs = processes(() => script);
let home: string;
beforeEach(() => void (home = newFolder()));

async function start(
  file = script,
  env: Record<string, string> = {},
): Promise<{ program: Program; client: PluginClient }> {
  const program = programs.start({ env: { HOME: home, ...env } }, file);
  return { program, client: await programs.greet(program) };
}

test("contains the encoded responses of the definitions", async () => {
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

test("sends the schema without reading the second file", async () => {
  const alone = path.join(home, "alone");
  fs.cpSync(script, alone);
  fs.writeFileSync(path.join(home, "provider.cjs"), 'throw new Error("no second file")');
  const { client } = await start(alone);
  expect(await client.ask("provider", "getProviderSchema")).toMatchObject({ diagnostics: [] });
  const validation = client.ask("provider", "validateResourceConfig", none);
  await expect(validation).rejects.toMatchObject({ code: status.UNKNOWN, details: "no second file" });
});

describe("the cache for compiled code", () => {
  const hasCache = "enableCompileCache" in nodeModule;
  const folder = () => path.join(home, ".cache/tenantform/node");

  /** Names of the files that a process leaves in the folder of the cache. */
  async function keptBy(env: Record<string, string> = {}): Promise<string[]> {
    const { program, client } = await start(script, env);
    expect(await client.ask("provider", "validateResourceConfig", none)).toEqual({ diagnostics: [] });
    await client.ask("controller", "shutdown").catch(() => {});
    await program.exit;
    return fs.existsSync(folder()) ? fs.readdirSync(folder()) : [];
  }

  test("is a folder that only its user can enter, if Node has such a cache", async () => {
    const kept = await keptBy();
    expect(kept).toHaveLength(hasCache ? 1 : 0);
    if (hasCache) expect(fs.statSync(folder()).mode & 0o777).toBe(0o700);
    expect(await keptBy()).toEqual(kept);
  });

  test.each<[string, () => void]>([
    ["open to others", () => (fs.mkdirSync(folder(), { recursive: true }), fs.chmodSync(folder(), 0o755))],
    ["a link", () => (fs.mkdirSync(path.dirname(folder()), { recursive: true }), fs.symlinkSync(home, folder()))],
  ])("is not used when its folder is %s", async (_what, spoil) => {
    spoil();
    const before = fs.readdirSync(folder());
    expect(await keptBy()).toEqual(before);
  });

  test.each([
    ["without a home", { HOME: "" }],
    ["with a relative home", { HOME: "relative" }],
    ["with a home that does not exist", { HOME: "/nowhere/at/all" }],
    ["with a file in place of the folder for caches", { XDG_CACHE_HOME: "/dev/null" }],
  ])("is not used %s, and the provider works", async (_what, env) => expect(await keptBy(env)).toEqual([]));
});

describe("a script that cannot run explains itself on the line that Terraform shows", () => {
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

  test("runs in a project of ES modules", async () => {
    fs.writeFileSync(path.join(home, "package.json"), '{ "type": "module" }');
    fs.cpSync(path.dirname(script), path.join(home, "plugin"), { recursive: true });
    const { client } = await start(path.join(home, "plugin", path.basename(script)));
    expect(await client.ask("provider", "getProviderSchema")).toMatchObject({ diagnostics: [] });
  });
});
