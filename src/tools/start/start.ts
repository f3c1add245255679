/** `npm start`: the main job from beginning to end on an embedded tenant, step by step, leaving nothing behind. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { createEmulator, type Emulator } from "../../emulator/emulator";
import { noTerraform, terraforms, type Session } from "../../terraform";
import { pictureOf } from "./picture";
import { planLines, type Line } from "./plan";
import { openScreen, wrap } from "./screen";
import { change, initialize, plan } from "./terraform";

const root = path.join(__dirname, "../..");
const organization = "org_quickstart000001";
const { values: options } = parseArgs({
  options: {
    /** Leaves the stack deployed and the tenant running, to look around. */
    keep: { type: "boolean", default: false },
    /** Shows no times, so that two runs read the same. */
    timeless: { type: "boolean", default: false },
    /** Writes the edits as a picture for README to this file; implies `timeless`. */
    picture: { type: "string" },
  },
});
const columns = options.picture === undefined ? (process.stdout.columns ?? 100) : 100;
const width = Math.min(columns, 110) - 6;
const isTimeless = options.timeless || options.picture !== undefined;
const shown: string[] = [];
const screen = openScreen(
  options.picture === undefined
    ? process.stdout
    : { write: (text) => process.stdout.write(text) && shown.push(text) > 0 },
  isTimeless ? undefined : () => performance.now(),
  options.picture === undefined ? process.env : { FORCE_COLOR: "1" },
);

const running = new Set<ChildProcess>();
let interrupted = false;
let wakeUp = () => {};

function started(child: ChildProcess): void {
  running.add(child);
  if (interrupted) child.kill("SIGINT");
  child.once("close", () => running.delete(child));
}

/** The program that does what Terraform does. */
async function findTerraform(): Promise<string> {
  for await (const { file } of terraforms(process.env)) return file;
  throw new Error(
    `${noTerraform(process.env)} Install Terraform 1.5 or newer (https://developer.hashicorp.com/terraform/install) ` +
      "or OpenTofu (https://opentofu.org/docs/intro/install), and run npm start again.",
  );
}

/** Runs the CDK program in the variant of the stack that is asked for; see examples/quickstart/main.ts. */
async function synth({ directory, env }: Session, variant: string): Promise<void> {
  const program = path.join(root, "examples/quickstart/main.ts");
  await screen.during(`synthesize examples/quickstart, ${variant}.ts`, async () => {
    const child = spawn(process.execPath, ["--import", "tsx", program], {
      cwd: path.dirname(path.dirname(path.dirname(directory))),
      env: { ...env, QUICKSTART: variant },
      stdio: ["ignore", "pipe", "pipe"],
    });
    started(child);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    }
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`${said}\nThe stack could not be synthesized (exit code ${code})`);
  });
}

const styles = { "+": "green", "~": "yellow", "-": "red", "-/+": "magenta" } as const;

function showPlan(lines: readonly Line[]): void {
  for (const { sign, text } of lines) {
    const [first = "", ...rest] = wrap(text, width - 4);
    screen.lines([`${screen.paint(styles[sign], sign.padStart(3))} ${first}`, ...rest.map((line) => `      ${line}`)]);
  }
  if (lines.length === 0) screen.lines([screen.paint("green", "No changes.")]);
}

/** Shows what the synthesized stack would do, or why it is refused. */
async function planned(session: Session): Promise<void> {
  const answer = await screen.during("terraform plan", () => plan(session));
  if (!("refused" in answer)) return showPlan(planLines(answer.changes));
  for (const { summary, detail } of answer.refused) {
    screen.lines([`${screen.paint(["red", "bold"], "Error:")} ${screen.paint("bold", summary)}`]);
    screen.lines(wrap(detail, width).map((line) => `  ${line}`));
  }
}

async function edited(session: Session, variant: string): Promise<void> {
  await synth(session, variant);
  await planned(session);
}

async function deploy(session: Session, what: "apply" | "destroy"): Promise<void> {
  const done = await screen.during(`terraform ${what}`, (tell) =>
    change(session, what, (count) => tell(`${count} done`)),
  );
  screen.lines([screen.paint("green", `${done.add} added, ${done.change} changed, ${done.remove} destroyed.`)]);
}

function show(emulator: Emulator): void {
  const { network_acls = [], rate_limit_policies = [] } = emulator.snapshot();
  const members = Array.from(emulator.store.members(organization) ?? [], ([user]) => user).toSorted();
  screen.lines([
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
  screen.step("What a deployment of examples/quickstart would do");
  await synth(session, "before");
  await screen.during("terraform init", () => initialize(session));
  await planned(session);

  screen.step("The deployment");
  await deploy(session, "apply");
  show(emulator);

  screen.step("The stack is edited: an ACL is stricter, a policy gone, members swapped");
  await edited(session, "after");
  await deploy(session, "apply");

  screen.step("An edit that would lock out our own CI is refused before it happens");
  await edited(session, "lock-out");

  screen.step("So is a rename that would delete what it has just made");
  await edited(session, "rename");

  screen.step("And a member set that would remove more people than it says");
  await edited(session, "removal");

  screen.step("The stack as it was has nothing left to do");
  await edited(session, "after");
}

/** From the first edit to the last that is refused; ids are drawn by lot. */
async function writePicture(file: string): Promise<void> {
  const [, , , , ...edits] = shown.join("").split(/\n(?=\S*\d+\. )/);
  const text = edits
    .slice(0, 4)
    .join("\n")
    .replace(/rlp_\w+/g, "rlp_…");
  await writeFile(file, pictureOf(text, "npm start: an edit is planned and applied; three more are refused, and why"));
}

async function end(session: Session, emulator: Emulator, url: string): Promise<void> {
  if (options.keep) {
    screen.step("Everything stays until you press Ctrl-C");
    screen.lines([
      `the tenant as a page: ${url}/`,
      "",
      "In another terminal, edit examples/quickstart/before.ts and see what it would do:",
      ...["ENDPOINT", "CLIENT_ID", "CLIENT_SECRET", "ORGANIZATION_ID"].map(
        (name) => `  export TENANT_${name}=${session.env[`TENANT_${name}`]!}`,
      ),
      `  cd ${path.dirname(path.dirname(path.dirname(session.directory)))} && \\`,
      `    npx tsx ${path.join(root, "examples/quickstart/main.ts")} && \\`,
      `    ${session.program} -chdir=cdktf.out/stacks/quickstart plan`,
    ]);
    // Only an interrupt ends the wait; the tenant keeps the process alive.
    await new Promise<void>((resolve) => (wakeUp = resolve));
    return;
  }
  screen.step("Everything is destroyed");
  await deploy(session, "destroy");
  show(emulator);
  screen.step(`Done: ${emulator.requests.length} requests served in all, and nothing left behind`);
  screen.lines([
    "Try next:",
    `  ${screen.paint("bold", "npm start -- --keep")}     stays deployed, with the tenant as a page to look at`,
    `  ${screen.paint("bold", "npx tenantform emulate")}  a tenant for your own stack or tests`,
    `  ${screen.paint("bold", "docs/guides/constructs.md")}      lists in order, recipes; docs/guides/checks.md how to come from other tools`,
  ]);
}

async function main(): Promise<void> {
  const terraform = await findTerraform();
  screen.step("An embedded tenant starts");
  const emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "quickstart" }] } });
  const { url, close } = await emulator.listen();
  const folder = await mkdtemp(path.join(root, "dist/start-"));
  screen.lines([`${url}/ is its page; it has the organization ${organization}`]);
  const session: Session = {
    program: terraform,
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
    if (options.picture !== undefined) await writePicture(options.picture);
    await end(session, emulator, url);
  } catch (error) {
    throw interrupted ? new Error("Interrupted; what was there is removed.") : error;
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill("SIGINT");
    wakeUp();
  });
}
main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
