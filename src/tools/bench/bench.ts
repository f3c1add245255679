/**
 * `npm run bench [-- --peer EXECUTABLE]`: how long our provider takes to start, and how long Terraform takes with it, and how much memory
 * it needs, beside another provider. One round creates, plans, changes and destroys a stack on an embedded tenant over https, and the
 * providers take turns, so that other load on the machine affects all of them. Prints medians.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseEnv, promisify } from "node:util";
import { Command, InvalidArgumentError } from "commander";
import { wholeNumber } from "../../formats/text/command-line";
import { address, executableName, platformHere } from "../../commands/install/product";
import { version } from "../../version";

const dist = path.join(__dirname, "../../../dist");
const signal = AbortSignal.timeout(60 * 60_000);

const numbers = (text: string) => {
  if (/^([1-9]\d*(,|$))*$/.test(text)) return text.split(",").filter(Boolean).map(Number);
  throw new InvalidArgumentError("give whole numbers above 0, separated by commas.");
};

const optionsOf = (argv: readonly string[]) =>
  new Command("bench")
    .option("--peer <executable>", "also measure this provider, such as the Go provider")
    .option("--peer-source <address>", "namespace and type of the other provider", "auth0/auth0")
    .option("--rounds <number>", "rounds of each measurement", (text) => numbers(text)[0]!, 3)
    .option("--policies <numbers>", "stacks: numbers of policies", numbers, [1, 10, 100])
    .option("--acls <numbers>", "stacks: numbers of ACLs", numbers, [10])
    .option("--latency <ms>", "milliseconds that each response of the tenant takes", wholeNumber, 50)
    .parse(argv)
    .opts<{ peer?: string; peerSource: string; rounds: number; policies: number[]; acls: number[]; latency: number }>();

const cleanEnvironment = (home: string): NodeJS.ProcessEnv => {
  return { PATH: process.env.PATH, HOME: home, TMPDIR: home, CHECKPOINT_DISABLE: "1" };
};

/** Returns seconds. Throws with the output if the exit code is not 0. */
function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const started = performance.now();
  const settings = { cwd, env: { ...cleanEnvironment(cwd), ...env }, signal, timeout: 600_000, maxBuffer: Infinity };
  return new Promise((resolve, reject) => {
    execFile(program, args, settings, (error, stdout, stderr) => {
      if (!error) return resolve((performance.now() - started) / 1000);
      reject(new Error(`${program} ${args.join(" ")} failed:\n${(stdout + stderr).slice(-2000)}`, { cause: error }));
    });
  });
}

/** `shipped`: the executable or its folder. `source`: namespace and type. */
type Contender = Readonly<Record<"name" | "shipped" | "source" | "version", string>>;

function contendersOf(peer: string | undefined, peerSource: string): Contender[] {
  const script = { name: "script", source: address, version, shipped: path.join(dist, "plugin") };
  const native = { ...script, name: "native", shipped: path.join(dist, "native", platformHere()) };
  const other =
    peer === undefined ? [] : [{ name: "peer", source: peerSource, version: "1.0.0", shipped: path.resolve(peer) }];
  return [...[script, native].filter(({ shipped }) => existsSync(shipped)), ...other];
}

/** `folder`: a configuration of Terraform with the provider. */
type Workspace = Contender & Readonly<Record<"folder" | "executable", string>>;

async function openWorkspace(contender: Contender, home: string): Promise<Workspace> {
  const { source, version: its, shipped } = contender;
  const folder = await realpath(await mkdtemp(path.join(home, "workspace-")));
  const place = path.join(folder, "terraform.d/plugins/registry.terraform.io", source, its, platformHere());
  await mkdir(place, { recursive: true });
  const executable = path.join(place, `terraform-provider-${path.posix.basename(source)}_v${its}`);
  await cp(shipped, statSync(shipped).isDirectory() ? place : executable, { recursive: true });
  const own = path.join(place, executableName(version));
  const workspace = { ...contender, folder, executable: existsSync(own) ? own : executable };
  await write(workspace, "policy", 0, 1);
  await run("terraform", ["init", "-input=false"], folder);
  return workspace;
}

const kinds = {
  policy: {
    type: "rate_limit_policy",
    object: (index: number, content: number) => ({
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: `client_id:benchmark${index + 1}`,
      configuration: { action: "block", limit: content + index },
    }),
  },
  ACL: {
    type: "network_acl",
    object: (index: number, content: number) => ({
      description: `Benchmark ${index + 1} of ${content}`,
      active: true,
      priority: index + 1,
      rule: {
        action: { block: true },
        match: { ipv4_cidrs: [`198.51.100.${index}/32`, "203.0.113.0/24"] },
        scope: "authentication",
      },
    }),
  },
} as const;
type Kind = keyof typeof kinds;
function write({ source, folder }: Workspace, kind: Kind, size: number, content: number): Promise<void> {
  const prefix = path.posix.basename(source);
  const { type, object } = kinds[kind];
  const objects = Array.from({ length: size }, (_, index) => [`o${index + 1}`, object(index, content)]);
  const configuration = {
    terraform: { required_providers: { [prefix]: { source } } },
    ...(size > 0 && { resource: { [`${prefix}_${type}`]: Object.fromEntries(objects) } }),
  };
  return writeFile(path.join(folder, "main.tf.json"), JSON.stringify(configuration));
}

/** `env`: the variables of all providers. */
type Tenant = { readonly env: NodeJS.ProcessEnv };

/** Starts an embedded tenant in a process of its own, so that it shares no event loop with the benchmark. */
async function onTenant<T>(home: string, latency: number, use: (tenant: Tenant) => Promise<T>): Promise<T> {
  const args = [path.join(dist, "cli.js"), "emulate", "--tls", "--quiet", "--latency", `${latency}`, "--tier", "none"];
  const child = spawn(process.execPath, args, { env: cleanEnvironment(home), stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "close");
  try {
    let text = "";
    for await (const part of child.stdout.setEncoding("utf8")) {
      text += part;
      if (/^export NODE_EXTRA_CA_CERTS=.*\n/m.test(text)) break;
    }
    const settings = parseEnv(text);
    const env = {
      ...settings,
      AUTH0_DOMAIN: new URL(settings.TENANT_ENDPOINT!).host,
      AUTH0_CLIENT_ID: settings.TENANT_CLIENT_ID,
      AUTH0_CLIENT_SECRET: settings.TENANT_CLIENT_SECRET,
      SSL_CERT_FILE: settings.NODE_EXTRA_CA_CERTS,
    };
    return await use({ env });
  } finally {
    child.kill();
    await ended;
  }
}

/** Seconds until the provider tells Terraform its address. */
async function start({ executable, folder }: Workspace): Promise<number> {
  const cookie = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
  const env = { ...cleanEnvironment(folder), TF_PLUGIN_MAGIC_COOKIE: cookie, PLUGIN_PROTOCOL_VERSIONS: "5,6" };
  const began = performance.now();
  const child = spawn(executable, { env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "close");
  await once(child.stdout, "data");
  const seconds = (performance.now() - began) / 1000;
  child.kill("SIGKILL");
  await ended;
  return seconds;
}

/** The most megabytes so far of the providers that run in the folder. Not known on other systems than Linux. */
function megabytesIn(folder: string): number {
  const pids = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  const found = pids.flatMap((pid) => {
    try {
      const isHere = readlinkSync(`/proc/${pid}/cwd`) === folder;
      if (!isHere || !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("terraform-provider-")) return [];
      return [Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024];
    } catch {
      return [];
    }
  });
  return Math.max(0, ...found);
}

/** The figures of one round, by the title of their row. */
async function round(workspace: Workspace, kind: Kind, size: number, { env }: Tenant): Promise<Record<string, number>> {
  const stack = `${size} x ${kind}`;
  const figures: Record<string, number> = {};
  rmSync(path.join(workspace.folder, "terraform.tfstate"), { force: true });
  let memory = 0;
  const looking = setInterval(() => (memory = Math.max(memory, megabytesIn(workspace.folder))), 20);
  const measure = async (what: string, content: number, ...args: string[]) => {
    await write(workspace, kind, size, content);
    figures[`${what} ${stack}, s`] = await run("terraform", [...args, "-input=false"], workspace.folder, env);
  };
  await measure("create", 1, "apply", "-auto-approve");
  // Fails if anything is left to do.
  await measure("plan", 1, "plan", "-detailed-exitcode");
  // Another content changes each object.
  await measure("change", 1001, "apply", "-auto-approve");
  await measure("destroy", 1001, "destroy", "-auto-approve");
  clearInterval(looking);
  return memory === 0 ? figures : { ...figures, [`memory with ${stack}, MB`]: memory };
}

const width = 32;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Date, machine, and the exact builds. */
async function headOf(workspaces: readonly Workspace[], home: string): Promise<string> {
  const { stdout } = await promisify(execFile)("terraform", ["version"], { env: cleanEnvironment(home) });
  const [{ model = "" } = {}, ...more] = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const builds = workspaces.map(({ name, executable }) => {
    const digest = createHash("sha256").update(readFileSync(executable)).digest("hex").slice(0, 16);
    return `${name}: SHA-256 ${digest}…`;
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, ${more.length + 1} x ${model.trim()}, ${memory} GB, ${os.type()} ${os.release()}`,
    `tenantform ${version}, Node ${process.versions.node}, ${stdout.split("\n")[0]}`,
    ...builds,
    "",
  ].join("\n");
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv);
  const home = await mkdtemp(path.join(os.tmpdir(), "tenantform-bench-"));
  const rows = new Map<string, Map<string, number[]>>();
  const note = (title: string, name: string, value: number) => {
    const row = rows.get(title) ?? new Map<string, number[]>();
    rows.set(title, row.set(name, [...(row.get(name) ?? []), value]));
  };
  try {
    const workspaces: Workspace[] = [];
    for (const contender of contendersOf(options.peer, options.peerSource))
      workspaces.push(await openWorkspace(contender, home));
    await onTenant(home, options.latency, async (tenant) => {
      for (let count = 1; count <= options.rounds; count++) {
        for (const workspace of workspaces) {
          note("start, s", workspace.name, await start(workspace));
          const schema = await run("terraform", ["providers", "schema", "-json"], workspace.folder);
          note("terraform providers schema, s", workspace.name, schema);
        }
        for (const kind of ["policy", "ACL"] as const) {
          for (const size of kind === "ACL" ? options.acls : options.policies) {
            for (const workspace of workspaces) {
              const figures = Object.entries(await round(workspace, kind, size, tenant));
              for (const [title, value] of figures) note(title, workspace.name, value);
            }
          }
        }
        process.stderr.write(`round ${count} of ${options.rounds} is measured\n`);
      }
    });
    const names = workspaces.map(({ name }) => name);
    process.stdout.write(
      `${await headOf(workspaces, home)}each response after ${options.latency} ms, medians of ${options.rounds}\n`,
    );
    process.stdout.write(`${["".padEnd(width), ...names.map((name) => name.padStart(8))].join("")}\n`);
    for (const [title, values] of rows) {
      const cells = names.map((name) =>
        median(values.get(name) ?? [Number.NaN])
          .toFixed(3)
          .padStart(8),
      );
      process.stdout.write(`${[title.padEnd(width), ...cells].join("")}\n`);
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
