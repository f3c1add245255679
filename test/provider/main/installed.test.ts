/** The shipped provider, installed where Terraform finds it, with mutual TLS: a life through Terraform, its start, clients and end; the licences of its packages. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { version } from "../../../src/version";
import { acl, policy } from "../../support/hcl";
import { built, executable, installWithTenant } from "../../support/installation";
import { testProcessLife } from "../plugin/support/process-life";

const stack = `
  variable "organization" {}
  ${acl("A", { action: "block", scope: "authentication" })}
  ${policy("b", "default")}
  resource "tenant_organization_member_set" "c" {
    organization_id = var.organization
    members         = [for n in range(25) : "auth0|\${n}"]
    allow_empty     = true
  }
`;

test("plans, applies, plans no changes and destroys, leaves nothing behind, and logs no secret", async () => {
  const installation = await installWithTenant(stack);
  const { emulator, directory } = installation;
  const organization = emulator.store.addOrganization({ name: "acme" }).id;
  const temporary = path.join(directory, "tmp");
  const logs: string[] = [];
  const terraform = async (...args: string[]) => {
    const env = { TF_VAR_organization: organization, TF_LOG_PROVIDER: "trace", TMPDIR: temporary };
    const { code, stdout, stderr } = await installation.terraform(args, env);
    logs.push(stderr);
    if (code !== 0) throw new Error(`${args.join(" ")}\n${stdout}${stderr.slice(-4000)}`);
    return stdout;
  };
  try {
    await mkdir(temporary);
    await terraform("validate");
    await terraform("apply", "-auto-approve");
    expect(emulator.snapshot()).toMatchObject({
      network_acls: [{ description: "A" }],
      rate_limit_policies: [{ consumer_selector: "default" }],
    });
    expect(emulator.store.members(organization)!.size).toBe(25);
    expect(await terraform("plan")).toContain("No changes.");
    await terraform("destroy", "-auto-approve");
    expect(emulator.snapshot().network_acls ?? []).toEqual([]);

    expect(await readdir(temporary)).toEqual([]);
    const log = logs.join("");
    expect(log).toContain("POST /api/v2/network-acls");
    expect(log).toContain("Requests of this process");
    expect(log).not.toContain(emulator.clientSecret);
    expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/);
  } finally {
    await installation.close();
  }
});

describe("as a process", () => testProcessLife(() => executable));

describe("its packages", () => {
  const root = path.join(__dirname, "../../..");
  const read = (name: string) => readFileSync(path.join(built, name), "utf8");
  const manifestOf = (name: string) =>
    JSON.parse(readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8")) as {
      version: string;
      license: string;
    };

  let packages: string[];
  beforeAll(async () => {
    // The packages of main.ts, from a new bundle.
    const { metafile } = await build({
      entryPoints: [path.join(root, "src/provider/main.ts")],
      absWorkingDir: root,
      bundle: true,
      platform: "node",
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const names = Object.keys(metafile.inputs).map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
    packages = [...new Set(names.filter((name) => name !== undefined))];
  });

  test("lists every package in the build with the text of its licence in THIRD_PARTY_LICENSES", () => {
    const notices = read("THIRD_PARTY_LICENSES");
    expect(packages).toEqual(expect.arrayContaining(["zod", "jose", "@msgpack/msgpack", "@bufbuild/protobuf"]));
    for (const name of packages) {
      const { version: its, license } = manifestOf(name);
      expect(notices).toContain(`${name} ${its}\n${license}\n\n`);
      const file = ["LICENSE", "LICENSE.md"]
        .map((text) => path.join(root, "node_modules", name, text))
        .find(existsSync);
      if (file) expect(notices).toContain(readFileSync(file, "utf8").trim());
    }
    // This package has no licence text. Its notice is in its code.
    expect(notices).toContain("Copyright 2008 Google Inc.");
    expect(notices).toContain("Apache License");
  });

  test("names the packages by URL on the bill of materials, with the digests of the lock file", () => {
    const materials = JSON.parse(read("sbom.cdx.json"));
    const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
    expect(materials).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    expect(materials.metadata.component).toMatchObject({ name: "terraform-provider-tenant", version });
    for (const name of packages) {
      const { integrity } = lock.packages[`node_modules/${name}`];
      expect(materials.components).toContainEqual(
        expect.objectContaining({
          purl: `pkg:npm/${name.replace("@", "%40")}@${manifestOf(name).version}`,
          licenses: [{ expression: manifestOf(name).license }],
          hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") }],
        }),
      );
    }
    const [{ ref, dependsOn }] = materials.dependencies;
    expect(ref).toBe(materials.metadata.component["bom-ref"]);
    expect(dependsOn).toEqual(materials.components.map((component: { "bom-ref": string }) => component["bom-ref"]));
  });
});
