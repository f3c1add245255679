/** Reads the resources of a state: the output of `terraform show -json`, or a state file. */
import type { Marks, Values } from "../../judge/impact/model";
import { kindOf } from "../../judge/kinds/kinds";
import { UserError } from "../../formats/text/user-error";
import { resourcesOf, type Module, type Plan, type ResourceChange, type StateResource } from "./plan";

/** A plan that changes nothing. Throws a UserError if an object has no id: somebody edited the state, and nothing of the object is known. */
export function planOfState(resources: readonly StateResource[]): Plan {
  const managed = resources.filter(({ mode }) => mode !== "data");
  for (const { address, type, values } of managed) {
    const { attribute } = kindOf(type)?.identity ?? {};
    if (attribute === undefined || typeof values?.[attribute] === "string") continue;
    throw new UserError(
      `The state has no \`${attribute}\` of ${address}. Run \`terraform apply -refresh-only\`, or correct the state.`,
    );
  }
  return {
    source: "state",
    format_version: "1.2",
    complete: true,
    resource_drift: [],
    resource_changes: managed.map(kept),
    prior_state: { values: { root_module: { resources: resources.filter(({ mode }) => mode === "data") } } },
  };
}

/** An object of a state as a plan has it that does not change it. */
function kept({ address, type, values, sensitive_values: marks, deposed_key: deposed }: StateResource): ResourceChange {
  return {
    address,
    type,
    mode: "managed",
    ...(deposed !== undefined && { deposed }),
    change: { actions: ["no-op"], before: values, after: values, before_sensitive: marks, after_sensitive: marks },
  };
}

/** undefined: it is no state. */
export function stateIn(json: unknown): StateResource[] | undefined {
  if (typeof json !== "object" || json === null || "resource_changes" in json || "planned_values" in json)
    return undefined;
  const read = json as Values;
  if (Array.isArray(read["resources"])) return (read["resources"] as Values[]).flatMap(instancesOf);
  const { values } = read as { readonly values?: { readonly root_module?: Module } };
  // Terraform shows an empty state without values.
  const isEmpty =
    "format_version" in read &&
    Object.keys(read).every((part) => ["format_version", "terraform_version", "checks"].includes(part));
  return values?.root_module ? resourcesOf(values.root_module) : isEmpty ? [] : undefined;
}

function instancesOf({ module, type, name, mode, instances }: Values): StateResource[] {
  const prefix = `${module === undefined ? "" : `${String(module)}.`}${mode === "data" ? "data." : ""}`;
  return ((instances ?? []) as Values[]).map((instance) => {
    const { attributes, index_key: index, sensitive_attributes: paths, deposed } = instance;
    return {
      address: `${prefix}${String(type)}.${String(name)}${index === undefined ? "" : `[${JSON.stringify(index)}]`}`,
      mode: String(mode),
      type: String(type),
      values: (attributes ?? {}) as Values,
      sensitive_values: marksOf(paths),
      ...(typeof deposed === "string" && { deposed_key: deposed }),
    };
  });
}

/** A state file lists the paths of sensitive values. A list with a sensitive entry counts as sensitive. */
function marksOf(paths: unknown): Marks {
  // Without a prototype, a name such as __proto__ is harmless.
  const marks = Object.create(null) as { [name: string]: Marks };
  for (const path of Array.isArray(paths) ? (paths as { type?: unknown; value?: unknown }[][]) : []) {
    const names = path.filter(({ type }) => type === "get_attr").map(({ value }) => String(value));
    let at = marks;
    names.forEach((name, index) => {
      if (index === names.length - 1) at[name] = true;
      else if (at[name] !== true) at = (at[name] ??= Object.create(null) as typeof at) as typeof at;
    });
  }
  return marks;
}
