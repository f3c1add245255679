/** Creates, plans, changes and destroys a small stack with each provider in turn: real Terraform, one tenant, https. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { installInto, type Contender } from "./contender";
import { peakDuring } from "./memory";
import { succeed } from "./program";
import { startTenant, type Tenant } from "./tenant";
import { terraform, type Bench } from "./terraform";

export const operations = ["create", "plan", "change", "destroy"] as const;
type Operation = (typeof operations)[number];

export interface Life {
  readonly name: string;
  /** Policies in the stack. */
  readonly size: number;
  /** Milliseconds that each response takes. */
  readonly latency: number;
  /** Seconds of Terraform, for each round. */
  readonly seconds: Readonly<Record<Operation, readonly number[]>>;
  /** Requests of a round. */
  readonly requests: Readonly<Record<Operation, number>>;
  /** Most megabytes of the provider while it creates the stack. */
  readonly peak?: number;
}

const timeout = 300;
const flags = ["-input=false", "-no-color"];
export const commands: Record<Operation, readonly string[]> = {
  create: ["apply", "-auto-approve", ...flags],
  // Fails if anything is left to do.
  plan: ["plan", "-detailed-exitcode", ...flags],
  change: ["apply", "-auto-approve", ...flags],
  destroy: ["destroy", "-auto-approve", ...flags],
};

/** Small stacks show what a process costs, the others what API calls cost. */
const latencyOf = (size: number) => (size < 10 ? 0 : 50);
const roundsOf = (size: number) => (size < 10 ? 7 : 3);

function configuration({ source, policy }: Contender, size: number, limit: number): string {
  const policies = Array.from({ length: size }, (_, index) => [
    `policy${index + 1}`,
    {
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: `client_id:benchmark${index + 1}`,
      configuration: { action: "block", limit: limit + index },
    },
  ]);
  return JSON.stringify({
    terraform: { required_providers: { [path.posix.basename(source)]: { source } } },
    resource: { [policy]: Object.fromEntries(policies) },
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

export async function openWorkspace({ folder, signal }: Bench, contender: Contender, size: number) {
  const directory = await realpath(await mkdtemp(path.join(folder, "life-")));
  const write = (limit: number) =>
    writeFile(path.join(directory, "main.tf.json"), configuration(contender, size, limit));
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
  turns = roundsOf(size),
): Promise<Life[]> {
  const latency = latencyOf(size);
  const tenant = await startTenant({ tls: true, latency }, bench.folder);
  const authority = path.join(bench.folder, "authority.pem");
  await writeFile(authority, tenant.ca!);
  const env = environmentOf(tenant, authority);
  try {
    const workspaces = await Promise.all(contenders.map((contender) => openWorkspace(bench, contender, size)));
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
        latency,
        seconds: each((operation) => lived.map((one) => one.seconds[operation])),
        requests: each((operation) => Math.max(...lived.map((one) => one.requests[operation]))),
        ...(peak !== undefined && { peak }),
      });
    }
    bench.say(`the life of ${size} with ${contenders.map(({ name }) => name).join(", ")}: measured`);
    return lives;
  } finally {
    await tenant.close();
  }
}
