/** Finds stacks of a fleet that would share one state. */
import { TerraformBackend, type TerraformStack } from "cdktf";
import { isObject } from "../cty/value";
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

/** Undefined if the backend does not say which state it uses. */
function stateOf(stack: TerraformStack): string | undefined {
  const backend = stack.node.findAll().find((one) => TerraformBackend.isBackend(one));
  const { terraform: overridden = {} } = stack["rawOverrides"] as { readonly terraform?: object };
  if (!backend || "backend" in overridden || "cloud" in overridden) return undefined;
  const { terraform } = resolved(backend.toTerraform(), backend) as {
    readonly terraform: { readonly backend?: Readonly<Record<string, object>>; readonly cloud?: object };
  };
  const [settings = {}] = terraform.cloud ? [terraform.cloud] : Object.values(terraform.backend ?? {});
  const { workspaces } = settings as { readonly workspaces?: unknown };
  // The environment selects one of the workspaces with a tag or prefix.
  if (isObject(workspaces) && !("name" in workspaces)) return undefined;
  return JSON.stringify(terraform);
}
