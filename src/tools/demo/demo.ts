/** `npm start`: deploys, changes and destroys a stack on an embedded tenant, step by step, and removes everything. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { styleText } from "node:util";
import { createEmulator, type Emulator } from "../../emulator/emulator";
import { noTerraform, run, terraformFor, type Message, type Session } from "../../terraform";
import { wrap } from "../../formats/text/printable";

const root = path.join(__dirname, "../..");
const organization = "org_quickstart000001";
const width = Math.min(process.stdout.columns ?? 100, 110) - 6;
const began = performance.now();

type Style = Parameters<typeof styleText>[0];

/** A terminal obeys NO_COLOR and FORCE_COLOR by itself. A pipe has no colours by default. */
const isColoured = process.stdout.hasColors?.() ?? Boolean(process.env.FORCE_COLOR);
const paint = (style: Style, text: string) =>
  isColoured ? styleText(style, text, { validateStream: false } as object) : text;
const since = (start: number) => paint("dim", `${((performance.now() - start) / 1000).toFixed(1)} s`);

let steps = 0;
/** A numbered heading. */
const step = (title: string) =>
  void process.stdout.write(`\n${paint(["bold", "cyan"], `${++steps}. ${title}`)} ${since(began)}\n`);
const show = (lines: readonly string[]) =>
  void process.stdout.write(lines.map((line) => `  ${line}`.trimEnd() + "\n").join(""));

/** Shows the title, and then how long the work took. */
async function during<T>(title: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  process.stdout.write(`  ${paint("dim", `$ ${title}`)}`);
  return work().finally(() => process.stdout.write(`  ${since(start)}\n`));
}

const running = new Set<ChildProcess>();
let interrupted = false;

function started(child: ChildProcess): void {
  running.add(child);
  if (interrupted) child.kill("SIGINT");
  child.once("close", () => running.delete(child));
}

async function findTerraform(): Promise<string> {
  const found = await terraformFor(process.env, root);
  if (found) return found.file;
  throw new Error(
    `${noTerraform(process.env)} Install Terraform 1.5 or newer (https://developer.hashicorp.com/terraform/install) ` +
      "or OpenTofu (https://opentofu.org/docs/intro/install), and run npm start again.",
  );
}

/** Runs the CDK program with this variant of the stack; see examples/quickstart/edits.ts. */
async function synth({ directory, env }: Session, variant: string): Promise<void> {
  const program = path.join(root, "examples/quickstart/edits.ts");
  await during(`synthesize examples/quickstart, ${variant}.ts`, async () => {
    const child = spawn(process.execPath, ["--import", "tsx", program], {
      cwd: path.dirname(path.dirname(path.dirname(directory))),
      env: { ...env, QUICKSTART: variant },
      stdio: ["ignore", "pipe", "pipe"],
    });
    started(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`${output}\nThe stack could not be synthesized (exit code ${code})`);
  });
}

/** Runs Terraform. A plan may be refused; the caller then gets the errors. */
async function terraform(session: Session, ...args: string[]) {
  const messages: Message[] = [];
  const ended = await run(session, args, (message) => messages.push(message));
  const refused = messages.flatMap(({ diagnostic }) => (diagnostic?.severity === "error" ? [diagnostic] : []));
  if (ended.code !== 0 && (args[0] !== "plan" || refused.length === 0)) {
    const output = refused.map(({ summary, detail }) => `${summary}\n${detail}`);
    const title = `terraform ${args[0]} failed (exit code ${ended.code})`;
    throw new Error([title, ...output, ended.errors, ended.output].join("\n"));
  }
  return { messages, refused };
}

const signs: Readonly<Record<string, readonly [sign: string, style: "green" | "yellow" | "red" | "magenta"]>> = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  delete: ["-", "red"],
  replace: ["-/+", "magenta"],
};

/** The addresses that change. The review shows what differs. */
function changeLine({ type, change }: Message): string[] {
  const [sign, style] = (type === "planned_change" && signs[change!.action]) || [];
  return sign && style ? [`${paint(style, sign.padStart(3))} ${change!.resource.addr}`] : [];
}

/** Shows the plan of the synthesized stack, or why the plan fails. */
async function planned(session: Session): Promise<void> {
  const { messages, refused } = await during("terraform plan", () =>
    terraform(session, "plan", "-input=false", "-out=plan", "-json"),
  );
  const lines = refused.length > 0 ? [] : messages.flatMap(changeLine);
  show(lines);
  for (const { summary, detail } of refused) {
    show([`${paint(["red", "bold"], "Error:")} ${paint("bold", summary)}`]);
    show(wrap(detail.replace(/\s+https:\S+$/, ""), width).map((line) => `  ${line}`));
  }
  if (lines.length === 0 && refused.length === 0) show([paint("green", "No changes.")]);
}

async function edited(session: Session, variant: string): Promise<void> {
  await synth(session, variant);
  await planned(session);
}

/** Shows what the edit does to people. */
async function reviewed(session: Session): Promise<void> {
  const review = { ...session, program: process.execPath };
  const { code, output, errors } = await during("tenantform review plan", () =>
    run(review, [path.join(root, "dist/cli.js"), "review", "plan", "--format", "text"]),
  );
  if (code !== 0) throw new Error(`The review failed (exit code ${code})\n${errors}`);
  const [, ...top] = output.split("\n\n")[0]!.split("\n");
  show(top.flatMap((line) => wrap(line, width)));
  show([paint("dim", "The rest of the review shows every effect and the token scopes that the apply needs.")]);
}

/** Applies the saved plan, or destroys everything. */
async function deploy(session: Session, what: "apply" | "destroy"): Promise<void> {
  const args = what === "apply" ? ["-input=false", "-json", "plan"] : ["-auto-approve", "-json"];
  const { messages } = await during(`terraform ${what}`, () => terraform(session, what, ...args));
  const { add, change, remove } = messages.findLast(({ type }) => type === "change_summary")!.changes!;
  show([paint("green", `${add} added, ${change} changed, ${remove} destroyed.`)]);
}

function showTenant(emulator: Emulator): void {
  const { network_acls = [], rate_limit_policies = [] } = emulator.snapshot();
  const members = Array.from(emulator.store.members(organization) ?? [], ([user]) => user).toSorted();
  show([
    ...network_acls
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ priority, description, rule }) => `ACL ${priority}: ${description}: ${Object.keys(rule.action).join()}`),
    ...rate_limit_policies.map(
      ({ consumer_selector, configuration }) => `policy for ${consumer_selector}: ${JSON.stringify(configuration)}`,
    ),
    `members of ${organization}: ${members.join(", ") || "none"}`,
  ]);
}

async function story(session: Session, emulator: Emulator): Promise<void> {
  step("Plan examples/quickstart");
  await synth(session, "before");
  await during("terraform init", () => terraform(session, "init", "-input=false", "-no-color"));
  await planned(session);

  step("Deploy it");
  await deploy(session, "apply");
  showTenant(emulator);

  step("The plan refuses an edit that would lock out our own CI");
  await edited(session, "lock-out");

  step("The plan refuses a rename that would delete the object it has just created");
  await edited(session, "rename");

  step("The plan refuses to remove more members than the configuration allows");
  await edited(session, "removal");

  step("Edit the stack: a stricter ACL, one policy less, other members");
  await edited(session, "after");

  step("Review the edit, as a pull request shows it");
  await reviewed(session);

  step("Deploy the edit");
  await deploy(session, "apply");

  step("The deployed stack has no changes");
  await edited(session, "after");
}

async function end(session: Session, emulator: Emulator): Promise<void> {
  step("Destroy everything");
  await deploy(session, "destroy");
  showTenant(emulator);
  step("Done: nothing is left");
  show([
    "Try next:",
    `  ${paint("bold", "npx tenantform emulate")}     starts a tenant for your own stack or tests`,
    `  ${paint("bold", "docs/guides/get-started.md")} shows your first stack`,
  ]);
}

async function main(): Promise<void> {
  const program = await findTerraform();
  step("Start an embedded tenant");
  const emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "quickstart" }] } });
  const { url, close } = await emulator.listen();
  const folder = await mkdtemp(path.join(root, `dist/start-${process.pid}-`));
  show([`tenant: ${url}, organization: ${organization}`]);
  const session: Session = {
    program,
    directory: path.join(folder, "cdktf.out/stacks/quickstart"),
    started,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      TSX_DISABLE_CACHE: "1",
      CHECKPOINT_DISABLE: "1",
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
      TENANT_ORGANIZATION_ID: organization,
    },
  };
  try {
    await story(session, emulator);
    await end(session, emulator);
  } catch (error) {
    throw interrupted ? new Error("Interrupted. Everything was removed.") : error;
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill("SIGINT");
  });
}
main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
