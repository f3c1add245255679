/** The native build: nothing in the environment starts features of its runtime; a release on a machine without Node. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { encode } from "@msgpack/msgpack";
import { platformHere } from "../../../src/commands/install/product";
import { namesOf } from "../../../src/tools/release/files";
import { version } from "../../../src/version";
import { built, executable } from "../../support/installation";
import { newFolder } from "../../support/folder";
import { run } from "../../support/program";
import { listeningTenant } from "../../support/tenant";
import { greet, type Start, startProgram } from "../plugin/support/program";

let folder: string;
const open: { close(): unknown }[] = [];
beforeEach(() => {
  folder = newFolder();
  writeFileSync(
    path.join(folder, "hostile.js"),
    'require("fs").writeFileSync("hostile-ran", ""); console.log("hostile");',
  );
});
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close();
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
])("ignores %s=%s", async (variable, value) => expect(await serve({ env: { [variable]: value } })).toBe(""));

test("ships the runtime's licences, and explains how to replace the runtime", () => {
  const notices = readFileSync(path.join(built, "THIRD_PARTY_LICENSES"), "utf8");
  expect(notices).toContain("JavaScriptCore");
  expect(notices).toContain("GNU LESSER GENERAL PUBLIC LICENSE");
  expect(notices).toContain("npm run build:native -- --runtime");
  const { components } = JSON.parse(readFileSync(path.join(built, "sbom.cdx.json"), "utf8"));
  expect(components.at(-1).purl).toMatch(/^pkg:npm\/%40oven\/bun-[\w-]+@1\.\d+\.\d+$/);
});

describe("a release", () => {
  const release = path.join(__dirname, "../../../dist/release");
  const names = namesOf(version);
  const zip = names.zip(platformHere());
  const read = (name: string) => readFileSync(path.join(release, name));

  /** The path of a program on the search path, or undefined. */
  function found(program: string): string | undefined {
    const places = process.env.PATH!.split(path.delimiter).map((place) => path.join(place, program));
    return places.find((place) => {
      try {
        accessSync(place, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  }

  test("contains checksums of its files", () => {
    const lines = String(read(names.checksums)).trim().split("\n");
    const digests = lines.map((line) => line.split("  ").toReversed()) as [string, string][];
    expect(digests.map(([name]) => name)).toEqual(expect.arrayContaining([zip, names.manifest]));
    for (const [name, digest] of digests) {
      expect(createHash("sha256").update(read(name)).digest("hex")).toBe(digest);
    }
  });

  test("packs the docs in the registry's layout", () => {
    const list = execFileSync("tar", ["-tzf", path.join(release, names.tarball)], { encoding: "utf8" }).split("\n");
    expect(list).toEqual(
      expect.arrayContaining(["docs/index.md", "docs/resources/network_acl.md"].map((name) => `package/${name}`)),
    );
    expect(list.filter((name) => /dist\/(release|native|tools)\//.test(name))).toEqual([]);
  });

  const hcl = `
terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant", version = "${version}" }
  }
}
resource "tenant_rate_limit_policy" "default" {
  consumer_selector = "default"
  configuration {
    action = "allow"
  }
}
`;

  const programs = ["terraform", "tofu"].filter(found);

  test("finds at least one engine to test", () => expect(programs).toContain("terraform"));

  test.each(programs)("plans and applies with %s, the zip in a filesystem mirror, and no Node", async (program) => {
    const mirror = path.join(folder, "mirror");
    const place = path.join(mirror, "registry.terraform.io/tenantform/tenant");
    mkdirSync(place, { recursive: true });
    copyFileSync(path.join(release, zip), path.join(place, zip));
    writeFileSync(path.join(folder, "main.tf"), hcl);
    const { emulator, env: variables, close } = await listeningTenant();
    try {
      const env = { PATH: "", ...variables };
      const call = async (...args: string[]) => {
        const { code, stdout, stderr } = await run(found(program)!, [...args, "-no-color"], { cwd: folder, env });
        if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
        return stdout;
      };
      await call("init", `-plugin-dir=${mirror}`);
      await call("plan", "-out=plan");
      expect(await call("apply", "plan")).toContain("1 added");
      expect([...emulator.store.rateLimitPolicies.values()]).toMatchObject([{ consumer_selector: "default" }]);
      await call("plan", "-detailed-exitcode");
      expect(await call("destroy", "-auto-approve")).toContain("1 destroyed");
    } finally {
      await close();
    }
  });
});
