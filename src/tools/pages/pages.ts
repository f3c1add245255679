/**
 * `npx tsx src/tools/pages/pages.ts FOLDER`: plans the examples with Terraform on an embedded tenant, and writes what the pictures of the guides
 * show: the page of `tenantform review plan.json --output page.html`, and the comment of `--output comment.md`. docs/internals/release.md says how
 * to take the pictures.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createEmulator } from "../../emulator/emulator";
import { ship } from "../../install/shipment";
import { run, terraforms, type Session } from "../../terraform";
import { examples, organization, type Example } from "./examples";

const root = path.join(__dirname, "../../..");
const cli = path.join(root, "dist/cli.js");
const [below = "dist/pages"] = process.argv.slice(2);

async function terraformHere(): Promise<string> {
  for await (const { file } of terraforms(process.env)) return file;
  throw new Error("There is no Terraform on the PATH.");
}

async function draw({ name, before, after }: Example, program: string): Promise<void> {
  const directory = path.resolve(below, name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  ship(directory, [], { built: path.join(root, "dist/provider") });
  const emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "acme" }] } });
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
    writeFileSync(path.join(directory, "main.tf"), before);
    await call("init", "-input=false");
    await call("apply", "-auto-approve", "-input=false");
    writeFileSync(path.join(directory, "main.tf"), after);
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
  const program = await terraformHere();
  for (const example of examples) await draw(example, program);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
