/** Working directories of Terraform with one provider and one stack, on an embedded tenant over https. */
import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { installInto, prefixOf, type Contender } from "./contender";
import { run, terraform, type Bench, type Ended } from "./program";
import { startTenant, type Tenant, type TenantOptions } from "./tenant";

const flags = ["-input=false", "-no-color"];
export const commands = {
  create: ["apply", "-auto-approve", ...flags],
  // Fails if anything is left to do.
  plan: ["plan", "-detailed-exitcode", ...flags],
  change: ["apply", "-auto-approve", ...flags],
  destroy: ["destroy", "-auto-approve", ...flags],
} as const;

/** Milliseconds that each response takes. */
export const latency = 50;

const types = { policy: "rate_limit_policy", acl: "network_acl" };
export type Kind = keyof typeof types;

export const policiesOf = (size: number, content = 1): object[] =>
  Array.from({ length: size }, (_, index) => ({
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: `client_id:benchmark${index + 1}`,
    configuration: { action: "block", limit: content + index },
  }));

export interface Workspace {
  readonly contender: Contender;
  readonly directory: string;
  write(objects: readonly object[]): Promise<void>;
  /** Runs Terraform, and throws if the exit code is not 0, unless `mayFail`. */
  run(args: readonly string[], mayFail?: boolean): Promise<Ended>;
}

export async function openWorkspace(
  { folder, signal }: Bench,
  contender: Contender,
  kind: Kind,
  env: NodeJS.ProcessEnv,
): Promise<Workspace> {
  const directory = await realpath(await mkdtemp(path.join(folder, "workspace-")));
  const prefix = prefixOf(contender);
  const workspace: Workspace = {
    contender,
    directory,
    write(objects) {
      const named = objects.map((object, index) => [`${kind}${index + 1}`, object]);
      const configuration = {
        terraform: { required_providers: { [prefix]: { source: contender.source } } },
        ...(named.length > 0 && { resource: { [`${prefix}_${types[kind]}`]: Object.fromEntries(named) } }),
      };
      return writeFile(path.join(directory, "main.tf.json"), JSON.stringify(configuration));
    },
    async run(args, mayFail = false) {
      const ended = await run(terraform, args, { cwd: directory, env, signal });
      if (ended.code === 0 || mayFail) return ended;
      throw new Error(
        `${contender.name}: terraform ${args[0]} ended with ${ended.code}:\n${ended.output.slice(-2000)}`,
      );
    },
  };
  await installInto(directory, contender);
  await workspace.write([]);
  await workspace.run(["init", ...flags]);
  return workspace;
}

/** Starts a tenant for `use`, with the variables of all providers for the tenant and its certificate authority. */
export async function onTenant<T>(
  { folder }: Bench,
  options: TenantOptions,
  use: (tenant: Tenant, env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const tenant = await startTenant({ tls: true, latency, ...options }, folder);
  const authority = path.join(folder, "authority.pem");
  await writeFile(authority, tenant.ca!);
  const env = {
    TENANT_ENDPOINT: tenant.url,
    AUTH0_DOMAIN: new URL(tenant.url).host,
    AUTH0_CLIENT_ID: tenant.clientId,
    AUTH0_CLIENT_SECRET: tenant.clientSecret,
    NODE_EXTRA_CA_CERTS: authority,
    SSL_CERT_FILE: authority,
  };
  try {
    return await use(tenant, env);
  } finally {
    await tenant.close();
  }
}
