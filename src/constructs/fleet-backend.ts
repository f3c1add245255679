/** Finds stacks of a fleet that would share one state. */
import path from "node:path";
import { TerraformBackend, type TerraformStack } from "cdktf";
import { isObject } from "../cty/value";
import { urlIn } from "../text/url";
import { resolved } from "./plain";

/** One message for each state that several stacks use. The messages do not show backends, which may contain passwords. */
export function sharedBackends(stacks: readonly TerraformStack[]): string[] {
  const byState = new Map<string, TerraformStack[]>();
  for (const stack of stacks) {
    const state = stateOf(stack);
    if (state !== undefined) byState.set(state, [...(byState.get(state) ?? []), stack]);
  }
  const shared = [...byState.values()].filter((own) => own.length > 1);
  return shared.map((own) => {
    const names = own.slice(0, 3).map(({ node }) => node.id);
    const rest = own.length - names.length;
    return (
      `${[...names, ...(rest > 0 ? [`${rest} more stacks`] : [])].join(", ")} have the same backend, so they would share one state. Use ` +
      "the name of the tenant in its `path`, `key`, `schemaName` or workspace."
    );
  });
}

type Settings = Readonly<Record<string, unknown>>;

interface Location {
  readonly backend?: Readonly<Record<string, Settings>>;
  readonly cloud?: Settings;
}

/** Undefined if the backend does not say which state it uses. */
function stateOf(stack: TerraformStack): string | undefined {
  const backend = stack.node.findAll().find((one) => TerraformBackend.isBackend(one));
  if (!backend) return undefined;
  const { terraform: overridden = {} } = resolved(stack["rawOverrides"], backend) as { readonly terraform?: Location };
  if (overridden.cloud) return undefined;
  const { terraform } = resolved(backend.toTerraform(), backend) as { readonly terraform: Location };
  const [[type, declared]] = terraform.cloud
    ? [["remote", terraform.cloud] as const]
    : (Object.entries(terraform.backend ?? {}) as [[string, Settings]]);
  const { [type]: own = {}, ...others } = overridden.backend ?? {};
  if (Object.keys(others).length > 0) return undefined;
  // `addOverride` gives settings that the class of the backend lacks, such as `use_lockfile`.
  const settings = { ...declared, ...own };
  const { workspaces } = settings;
  // The environment selects one of the workspaces with a tag or prefix.
  if (isObject(workspaces) && !("name" in workspaces)) return undefined;
  const name = nameOf[type as keyof typeof nameOf] ?? (() => settings);
  return JSON.stringify([type, name(settings, stack)]);
}

/** What names a state. Other settings, such as credentials, encryption and locks, do not. */
const nameOf: Readonly<Record<string, (settings: Settings, stack: TerraformStack) => unknown>> = {
  // A program plans each stack in its own folder.
  local: ({ path: file = "terraform.tfstate" }, stack) => path.resolve(folderOf(stack), String(file)),
  remote: ({ hostname, organization, workspaces }) => [
    String(hostname ?? "app.terraform.io").toLowerCase(),
    organization,
    isObject(workspaces) && workspaces["name"],
  ],
  s3: ({ bucket, key, endpoint, endpoints }) => [
    bucket,
    key,
    serverOf((isObject(endpoints) ? endpoints["s3"] : undefined) ?? endpoint),
  ],
  gcs: ({ bucket, prefix }) => [bucket, withoutSlashes(prefix)],
  azurerm: ({ storage_account_name: account, container_name: container, key }) => [account, container, key],
  pg: ({ conn_str: connection, schema_name: schema }) => [databaseOf(connection), schema ?? "terraform_remote_state"],
  consul: ({ address, path: file }) => [serverOf(address), file],
  cos: ({ bucket, prefix, key }) => [bucket, withoutSlashes(prefix), key ?? "terraform.tfstate"],
  oss: ({ bucket, prefix, key }) => [bucket, withoutSlashes(prefix), key ?? "terraform.tfstate"],
  http: ({ address }) => [serverOf(address), urlIn(String(address))?.pathname, urlIn(String(address))?.search],
  kubernetes: ({ secret_suffix: suffix, namespace, host, config_context: context }) => [
    suffix,
    namespace ?? "default",
    serverOf(host),
    context,
  ],
};

function folderOf(stack: TerraformStack): string {
  const { outdir } = stack.node.root as { readonly outdir?: string };
  return path.resolve(outdir ?? "cdktf.out", "stacks", stack.node.id);
}

const withoutSlashes = (text: unknown) => String(text ?? "").replace(/^\/+|\/+$/g, "");

/** Host and port. The hosts of one AWS store differ by their region. */
function serverOf(address: unknown): string | undefined {
  if (address === undefined || address === null) return undefined;
  const url = urlIn(String(address)) ?? urlIn(`https://${String(address)}`);
  if (!url) return String(address);
  return /\.amazonaws\.com(\.cn)?$/.test(url.hostname) ? undefined : url.host;
}

/** Server and database, without user, password and options. */
function databaseOf(connection: unknown): unknown {
  const text = String(connection ?? "");
  const url = urlIn(text);
  if (url) {
    const { searchParams: more, hostname, port, pathname } = url;
    const [host, number] = [hostname.toLowerCase() || more.get("host"), port || more.get("port") || "5432"];
    return [host, number, pathname.replace(/^\//, "") || more.get("dbname")];
  }
  const words = new Map(
    [...text.matchAll(/(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\S+)/g)].map(([, name, value]) => [name, value]),
  );
  return words.size === 0 ? text : [words.get("host"), words.get("port") ?? "5432", words.get("dbname")];
}
