/** Differences between the engines that run the provider: Terraform (or OpenTofu) and Pulumi. */
import { isPulumi } from "../sdk/plan-registry";
import { shellWord } from "../text/shell-word";

export interface Engine {
  /** Whether a new resource may adopt an identical existing object. */
  readonly canAdopt: boolean;
  /** The command that imports an object: `terraform import tenant_network_acl.NAME acl_…`. */
  importCommand(type: string, id: string): string;
}

const terraform: Engine = {
  canAdopt: true,
  importCommand: (type, id) => `terraform import ${type}.NAME ${shellWord(id)}`,
};

const pulumi: Engine = {
  // Pulumi's bridge creates a renamed object first, and deletes it under its old name later, in another process.
  canAdopt: false,
  importCommand(type, id) {
    const [provider, ...words] = type.split("_");
    const name = words.map((word) => word.replace(/^./, (initial) => initial.toUpperCase())).join("");
    const module = name.replace(/^./, (initial) => initial.toLowerCase());
    return `pulumi import ${provider}:index/${module}:${name} NAME ${shellWord(id)}`;
  },
};

export const engineOf = (terraformVersion: string): Engine => (isPulumi(terraformVersion) ? pulumi : terraform);
