/** Bundles a program as users do, and synthesizes with the bundle alone. */
import { build } from "esbuild";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");
const plugins = "cdktf.out/stacks/stack/terraform.d/plugins/registry.terraform.io/tenantform/tenant";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"));
  mkdirSync(path.join(folder, "node_modules"));
  for (const name of ["cdktf", "cdktn", "constructs"]) link(name, path.join(root, "node_modules", name));
  link("tenantform", root);
});
afterEach(() => rmSync(folder, { recursive: true }));

const link = (name: string, target: string) => symlinkSync(target, path.join(folder, "node_modules", name), "junction");

/** Returns what esbuild warns of. */
async function bundle(entry: string, library: string, provider = "{}"): Promise<readonly string[]> {
  writeFileSync(
    path.join(folder, "main.ts"),
    `import { App, TerraformStack } from "${library}";
import { Action, Match, NetworkAcl, TenantProvider } from "${entry}";
const app = new App();
const stack = new TerraformStack(app, "stack");
new TenantProvider(stack, "tenant", ${provider});
new NetworkAcl(stack, "acl", {
  description: "Bots",
  priority: 1,
  rule: { action: Action.block(), match: Match.networks(64496), scope: "authentication" },
});
app.synth();
`,
  );
  const outfile = path.join(folder, "out/main.js");
  const common = { bundle: true, platform: "node", logLevel: "silent" } as const;
  const { warnings } = await build({ ...common, entryPoints: [path.join(folder, "main.ts")], outfile });
  return warnings.map(({ text }) => text);
}

const synth = () => run(process.execPath, ["out/main.js"], { cwd: folder });

test.each([
  ["tenantform", "cdktf"],
  ["tenantform/cdktf", "cdktf"],
  ["tenantform/cdktn", "cdktn"],
])("a bundle of a program with %s and %s synthesizes and ships the provider", async (entry, library) => {
  expect(await bundle(entry, library)).toEqual([]);
  for (const name of ["cdktf", "cdktn", "constructs"]) rmSync(path.join(folder, "node_modules", name));
  expect(await synth()).toMatchObject({ code: 0, stderr: "" });
  expect(readdirSync(path.join(folder, plugins))).toHaveLength(1);
});

test("a bundle without the package says what to install, or needs no provider with `ship: false`", async () => {
  await bundle("tenantform", "cdktf");
  rmSync(path.join(folder, "node_modules"), { recursive: true });
  const { code, stderr } = await synth();
  expect([code, stderr]).toEqual([1, expect.stringContaining("needs the package tenantform of the same version")]);
  mkdirSync(path.join(folder, "node_modules"));
  for (const name of ["cdktf", "constructs"]) link(name, path.join(root, "node_modules", name));
  link("tenantform", root);
  await bundle("tenantform", "cdktf", "{ ship: false }");
  rmSync(path.join(folder, "node_modules"), { recursive: true });
  expect(await synth()).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(path.join(folder, plugins))).toBe(false);
});
