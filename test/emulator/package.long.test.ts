/** The embedded tenant as installed from the package, without other packages. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tenantform-package-"));
  const installed = path.join(folder, "node_modules/tenantform");
  mkdirSync(installed, { recursive: true });
  for (const part of ["package.json", "dist/emulator"]) {
    cpSync(path.join(root, part), path.join(installed, part), { recursive: true });
  }
  writeFileSync(path.join(folder, "package.json"), "{}");
});
afterAll(() => rmSync(folder, { recursive: true }));

const body = `async () => {
  const emulator = createEmulator({ tier: "free" });
  const { url, close } = await emulator.listen({ tls: true });
  await close();
  const response = await emulator.fetch(new Request(url + "/.well-known/jwks.json"));
  if (response.status !== 200 || (await response.json()).keys.length !== 1) throw new Error("no keys");
}`;
const required = 'const { createEmulator } = require("tenantform/emulator");';
const imported = 'import { createEmulator } from "tenantform/emulator";';

test("runs in jest without settings", async () => {
  writeFileSync(path.join(folder, "a.spec.js"), `${required}\ntest("it lives", ${body});`);
  const jest = path.join(root, "node_modules/jest/bin/jest.js");
  const { code, stderr } = await run(process.execPath, [jest, "--rootDir", folder], { cwd: folder });
  expect([stderr.includes("1 passed"), code]).toEqual([true, 0]);
});

test("runs in node:test as a module", async () => {
  writeFileSync(
    path.join(folder, "b.mjs"),
    `import { test } from "node:test";\n${imported}\ntest("it lives", ${body});`,
  );
  const { code, stdout } = await run(process.execPath, ["--test", "b.mjs"], { cwd: folder });
  expect([/pass 1/.test(stdout), code]).toEqual([true, 0]);
});

test("needs no types but those of Node", async () => {
  symlinkSync(path.join(root, "node_modules/@types"), path.join(folder, "node_modules/@types"), "junction");
  const wrong = 'createEmulator({ tier: "gold" });';
  const seed = "{ seed: { network_acls: [{ rule: { scope: 'tenant', action: { block: true } } }] } }";
  const program = `${imported}\nconst { faults, store, requests } = createEmulator(${seed});
faults.add({ path: "/api/v2/**", status: 500 });
export const size: number = store.networkAcls.size + requests.length;\n// @ts-expect-error: there is no such tier
${wrong}`;
  writeFileSync(path.join(folder, "c.ts"), program);
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const strict = "--noEmit --strict --skipLibCheck false --target es2022 --lib es2023 --types node".split(" ");
  for (const resolution of ["node16", "node10"]) {
    const module = resolution === "node16" ? "node16" : "es2022";
    const args = [tsc, ...strict, "--module", module, "--moduleResolution", resolution, "c.ts"];
    const { stdout, code } = await run(process.execPath, args, { cwd: folder });
    expect([resolution, stdout, code]).toEqual([resolution, "", 0]);
  }
});
