/** Positions within a value. */

/** An attribute by name, a list element by index, a map element by key. Set elements have no address: a path ends at its set. */
export type Step = { readonly attribute: string } | { readonly index: number } | { readonly key: string };
export type Path = readonly Step[];

export const root: Path = [];

export function attributePath(...names: readonly string[]): Path {
  return names.map((attribute) => ({ attribute }));
}

/** As people write it in a configuration: `rule.match.ipv4_cidrs`, `items[0]`, `labels["a"]`. */
export function formatPath(path: Path): string {
  return path
    .map((step, position) => {
      if ("attribute" in step) return position === 0 ? step.attribute : `.${step.attribute}`;
      return "index" in step ? `[${step.index}]` : `[${JSON.stringify(step.key)}]`;
    })
    .join("");
}
