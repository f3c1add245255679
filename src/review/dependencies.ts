/** Reads from a plan which resources depend on each other, because Terraform changes them in that order. */
import { priorResources, type ConfigModule, type Plan } from "./plan";
import { bare } from "./share";

/** Address of a resource without its indexes -> the resources on which it depends, also through others. */
export type DependencyGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** Only what the plan shows: `depends_on` and references within one module, and the dependencies that the state holds. */
export function dependenciesIn(plan: Plan): DependencyGraph {
  const direct = new Map<string, Set<string>>();
  const add = (address: string, others: readonly string[]) => {
    const known = direct.get(address) ?? new Set<string>();
    for (const other of others) known.add(other);
    direct.set(address, known);
  };
  addConfigured(plan.configuration?.root_module, "", add);
  for (const { address, depends_on: others = [] } of priorResources(plan)) {
    add(bare(address), others.map(bare));
  }
  return new Map([...direct.keys()].map((address) => [address, reachableFrom(address, direct)]));
}

function addConfigured(
  module: ConfigModule | undefined,
  prefix: string,
  add: (address: string, others: readonly string[]) => void,
): void {
  const own = (module?.resources ?? []).map(({ address }) => address);
  for (const { address, depends_on: others = [], expressions } of module?.resources ?? []) {
    const named = [...others, ...referencesIn(expressions)].flatMap((name) =>
      own.filter((one) => name === one || name.startsWith(`${one}.`) || name.startsWith(`${one}[`)),
    );
    add(
      prefix + address,
      named.map((one) => prefix + one),
    );
  }
  for (const [name, { module: child }] of Object.entries(module?.module_calls ?? {})) {
    addConfigured(child, `${prefix}module.${name}.`, add);
  }
}

/** All references in the expressions of a resource. */
function referencesIn(expressions: unknown): string[] {
  if (typeof expressions !== "object" || expressions === null) return [];
  return Object.entries(expressions).flatMap(([name, part]): string[] => {
    if (name === "constant_value") return [];
    if (name !== "references" || !Array.isArray(part)) return referencesIn(part);
    return part.filter((one): one is string => typeof one === "string");
  });
}

function reachableFrom(address: string, direct: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const open = [address];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of direct.get(next) ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      open.push(other);
    }
  }
  found.delete(address);
  return found;
}
