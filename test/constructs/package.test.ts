/** Checks the installed package: the modules that it loads. compilers.long.test.ts has its types. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"));
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(root, path.join(folder, "node_modules/tenantform"), "junction");
  for (const name of ["cdktf", "cdktn", "constructs"]) {
    symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name), "junction");
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

test("loads neither the client nor the plugin process for a stack", async () => {
  const program = 'require("tenantform"); console.log(JSON.stringify(Object.keys(require.cache)))';
  const { stdout } = await run(process.execPath, ["-e", program], { cwd: folder });
  const loaded = (JSON.parse(stdout) as string[]).map((file) => path.relative(root, file).replaceAll(path.sep, "/"));
  expect(loaded.filter((file) => file.startsWith("dist/"))).toEqual([
    "dist/constructs/installed.js",
    "dist/constructs/index.js",
  ]);
  const packages = loaded.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  expect([...new Set(packages)].toSorted()).toEqual(["cdktf", "constructs"]);
  const carried = readFileSync(path.join(root, "dist/constructs/index.js"), "utf8");
  for (const heavy of ["undici", "h2c", "client_credentials"]) expect(carried).not.toContain(heavy);
});

describe("the bare name of the package", () => {
  const script = `
    import { NetworkAcl } from "tenantform";
    import { createRequire } from "node:module";
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(NetworkAcl.name, ["cdktf", "cdktn"].filter((host) => loaded.some((file) => file.includes("/" + host + "/lib/"))).join());`;

  test.each([
    [["cdktf", "cdktn"], "NetworkAcl cdktf"],
    [["cdktf"], "NetworkAcl cdktf"],
    [["cdktn"], "NetworkAcl cdktn"],
    [[], "npm install cdktn constructs (or cdktf constructs)"],
  ])("with %j installed loads: %s", async (hosts, outcome) => {
    const modules = path.join(folder, "node_modules");
    rmSync(modules, { recursive: true });
    mkdirSync(path.join(modules, "tenantform"), { recursive: true });
    cpSync(path.join(root, "package.json"), path.join(modules, "tenantform/package.json"));
    for (const entry of ["constructs", "cdktn"]) {
      cpSync(path.join(root, "dist", entry), path.join(modules, "tenantform/dist", entry), { recursive: true });
    }
    for (const name of ["constructs", "zod", ...hosts]) {
      symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");
    }
    writeFileSync(path.join(folder, "main.mjs"), script);
    const { stdout, stderr } = await run(process.execPath, ["main.mjs"], { cwd: folder });
    expect(stdout + stderr).toContain(outcome);
  });
});
