/** `tenantform init` as a command: the files that it writes, and the files that it leaves. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installInto, openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => void (project = openProject()));
afterEach(() => project.close());

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(project.folder, file)), { recursive: true });
  writeFileSync(path.join(project.folder, file), text);
};
const manifest = () => JSON.parse(project.read("package.json"));

test.each([
  [
    "cdktf",
    ["--language", "typescript"],
    ["cdktf.json", "jest.config.json", "main.ts", "tenant.test.ts", "tenant.ts", "tsconfig.json"],
  ],
  [
    "cdktn",
    ["--language", "cdktn"],
    ["cdktf.json", "jest.config.json", "main.ts", "tenant.test.ts", "tenant.ts", "tsconfig.json"],
  ],
  ["hcl", ["--language", "hcl"], ["main.tf", "tenant.test.mjs"]],
])("writes a project for %s, and changes nothing in a second run", async (language, args, own) => {
  const first = await project.init([...args, "--no-install"]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toMatch(
    /\nType next:\n  npm install && npm test +# .*\n  node plan.mjs +# .*\n  npx tenantform review/,
  );
  const contents = project.contents();
  const common = [".github/workflows/tenant.yml", ".gitignore", "package.json", "plan.mjs", "review.sh"];
  expect(Object.keys(contents)).toEqual([...common, ...own].toSorted());
  if (language !== "hcl") expect(contents["tenant.ts"]).toContain(`from "tenantform/${language}"`);
  for (const line of ["*.tfstate", "node_modules/", "plan.json", ".env"]) {
    expect(contents[".gitignore"]!.split("\n")).toContain(line);
  }

  const second = await project.init(["--no-install"]);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain("Nothing is new");
  expect(project.contents()).toEqual(contents);
});

test.each([
  ["cdktf", "tenant.ts", "allowedDomains: ["],
  ["hcl", "main.tf", "allowed_domains = ["],
])("allows only the tenant of the environment, or an example to replace: %s", async (language, file, before) => {
  await project.init(["known", "--language", language, "--no-install"], { TENANT_DOMAIN: "globex.us.auth0.com" });
  await project.init(["open", "--language", language, "--no-install"]);
  expect(project.read(`known/${file}`)).toContain(`${before}"globex.us.auth0.com"]`);
  expect(project.read(`open/${file}`)).toContain(`${before}"acme.eu.auth0.com"]`);
});

test("infers the language, the runner and the code host from the folder", async () => {
  write("package.json", '{ "dependencies": { "cdktn": "^0.24.0", "vitest": "^3.2.0" } }');
  write(".git/config", '[remote "origin"]\n\turl = git@gitlab.example.com:acme/tenant.git\n');
  const { stdout } = await project.init(["--no-install"]);
  expect(stdout).toContain("for cdktn (package.json names cdktn)");
  expect(project.read("tenant.test.ts")).toContain('import "tenantform/testing/vitest";');
  expect(manifest().scripts.test).toBe("vitest run");
  expect(Object.keys(project.contents())).not.toContain("jest.config.json");
  expect(Object.keys(project.contents())).toContain(".gitlab-ci.yml");
});

test("includes its jobs in a .gitlab-ci.yml that exists, and names the folder below the repository", async () => {
  write(".gitlab-ci.yml", "stages: [test]\n");
  write(".git/config", "");
  const { stdout } = await project.init(["a b", "--no-install"]);
  expect(stdout).toContain('include: [{ local: "/a b/tenant.gitlab-ci.yml" }]');
  expect(stdout).toContain("  cd 'a b' && npm install && npm test");
  expect(project.read("a b/tenant.gitlab-ci.yml")).toContain('BELOW: "a b"');
  expect(project.read(".gitlab-ci.yml")).toBe("stages: [test]\n");
});

test("adds scripts and packages to a package.json that has only dependencies", async () => {
  write("package.json", '{ "dependencies": { "tenantform": "github:tenantform/tenantform" } }');
  expect(await project.init(["--language", "typescript", "--no-install"])).toMatchObject({ code: 0 });
  expect(manifest().scripts.test).toBe("jest");
  expect(manifest().dependencies).toMatchObject({ cdktf: "^0.21.0", tenantform: "github:tenantform/tenantform" });
});

test("writes no empty list of packages", async () => {
  write("package.json", '{ "dependencies": { "tenantform": "github:tenantform/tenantform" } }');
  expect(await project.init(["--language", "hcl", "--no-install"])).toMatchObject({ code: 0 });
  expect(manifest()).toEqual({
    name: expect.any(String),
    private: true,
    scripts: expect.any(Object),
    dependencies: { tenantform: "github:tenantform/tenantform" },
  });
});

test("leaves a package.json of a person, and says what it lacks", async () => {
  const own = '{ "name": "own", "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }';
  write("package.json", own);
  const { code, stdout } = await project.init(["--language", "typescript", "--no-install"]);
  expect(project.read("package.json")).toBe(own);
  expect(code).toBe(1);
  expect(stdout).toContain("Left unchanged, because they exist: package.json\n");
  expect(stdout).toMatch(/^  npm install --save-dev .*'jest@\^30\.0\.0'.* && npm pkg set scripts\.test=jest$/m);
  expect(JSON.parse(project.read("jest.config.json"))).toEqual({ transform: { "\\.ts$": "@swc/jest" } });
});

test("leaves main.ts and .gitignore of a person, and says what they lack", async () => {
  write("main.ts", "// mine\n");
  write(".gitignore", "dist/\n");
  const { code, stdout } = await project.init(["--language", "typescript", "--no-install"]);
  expect(code).toBe(1);
  expect(project.read("main.ts")).toBe("// mine\n");
  expect(project.read(".gitignore")).toBe("dist/\n");
  expect(stdout).toContain('import TenantStack from "./tenant" there');
  expect(stdout).toMatch(/\.gitignore is yours\. .*\*\.tfstate/);
});

test("adds to a configuration that requires other providers", async () => {
  const versions = "terraform {\n  required_providers {\n  }\n}\n";
  write("versions.tf", versions);
  const { stdout } = await project.init(["--no-install"]);
  expect(stdout).toContain("for hcl (the folder has .tf files)");
  expect(project.read("versions.tf")).toBe(versions);
  expect(project.read("tenant.tf")).not.toContain("required_providers");
  expect(project.read("tenant_override.tf")).toContain('"registry.terraform.io/tenantform/tenant"');
});

test("installs with the package manager that started it, and adds the cause if that fails", async () => {
  write("npm-cli.js", 'console.log(process.argv.slice(2).join(" ")); process.exit(7);');
  const env = { npm_execpath: path.join(project.folder, "npm-cli.js"), npm_config_user_agent: "npm/10.9.0 node/v22" };
  const { code, stdout, stderr } = await project.init(["stack"], env);
  expect(code).toBe(2);
  expect(stdout).not.toContain("--include=dev");
  expect(stderr).toContain("install --include=dev --no-audit --no-fund\n");
  expect(stderr).toContain("npm install ended with 7 in stack. All files are written.");
  expect(stderr).toContain("cd stack && npm install");

  const missing = { npm_config_user_agent: "pnpm/10.0.0 npm/?", npm_execpath: path.join(project.folder, "pnpm") };
  const pnpm = await project.init(["stack"], missing);
  expect(pnpm.stderr).toContain("pnpm install cannot be started (ENOENT)");
});

test("installs nothing if the folder has every package", async () => {
  installInto(project.folder);
  const env = { npm_execpath: path.join(project.folder, "npm-cli.js") };
  const { code, stdout, stderr } = await project.init([], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/\n  npm test +#/);
});

test.each([
  ["a folder without a lock file, which the pipeline needs", {}, "install --include=dev"],
  ["no package of a workspace, whose root has the lock file", { workspaces: ["sub"] }, ""],
])("below a folder with every package, installs %s", async (_, more, installed) => {
  installInto(project.folder);
  write("package.json", JSON.stringify({ private: true, ...more }));
  write("npm-cli.js", 'console.log(process.argv.slice(2).join(" "));');
  const env = { npm_execpath: path.join(project.folder, "npm-cli.js"), npm_config_user_agent: "npm/10.9.0 node/v22" };
  const { code, stderr } = await project.init(["sub", "--language", "hcl"], env);
  expect([code, stderr]).toEqual([0, installed === "" ? "" : expect.stringContaining(installed)]);
});

test.each([
  [
    "an unknown language",
    ["--language", "cobol"],
    '--language "cobol" is not known: choose typescript or hcl (or the library: cdktf, cdktn).',
  ],
  ["an unknown code host", ["--ci", "x"], '--ci "x" is not known: choose github, gitlab, none.'],
  ["an empty name", [""], "The directory has an empty name"],
  ["a name with an escape sequence", ["a\u001b[31m"], '"a\\u001b[31m" has characters that no terminal shows'],
  ["a file", ["file"], "file is a file: name a folder, or move the file."],
  ["a folder below a file", ["file/below"], "file is in the way ("],
  ["a broken package.json", ["broken"], "broken/package.json is not the JSON of a package: correct the file"],
  ["a missing tenant", ["new", "--adopt"], "TENANT_DOMAIN"],
])("refuses %s, and writes nothing", async (_, args, message) => {
  write("file", "");
  write("broken/package.json", "[");
  const before = project.contents();
  const { code, stdout, stderr } = await project.init([...args, "--no-install"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("\u001b");
  expect(stderr).not.toMatch(/\n +at /);
  expect(project.contents()).toEqual(before);
});

test.each(['${file("/etc/passwd")}', "ci:hush@acme.eu.auth0.com", "https://acme.eu.auth0.com"])(
  "refuses TENANT_DOMAIN %s without its value, and writes nothing",
  async (TENANT_DOMAIN) => {
    const { code, stdout, stderr } = await project.init(["--no-install"], { TENANT_DOMAIN });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("TENANT_DOMAIN is no host name");
    expect(stderr).not.toContain(TENANT_DOMAIN);
    expect(project.contents()).toEqual({});
  },
);

test("says that the pipeline cannot install a package from outside of the repository", async () => {
  write(".git/config", "");
  const named = (from: string) => write("package.json", JSON.stringify({ devDependencies: { tenantform: from } }));
  named("file:../elsewhere");
  expect((await project.init(["--no-install"])).stdout).toContain(
    "package.json takes tenantform from file:../elsewhere, which is outside of the repository",
  );
  named("file:vendor/tenantform.tgz");
  expect((await project.init(["--no-install"])).stdout).not.toContain("outside of the repository");
});

test.each(["hcl", "typescript"])(
  "%s: the job with credentials reads unmanaged ACLs, and tfvars are committed",
  async (language) => {
    await project.init(["--language", language, "--no-install"]);
    expect(project.read("review.sh")).toContain("review plan --plan-output plan.txt ${TENANT_CLIENT_ID:+--tenant} ");
    expect(project.read(".gitignore")).not.toContain("tfvars");
  },
);

test("writes all files or none, and nothing through a link", async () => {
  write("blocked/.github", "");
  const blocked = await project.init(["blocked", "--no-install"]);
  expect(blocked.stderr).toMatch(
    /blocked\/\.github is in the way \(ENOTDIR\): move it, or name another folder\. https:\S+#tenantform-init\n$/,
  );
  mkdirSync(path.join(project.folder, "elsewhere"));
  mkdirSync(path.join(project.folder, "linked"));
  symlinkSync("../elsewhere", path.join(project.folder, "linked/.github"));
  const linked = await project.init(["linked", "--no-install"]);
  expect(linked.stderr).toContain("linked/.github is a symbolic link");
  expect([blocked.code, linked.code]).toEqual([2, 2]);
  expect(Object.keys(project.contents())).toEqual(["blocked/.github"]);
});

const isRoot = process.getuid?.() === 0;

test("names the folder that it cannot write to", async () => {
  mkdirSync(path.join(project.folder, "locked"));
  chmodSync(path.join(project.folder, "locked"), 0o555);
  const { code, stderr } = await project.init(["locked", "--no-install"]);
  // The system lets root write everywhere.
  expect({ code, stderr }).toEqual(
    isRoot
      ? { code: 0, stderr: "" }
      : { code: 2, stderr: expect.stringContaining(`${project.folder}/locked cannot be written (EACCES)`) },
  );
});

test("quotes the folder in a pipeline, and leaves out a pipeline that would read an expression", async () => {
  write(".git/config", "");
  await project.init(['x: "y"', "--no-install"]);
  expect(project.read('x: "y"/.github/workflows/tenant.yml')).toContain(String.raw`working-directory: "head/x: \"y\""`);
  await project.init(["${{ secrets.A }}", "--no-install"]);
  expect(Object.keys(project.contents()).filter((file) => /^\$.*(yml|\.sh)$/.test(file))).toEqual([]);
});

test("the tests and the plan script of HCL are the files of the example", async () => {
  await project.init(["--language", "hcl", "--no-install"]);
  const example = path.join(__dirname, "../../examples/plan-test");
  for (const file of ["main.tf", "plan.mjs", "tenant.test.mjs"]) {
    expect(project.read(file)).toBe(readFileSync(path.join(example, file), "utf8"));
  }
});
