/** The result of `npm run release -- --dry-run`, on a machine with Terraform or OpenTofu and without Node. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../../src/emulator/emulator";
import { platformHere } from "../../../src/commands/install/product";
import { inventoryOf, type Platform } from "../../../src/tools/release/files";
import { version } from "../../../src/version";
import { run } from "../../support/program";

const release = path.join(__dirname, "../../../dist/release");
const inventory = inventoryOf(version);
const zip = inventory.zips[platformHere() as Platform];
const read = (name: string) => readFileSync(path.join(release, name));

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The path of a program on the search path, or undefined. */
function found(program: string): string | undefined {
  const places = process.env.PATH!.split(path.delimiter).map((place) => path.join(place, program));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

test("contains checksums of its files", () => {
  const lines = String(read(inventory.checksums)).trim().split("\n");
  const digests = lines.map((line) => line.split("  ").toReversed()) as [string, string][];
  expect(digests.map(([name]) => name)).toEqual(expect.arrayContaining([zip, inventory.manifest]));
  for (const [name, digest] of digests) {
    expect(createHash("sha256").update(read(name)).digest("hex")).toBe(digest);
  }
});

test("packs the docs in the registry's layout", () => {
  const list = execFileSync("tar", ["-tzf", path.join(release, inventory.tarball)], { encoding: "utf8" }).split("\n");
  expect(list).toEqual(
    expect.arrayContaining(["docs/index.md", "docs/resources/network_acl.md"].map((name) => `package/${name}`)),
  );
  expect(list.filter((name) => /dist\/(release|native|tools)\//.test(name))).toEqual([]);
});

const hcl = `
terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant", version = "${version}" }
  }
}
resource "tenant_rate_limit_policy" "default" {
  consumer_selector = "default"
  configuration {
    action = "allow"
  }
}
`;

const programs = ["terraform", "tofu"].filter(found);

test("finds at least one engine to test", () => {
  expect(programs).toContain("terraform");
});

test.each(programs)("plans and applies with %s, the zip in a filesystem mirror, and no Node", async (program) => {
  const mirror = path.join(folder, "mirror");
  const place = path.join(mirror, "registry.terraform.io/tenantform/tenant");
  mkdirSync(place, { recursive: true });
  copyFileSync(path.join(release, zip), path.join(place, zip));
  writeFileSync(path.join(folder, "main.tf"), hcl);
  const emulator = createEmulator();
  const tenant = await emulator.listen();
  try {
    const env = {
      PATH: "",
      TENANT_ENDPOINT: tenant.url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    const call = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(found(program)!, [...args, "-no-color"], { cwd: folder, env });
      if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
      return stdout;
    };
    await call("init", `-plugin-dir=${mirror}`);
    await call("plan", "-out=plan");
    expect(await call("apply", "plan")).toContain("1 added");
    expect([...emulator.store.rateLimitPolicies.values()]).toMatchObject([{ consumer_selector: "default" }]);
    await call("plan", "-detailed-exitcode");
    expect(await call("destroy", "-auto-approve")).toContain("1 destroyed");
  } finally {
    await tenant.close();
  }
});
