/**
 * `npx tsx src/tools/pages/pages.ts FOLDER`: plans an example with Terraform on an embedded tenant, and writes what the pictures of README
 * show: the page of `tenantform review plan.json --output page.html`, and the comment of `--output comment.md`. docs/internals/release.md says how
 * to take the pictures.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createEmulator } from "../../emulator/emulator";
import { ship } from "../../install/shipment";
import { run, terraforms, type Session } from "../../terraform";

const root = path.join(__dirname, "../../..");
const cli = path.join(root, "dist/cli.js");
const [below = "dist/pages"] = process.argv.slice(2);

async function terraformHere(): Promise<string> {
  for await (const { file } of terraforms(process.env)) return file;
  throw new Error("There is no Terraform on the PATH.");
}

/** A draft that the plan switches on. */
const draft = (active: boolean) => `terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
}

provider "tenant" {
  domain                    = "acme.eu.auth0.com"
  hide_early_access_warning = true
}

resource "tenant_network_acl" "draft" {
  description = "Only from 18 countries of Europe"
  active      = ${active}
  priority    = 40
  rule {
    action { block = true }
    not_match {
      geo_country_codes = [
        "AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IT", "LU", "NL", "NO", "PL", "PT", "SE"
      ]
    }
    scope = "authentication"
  }
}
`;

async function draw(program: string): Promise<void> {
  const directory = path.resolve(below);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  ship(directory, [], { built: path.join(root, "dist/provider") });
  const emulator = createEmulator();
  const tenant = await emulator.listen();
  try {
    const env = {
      ...process.env,
      // In place of the domain, which the review shows.
      TENANT_EMBEDDED_ENDPOINT: tenant.url,
      TENANT_KEEP_TOKEN: "false",
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    const session: Session = { program, directory, env };
    const call = async (...args: string[]) => {
      const { code, output, errors } = await run(session, args);
      if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}${errors}`);
      return output;
    };
    writeFileSync(path.join(directory, "main.tf"), draft(false));
    await call("init", "-input=false");
    await call("apply", "-auto-approve", "-input=false");
    writeFileSync(path.join(directory, "main.tf"), draft(true));
    await call("plan", "-input=false", "-out=plan");
    writeFileSync(path.join(directory, "plan.json"), await call("show", "-json", "plan"));
  } finally {
    await tenant.close();
  }
  const review = ["review", "plan.json", "--output", "page.html", "--output", "comment.md"];
  await run({ program: process.execPath, directory, env: { PATH: process.env["PATH"] } }, [cli, ...review]);
  process.stdout.write(`${path.join(directory, "page.html")}\n`);
}

async function main(): Promise<void> {
  await draw(await terraformHere());
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
