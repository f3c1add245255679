/** Creates, plans, changes and destroys a small stack with each provider in turn: real Terraform, one tenant, https. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { installInto, type Contender } from "./contender";
import { peakDuring, type Memory } from "./memory";
import { succeed } from "./program";
import { startTenant, type Tenant } from "./tenant";
import { terraform, type Bench } from "./terraform";

export const operations = ["create", "plan", "change", "destroy"] as const;
type Operation = (typeof operations)[number];

export interface Life {
  readonly name: string;
  /** Objects in the stack. */
  readonly size: number;
  readonly kind: StackKind;
  /** Milliseconds that each response takes. */
  readonly latency: number;
  /** Seconds of Terraform, for each round. */
  readonly seconds: Readonly<Record<Operation, readonly number[]>>;
  /** Requests of a round. */
  readonly requests: Readonly<Record<Operation, number>>;
  /** The most memory of the provider while it creates the stack. */
  readonly peak?: Memory;
}

export type StackKind = "policy" | "acl";

const nouns = { policy: ["policy", "policies"], acl: ["ACL", "ACLs"] } as const;

/** Such as `10 policies`. */
export const titleOf = ({ size, kind }: Pick<Life, "size" | "kind">): string =>
  `${size} ${nouns[kind][size === 1 ? 0 : 1]}`;

const timeout = 300;
const flags = ["-input=false", "-no-color"];
export const commands: Record<Operation, readonly string[]> = {
  create: ["apply", "-auto-approve", ...flags],
  // Fails if anything is left to do.
  plan: ["plan", "-detailed-exitcode", ...flags],
  change: ["apply", "-auto-approve", ...flags],
  destroy: ["destroy", "-auto-approve", ...flags],
};

/** Milliseconds that each response takes. */
const latency = 50;
const roundsOf = (size: number) => (size < 10 ? 7 : 3);

/** `content`: objects with another content change. */
const objects: Record<StackKind, (index: number, content: number) => object> = {
  policy: (index, content) => ({
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: `client_id:benchmark${index + 1}`,
    configuration: { action: "block", limit: content + index },
  }),
  acl: (index, content) => ({
    description: `Benchmark ${index + 1} of ${content}`,
    active: true,
    priority: index + 1,
    rule: {
      action: { block: true },
      match: { ipv4_cidrs: [`198.51.100.${index}/32`, "203.0.113.0/24"] },
      scope: "authentication",
    },
  }),
};

function configuration(contender: Contender, size: number, kind: StackKind, content: number): string {
  const { source } = contender;
  const named = Array.from({ length: size }, (_, index) => [`${kind}${index + 1}`, objects[kind](index, content)]);
  return JSON.stringify({
    terraform: { required_providers: { [path.posix.basename(source)]: { source } } },
    resource: { [contender[kind]]: Object.fromEntries(named) },
  });
}

/** The variables of all providers for the tenant and its certificate authority. */
export const environmentOf = ({ url, clientId, clientSecret }: Tenant, authority: string): NodeJS.ProcessEnv => ({
  TENANT_ENDPOINT: url,
  AUTH0_DOMAIN: new URL(url).host,
  AUTH0_CLIENT_ID: clientId,
  AUTH0_CLIENT_SECRET: clientSecret,
  NODE_EXTRA_CA_CERTS: authority,
  SSL_CERT_FILE: authority,
});

export async function openWorkspace(
  { folder, signal }: Bench,
  contender: Contender,
  size: number,
  kind: StackKind = "policy",
) {
  const directory = await realpath(await mkdtemp(path.join(folder, "life-")));
  const write = (content: number) =>
    writeFile(path.join(directory, "main.tf.json"), configuration(contender, size, kind, content));
  const run = async (args: readonly string[], env?: NodeJS.ProcessEnv) =>
    (await succeed(terraform, args, { cwd: directory, env, signal, timeout })).seconds;
  await installInto(directory, contender);
  await write(1);
  await run(["init", ...flags]);
  return { ...contender, directory, write, run };
}

/** One round: creates the stack, plans it, changes every object, and destroys the stack. */
async function liveOnce(workspace: Awaited<ReturnType<typeof openWorkspace>>, tenant: Tenant, env: NodeJS.ProcessEnv) {
  const seconds = {} as Record<Operation, number>;
  const requests = {} as Record<Operation, number>;
  await tenant.reset();
  for (const operation of operations) {
    await workspace.write(operation === "change" ? 1001 : 1);
    if (operation === "destroy") await workspace.write(1001);
    seconds[operation] = await workspace.run(commands[operation], env);
    requests[operation] = (await tenant.served()).length;
  }
  return { seconds, requests };
}

export async function measureLife(
  bench: Bench,
  contenders: readonly Contender[],
  size: number,
  kind: StackKind,
  turns = roundsOf(size),
): Promise<Life[]> {
  const tenant = await startTenant({ tls: true, latency }, bench.folder);
  const authority = path.join(bench.folder, "authority.pem");
  await writeFile(authority, tenant.ca!);
  const env = environmentOf(tenant, authority);
  try {
    const workspaces = await Promise.all(contenders.map((contender) => openWorkspace(bench, contender, size, kind)));
    const rounds = new Map(contenders.map(({ name }) => [name, [] as Awaited<ReturnType<typeof liveOnce>>[]]));
    for (let round = 0; round < turns; round++) {
      for (const workspace of workspaces) rounds.get(workspace.name)!.push(await liveOnce(workspace, tenant, env));
    }
    const lives: Life[] = [];
    for (const { name, directory, write, run } of workspaces) {
      await tenant.reset();
      await write(1);
      await rm(path.join(directory, "terraform.tfstate"), { force: true });
      const peak = await peakDuring(directory, () => run(commands.create, env));
      const lived = rounds.get(name)!;
      const each = <T>(of: (operation: Operation) => T) =>
        Object.fromEntries(operations.map((operation) => [operation, of(operation)])) as Record<Operation, T>;
      lives.push({
        name,
        size,
        kind,
        latency,
        seconds: each((operation) => lived.map((one) => one.seconds[operation])),
        requests: each((operation) => Math.max(...lived.map((one) => one.requests[operation]))),
        ...(peak !== undefined && { peak }),
      });
    }
    bench.say(`the life of ${titleOf({ size, kind })} with ${contenders.map(({ name }) => name).join(", ")}: measured`);
    return lives;
  } finally {
    await tenant.close();
  }
}
