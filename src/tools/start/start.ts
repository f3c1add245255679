/** `npm start`: the main job from beginning to end on an embedded tenant, step by step, leaving nothing behind. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createEmulator, type Emulator } from "../../emulator/emulator";

const root = path.join(__dirname, "../..");
const organization = "org_quickstart000001";
const began = Date.now();
let running: ChildProcess | undefined;
let interrupted = false;
let step = 0;

function announce(title: string): void {
  const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(3);
  process.stdout.write(`\n[${seconds} s] ${++step}. ${title}\n`);
}

/** The program that does what Terraform does, as cdktf will find it. */
async function findTerraform(): Promise<string> {
  const named = process.env.TERRAFORM_BINARY_NAME;
  for (const name of named ? [named] : ["terraform", "tofu"]) {
    const child = spawn(name, ["version"], {
      stdio: "ignore",
      env: { PATH: process.env.PATH, CHECKPOINT_DISABLE: "1" },
    });
    const found = await Promise.race([once(child, "exit"), once(child, "error")]).then(
      ([code]) => code === 0,
      () => false,
    );
    if (found) return name;
  }
  throw new Error(
    `${named ?? "terraform"} was not found: install Terraform 1.5 or newer (https://developer.hashicorp.com/terraform/install) ` +
      "or OpenTofu (https://opentofu.org/docs/intro/install), so that it stands on the PATH, and run npm start again.",
  );
}

interface Stage {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
}

async function cdktf({ directory, env }: Stage, ...args: string[]): Promise<void> {
  process.stdout.write(`  $ cdktf ${args.join(" ")}\n`);
  const bin = path.join(root, "node_modules/cdktf-cli/bundle/bin/cdktf.js");
  const child = spawn(process.execPath, [bin, ...args], { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const [code] = (await once(child, "close")) as [number | null];
  if (interrupted) throw new Error("Interrupted; what was there is removed.");
  if (code !== 0) throw new Error(`${said}\ncdktf ${args[0]} failed (exit code ${code})`);
  process.stdout.write(legible(args[0]!, said));
}

/** What concerns the person who looks on: the plan when it is asked for, and else what is done. */
function legible(command: string, said: string): string {
  const lines = stripVTControlCharacters(said)
    .split(/\r?\n/)
    .map((line) => line.replace(/^quickstart {2}| {12}/, "").trimEnd())
    .filter(
      (line) => !/^\s*$|^─+$|^Saved the plan|^To perform exactly|^\s*terraform apply "plan"|^No outputs/.test(line),
    );
  const begin = command === "diff" ? /^Terraform will perform|^No changes/ : /^Plan:/;
  const first = lines.findIndex((line) => begin.test(line));
  return lines
    .slice(Math.max(first, 0))
    .map((line) => `    ${line}\n`)
    .join("");
}

function show(emulator: Emulator): void {
  const { network_acls = [], rate_limit_policies = [] } = emulator.snapshot();
  const members = Array.from(emulator.store.members(organization) ?? [], ([user]) => user).toSorted();
  const lines = [
    ...network_acls
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ priority, description, rule }) => `ACL ${priority}: ${description} ${JSON.stringify(rule)}`),
    ...rate_limit_policies.map(
      ({ consumer_selector, configuration }) => `policy for ${consumer_selector}: ${JSON.stringify(configuration)}`,
    ),
    `members of ${organization}: ${members.join(", ") || "none"}`,
  ];
  process.stdout.write(lines.map((line) => `    ${line}\n`).join(""));
}

async function main(): Promise<void> {
  const terraform = await findTerraform();
  announce("An embedded tenant starts");
  const emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "quickstart" }] } });
  const tenant = await emulator.listen();
  const directory = await mkdtemp(path.join(root, "dist/start-"));
  process.stdout.write(`    ${tenant.url}, with the organization ${organization}\n`);

  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: directory,
    TMPDIR: directory,
    TSX_DISABLE_CACHE: "1",
    CHECKPOINT_DISABLE: "1",
    CI: "1",
    TERRAFORM_BINARY_NAME: terraform,
    TENANT_ENDPOINT: tenant.url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
    TENANT_ORGANIZATION_ID: organization,
  };
  const before = { directory, env };
  const after = { directory, env: { ...env, QUICKSTART: "after" } };
  await writeFile(
    path.join(directory, "cdktf.json"),
    JSON.stringify({
      language: "typescript",
      app: `"${process.execPath}" --import tsx "${path.join(root, "examples/quickstart/main.ts")}"`,
      projectId: "5bb0f7a1-9d1c-4f0e-8f5e-0f1c7b0a6d11",
      sendCrashReports: "false",
    }),
  );

  try {
    announce("What a deployment of examples/quickstart would do");
    await cdktf(before, "diff");
    announce("The deployment");
    await cdktf(before, "deploy", "--auto-approve");
    announce("What the tenant now holds");
    show(emulator);
    announce("The stack is edited: an ACL changed, a policy removed, members swapped. What that would do");
    await cdktf(after, "diff");
    announce("The second deployment");
    await cdktf(after, "deploy", "--auto-approve");
    announce("What the tenant now holds");
    show(emulator);
    announce("Nothing is left to do");
    await cdktf(after, "diff");
    announce("Everything is destroyed");
    await cdktf(after, "destroy", "--auto-approve");
    show(emulator);
    const { length } = emulator.requests;
    announce(`Done: ${length} requests served in all, and nothing left behind`);
  } finally {
    await tenant.close();
    await rm(directory, { recursive: true, force: true });
  }
}

process.on("SIGINT", () => {
  interrupted = true;
  running?.kill("SIGINT");
});
main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
