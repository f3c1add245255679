/** Each room loads the code of the packages that it is built on, and not only their types. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(__dirname, "../..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

const filesBelow = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => path.join(folder, file));

const readText = (file: string) => readFileSync(path.join(root, file), "utf8");

/** The packages that a file loads, without type-only imports and `typeof import()`. */
function loadedBy(file: string): string[] {
  const text = readText(file);
  const loads =
    /^(?:import|export)\s+(?!type\s)(?:[^;]*?\sfrom\s+)?"([^".][^"]*)"|(?<!typeof )\b(?:import|require)\("([^".][^"]*)"\)/gms;
  return [...text.matchAll(loads)].map(([, from, called]) => /^(?:@[^/]+\/)?[^/]+/.exec((from ?? called)!)![0]);
}

test.each([
  ["cdktf", "src/constructs"],
  ["constructs", "src/constructs"],
  ["@cdktf/provider-generator", "src/tools/generate"],
  ["undici", "src/tenant/http"],
  ["zod", "src/resources"],
  ["zod", "src/sdk"],
])("%s is loaded in %s", (name, folder) => {
  const loading = filesBelow(folder).filter((file) => loadedBy(file).includes(name));
  expect(loading).not.toEqual([]);
  expect({ ...manifest.devDependencies, ...manifest.peerDependencies }).toHaveProperty([name]);
});

// With a version, npm resolves cdktn even for a program with cdktf, and cdktn's own peer refuses the newest constructs.
test("cdktn is an optional peer without a version", () => {
  expect(manifest.peerDependencies).not.toHaveProperty("cdktn");
  expect(manifest.peerDependenciesMeta).toMatchObject({ cdktn: { optional: true }, cdktf: { optional: true } });
});

test("random tests take the seed of the run, or name one", () => {
  const direct = filesBelow("test").filter((file) => loadedBy(file).includes("fast-check"));
  const unseeded = direct.filter((file) => !/\bseed: \d/.test(readText(file)));
  expect(unseeded).toEqual([path.join("test", "support", "random.ts")]);
  const random = filesBelow("test").filter((file) => /\bMath\.random\(\)/.test(readText(file)));
  expect(random).toEqual([]);
});

test("jest runs the tests", () => {
  expect(manifest.scripts.test).toMatch(/\bjest$/);
  expect(manifest.devDependencies).toHaveProperty("jest");
  expect(process.env.JEST_WORKER_ID).toBeDefined();
});

test("a build before the install says what to do", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "not-installed-"));
  try {
    copyFileSync(path.join(root, "package.json"), path.join(directory, "package.json"));
    for (const script of ["build", "start", "test"]) {
      const { status, stderr } = spawnSync("npm", ["run", "--silent", script], { cwd: directory, encoding: "utf8" });
      expect([status, stderr]).toEqual([1, expect.stringContaining("First run: npm ci")]);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("shipped code imports no file inside a package that the package does not export by name", () => {
  const inside = filesBelow("src").filter((file) =>
    /["'](?:undici|zod|jose|hono|cdktf|constructs)\/(?:lib|dist|src)\//.test(readText(file)),
  );
  expect(inside).toEqual([]);
});

test("no file of the tenant client loads an HTTP module of Node", () => {
  const speaking = filesBelow("src/tenant").filter((file) =>
    loadedBy(file).some((name) => ["node:http", "node:https", "node:http2", "http", "https"].includes(name)),
  );
  expect(speaking).toEqual([]);
});
