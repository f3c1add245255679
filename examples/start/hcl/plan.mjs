/** Plans the stack on an embedded tenant, and writes plan.json. It needs no credentials and no state. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createEmulator } from "tenantform/emulator";

const here = path.dirname(fileURLToPath(import.meta.url));

/** TERRAFORM_BINARY_NAME chooses another program. */
const named = process.env.TERRAFORM_BINARY_NAME;
const terraform = named || ["terraform", "tofu"].find((name) => spawnSync(name, ["version"]).status === 0);

/** Returns the plan in JSON. Throws an error with the incomplete `plan` if the plan fails. `seed`: further contents of the tenant before the plan. */
export async function planned(seed = {}) {
  if (!terraform) throw new Error("Neither terraform nor tofu runs: install Terraform 1.5 or newer, or OpenTofu.");
  const work = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenant-")));
  let close = () => {};
  try {
    const directory = await prepare(work);
    const emulator = createEmulator({ seed: { organizations: organizationsIn(directory), ...seed } });
    const tenant = await emulator.listen();
    close = tenant.close;
    const env = {
      ...withoutTenant(process.env),
      // Every provider block reaches this tenant alone.
      TENANT_EMBEDDED_ENDPOINT: tenant.url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    await run(terraform, ["init", "-input=false", "-no-color"], directory, env);
    try {
      await run(terraform, ["plan", "-input=false", "-no-color", "-out=plan"], directory, env);
    } catch (error) {
      // Terraform writes the plan of a refused change too.
      error.plan = await shown(directory, env).catch(() => undefined);
      throw error;
    }
    return await shown(directory, env);
  } finally {
    await close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** Warnings about the settings of this machine can come before the line with the plan. */
async function shown(directory, env) {
  const lines = (await run(terraform, ["show", "-json", "plan"], directory, env)).split("\n");
  return JSON.parse(lines.find((line) => line.startsWith("{")));
}

/** Not in the copy: state and lock files, and imports, because the embedded tenant has none of your objects. */
const omitted =
  /^(node_modules|\.git|\.terraform|\.terraform\.lock\.hcl|.*\.tfstate.*|plan(\.json)?|(imports|moves)(-\d+)?\.tf)$/;

async function prepare(work) {
  cpSync(here, work, { recursive: true, filter: (file) => file === here || !omitted.test(path.basename(file)) });
  writeFileSync(path.join(work, "embedded_override.tf.json"), '{ "terraform": { "backend": { "local": {} } } }');
  const cli = path.join(path.dirname(fileURLToPath(import.meta.resolve("tenantform/package.json"))), "dist/cli.js");
  await run(process.execPath, [cli, "install", "--dir", work], here, process.env);
  return work;
}

/** A plan needs the organizations that the stack names. */
function organizationsIn(directory) {
  const files = readdirSync(directory).filter((file) => /\.tf(\.json)?$/.test(file));
  const texts = files.map((file) => readFileSync(path.join(directory, file), "utf8"));
  const ids = new Set(texts.join("\n").match(/\borg_[A-Za-z0-9]{16}\b/g));
  return [...ids].map((id, index) => ({ id, name: `organization-${index}` }));
}

/** The settings of your own tenant stay out. */
const withoutTenant = (env) => Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("TENANT_")));

/** Returns the output. Throws it if the program fails. */
function run(program, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (part) => (output += part));
    child.stderr.setEncoding("utf8").on("data", (part) => (errors += part));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${path.basename(program)} ${args[0]} failed:\n${errors}${output}`));
    });
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    writeFileSync(path.join(here, "plan.json"), JSON.stringify(await planned()));
    console.log("Wrote plan.json, a plan on an empty embedded tenant.");
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    rmSync(path.join(here, "plan.json"), { force: true });
    writeFileSync(path.join(here, "plan.txt"), error.message);
    if (error.plan) writeFileSync(path.join(here, "plan.json"), JSON.stringify(error.plan));
    console.error("To review what was planned: npx tenantform review plan.json --plan-output plan.txt");
  }
}
