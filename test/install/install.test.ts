/** Runs `tenantform install` and its printed instructions, for a user with an empty home and a folder of HCL. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { version } from "../../src/version";
import { run, succeed } from "../support/program";

const root = path.join(__dirname, "../..");
const blockIn = (printed: string, name: string) => new RegExp(`^${name} \\{$[^]*?^\\}$`, "m").exec(printed)![0];
const source = "registry.terraform.io/tenantform/tenant";
const policy = `
resource "tenant_rate_limit_policy" "a" {
  consumer_selector = "default"
  configuration {
    action = "allow"
  }
}
`;

let home: string;
let project: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  project = path.join(home, "project");
  await mkdir(project);
  // Without the package.json of the provider, Node would read the provider as an ES module here.
  await writeFile(path.join(project, "package.json"), '{ "type": "module" }');
});
afterEach(() => rm(home, { recursive: true }));

const install = (...args: string[]) =>
  succeed(process.execPath, [path.join(root, "dist/cli.js"), "install", ...args], {
    cwd: project,
    env: { HOME: home },
  });

async function refused(why: RegExp, ...args: string[]): Promise<void> {
  const command = [path.join(root, "dist/cli.js"), "install", ...args];
  const { code, stdout, stderr } = await run(process.execPath, command, { cwd: project, env: { HOME: home } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(why);
}

/** Fails if the provider is not found, cannot be started, or does not know its resource. */
async function use(printed: string): Promise<void> {
  await writeFile(path.join(project, "main.tf"), blockIn(printed, "terraform") + policy);
  const terraform = (...args: string[]) =>
    succeed("terraform", [...args, "-no-color"], { cwd: project, env: { HOME: home } });
  await terraform("init");
  expect(await terraform("validate")).toContain("Success!");
}

test("installs for the user, and keeps or removes older versions", async () => {
  const versions = path.join(home, ".terraform.d/plugins", source);
  await mkdir(path.join(versions, "0.0.1/linux_amd64"), { recursive: true });
  const printed = await install();
  expect(printed).toContain(`Version ${version} of ${source} is in ${path.join(versions, version)}`);
  expect(printed).toContain("Kept, because --clean was not given: 0.0.1");
  await use(printed);

  expect(await install("--clean")).toContain("Removed: 0.0.1");
  expect(await readdir(versions)).toEqual([version]);
  expect(await readdir(path.join(home, ".terraform.d/plugins"))).toEqual(["registry.terraform.io"]);
});

test("installs for a configuration", async () => {
  await use(await install("--dir", "."));
  expect(await readdir(home)).not.toContain(".terraform.d");
});

test("removes the entry of another build from a lock file, and no other entry", async () => {
  const lockFile = path.join(project, ".terraform.lock.hcl");
  const other = 'provider "registry.terraform.io/hashicorp/null" {\n  version = "3.2.4"\n}\n';
  const printed = await install("--dir", ".");
  await use(printed);
  const before = await readFile(lockFile, "utf8");
  expect(await install("--dir", ".")).not.toContain("Removed");
  expect(await readFile(lockFile, "utf8")).toBe(before);
  await writeFile(lockFile, `${before.replace(/"h1:[^"]*"/, '"h1:another"')}\n${other}`);
  expect(await install("--dir", ".")).toContain(`Removed the entry of ${source} from .terraform.lock.hcl`);
  expect(await readFile(lockFile, "utf8")).toContain(other);
});

test("follows a link in place of the plugin folder, but no link below it", async () => {
  await mkdir(path.join(home, "dotfiles"));
  await symlink(path.join(home, "dotfiles"), path.join(home, ".terraform.d"), "junction");
  await use(await install());
  const plugins = path.join(home, "dotfiles/plugins");
  await rm(path.join(plugins, "registry.terraform.io"), { recursive: true });
  await symlink(os.tmpdir(), path.join(plugins, "registry.terraform.io"), "junction");
  await refused(/registry\.terraform\.io is a symbolic link/);
});

describe("is refused", () => {
  test("when a file is in the way, and names it", async () => {
    const file = path.join(home, ".terraform.d");
    await writeFile(file, "mine");
    await refused(/\.terraform\.d is in the way \(ENOTDIR\): move it, or name another folder\. https:/);
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  test("when --dir names no folder, and does not create it", async () => {
    await refused(/^slip does not exist: --dir needs the folder of a configuration\. https:/, "--dir", "slip");
    expect(await readdir(project)).toEqual(["package.json"]);
  });
});
