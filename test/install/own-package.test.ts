import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ownDependency } from "../../src/install/own-package";
import { version } from "../../src/version";

let folder: string;
beforeEach(async () => void (folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "tenantform-own-")))));
afterEach(() => rm(folder, { recursive: true }));

const write = async (file: string, content: object) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), JSON.stringify(content));
};

/** Installs a package of this name into the project, and returns the folder of its programs. */
const installed = async (spec?: string) => {
  await write("project/package.json", { devDependencies: { tenantform: spec } });
  await write("project/node_modules/tenantform/package.json", { name: "tenantform" });
  await mkdir(path.join(folder, "project/node_modules/tenantform/dist/adopt"), { recursive: true });
  return path.join(folder, "project/node_modules/tenantform/dist/adopt");
};

test.each([
  ["a version", "^0.1.0", "^0.1.0"],
  ["a repository", "github:tenantform/tenantform", "github:tenantform/tenantform"],
  ["a tarball next to the project", "file:../tenantform-0.1.0.tgz", "file:../../tenantform-0.1.0.tgz"],
  ["nothing, as after an installation without --save", undefined, `^${version}`],
])("repeats the dependency of the project on %s", async (_, spec, expected) => {
  const from = await installed(spec);
  expect(ownDependency(path.join(folder, "project/stack"), from)).toBe(expected);
});

test("repeats the dependency of a project that pnpm installed", async () => {
  await write("project/package.json", { dependencies: { tenantform: "file:../tenantform-0.1.0.tgz" } });
  const store = "project/node_modules/.pnpm/tenantform@0.1.0/node_modules/tenantform";
  await write(`${store}/package.json`, { name: "tenantform" });
  await mkdir(path.join(folder, store, "dist/init"), { recursive: true });
  const from = path.join(folder, store, "dist/init");
  expect(ownDependency(path.join(folder, "project/stack"), from)).toBe("file:../../tenantform-0.1.0.tgz");
});

test("names the path of a checkout", async () => {
  await write("checkout/package.json", { name: "tenantform" });
  await mkdir(path.join(folder, "checkout/dist/adopt"), { recursive: true });
  await mkdir(path.join(folder, "stack"));
  const from = path.join(folder, "checkout/dist/adopt");
  expect(ownDependency(path.join(folder, "stack"), from)).toBe("file:../checkout");
});
