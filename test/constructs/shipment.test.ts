/** Checks that real Terraform finds, locks and starts the provider in the synthesized stack, without a registry. */
import { TerraformProvider, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { NetworkAcl, TenantProvider } from "../../src/constructs";
import { parseLock } from "../../src/commands/install/lock-file";
import { ship } from "../../src/commands/install/shipment";
import { version } from "../../src/version";
import { run } from "../support/program";
import { openProject, type Project } from "./support/project";

const source = "registry.terraform.io/tenantform/tenant";
const plugin = `terraform-provider-tenant_v${version}`;
const dist = path.join(__dirname, "../../dist/plugin");
const built = path.join(dist, plugin);
const lockFile = ".terraform.lock.hcl";

let project: Project;
beforeEach(() => (project = openProject()));

/** A provider that the stack does not contain. */
class Other extends TerraformProvider {
  constructor(scope: Construct, id: string, required: string | undefined) {
    const terraformGeneratorMetadata = {
      providerName: "other",
      providerVersion: required,
      providerVersionConstraint: "",
    };
    super(scope, id, {
      terraformResourceType: "other",
      terraformProviderSource: "example/other",
      terraformGeneratorMetadata,
    });
  }
}

function install(directory: string, name: string): void {
  const place = path.join(directory, `terraform.d/plugins/registry.terraform.io/example/${name}/1.2.3`);
  for (const platform of ["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"]) {
    mkdirSync(path.join(place, platform), { recursive: true });
    cpSync(built, path.join(place, platform, `terraform-provider-${name}_v1.2.3`));
    for (const file of ["provider.cjs", "requests.cjs"])
      cpSync(path.join(dist, file), path.join(place, platform, file));
  }
}

const hashesOf = (lock: string) => [...lock.matchAll(/"(h1:[^"]+)"/g)].map(([, hash]) => hash!);

test("puts the built plugin into the synthesized stack, and Terraform accepts the lock file unchanged", async () => {
  const { app, stack, directory, terraform, read } = project;
  const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };
  new NetworkAcl(stack, "acl", { description: "", priority: 1, rule });
  app.synth();
  const home = path.join(directory, "terraform.d/plugins", source, version);
  const places = readdirSync(home);
  expect(places).toContain("linux_amd64");
  for (const place of places.filter((name) => !name.startsWith("windows"))) {
    const files = readdirSync(path.join(home, place));
    expect(files.toSorted()).toEqual(["package.json", "provider.cjs", "requests.cjs", plugin]);
    expect(readFileSync(path.join(home, place, plugin)).equals(readFileSync(built))).toBe(true);
    expect(statSync(path.join(home, place, plugin)).mode & 0o111).toBe(0o111);
  }
  const lock = read(lockFile);
  expect(await terraform("init", "-lockfile=readonly")).toMatchObject({ code: 0 });
  expect(await terraform("validate")).toMatchObject({ code: 0 });
  expect(read(lockFile)).toBe(lock);
});

test("keeps one copy of the provider for all stacks, platforms and blocks, and writes it once", async () => {
  const { app, stack, terraform } = project;
  new TenantProvider(stack, "second", { alias: "second" });
  new TenantProvider(new TerraformStack(app, "second"), "tenant");
  new TerraformStack(app, "without");
  const stacks = path.dirname(project.directory);
  const files = ["stack", "second"].flatMap((name) =>
    ["linux_amd64", "linux_arm64"].map((place) =>
      path.join(stacks, name, "terraform.d/plugins", source, version, place, "provider.cjs"),
    ),
  );
  const inodes = () => new Set(files.map((file) => statSync(file).ino));
  app.synth();
  const before = [...inodes()];
  expect(before).toHaveLength(1);
  app.synth();
  expect([...inodes()]).toEqual(before);
  expect(existsSync(path.join(stacks, "without", lockFile))).toBe(false);
  expect(await terraform("init")).toMatchObject({ code: 0 });
  expect(await terraform("validate")).toMatchObject({ code: 0 });
});

test("writes the hashes that Terraform computes for every platform", async () => {
  const { app, directory, terraform, read } = project;
  app.synth();
  const mirror = path.join(project.folder, "mirror");
  for (const platform of ["linux", "darwin", "win32"] as const) {
    const shipped = path.join(project.folder, platform);
    mkdirSync(shipped);
    ship(shipped, [], { platform });
    expect(readFileSync(path.join(shipped, lockFile), "utf8")).toBe(read(lockFile));
    cpSync(path.join(shipped, "terraform.d/plugins"), mirror, { recursive: true });
  }
  const ours = hashesOf(read(lockFile));
  rmSync(path.join(directory, lockFile));
  const platforms = ["linux_amd64", "linux_arm64", "darwin_arm64", "windows_amd64"];
  const flags = platforms.map((platform) => `-platform=${platform}`);
  const locked = await terraform("providers", "lock", `-fs-mirror=${mirror}`, ...flags);
  expect(locked).toMatchObject({ code: 0 });
  expect(hashesOf(read(lockFile)).toSorted()).toEqual(ours);
});

test("writes a command file as the plugin on Windows", () => {
  ship(project.folder, [], { platform: "win32" });
  const place = path.join(project.folder, "terraform.d/plugins", source, version, "windows_amd64");
  expect(readdirSync(place).toSorted()).toEqual(["provider.cjs", "requests.cjs", "start.cjs", `${plugin}.cmd`]);
  expect(readFileSync(path.join(place, `${plugin}.cmd`), "utf8")).toBe('@node "%~dp0start.cjs" %*\r\n');
});

test("replaces files of another version or build", async () => {
  const { app, directory, terraform, read } = project;
  app.synth();
  const fresh = read(lockFile);
  const plugins = path.join(directory, "terraform.d/plugins", source);
  mkdirSync(path.join(plugins, "0.0.1/linux_amd64"), { recursive: true });
  writeFileSync(path.join(directory, lockFile), fresh.replaceAll(/"h1:.*"/g, '"h1:AAAA"').replaceAll(version, "0.0.1"));
  app.synth();
  expect(readdirSync(plugins)).toEqual([version]);
  expect(read(lockFile)).toBe(fresh);
  expect(await terraform("init")).toMatchObject({ code: 0 });
});

describe("with another provider", () => {
  test("locks an exact version, and keeps the hash that Terraform adds", async () => {
    const { app, stack, directory, terraform, read } = project;
    new Other(stack, "another", "1.2.3");
    app.synth();
    expect(read(lockFile)).toContain(
      'provider "registry.terraform.io/example/other" {\n  version     = "1.2.3"\n  constraints = "1.2.3"\n}',
    );
    install(directory, "other");
    expect(await terraform("init")).toMatchObject({ code: 0 });
    const filled = read(lockFile);
    expect(hashesOf(filled)).toHaveLength(3);
    app.synth();
    expect(read(lockFile)).toBe(filled);
    expect(project.warnings()).toEqual([]);
  });

  test("warns about a version range with the remedy until Terraform has chosen a version", async () => {
    const { app, stack, directory, terraform } = project;
    stack.addOverride("terraform.required_providers.other", { source: "example/other", version: "~> 1.2" });
    app.synth();
    expect(project.warnings()).toEqual([
      expect.stringMatching(/^stack\/tenant: .*example\/other.*CDKTF_SKIP_PROVIDER_LOCK/),
    ]);
    install(directory, "other");
    expect(await terraform("init")).toMatchObject({ code: 0 });
    app.synth();
    expect(project.warnings()).toHaveLength(1);
  });
});

test("reports a provider that was not built", () => {
  const options = { built: path.join(project.folder, "nothing") };
  expect(() => ship(project.folder, [], options)).toThrow(
    /The provider .* is not found: there is no .*nothing.* npm install tenantform/,
  );
});

test("replaces a link in place of a provider file, or next to it, and does not follow it", async () => {
  const outside = path.join(project.folder, "outside");
  const target = path.join(outside, "precious");
  mkdirSync(outside);
  writeFileSync(target, "mine");
  project.app.synth();
  const place = path.join(project.directory, "terraform.d/plugins", source, version, "linux_amd64");
  rmSync(path.join(place, plugin));
  symlinkSync(target, path.join(place, plugin));
  symlinkSync(path.dirname(target), path.join(place, "more"), "junction");
  project.app.synth();
  expect(lstatSync(path.join(place, plugin)).isFile()).toBe(true);
  expect(readdirSync(place).toSorted()).toEqual(["package.json", "provider.cjs", "requests.cjs", plugin]);
  expect(readFileSync(target, "utf8")).toBe("mine");
});

test("supports several synths at the same time", async () => {
  const { folder } = project;
  const small = Buffer.alloc(100_000, "bundle");
  mkdirSync(path.join(folder, "built"));
  for (const file of [plugin, "provider.cjs", "requests.cjs"]) writeFileSync(path.join(folder, "built", file), small);
  const program = `
    const { ship } = require(${JSON.stringify(path.join(__dirname, "../../src/commands/install/shipment.ts"))});
    for (let round = 0; round < 40; round++) {
      // All write into one shared directory, and into a new directory for each round.
      for (const place of ["same", "new" + round]) {
        require("node:fs").mkdirSync(place, { recursive: true });
        ship(place, [{ source: "example/other", version: "1.2." + process.argv[1] }], { built: "built" });
      }
    }`;
  const tsx = require.resolve("tsx");
  const synths = ["1", "2", "3"].map((name) =>
    run(process.execPath, ["--import", tsx, "-e", program, name], { cwd: folder }),
  );
  const fine = expect.objectContaining({ code: 0, stdout: "", stderr: "" });
  expect(await Promise.all(synths)).toEqual([fine, fine, fine]);
  for (const place of ["same", "new0", "new39"]) {
    expect(readdirSync(path.join(folder, place, "terraform.d"))).toEqual(["plugins"]);
    const shipped = path.join(folder, place, "terraform.d/plugins", source, version, "linux_arm64", plugin);
    expect(readFileSync(shipped).equals(small)).toBe(true);
    const lock = parseLock(readFileSync(path.join(folder, place, lockFile), "utf8"));
    expect([...lock.keys()]).toEqual(["registry.terraform.io/example/other", source]);
  }
});

test.each(['example/other" {}\nprovider "example/evil', "a/b/c/d", "example/", "ex ample/other", "../other", ""])(
  "does not write a provider from %j into the lock file, because Terraform refuses it",
  (strange) => {
    const { app, stack, read } = project;
    stack.addOverride("terraform.required_providers.other", { source: strange, version: "1.2.3" });
    app.synth();
    expect(parseLock(read(lockFile)).size).toBe(1);
  },
);
