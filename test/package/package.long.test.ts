/** The package as npm packs it, installed into an empty project with an empty home. */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { withCommandPage } from "../../src/formats/text/url";
import { version as current } from "../../src/version";
import { run, succeed } from "../support/program";
import { listeningTenant } from "../support/tenant";

const root = path.join(__dirname, "../..");

let folder: string;
let tarball: string;
let files: string[];
let modes: Record<string, number>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  const npm = (args: string[], cwd: string) => succeed("npm", args, { cwd, env: { HOME: folder } });
  const packed = await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root);
  const [{ filename, files: listed }] = JSON.parse(packed) as [
    { filename: string; files: { path: string; mode: number }[] },
  ];
  modes = Object.fromEntries(listed.map((file) => [file.path, file.mode]));
  files = listed.map((file) => file.path);
  tarball = filename;
  await writeFile(path.join(folder, "package.json"), '{ "private": true }');
  // The installation requests only this package, because it has no dependencies.
  await npm(["install", "--offline", "--no-audit", "--no-fund", path.join(folder, filename)], folder);
  for (const name of ["cdktf", "constructs"]) {
    await cp(path.join(root, "node_modules", name), path.join(folder, "node_modules", name), { recursive: true });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const node = (...args: string[]) => succeed(process.execPath, args, { cwd: folder });

test("has the same modes for every umask of its clone and build", () => {
  const programs = ["dist/cli.js", `dist/plugin/terraform-provider-tenant_v${current}`];
  for (const [file, mode] of Object.entries(modes)) {
    expect([file, mode]).toEqual([file, programs.includes(file) ? 0o755 : 0o644]);
  }
});

test("contains exactly the files that its entries load, and the usual files of a package", async () => {
  const { main, types, exports, bin } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const entries = [main, types, Object.values(bin), Object.values(exports).map((to) => Object.values(to as object))];
  const reached = new Set<string>();
  const reach = async (file: string) => {
    if (reached.has(file) || !files.includes(file)) return;
    reached.add(file);
    const text = await readFile(path.join(root, file), "utf8");
    for (const [, named] of text.matchAll(/(?:from |require\(|import\(|["']?cdkt[fn]["']?:)\s*["'](\.[^"']+)["']/g)) {
      const target = path.posix.join(path.posix.dirname(file), named!.replace(/\.js$/, ""));
      await reach(file.endsWith(".d.ts") ? `${target}.d.ts` : `${target}.js`);
    }
  };
  for (const entry of entries.flat(2)) {
    if (typeof entry === "string" && entry.includes("/")) await reach(path.posix.normalize(entry));
  }
  const provider = files.filter((file) => file.startsWith("dist/plugin/"));
  const texts = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
  const licences = ["dist/THIRD_PARTY_LICENSES", "dist/sbom.cdx.json"];
  // The schemas of the JSON.
  const review = ["dist/review/review.schema.json"];
  // Another program starts this one.
  const programs = ["dist/commands/adopt/evaluate.js"];
  // The command `init` reads them.
  const start = path.join(root, "examples/start");
  const templates = await readdir(start, { recursive: true, withFileTypes: true });
  const written = templates
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => path.join(path.relative(start, parentPath), name.replace(/^\./, "")))
    .map((file) => path.posix.join("dist/commands/init/templates", file));
  // A lock file can pin them, see docs/guides/review-in-ci.md.
  const actions = ["comment", "review"].map((name) => `.github/actions/${name}/action.yml`);
  const docs = files.filter((file) => file.startsWith("docs/"));
  const all = [[...reached], provider, texts, licences, review, programs, written, actions, docs];
  expect(all.flat().toSorted()).toEqual(files.toSorted());
  expect(provider).toHaveLength(6);
});

test("contains every page that README links to", async () => {
  const text = await readFile(path.join(folder, "node_modules/tenantform/README.md"), "utf8");
  const links = [...text.matchAll(/\]\((?!https:)([^)#]+)/g)].map(([, to]) => to!);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((to) => !files.includes(to))).toEqual([]);
});

test("says before any request that adopt needs cdktf, without code in the message", async () => {
  const project = await mkdtemp(path.join(os.tmpdir(), "tenantform-bare-"));
  try {
    const at = path.join(project, "node_modules/tenantform");
    await cp(path.join(folder, "node_modules/tenantform"), at, { recursive: true });
    const { code, stderr } = await run(process.execPath, [path.join(at, "dist/cli.js"), "adopt", "stack"], {
      cwd: project,
      // Nothing listens there.
      env: { TENANT_ENDPOINT: "http://127.0.0.1:9", TENANT_ACCESS_TOKEN: "token" },
    });
    expect(stderr).toBe(
      "A stack in TypeScript needs cdktf and constructs, which are not installed. Run `npm install cdktf constructs` first, " +
        withCommandPage("or write HCL with `--to hcl`.", "adopt", current),
    );
    expect(code).toBe(2);
  } finally {
    await rm(project, { recursive: true });
  }
});

test("prints at most a short line of code for an error that nobody handles", async () => {
  const own = files.filter((file) => file.endsWith(".js"));
  for (const file of own) {
    const lines = (await readFile(path.join(root, file), "utf8")).split("\n");
    // One name, text or pattern may be longer than a line.
    expect({ file, long: lines.filter(({ length }) => length > 2_500).length }).toEqual({ file, long: 0 });
  }
});

test("has no dependencies, and no script that runs when npm installs it", async () => {
  const { dependencies, scripts } = JSON.parse(
    await readFile(path.join(folder, "node_modules/tenantform/package.json"), "utf8"),
  );
  expect(dependencies).toBeUndefined();
  // npm warns about each of them.
  expect(Object.keys(scripts).filter((name) => /install$|^(pre|post)?prepare$/.test(name))).toEqual([]);
  const lock = JSON.parse(await readFile(path.join(folder, "package-lock.json"), "utf8")) as { packages: object };
  expect(Object.keys(lock.packages)).toEqual(["", "node_modules/tenantform"]);
});

test.each([
  [
    "CommonJS",
    "a.cjs",
    'const { NetworkAcl } = require("tenantform"); const { createEmulator } = require("tenantform/emulator"); ' +
      'const { assertBlocked } = require("tenantform/testing");',
  ],
  [
    "ES modules",
    "a.mjs",
    'import { NetworkAcl } from "tenantform"; import { createEmulator } from "tenantform/emulator"; ' +
      'import { assertBlocked } from "tenantform/testing";',
  ],
])("loads its entries as %s", async (_, file, imports) => {
  await write(
    file,
    `${imports} console.log(typeof NetworkAcl, createEmulator().clientId.length > 0, typeof assertBlocked);`,
  );
  expect(await node(file)).toBe("function true function\n");
});

test("prints the version and the help of its command", async () => {
  const command = path.join(folder, "node_modules/.bin/tenantform");
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  expect(await succeed(command, ["--version"], { cwd: folder })).toBe(`${version}\n`);
  expect(await succeed(command, ["--help"], { cwd: folder })).toMatch(/install[^]*emulate/);
});

describe("the embedded tenant", () => {
  const life = `async () => {
    const emulator = createEmulator({ tier: "free" });
    const { url, close } = await emulator.listen({ tls: true });
    await close();
    const response = await emulator.fetch(new Request(url + "/.well-known/jwks.json"));
    if (response.status !== 200 || (await response.json()).keys.length !== 1) throw new Error("no keys");
  }`;
  const imported = 'import { createEmulator } from "tenantform/emulator";';

  test("runs in jest without settings, and in node:test as a module", async () => {
    const required = 'const { createEmulator } = require("tenantform/emulator");';
    await write("a.spec.js", `${required}\ntest("it lives", ${life});`);
    const jest = path.join(root, "node_modules/jest/bin/jest.js");
    const { code, stderr } = await run(process.execPath, [jest, "--rootDir", folder], { cwd: folder });
    expect([stderr.includes("1 passed"), code]).toEqual([true, 0]);
    await write("b.mjs", `import { test } from "node:test";\n${imported}\ntest("it lives", ${life});`);
    expect(await node("--test", "b.mjs")).toMatch(/pass 1/);
  });

  test("needs no types but those of Node", async () => {
    await symlink(path.join(root, "node_modules/@types"), path.join(folder, "node_modules/@types"), "junction");
    const seed = "{ seed: { network_acls: [{ rule: { scope: 'tenant', action: { block: true } } }] } }";
    await write(
      "c.ts",
      `${imported}\nconst { faults, store, requests } = createEmulator(${seed});
faults.add({ path: "/api/v2/**", status: 500 });
export const size: number = store.networkAcls.size + requests.length;
// @ts-expect-error: there is no such tier
createEmulator({ tier: "gold" });`,
    );
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    const strict = "--noEmit --strict --target es2022 --lib es2023 --types node".split(" ");
    for (const [resolution, module, skipLibCheck] of [
      ["node16", "node16", "false"],
      // Finds the same declarations, which are checked once.
      ["node10", "es2022", "true"],
    ] as const) {
      const options = ["--module", module, "--moduleResolution", resolution, "--skipLibCheck", skipLibCheck];
      expect(await node(tsc, ...strict, ...options, "c.ts")).toBe("");
    }
  });
});

test("plans no changes with the next version of the package", async () => {
  const project = path.join(folder, "upgrade");
  await mkdir(project);
  await writeFile(path.join(project, "package.json"), '{ "private": true }');
  const page = await readFile(path.join(root, "README.md"), "utf8");
  const [main] = /(?<=```ts\n)[^]*?(?=```)/.exec(page)!;
  await writeFile(path.join(project, "main.ts"), main);
  const organization = /organizationId: "(.*)"/.exec(main)![1]!;
  const seed = { organizations: [{ id: organization, name: "acme" }] };
  const { emulator, env, close } = await listeningTenant({ seed });
  try {
    const cwd = path.join(project, "cdktf.out/stacks/tenant");
    const terraform = (...args: string[]) => succeed("terraform", [...args, "-no-color"], { cwd, env });
    const synthesized = async (packed: string) => {
      const install = ["install", "--offline", "--no-audit", "--no-fund", "--no-save", packed];
      await succeed("npm", install, { cwd: project, env: { HOME: folder } });
      await succeed(process.execPath, ["--import", require.resolve("tsx"), "main.ts"], { cwd: project });
      await terraform("init");
    };

    await synthesized(path.join(folder, tarball));
    expect(await terraform("apply", "-auto-approve")).toContain("3 added, 0 changed, 0 destroyed");
    emulator.requests.length = 0;

    await synthesized(await packedAs("0.1.1", project));
    expect(await terraform("version")).toContain("tenantform/tenant v0.1.1");
    expect(await terraform("plan", "-detailed-exitcode")).toContain("No changes.");
    expect(emulator.requests.every(({ method, path: at }) => method === "GET" || at === "/oauth/token")).toBe(true);
    expect(await terraform("destroy", "-auto-approve")).toContain("3 destroyed");
  } finally {
    await close();
  }
});

/** Packs the same build with another version number. */
async function packedAs(version: string, into: string): Promise<string> {
  const copy = path.join(into, "copy");
  await cp(path.join(folder, "node_modules/tenantform"), copy, { recursive: true });
  for (const file of files.filter((name) => /^(package\.json$|dist\/.*\.c?js$)/.test(name))) {
    const text = await readFile(path.join(copy, file), "utf8");
    await writeFile(path.join(copy, file), text.replaceAll(`"${current}"`, `"${version}"`));
  }
  const program = path.join(copy, "dist/plugin/terraform-provider-tenant_v");
  await rename(`${program}${current}`, `${program}${version}`);
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
  const [{ filename }] = JSON.parse(await succeed("npm", pack, { cwd: copy, env: { HOME: folder } }));
  return path.join(into, filename as string);
}
