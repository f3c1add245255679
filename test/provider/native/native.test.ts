/** The runtime of the native build has features of its own. Nothing in its environment may start them. */
import { encode } from "@msgpack/msgpack";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { greet, startProgram, type Start } from "../plugin/support/program";
import { built, executable } from "../../support/installation";

let folder: string;
const open: { close(): unknown }[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "native-test-"));
  writeFileSync(
    path.join(folder, "hostile.js"),
    'require("fs").writeFileSync("hostile-ran", ""); console.log("hostile");',
  );
});
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close();
  rmSync(folder, { recursive: true });
});

const none = { typeName: "tenant_network_acl", config: { msgpack: encode(null) } };

/** Loads everything that is ever loaded, and returns the content of stderr. */
async function serve(options: Start): Promise<string> {
  const started = startProgram(executable, { ...options, cwd: folder });
  open.push({ close: () => started[Symbol.asyncDispose]() });
  const client = await greet(started);
  open.push(client);
  expect(await client.ask("provider", "getProviderSchema")).toMatchObject({ diagnostics: [] });
  expect(await client.ask("provider", "validateResourceConfig", none)).toEqual({ diagnostics: [] });
  await client.ask("controller", "shutdown").catch(() => {});
  expect(await started.exit).toBe(0);
  expect(started.output.stdout).toMatch(/^1\|6\|unix\|[^\n]*\n$/);
  expect(() => readHostile()).toThrow("ENOENT");
  return started.output.stderr;
}

const readHostile = () => rmSync(path.join(folder, "hostile-ran"));

const preload = { "bunfig.toml": 'preload = ["./hostile.js"]\n[run]\npreload = ["./hostile.js"]\n' };
const mapped = { compilerOptions: { paths: { "*": ["./hostile.js"] } } };

test.each<[string, Record<string, string>]>([
  [".env", { ".env": "TF_LOG=trace\nTF_PLUGIN_MAGIC_COOKIE=no\nNODE_OPTIONS=--require=./hostile.js\n" }],
  [".env.local", { ".env.local": "TF_LOG=trace\nTF_PLUGIN_MAGIC_COOKIE=no\n" }],
  ["bunfig.toml", preload],
  [".bunfig.toml", { ".bunfig.toml": preload["bunfig.toml"] }],
  ["tsconfig.json", { "tsconfig.json": JSON.stringify(mapped) }],
  ["package.json", { "package.json": JSON.stringify({ imports: { "#*": "./hostile.js" }, type: "module" }) }],
])("does not read %s in the working directory", async (_name, files) => {
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  expect(await serve({ env: { HOME: folder } })).toBe("");
});

test.each([
  ["BUN_BE_BUN", "1"],
  ["BUN_OPTIONS", "--preload ./hostile.js"],
  ["BUN_OPTIONS", "--version"],
  ["BUN_INSPECT", "ws://127.0.0.1:0/"],
  ["BUN_INSPECT_PRELOAD", "./hostile.js"],
  ["NODE_OPTIONS", "--require ./hostile.js --inspect=0"],
])("ignores %s=%s", async (variable, value) => {
  expect(await serve({ env: { [variable]: value } })).toBe("");
});

test("ships the runtime's licences, and explains how to replace the runtime", () => {
  const notices = readFileSync(path.join(built, "THIRD_PARTY_LICENSES"), "utf8");
  expect(notices).toContain("JavaScriptCore");
  expect(notices).toContain("GNU LESSER GENERAL PUBLIC LICENSE");
  expect(notices).toContain("npm run build:native -- --runtime");
  const { components } = JSON.parse(readFileSync(path.join(built, "sbom.cdx.json"), "utf8"));
  expect(components.at(-1).purl).toMatch(/^pkg:npm\/%40oven\/bun-[\w-]+@1\.\d+\.\d+$/);
});
