/** The installed package in the test runners that people have: their matchers, types and setup files. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { linkPackages, newFolderInside, root } from "../../support/folder";
import { run, type Ended } from "../../support/program";

let folder: string;
beforeEach(() => {
  folder = newFolderInside();
  linkPackages(folder);
});

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const node = (...args: string[]): Promise<Ended> =>
  run(process.execPath, args, { cwd: folder, env: { TMPDIR: folder } });

const stackOf = (library: string) => `
import { Testing, TerraformStack } from "${library}";
import { Action, Match, NetworkAcl } from "tenantform/${library}";

export const stack = new TerraformStack(Testing.app(), "edge");
const rule = { action: Action.block(), match: Match.countries("KP"), scope: "tenant" };
new NetworkAcl(stack, "sanctions", { description: "Sanctions", rule });
`;

const tests = `
test("blocked", () => expect(stack).toBlock({ countries: "KP" }));
test("not blocked", () => expect(stack).not.toBlock({ countries: ["KP", "IR"] }));
test("fails", () => expect(stack).toBlock({ countries: "IR" }));
`;

const runJest = (...args: string[]) =>
  node(require.resolve("jest/bin/jest"), "--rootDir", folder, "--config", path.join(folder, "jest.json"), ...args);

const configuration = (setup: readonly string[]) =>
  JSON.stringify({
    testEnvironment: "node",
    setupFilesAfterEnv: setup,
    transform: { "\\.[jt]s$": require.resolve("../../support/transform.js") },
    haste: { enableSymlinks: false },
  });

test.each([
  ["an import in the test", 'import "tenantform/testing/jest";', []],
  ["a setup file", "", ["tenantform/testing/jest"]],
  ["imported globals", 'import "tenantform/testing/jest";\nimport { expect, test } from "@jest/globals";', []],
])("jest: %s", async (_, imports, setup) => {
  write("stack.js", stackOf("cdktf"));
  write("stack.test.js", `${imports}\nimport { stack } from "./stack";\n${tests}`);
  write("jest.json", configuration(setup));
  const { stderr } = await runJest();
  expect(stderr).toContain("2 passed, 3 total");
  expect(stderr).toContain("expect(stack).toBlock({ countries: 'IR' })");
  expect(stderr).toContain("is allowed, because no ACL matches. It should be blocked.");
});

test("vitest: its expect gets the matchers", async () => {
  // A stand-in, because test/commands/init/runners.ts runs vitest itself.
  const vitest = path.join(folder, "node_modules/vitest");
  mkdirSync(vitest);
  writeFileSync(path.join(vitest, "package.json"), '{ "exports": "./index.mjs" }');
  const standIn = "export const expect = { extend: (matchers) => console.log(Object.keys(matchers).join()) };";
  writeFileSync(path.join(vitest, "index.mjs"), standIn);
  // A copy, because a link would look for vitest in this checkout.
  cpSync(path.join(root, "dist/constructs/testing"), path.join(folder, "testing"), { recursive: true });
  const { stdout } = await node("testing/vitest.mjs");
  expect(stdout).toBe("toBlock,toReach,toRedirect,toLog,toLimit,toHaveMembers\n");
});

test("node:test: functions that throw an AssertionError at the line of the test", async () => {
  write("stack.mjs", stackOf("cdktn"));
  write(
    "stack.test.mjs",
    `import test from "node:test";
    import * as testing from "tenantform/testing";
    import { stack } from "./stack.mjs";
    const { assertBlocked, assertNotBlocked } = testing;
    test("blocked", () => assertBlocked(stack, { countries: "KP" }));
    test("not blocked", () => assertNotBlocked(stack, { countries: ["KP", "IR"] }));
    test("fails", () => assertBlocked(stack, { countries: "IR" }));
    test("has a function for each matcher", (t) => t.assert?.ok(Object.keys(testing).length > 12));
    `,
  );
  const { stdout } = await node("--test", "--test-reporter=tap", "stack.test.mjs");
  expect(stdout).toMatch(/# pass 3\n# fail 1\n/);
  expect(stdout).toMatch(/assertBlocked\(stack, \{ countries: 'IR' \}\)/);
  expect(stdout).toMatch(/stack\.test\.mjs:7/);
  expect(stdout).not.toMatch(/testing\/testing\.js:\d/);
});

const typed = (imports: string) => `
${imports}
import { stack } from "./stack";

test("types", () => {
  expect(stack).toBlock({ countries: "KP" }, { except: { ipCidrs: ["203.0.113.0/24"] } });
  expect(stack).not.toLimit({ consumer: "default", atMost: 50 });
  expect(stack).toHaveMembers("org_1", { include: "auth0|ada" });
  // @ts-expect-error
  expect(stack).toBlock({ country: "KP" });
  // @ts-expect-error
  expect(stack).toBlock({ scopes: "login" });
});
`;

test.each([
  ["jest with globals", 'import "tenantform/testing/jest";', ["jest", "node"]],
  ["jest with imports", 'import "tenantform/testing/jest";\nimport { expect, test } from "@jest/globals";', ["node"]],
])("types: %s", async (_, imports, types) => {
  write("stack.ts", stackOf("cdktf"));
  write("stack.test.ts", typed(imports));
  const compilerOptions = { strict: true, noEmit: true, target: "es2022", skipLibCheck: true, types };
  const resolution = { module: "preserve", moduleResolution: "bundler" };
  write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...resolution }, files: ["stack.test.ts"] }),
  );
  const { stdout, code } = await node(require.resolve("typescript/bin/tsc"), "-p", ".");
  expect({ stdout, code }).toEqual({ stdout: "", code: 0 });
});

test("loads no CDK library, no client and no plugin process", async () => {
  const program = 'require("tenantform/testing"); console.log(JSON.stringify(Object.keys(require.cache)))';
  const { stdout } = await node("-e", program);
  expect((JSON.parse(stdout) as string[]).map((file) => path.relative(root, file))).toEqual([
    path.join("dist/constructs/testing/testing.js"),
  ]);
  const carried = readFileSync(path.join(root, "dist/constructs/testing/testing.js"), "utf8");
  for (const heavy of ["undici", '"client_credentials"']) expect(carried).not.toContain(heavy);
});
