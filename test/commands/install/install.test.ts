/** Runs the command install and its printed instructions, for a user with an empty home and a folder of HCL; the lock file; the files that it places. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { install as installIn } from "../../../src/commands/install/install";
import { formatLock, lockEntry, parseLock } from "../../../src/commands/install/lock-file";
import { ownDependency } from "../../../src/commands/install/own-package";
import { placed, put, stagedIn } from "../../../src/commands/install/placing";
import { version } from "../../../src/version";
import { bounded } from "../../support/bounded";
import { newFolder, root } from "../../support/folder";
import { fullDisk } from "../../support/full-disk";
import { run, succeed } from "../../support/program";
import fc from "../../support/random";

describe("the command", () => {
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
    home = newFolder();
    project = path.join(home, "project");
    await mkdir(project);
    // Without the package.json of the provider, Node would read the provider as an ES module here.
    await writeFile(path.join(project, "package.json"), '{ "type": "module" }');
  });

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
    await symlink(newFolder(), path.join(plugins, "registry.terraform.io"), "junction");
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
});

describe("the lock file", () => {
  const part = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);
  const source = fc.tuple(part, part, part).map((parts) => parts.join("/"));

  const number = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((parts) => parts.join("."));

  const hash = fc.base64String({ maxLength: 20 }).map((text) => `h1:${text}`);
  const lock = fc
    .dictionary(source, fc.record({ version: number, hashes: fc.array(hash) }))
    .map((entries) =>
      Object.fromEntries(
        Object.entries(entries).map(([name, entry]) => [name, lockEntry(name, entry.version, entry.hashes)]),
      ),
    );

  test("reads what it writes, with any line ends", () => {
    fc.assert(
      fc.property(lock, fc.constantFrom("\n", "\r\n"), (entries, end) => {
        const text = formatLock(new Map(Object.entries(entries))).replaceAll("\n", end);
        expect(Object.fromEntries(parseLock(text))).toEqual(entries);
      }),
    );
  });

  const line = fc.oneof(
    fc.constantFrom('provider "a/b/c" {', "}", "  }", '  version = "1"', "  hashes = [", "  ]", "", 'provider "', "{"),
    fc.string(),
  );

  test("reads any text, and writes what it read without a change", () => {
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const read = parseLock(lines.join("\n"));
        expect(parseLock(formatLock(read))).toEqual(read);
      }),
    );
  });

  test.each([
    ["entries that never end", 'provider "a/b/c" {\n'],
    ["blanks before a version", " ".repeat(50)],
    ["empty lines in an entry", "\n\n\n"],
  ])("reads a lock file of 300,000 pieces in linear time: %s", (_what, piece) => {
    const text = `provider "a/b/c" {\n${piece.repeat(300_000)}`;
    expect(() => bounded(() => parseLock(text))).not.toThrow();
  });
});

describe("the own package", () => {
  let folder: string;
  beforeEach(() => void (folder = newFolder()));

  const write = async (file: string, content: object) => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), JSON.stringify(content));
  };

  /** Installs a package of this name into the project, and returns the folder of its programs. */
  const installed = async (spec?: string) => {
    await write("project/package.json", { devDependencies: { tenantform: spec } });
    await write("project/node_modules/tenantform/package.json", { name: "tenantform" });
    await mkdir(path.join(folder, "project/node_modules/tenantform/dist/commands/adopt"), { recursive: true });
    return path.join(folder, "project/node_modules/tenantform/dist/commands/adopt");
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
    await mkdir(path.join(folder, store, "dist/commands/init"), { recursive: true });
    const from = path.join(folder, store, "dist/commands/init");
    expect(ownDependency(path.join(folder, "project/stack"), from)).toBe("file:../../tenantform-0.1.0.tgz");
  });

  test("names the path of a checkout", async () => {
    await write("checkout/package.json", { name: "tenantform" });
    await mkdir(path.join(folder, "checkout/dist/commands/adopt"), { recursive: true });
    await mkdir(path.join(folder, "stack"));
    const from = path.join(folder, "checkout/dist/commands/adopt");
    expect(ownDependency(path.join(folder, "stack"), from)).toBe("file:../checkout");
  });
});

describe("messages about files", () => {
  let folder: string;
  beforeEach(() => void (folder = newFolder()));

  const refusal = (code: string, place?: string) => async () => {
    throw Object.assign(new Error(`${code}: told by the system`), { code, path: place });
  };

  test("names a place that cannot be written, and what to do", async () => {
    for (const code of ["EACCES", "EPERM", "EROFS"]) {
      await expect(placed(refusal(code, "/opt/mirror"))).rejects.toThrow(
        `/opt/mirror cannot be written (${code}): name another folder, or run the command as the owner of this one.`,
      );
    }
  });

  test("names the file that a full disk does not take", async () => {
    fullDisk("provider");
    const work = async () => stagedIn(folder, (stage) => put(path.join(folder, "a"), "a provider", 0o644, stage));
    await expect(placed(work)).rejects.toThrow(`${path.join(folder, "a")} cannot be written (ENOSPC): make space`);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("leaves no part of the provider on a full disk, and no folder", async () => {
    fullDisk('"type": "commonjs"');
    await expect(placed(() => installIn({ dir: folder }))).rejects.toThrow(
      /_amd64\/package\.json cannot be written \(ENOSPC\): make space on its disk, or name another folder\.$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("names the file that is in the way, not the place below it", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const below = async () => mkdirSync(path.join(file, "a/b"), { recursive: true });
    await expect(placed(below)).rejects.toThrow(`${file} is in the way (ENOTDIR): move it, or name another folder.`);
    const there = async () => mkdirSync(file);
    await expect(placed(there)).rejects.toThrow(`${file} is in the way (EEXIST)`);
  });

  test("passes on any other error unchanged", async () => {
    await expect(placed(refusal("EIO", "/opt/mirror"))).rejects.toThrow("EIO: told by the system");
    await expect(placed(refusal("EACCES"))).rejects.toThrow("EACCES: told by the system");
    expect(await placed(async () => "done")).toBe("done");
  });
});
