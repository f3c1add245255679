/** `tenantform init` as a command: the files that it copies, the words that it replaces, and the files that it leaves. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { root } from "../../support/folder";
import { openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => void (project = openProject()));

const manifest = (file = "package.json") => JSON.parse(project.read(file));
const example = (file: string) => readFileSync(path.join(root, "examples/start", file), "utf8");

test.each([
  ["typescript", ["cdktf.json", "main.ts", "tenant.jest.json", "tenant.test.ts", "tenant.ts", "tsconfig.json"], []],
  ["hcl", ["main.tf", "plan.mjs", "tenant.test.mjs"], ["--language", "hcl"]],
])("copies examples/start/%s, and changes nothing in a second run", async (name, own, args) => {
  const first = await project.init(args);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toMatch(/\nType next:\n  npm install && npm test +# .*\n/);
  const contents = project.contents();
  const common = [".github/workflows/tenant.yml", ".gitignore", "package.json", "review.sh"];
  expect(Object.keys(contents)).toEqual([...common, ...own].toSorted());
  for (const file of [...own, "review.sh", ".gitignore"]) expect(contents[file]).toBe(example(`${name}/${file}`));
  expect({ ...manifest(), dependencies: {}, devDependencies: {} }).toEqual({
    ...JSON.parse(example(`${name}/package.json`)),
    dependencies: {},
    devDependencies: {},
  });

  const second = await project.init([]);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing is new") });
  expect(project.contents()).toEqual(contents);
});

test("replaces the library, the tenant and the folder", async () => {
  project.write(".git/config", '[remote "origin"]\n\turl = git@gitlab.example.com:acme/tenant.git\n');
  project.write(".gitlab-ci.yml", "stages: [test]\n");
  const env = { TENANT_DOMAIN: "globex.us.auth0.com" };
  const { stdout } = await project.init(["a b/c", "--language", "cdktn"], env);
  expect(stdout).toContain('include: [{ local: "/a b-c.gitlab-ci.yml" }]');
  expect(stdout).toContain("  cd 'a b/c' && npm install && npm test");
  expect(project.read("a b-c.gitlab-ci.yml")).toContain('FOLDER: "a b/c"');
  expect(project.read("a b-c.gitlab-ci.yml")).toContain('TAG: "a b-c"');
  expect(project.read(".gitlab-ci.yml")).toBe("stages: [test]\n");
  const main = project.read("a b/c/main.ts");
  expect(main).toContain('allowedDomains: ["globex.us.auth0.com"]');
  expect(main).toContain('from "tenantform/cdktn"');
  const { dependencies, devDependencies } = manifest("a b/c/package.json");
  expect({ ...dependencies, ...devDependencies }).toMatchObject({ cdktn: "^0.24.0", "cdktn-cli": "^0.24.0" });
  expect(Object.values(project.contents()).join("")).not.toMatch(/\bcdktf(?!\.(json|out))\b/);
});

test("gives a project with a stack of its own only the pipeline and what it needs", async () => {
  project.write("main.tf", "# mine\n");
  project.write(".gitignore", "dist/\n");
  const own = {
    name: "own",
    scripts: { build: "make" },
    devDependencies: { tenantform: "github:tenantform/tenantform" },
  };
  project.write("package.json", JSON.stringify(own));
  const { stdout } = await project.init([]);
  expect(stdout).toContain("Left unchanged, because they exist: .gitignore\n");
  const written = ".github/workflows/tenant.yml .gitignore main.tf package.json review.sh";
  expect(Object.keys(project.contents())).toEqual(written.split(" "));
  expect(project.read("package.json")).toBe(JSON.stringify(own));
});

test("adds to a package.json what it lacks, and keeps its entries", async () => {
  const own = {
    scripts: { test: 'echo "Error: no test specified" && exit 1' },
    dependencies: { cdktn: "0.24.1", tenantform: "x" },
  };
  project.write("package.json", JSON.stringify(own));
  expect(await project.init([])).toMatchObject({ code: 0, stdout: expect.stringContaining("for cdktn") });
  expect(manifest()).toMatchObject({
    scripts: { test: "jest --config tenant.jest.json", check: "tsc" },
    dependencies: own.dependencies,
  });
  expect(Object.keys(manifest().devDependencies)).toContain("cdktn-cli");
});

test.each([
  ["typescript", "jest --config tenant.jest.json tenant.test.ts"],
  ["hcl", "node --test tenant.test.mjs"],
])("gives a project in %s whose test is its own a second script, which the pipelines run", async (language, script) => {
  const own = { name: "own", scripts: { test: "vitest run" } };
  project.write("package.json", JSON.stringify(own));
  const { stdout } = await project.init(["--language", language]);
  expect(stdout).toMatch(/\nType next:\n  npm install && npm run test:tenant +# /);
  expect(manifest()).toMatchObject({ ...own, scripts: { ...own.scripts, "test:tenant": script } });
  for (const host of ["github", "gitlab"])
    expect(example(`${language}/${host}.yml`)).toMatch(
      /npm run test --if-present[^]{1,70}npm run test:tenant --if-present/,
    );
  const contents = project.contents();
  await project.init(["--language", language]);
  expect(project.contents()).toEqual(contents);
});

test.each([
  [
    "an unknown language",
    ["--language", "cobol"],
    '--language "cobol" is not known: choose one of typescript, hcl, cdktf, cdktn.',
  ],
  ["a language as the folder", ["hcl"], "hcl is a language: write --language hcl, or ./hcl for a folder."],
  ["an unknown code host", ["--ci", "x"], '--ci "x" is not known: choose one of github, gitlab.'],
  ["a name with an escape sequence", ["a\u001b[31m"], '"a\\u001b[31m" has characters that a pipeline would replace'],
  ["a name that a pipeline would read", ["${{ secrets.A }}"], "has characters that a pipeline would replace"],
  ["a file", ["file"], "file is in the way ("],
  [
    "a file that the stack would need",
    ["mine"],
    "mine/tenant.ts is in the way, because the stack of the project has that name",
  ],
  ["a broken package.json", ["broken"], "broken/package.json is not the JSON of a package: correct the file"],
  ["a pipeline in the way", ["blocked"], "blocked/.github is in the way (ENOTDIR): move it, or name another folder."],
  ["a link", ["linked"], "linked/.github is a symbolic link"],
])("refuses %s, and writes nothing", async (_, args, message) => {
  project.write("file", "");
  project.write("broken/package.json", "[");
  project.write("mine/tenant.ts", "export {};");
  project.write("blocked/.github", "");
  mkdirSync(path.join(project.folder, "linked"));
  symlinkSync("../broken", path.join(project.folder, "linked/.github"));
  const before = project.contents();
  const { code, stdout, stderr } = await project.init(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("\u001b");
  expect(stderr).not.toMatch(/\n +at /);
  expect(project.contents()).toEqual(before);
});

test.each(['${file("/etc/passwd")}', "ci:hush@acme.eu.auth0.com", "https://acme.eu.auth0.com"])(
  "refuses TENANT_DOMAIN %s without its value, and writes nothing",
  async (TENANT_DOMAIN) => {
    const { code, stdout, stderr } = await project.init([], { TENANT_DOMAIN });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("TENANT_DOMAIN is no host name");
    expect(stderr).not.toContain(TENANT_DOMAIN);
    expect(project.contents()).toEqual({});
  },
);

test("says what to do if npm fails", async () => {
  project.write("bin/npm", '#!/bin/sh\necho "npm $*"\nexit 7\n');
  await project.run("chmod", ["+x", "bin/npm"]);
  const command = [path.join(root, "dist/cli.js"), "init", "stack"];
  const PATH = `${path.join(project.folder, "bin")}:${process.env.PATH}`;
  const { code, stdout, stderr } = await project.run(process.execPath, command, { PATH });
  expect([code, stdout]).toEqual([2, expect.not.stringContaining("--include=dev")]);
  expect(stderr).toContain("npm install --include=dev --no-audit --no-fund\n");
  expect(stderr).toContain("Correct the cause, then run `cd stack && npm install`. ");
});
