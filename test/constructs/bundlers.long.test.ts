/** A program for each bundler that people have runs as a bundle. `package.test.ts` has those of esbuild. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");
const packages = [
  "rollup",
  "@rollup/plugin-commonjs",
  "@rollup/plugin-json",
  "@rollup/plugin-node-resolve",
  "webpack",
  "webpack-cli",
  "@vercel/ncc",
  "tsup",
  "typescript@5.9",
];

let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenantform-test-")));
  writeFileSync(path.join(folder, "package.json"), "{}");
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], { cwd: folder });
  for (const name of ["cdktf", "constructs"]) link(name, path.join(root, "node_modules", name));
  link("tenantform", root);
  const body = `
const app = new App();
const stack = new TerraformStack(app, "stack");
new TenantProvider(stack, "tenant");
const rule = { action: Action.block(), match: Match.networks(64496), scope: "authentication" };
new NetworkAcl(stack, "acl", { description: "Bots", priority: 1, rule });
app.synth();
console.log("synthesized");
`;
  const [host, ours] = ["{ App, TerraformStack }", "{ Action, Match, NetworkAcl, TenantProvider }"];
  write("main.mjs", `import ${host} from "cdktf";\nimport ${ours} from "tenantform";\n${body}`);
  write("main.cjs", `const ${host} = require("cdktf");\nconst ${ours} = require("tenantform");\n${body}`);
  write(
    "rollup.config.mjs",
    `import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import resolve from "@rollup/plugin-node-resolve";
export default { input: "main.mjs", output: { file: "out/rollup.cjs", format: "cjs" }, plugins: [resolve(), commonjs(), json()] };
`,
  );
  write(
    "tsup.config.mjs",
    'export default { entry: ["main.cjs"], outDir: "out/tsup", noExternal: [/./], silent: true };\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

function link(name: string, target: string): void {
  mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  symlinkSync(target, path.join(folder, "node_modules", name), "junction");
}

test.each([
  ["rollup", ["-c"], "out/rollup.cjs"],
  [
    "webpack",
    ["--mode", "production", "--target", "node", "--entry", "./main.mjs", "-o", "out/webpack"],
    "out/webpack/main.js",
  ],
  ["ncc", ["build", "main.cjs", "-o", "out/ncc"], "out/ncc/index.cjs"],
  ["tsup", [], "out/tsup/main.js"],
])("a bundle of %s synthesizes and ships the provider", async (bundler, args, file) => {
  const env = { PATH: process.env.PATH };
  await run(process.execPath, [path.join("node_modules/.bin", bundler), ...args], { cwd: folder, env });
  rmSync(path.join(folder, "cdktf.out"), { recursive: true, force: true });
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
  expect(stdout + stderr).toBe("synthesized\n");
  const plugins = "cdktf.out/stacks/stack/terraform.d/plugins/registry.terraform.io/tenantform/tenant";
  expect(existsSync(path.join(folder, plugins))).toBe(true);
});
