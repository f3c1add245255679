/** Runs the shell blocks of a page with one engine, in an empty folder with an empty HOME, against an embedded tenant. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../../src/emulator/emulator";
import { run, type Ended } from "../../support/program";
import { listeningTenant } from "../../support/tenant";
import { pages } from "./documented-pages";
import { writeHclExamples } from "./hcl-examples";
import { root, type ShellBlock, type ShellLine } from "./shell-blocks";

export interface Engine {
  readonly name: "terraform" | "tofu";
  /** The path of its program. */
  readonly program: string;
}

/** Ends at the first command that fails. The tenant that a line starts takes the place of the one before, until the page ends. */
const prelude = `set -euo pipefail
tenant=
trap 'kill "$tenant" 2>/dev/null || true' EXIT
start_tenant() {
  kill "$tenant" 2>/dev/null || true
  exec 3< <(exec "$@" 2>>emulate.log)
  tenant=$!
  local line started=
  while read -r -u 3 line; do
    eval "$line"
    case $line in *CLIENT_SECRET=*) started=yes; break;; esac
  done
  [ -n "$started" ]
}
prints() { local output; output=$(eval "$1"); [ "$output" = "$2" ] || { echo "printed $output, not $2" >&2; return 1; }; }
`;

/** The block as a script, without the lines that the table of pages excuses. */
function scriptOf({ page, lines }: ShellBlock, engine: Engine["name"]): string {
  const { instead = {}, notRun = {} } = pages[page] ?? {};
  return lines
    .filter(({ command }) => !(command in notRun))
    .map(({ command, output }) => commandOf({ command: instead[command] ?? command, output }))
    .map((command) => withEngine(command, engine))
    .join("\n");
}

function commandOf({ command, output }: ShellLine): string {
  if (output !== undefined) return `prints ${quote(command)} ${quote(output)}`;
  const staysOpen = /^(npx tenantform|node dist\/cli\.js) emulate\b/.test(command) && !/--help|--detach/.test(command);
  if (staysOpen) return `start_tenant ${command}`;
  // Bash goes on if a command before the last `&&` fails.
  return /&$|\n/.test(command) ? command : `${command} || exit $?`;
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Pages write `terraform`; readers of OpenTofu type `tofu`. */
export const withEngine = (command: string, engine: Engine["name"]) =>
  command.replace(/(?<=^|[\s(])terraform (?=[-a-z])/gm, `${engine} `);

/** A folder of programs with this engine alone, so that no command finds the other one. */
async function programsOf({ name, program }: Engine, folder: string): Promise<string> {
  const bin = path.join(folder, "bin");
  await mkdir(bin);
  await symlink(program, path.join(bin, name));
  await symlink(process.execPath, path.join(bin, "node"));
  for (const tool of ["npm", "npx", "tsx"]) {
    const own = path.join(root, "node_modules/.bin", tool);
    const found = tool === "tsx" ? own : execFileSync("which", [tool], { encoding: "utf8" }).trim();
    await symlink(found, path.join(bin, tool));
  }
  return [bin, "/usr/bin", "/bin"].join(path.delimiter);
}

/** Stands for the installation of these packages: they are those of the checkout. */
async function linkPackages(folder: string): Promise<void> {
  const modules = path.join(folder, "node_modules");
  const bin = path.join(modules, ".bin");
  await mkdir(bin, { recursive: true });
  const link = (name: string) => symlink(path.join(root, "node_modules", name), path.join(modules, name));
  await Promise.all(["cdktf", "cdktf-cli", "constructs", "tsx"].map(link));
  await symlink(root, path.join(modules, "tenantform"));
  await symlink("../tenantform/dist/cli.js", path.join(bin, "tenantform"));
  await symlink("../tsx/dist/cli.mjs", path.join(bin, "tsx"));
  await symlink("../cdktf-cli/bundle/bin/cdktf", path.join(bin, "cdktf"));
}

const seed = {
  organizations: [{ id: "org_quickstart000001", name: "acme", members: ["auth0|ada"] }],
  network_acls: [
    {
      description: "Sanctions of 2025",
      active: true,
      priority: 20,
      rule: { action: { block: true }, match: { geo_country_codes: ["CU"] }, scope: "tenant" as const },
    },
  ],
};

/** The reader's project, with a tenant, and a HOME and a PATH of its own. */
interface Reader {
  readonly project: string;
  /** Runs the commands and ends at the first one that fails. */
  shell(script: string): Promise<Ended>;
}

/** The variables by which npm reaches the registry on this machine. */
const toRegistry = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(npm_config_registry|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i.test(name),
    ),
  );

/** A tenant with a certificate, so that a domain without a scheme reaches it. Its variables begin with the prefix. */
async function tenantOf(prefix: string) {
  const emulator = createEmulator();
  const { port, ca, close } = await emulator.listen({ tls: true });
  const env = {
    [`${prefix}_TENANT_DOMAIN`]: `localhost:${port}`,
    [`${prefix}_TENANT_CLIENT_ID`]: emulator.clientId,
    [`${prefix}_TENANT_CLIENT_SECRET`]: emulator.clientSecret,
    [`${prefix}_TENANT_CERTIFICATE_AUTHORITY`]: ca,
  };
  return { env, close };
}

interface Given {
  /** Prefixes of the variables of further tenants. */
  readonly prefixes?: readonly string[];
  /** The environment names no tenant: the page starts one. */
  readonly withoutTenant?: boolean;
}

async function asReader<T>(engine: Engine, use: (reader: Reader) => Promise<T>, given: Given = {}): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-commands-"));
  const [home, project] = [path.join(folder, "home"), path.join(folder, "project")];
  const tenant = await listeningTenant({ seed });
  const others = await Promise.all((given.prefixes ?? []).map(tenantOf));
  try {
    await Promise.all([mkdir(home), mkdir(project)]);
    const env = {
      ...toRegistry(),
      HOME: home,
      PATH: await programsOf(engine, folder),
      ...(!given.withoutTenant && tenant.env),
      ...Object.assign({}, ...others.map((other) => other.env)),
      // For the scripts that a page shows.
      TERRAFORM: engine.name,
      // As the command line of CDK calls it.
      TERRAFORM_BINARY_NAME: engine.name,
      // Readers confirm an apply by hand.
      TF_CLI_ARGS_apply: "-auto-approve",
      npm_config_cache: process.env.npm_config_cache ?? path.join(os.homedir(), ".npm"),
      npm_config_prefer_offline: "true",
    };
    const shell: Reader["shell"] = (script) =>
      run("bash", ["-c", prelude + script], { cwd: project, env, signal: AbortSignal.timeout(300_000) });
    return await use({ project, shell });
  } finally {
    await Promise.all([tenant.close(), ...others.map((other) => other.close())]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** `tarball`: the packed package, for a page that installs it. */
export function runPage(page: string, blocks: readonly ShellBlock[], engine: Engine, tarball = ""): Promise<Ended> {
  const { files, given = "", installs = false, tenants, withoutTenant } = pages[page] ?? {};
  const asked = async ({ project, shell }: Reader) => {
    for (const [name, text] of Object.entries(files?.() ?? {})) await writeFile(path.join(project, name), text);
    if (!installs) await linkPackages(project);
    const scripts = blocks.map((block) => scriptOf(block, engine.name));
    // Each block begins in the reader's folder.
    const script = [withEngine(given, engine.name), ...scripts].map(
      (text) => `set -x\n${text}\n{ set +x; cd ${quote(project)}; } 2>&-\n`,
    );
    return shell(`TARBALL=${quote(tarball)}\n${script.join("")}`);
  };
  return asReader(engine, asked, { prefixes: tenants, withoutTenant });
}

/** Validates all HCL of docs and examples, unchanged, as modules of one configuration. */
export function validateExamples(engine: Engine): Promise<Ended & { readonly count: number }> {
  return asReader(engine, async ({ project, shell }) => {
    await linkPackages(project);
    const count = writeHclExamples(project);
    const ended = await shell(withEngine("npx tenantform install\nterraform init\nterraform validate", engine.name));
    return { ...ended, count };
  });
}
