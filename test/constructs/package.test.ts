/** Checks the installed package: the modules that it loads, also in a bundle. compilers.long.test.ts has its types. */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import * as cdktf from "cdktf";
import * as cdktn from "cdktn";
import * as forCdktf from "tenantform/cdktf";
import * as forCdktn from "tenantform/cdktn";
import { linkPackages, newFolder, root } from "../support/folder";
import { run } from "../support/program";

let folder: string;
beforeEach(() => {
  folder = newFolder();
  linkPackages(folder, ["cdktf", "cdktn", "constructs"]);
});

/** As plugins of Rollup do, which would change a string that spans lines. */
const indents: Plugin = {
  name: "indents",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist[\\/](constructs|cdktn)[\\/].*\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replaceAll("\n", "\n  "),
    })),
};

describe("the modules", () => {
  test("loads neither the client nor the plugin process for a stack", async () => {
    const program = 'require("tenantform"); console.log(JSON.stringify(Object.keys(require.cache)))';
    const { stdout } = await run(process.execPath, ["-e", program], { cwd: folder });
    const loaded = (JSON.parse(stdout) as string[]).map((file) => path.relative(root, file).replaceAll(path.sep, "/"));
    expect(loaded.filter((file) => file.startsWith("dist/"))).toEqual(["dist/constructs/index.js"]);
    const packages = loaded.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
    expect([...new Set(packages)].toSorted()).toEqual(["cdktf", "constructs"]);
    const carried = readFileSync(path.join(root, "dist/constructs/index.js"), "utf8");
    for (const heavy of ["undici", "h2c", '"client_credentials"']) expect(carried).not.toContain(heavy);
  });
});

describe("a bundle", () => {
  const plugins = "cdktf.out/stacks/stack/terraform.d/plugins/registry.terraform.io/tenantform/tenant";

  /** Returns what esbuild warns of. */
  async function bundle(
    entry: string,
    library: string,
    provider = "{}",
    external: string[] = [],
  ): Promise<readonly string[]> {
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
    const { warnings } = await build({
      ...common,
      entryPoints: [path.join(folder, "main.ts")],
      outfile,
      external,
      plugins: [indents],
    });
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

  test.each(["cdktf", "cdktn"])(
    "a bundle that lacks %s, as bundlers leave a package out, names it",
    async (library) => {
      await bundle(`tenantform/${library}`, library, "{}", [library]);
      rmSync(path.join(folder, "node_modules", library));
      expect(await synth()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Cannot find module '${library}'`),
      });
    },
  );

  test("a bundle without the package says what to install, or needs no provider with `ship: false`", async () => {
    await bundle("tenantform", "cdktf");
    rmSync(path.join(folder, "node_modules"), { recursive: true });
    const { code, stderr } = await synth();
    expect([code, stderr]).toEqual([1, expect.stringContaining("needs the package tenantform of the same version")]);
    linkPackages(folder, ["cdktf", "constructs"]);
    await bundle("tenantform", "cdktf", "{ ship: false }");
    rmSync(path.join(folder, "node_modules"), { recursive: true });
    expect(await synth()).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(path.join(folder, plugins))).toBe(false);
  });
});

test.each([
  ["constructs", "cdktf"],
  ["cdktn", "cdktn"],
])("names the right import if %s is loaded without %s", async (entry, library) => {
  const alone = newFolder();
  copyFileSync(path.join(root, `dist/${entry}/index.js`), path.join(alone, "index.js"));
  const { code, stderr } = await run(process.execPath, ["index.js"], { cwd: alone });
  const imports = ["cdktf", "cdktn"].map((name) => `a program of ${name} imports from "tenantform/${name}"`).join(", ");
  const expected = `Error: Cannot find module '${library}': install it, or correct the import: ${imports}.\n`;
  expect([code, stderr]).toEqual([1, expect.stringContaining(expected)]);
});

test("exports the same names for both libraries, and names the right import in a stack of the other one", () => {
  expect(Object.keys(forCdktn).toSorted()).toEqual(Object.keys(forCdktf).toSorted());
  const stack = new cdktf.TerraformStack(cdktf.Testing.app({ outdir: newFolder() }), "stack");
  expect(() => new forCdktn.TenantProvider(stack as never, "tenant")).toThrow(
    'stack/tenant is a construct for cdktn in a stack of cdktf: import it from "tenantform/cdktf".',
  );
  const other = new cdktn.TerraformStack(cdktn.Testing.app({ outdir: newFolder() }), "stack");
  expect(() => new forCdktf.TenantProvider(other as never, "tenant")).toThrow(
    'stack/tenant is a construct for cdktf in a stack of cdktn: import it from "tenantform/cdktn".',
  );
});
